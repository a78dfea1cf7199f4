"""Targets and the recorded names that stand for them: which of two targets is the narrower one.

A target with an entry in `match.targets` means the listed names and globs (`*` is any text) and itself; one without
means itself.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping


class Overlap(enum.Enum):
    """How the recorded names of two targets lie: within the first, within the second, apart, or neither."""

    FIRST = "the first is the narrower one (or both are equal)"
    SECOND = "the second is the narrower one"
    NONE = "no name belongs to both"
    PARTLY = "some names belong to both, none of the two holds the other"


def overlap(first: str, second: str, targets: Mapping[str, tuple[str, ...]]) -> Overlap:
    """How the recorded names of two targets lie."""
    left, right = names_of(first, targets), names_of(second, targets)
    if _within(left, right):
        return Overlap.FIRST
    if _within(right, left):
        return Overlap.SECOND
    if any(_may_meet(one, other) for one in left for other in right):
        return Overlap.PARTLY
    return Overlap.NONE


def names_of(target: str, targets: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, bool], ...]:
    """The names and globs of a target; the flag says which are globs (a target itself never is)."""
    return ((target, False), *((name, "*" in name) for name in targets.get(target, ())))


def _within(inner: tuple[tuple[str, bool], ...], outer: tuple[tuple[str, bool], ...]) -> bool:
    return all(any(_covers(wide, narrow) for wide in outer) for narrow in inner)


def _covers(wide: tuple[str, bool], narrow: tuple[str, bool]) -> bool:
    if wide == narrow:
        return True
    if not wide[1]:
        return False
    # the stars of a glob stand for any text, so a glob that is matched as text is covered too
    return _matches(wide[0], narrow[0])


def _matches(glob: str, name: str) -> bool:
    return re.fullmatch(".*".join(re.escape(part) for part in glob.split("*")), name, re.DOTALL) is not None


def _may_meet(one: tuple[str, bool], other: tuple[str, bool]) -> bool:
    """Whether a name can belong to both; two globs may meet when their fixed ends agree."""
    if not one[1]:
        return _covers(other, one)
    if not other[1]:
        return _covers(one, other)
    heads = one[0].partition("*")[0], other[0].partition("*")[0]
    tails = one[0].rpartition("*")[2], other[0].rpartition("*")[2]
    head = heads[0].startswith(heads[1]) or heads[1].startswith(heads[0])
    tail = tails[0].endswith(tails[1]) or tails[1].endswith(tails[0])
    return head and tail
