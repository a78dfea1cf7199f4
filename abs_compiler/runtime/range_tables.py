"""Range tables: a number to the mask of the steps whose intervals hold it, by one binary search.

Takes number sets (the closed intervals of predicate data, for integers and for numbers with a fraction) with the bits
of the steps they belong to. The ends of all intervals cut the numbers into points and gaps; in a gap every integer
satisfies the same steps, and every other number the same.
"""

from __future__ import annotations

from bisect import bisect_left

from .predicate_forms import number_test

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
    at_points = [_at(sets, point) for point in points]
    integers = [_in_gap(sets, "integer", points, gap) for gap in range(len(points) + 1)]
    fractions = [_in_gap(sets, "fraction", points, gap) for gap in range(len(points) + 1)]
    count = len(points)
    no_number = _at(sets, float("nan"))  # in-memory traces may hold what JSON cannot

    def look_up(value: Any) -> int:
        if value != value:
            return no_number
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


def _at(sets: Sequence[tuple[int, Any]], point: Any) -> int:
    mask = 0
    for bits, kinds in sets:
        if number_test(kinds.get("integer"), kinds.get("fraction"))(point):
            mask |= bits
    return mask


def _in_gap(sets: Sequence[tuple[int, Any]], kind: str, points: list[Any], gap: int) -> int:
    """The steps whose intervals cover the open gap before `points[gap]`: no interval ends inside it."""
    below = points[gap - 1] if gap else None
    above = points[gap] if gap < len(points) else None
    mask = 0
    for bits, kinds in sets:
        for low, high in _intervals(kinds, kind):
            starts = low is None or (below is not None and low <= below)
            ends = high is None or (above is not None and high >= above)
            if starts and ends:
                mask |= bits
                break
    return mask
