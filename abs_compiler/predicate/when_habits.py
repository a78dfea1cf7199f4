"""Conditions as other languages write them: `cases.lang == "en"`, `${lang}`, `if {{vip}}`, `{{n}} between 1 and 5`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import CONDITION, Token, mistake
from abs_compiler.predicate.words import COMPARISONS

_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?"
_DOTTED = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*(?![\w.(])", re.ASCII)
_TEMPLATE = re.compile(rf"\$\{{\s*({_NAME})\s*\}}|\$({_NAME})(?![\w.(])|\{{\s*({_NAME})\s*\}}(?!\}})", re.ASCII)
_END = r"(?:-?\d+(?:\.\d+)?|\{\{[\w.]+\}\}|\"[^\"]*\"|'[^']*')"
_BETWEEN = re.compile(rf"(?P<negated>not\s+)?between\s+(?P<low>{_END})\s+and\s+(?P<high>{_END})", re.IGNORECASE)
_LED = frozenset(("if", "when", "where", "while", "assert"))
_TURNED = frozenset(("unless", "until"))
_OF_PARTS = frozenset(
    (
        *("contains", "starts", "ends", "matches", "length", "each", "some", "has", "like", "startswith", "endswith"),
        *("includes", "include", "match", "regex", "len", "size"),
    )
)
_THERE = frozenset(("set", "defined", "present", "given", "provided", "exists"))
_WHOLE_VALUES = "conditions look at whole values; compare a variable that says it, for example `{{isMember}} == true`"


def borrowed(text: str, token: Token, before: Sequence[Token], after: Sequence[Token]) -> PredicateSyntaxError | None:
    """The mistake at a token where it belongs to another language; None where it does not."""
    value = not before or before[-1].kind == "sign" or before[-1].text in ("and", "or", "not")
    if value and (variable := _variable(text, token, before)) is not None:
        return variable
    if token.kind != "word":
        return None
    word = token.text.lower()
    if not before and after and word in _LED:
        return _unknown(token, "a condition begins with what it says", f"leave `{token.text}` out")
    if not before and after and word in _TURNED:
        return _unknown(token, "a condition begins with what it says", "write `not (…)` around what must not hold")
    subject = before[-1].text if before and before[-1].kind == "reference" else None
    if subject is None:
        return None
    if (found := _BETWEEN.match(text, token.start)) is not None:
        return _between(token, found, subject)
    if word in _OF_PARTS:
        return _unknown(token, "conditions only compare", _WHOLE_VALUES)
    if word in _THERE or (word == "is" and after and after[0].text.lower() in _THERE):
        return _unknown(token, "not known", f"for a variable that holds a value, write `{subject} != null`")
    return None


def _variable(text: str, token: Token, before: Sequence[Token]) -> PredicateSyntaxError | None:
    """A variable in the spelling of another language, as `{{name}}`."""
    if token.kind != "word" and token.text not in ("$", "{"):
        return None
    found = (_DOTTED if token.kind == "word" else _TEMPLATE).match(text, token.start)
    if found is None:
        return None
    name = next((group for group in found.groups() if group), found[0])
    right = f"{{{{{name}}}}}"
    place = Token("word", found[0], token.start, found.end())
    message = f"`{found[0]}` is not a value"
    if token.kind == "word" and before and before[-1].text in COMPARISONS:  # `== example.com` may be a text
        helps = (f"for the text, quote it: `{quoted(found[0])}`", f"for the variable, write `{right}`")
        return mistake(CONDITION, message, place, "not known", *helps)
    edit = Edit(token.start, found.end(), right)
    return mistake(CONDITION, message, place, "not known", Advice(f"for the variable, write `{right}`", edit))


def _between(token: Token, found: re.Match[str], subject: str) -> PredicateSyntaxError:
    low, high = found["low"], found["high"]
    right = f"{subject} >= {low} and {subject} <= {high}"
    if found["negated"]:
        right = f"({subject} < {low} or {subject} > {high})"
    place = Token("word", found[0], token.start, found.end())
    message = f"`{found[0]}` is not a phrase of conditions"
    return mistake(CONDITION, message, place, "ranges belong to predicates", f"write `{right}`")


def _unknown(token: Token, label: str, help_: str) -> PredicateSyntaxError:
    message = f"`{token.text}` is not a word of conditions"
    return mistake(CONDITION, message, token, label, help_, code_name="unknown-word")
