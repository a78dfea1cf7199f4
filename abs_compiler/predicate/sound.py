"""Advice that may be followed: what does not lead to a predicate worth writing is no fix.

Every edit is tried out. It stays where the text it gives, perhaps after the next fixes, is a predicate, where nothing
in it is void, and where as much is negated as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import attrs

from abs_compiler.bounds import OutOfWorkError, allowance, spend
from abs_compiler.predicate.analysis import findings
from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError, apply
from abs_compiler.predicate.loose import tokens
from abs_compiler.predicate.tree import Predicate
from abs_compiler.predicate.words import TYPES
from abs_compiler.repr_mixin import ReprMixin

# How many mistakes of one predicate are followed up; whoever makes more of them gets words only.
_MOST_STEPS = 6
# The steps of work for looking at what a fix leads to.
_ALLOWED = 20_000
_VOID = frozenset(("always-true-predicates", "unsatisfiable-predicates"))
_NEGATIVE_SIGNS = frozenset(("!=", "!==", "<>", "≠", "!"))
_SHORTENED = re.compile(r"\b([A-Za-z]+)n['’]t\b")
# `no more than` is a comparison like any other.
_NO_MORE = re.compile(r"\bno\s+(?=\w+\s+than\b)", re.IGNORECASE)
_CURLY = re.compile(r"[“”„«‘`][^“”„«»‘’`]*[“”»‘’`]")


Read: TypeAlias = Callable[[str], Any]
Outcome: TypeAlias = Literal["sound", "unfinished", "wrong"]


@attrs.frozen(slots=False, repr=False, eq=False)
class Try(ReprMixin):
    """How texts of a language are tried out: `read` parses without asking for advice on advice, `worth` says what is
    worth writing of what was read, `negates` which words turn something around."""

    read: Read
    worth: Callable[[Any], Outcome]
    negates: Callable[[str], bool]


def with_sound_advice(error: PredicateSyntaxError, text: str, language: Try) -> PredicateSyntaxError:
    """The same error with the advice that may be followed. Where what is most likely cannot be done, nothing less
    likely is."""
    helps: list[Advice] = []
    done = True
    for advice in error.helps:
        found = _sound(advice, text, language)
        if found is not None:
            done = done and (found.edit is not None or advice.edit is None)
            helps.append(found if done else attrs.evolve(found, edit=None))
    return error.advised(helps)


def negations(text: str, negates: Callable[[str], bool]) -> int:
    """How often something is negated in a text that need not be an expression; whole texts and patterns do not
    count."""
    text = _NO_MORE.sub("", _CURLY.sub('""', _SHORTENED.sub(" not ", text)))
    count = 0
    found = tokens(text)
    for index, token in enumerate(found):
        following = found[index + 1].text if index + 1 < len(found) else ""
        if token.text in _NEGATIVE_SIGNS:
            count += 1
        elif token.kind == "word" and token.text.lower() == "none":
            count += following == "of"
        elif token.kind == "word" and following != ":":
            count += negates(token.text)
    return count


def _sound(advice: Advice, text: str, language: Try) -> Advice | None:
    """The advice, without its edit where that is not sound; None where its words show what leads nowhere."""
    if advice.edit is None:
        return advice
    match _outcome(text, advice.edit, language):
        case "sound":
            return advice
        case "unfinished":
            return attrs.evolve(advice, edit=None)
        case _:
            shown = advice.edit.text.strip() in advice.text
            return None if shown else attrs.evolve(advice, edit=None)


def _outcome(text: str, edit: Edit, language: Try) -> Outcome:
    """What an edit leads to; `unfinished` where another mistake, further on, has no fix, where a part adds nothing, and
    where it would take long to tell."""
    if _glues(edit, text):
        return "unfinished"
    edited, behind = apply(edit, text), edit.start + len(edit.text)
    negated = negations(text, language.negates)
    for step in range(_MOST_STEPS):
        if negations(edited, language.negates) != negated:
            return "wrong"
        try:
            expression = language.read(edited)
        except PredicateSyntaxError as error:
            further = error.helps[0].edit if error.helps else None
            if further is None:
                alone = step == 0 and error.start < len(edited.rstrip()) and edit.text not in TYPES
                return "wrong" if alone and not edited[behind : error.start].strip() else "unfinished"
            if _glues(further, edited):
                return "unfinished"
            edited = apply(further, edited)
            continue
        return language.worth(expression)
    return "unfinished"


def _glues(edit: Edit, text: str) -> bool:
    """Whether an edit makes one word of what were two: what that word means then, nobody wrote."""
    before, behind = text[: edit.start][-1:], text[edit.end :][:1]
    pairs = ((before, edit.text[:1]), (edit.text[-1:], behind)) if edit.text else ((before, behind),)
    return any(_in_word(left) and _in_word(right) for left, right in pairs)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def worth_of_predicate(predicate: Predicate) -> Outcome:
    """Whether a predicate is worth writing."""
    try:
        with allowance(_ALLOWED):
            found = {finding.code_name for finding in findings(predicate)}
            spend(1)  # beyond the allowance, `findings` gives what it has found so far
    except OutOfWorkError:
        return "unfinished"
    if found & _VOID:
        return "wrong"
    return "unfinished" if "redundant-parts" in found else "sound"
