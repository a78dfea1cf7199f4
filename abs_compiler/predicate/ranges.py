"""What is wrong with ranges that are half open, written with other signs or in words, and with times of day.

Each rule takes a stop (see `mistakes`) and gives an error, or None where it has nothing to say.
"""

from __future__ import annotations

import re

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import PREDICATE, Token, open_brackets
from abs_compiler.predicate.stop import Stop
from abs_compiler.predicate.words import ORDERS, TYPES

_END = r"(?:-?\d+(?:\.\d+)?|\{\{[\w.]+\}\})"
_BEHIND = r"(?=\s*(?:$|[)\],}]|(?:and|or)\b))"
_RANGE = re.compile(
    rf"(?P<low>{_END})?\s*(?P<dots>\.{{2,}}|…)\s*(?P<without><)?(?P<with>=)?\s*(?P<high>{_END})?{_BEHIND}"
)
_TO = re.compile(rf"(?P<low>{_END})\s+(?:to|through)\s+(?P<high>{_END}){_BEHIND}", re.IGNORECASE)
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?![\w:.])")


def odd_range(stop: Stop) -> PredicateSyntaxError | None:
    """`1...5`, `1..<5`, `5..`, `..5` and `1 to 5`, behind `in` and alone."""
    before, start = _start(stop)
    if start is None or any(bracket.text == "[" for bracket in open_brackets(before)[-1:]):
        return None
    led = bool(before) and before[-1].text == "in"
    if not led and not stop.wants_test and "LENGTH" not in stop.expected and stop.previous != "..":
        return None
    found = _RANGE.match(stop.text, start) or _TO.match(stop.text, start)
    if found is None or (found.re is _RANGE and not _is_odd(found, led)):
        return None
    subject = "length " if len(before) > 1 and before[-2].text == "length" and led else ""
    begin = before[-2 if subject else -1].start if led else start
    message, label, right, edit = _meant(found, begin, subject)
    around = before[:-1] if led else before
    if " and " in right and around and around[-1].text not in TYPES:
        right = f"({right})"
    return PredicateSyntaxError(
        PREDICATE.code_name, message, start, found.end(), label, [Advice(f"write `{right}`", edit)]
    )


def _start(stop: Stop) -> tuple[list[Token], int | None]:
    """The tokens before a range, and where it begins: at the offending token, or before it."""
    found, before = stop.found, list(stop.before)
    if stop.previous == "..":
        before.pop()
        dots = stop.before[-1].start
        return (
            (before[:-1], before[-1].start) if before and before[-1].kind in ("number", "reference") else (before, dots)
        )
    if found is None:
        return before, None
    if found.text in ("..", "…", "to", "through") and before and before[-1].kind in ("number", "reference"):
        return before[:-1], before[-1].start
    if found.text in ("..", "…") or (found.kind in ("number", "reference") and stop.after):
        return before, found.start
    return before, None


def _is_odd(found: re.Match[str], led: bool) -> bool:
    """Whether no other rule speaks of this range: not that of a plain one, nor that of dots too many behind `in`."""
    whole = found["low"] and found["high"]
    if found["without"] or found["with"]:
        return bool(whole)
    return bool(whole and not led and found["dots"] != "..") or bool(found["low"]) != bool(found["high"])


def _meant(found: re.Match[str], begin: int, subject: str) -> tuple[str, str, str, Edit | None]:
    """The message, the label, what to write, and the edit that writes it where that says the same."""
    low, high = found["low"], found["high"]
    if low is None or high is None:
        right = f"{subject}<= {high}" if low is None else f"{subject}>= {low}"
        return "a range has two ends", "one of them is missing", right, None
    if found.re is _RANGE and found["without"]:
        right = f"{subject}>= {low} and {subject}< {high}"
        return "a range holds both its ends", "`<` is no part of a range", right, None
    right = f"{subject}in {low}..{high}"
    edit = Edit(begin, found.end(), right)
    return "a range is written with two dots, behind `in`", "not written so", right, edit


def unquoted_time(stop: Stop) -> PredicateSyntaxError | None:
    """A time of day without quotes: `12:30`."""
    found, before = stop.found, stop.before
    bare = found is not None and found.kind == "number" and (stop.wants_test or "LENGTH" in stop.expected)
    behind = found is not None and found.text == ":" and bool(before) and before[-1].end == found.start
    token = found if bare else before[-1] if behind else None
    time = None if token is None or token.kind != "number" else _TIME.match(stop.text, token.start)
    if time is None:
        return None
    right = quoted(time[0])
    # As texts, times have their order only where all have as many digits.
    ordered = not bare and len(before) > 1 and before[-2].text in ORDERS
    written = f"== {right}" if bare else right
    edit = None if ordered else Edit(time.start(), time.end(), written)
    return PredicateSyntaxError(
        PREDICATE.code_name,
        f"`{time[0]}` is not a {'test' if bare else 'value'}",
        time.start(),
        time.end(),
        "not in quotes",
        [Advice(f"a time is a text: write `{written}`", edit)],
    )
