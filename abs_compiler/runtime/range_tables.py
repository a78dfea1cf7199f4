"""Range tables: a number to the mask of the steps whose intervals hold it, by one binary search.

Takes number sets (the closed intervals of predicate data, for integers and for numbers with a fraction) with the bits
of the steps they belong to. The ends of all intervals cut the numbers into points and gaps; in a gap every integer
satisfies the same steps, and every other number the same.
"""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def is_number_set(pattern: tuple[Any, ...]) -> bool:
    """Whether a pattern is a closed predicate that admits numbers and nothing else."""
    if pattern[0] != "is" or pattern[2] or pattern[1][0] != "set":
        return False
    kinds = pattern[1][1].keys()
    return bool(kinds) and kinds <= {"integer", "fraction"}


def range_masks(sets: Sequence[tuple[int, Any]]) -> Callable[[Any], int]:
    """A function from an int or float to the steps whose set holds it."""
    ends: set[Any] = set()
    for _, kinds in sets:
        for kind in ("integer", "fraction"):
            for interval in _intervals(kinds, kind):
                ends.update(end for end in interval if end is not None)
    points = sorted(ends)
    count = len(points)
    at_points = [0] * count
    integers, fractions = _masks(sets, "integer", points, at_points), _masks(sets, "fraction", points, at_points)

    def look_up(value: Any) -> int:
        if value - value != 0:  # no number in JSON, which traces made in memory may hold
            return 0
        gap = bisect_left(points, value)
        if gap < count and points[gap] == value:
            return at_points[gap]
        if value.__class__ is int or value.is_integer():
            return integers[gap]
        return fractions[gap]

    return look_up


def _intervals(kinds: Any, kind: str) -> list[list[Any]]:
    found = kinds.get(kind)
    if found is True:
        return [[None, None]]
    return found or []


def _masks(sets: Sequence[tuple[int, Any]], kind: str, points: list[Any], at_points: list[int]) -> list[int]:
    """The steps whose intervals of a kind cover each gap, the one before `points[gap]`; fills in those whose intervals
    hold each point of that kind. No interval ends inside a gap."""
    count = len(points)
    is_whole = [point.__class__ is int or point.is_integer() for point in points]
    gaps = [0] * (count + 1)
    for bits, kinds in sets:
        for low, high in _intervals(kinds, kind):
            first = -1 if low is None else bisect_left(points, low)
            last = count if high is None else bisect_left(points, high)
            for gap in range(first + 1, last + 1):
                gaps[gap] |= bits
            for at in range(max(first, 0), min(last + 1, count)):
                if is_whole[at] is (kind == "integer"):
                    at_points[at] |= bits
    return gaps
