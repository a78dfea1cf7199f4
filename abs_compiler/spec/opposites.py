"""Words that are spelt alike and demand different things: `min_steps` and `max_steps`, `gte` and `lte`, `step_1` and
`step_2`. A typing mistake does not turn one into the other.
"""

from __future__ import annotations

import re

from abs_compiler.predicate.negation import changes_negation, parts

_OPPOSITES = tuple(
    frozenset(words.split())
    for words in (
        "min max",
        "minimum maximum",
        "least most",
        "any all only none some each every one",
        "before after",
        "earlier later",
        "first last",
        "more less fewer",
        "greater less lower smaller",
        "gt gte lt lte ge le eq ne neq",
        "above below",
        "over under",
        "upper lower",
        "high low",
        "inside outside",
        "allow forbid deny",
        "include exclude",
        "includes excludes",
        "included excluded",
        "accept reject",
        "accepts rejects",
        "enable disable",
        "enabled disabled",
        "increase decrease",
        "pass fail",
        "start end",
        "starts ends",
        "starting ending",
        "prefix suffix",
        "ordered unordered",
        "input output",
        "from to",
        "old new",
    )
)
# Names may be written in one piece, as in `minsteps` and `noneof`; shorter beginnings say too little.
_STEMS = tuple(group for group in _OPPOSITES if all(len(word) >= 3 for word in group))
_DIGITS = re.compile(r"\d+")


def says_another_thing(word: str, candidate: str) -> bool:
    """Whether two words that are spelt alike differ in what they demand."""
    ours, theirs = parts(word), parts(candidate)
    if changes_negation(word, candidate) or _other_number(word, candidate):
        return True
    if len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            if one != other and (changes_negation(one, other) or _opposed(one, other)):
                return True
    return _begin_or_end_opposed("".join(ours), "".join(theirs))


def _opposed(one: str, other: str) -> bool:
    return any(one in group and other in group for group in _OPPOSITES)


def _begin_or_end_opposed(one: str, other: str) -> bool:
    """Whether two names begin, or end, with different words of one group."""
    for group in _STEMS:
        for ours, theirs in ((_begins(one, group), _begins(other, group)), (_ends(one, group), _ends(other, group))):
            if ours and theirs and not ours & theirs:
                return True
    return False


def _begins(name: str, group: frozenset[str]) -> set[str]:
    return {word for word in group if name.startswith(word)}


def _ends(name: str, group: frozenset[str]) -> set[str]:
    return {word for word in group if name.endswith(word)}


def _other_number(word: str, candidate: str) -> bool:
    """Whether both are numbered, and numbered differently: `step_1` is no slip of `step_2`."""
    ours, theirs = _DIGITS.findall(word), _DIGITS.findall(candidate)
    return bool(ours and theirs) and ours != theirs
