"""Sets of numbers as closed intervals, exactly: over the integers, and over the doubles with a fraction.

Both are discrete orders, so a set has one form: sorted intervals, None for "no bound", none touching the next.
An integral double is an integer, whatever its type in Python; beyond 2**52 every double is one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

Interval: TypeAlias = tuple[Any, Any]
Intervals: TypeAlias = tuple[Interval, ...]

EMPTY: Intervals = ()
ALL: Intervals = ((None, None),)
_LARGEST = 2.0**52 - 0.5


class Line(Protocol):
    """A discrete order without ends."""

    def after(self, point: Any) -> Any: ...
    def before(self, point: Any) -> Any: ...
    def count(self, low: Any, high: Any) -> int: ...


class _Integers:
    def after(self, point: int) -> int:
        return point + 1

    def before(self, point: int) -> int:
        return point - 1

    def count(self, low: int, high: int) -> int:
        return high - low + 1


class _Fractions:
    """The doubles that are no integers, -(2**52 - 0.5) to 2**52 - 0.5."""

    def after(self, point: float) -> float:
        return _skip_integers(math.nextafter(point, math.inf), math.inf)

    def before(self, point: float) -> float:
        return _skip_integers(math.nextafter(point, -math.inf), -math.inf)

    def count(self, low: float, high: float) -> int:
        integers_between = math.floor(high) - math.ceil(low) + 1
        return _rank(high) - _rank(low) + 1 - integers_between


def _skip_integers(point: float, toward: float) -> float:
    return math.nextafter(point, toward) if point.is_integer() else point


def _rank(point: float) -> int:
    """The doubles numbered in their order; both zeros are number 0."""
    (bits,) = struct.unpack("<q", struct.pack("<d", point))
    return int(bits) if bits >= 0 else -(int(bits) & 0x7FFF_FFFF_FFFF_FFFF)


INTEGERS: Line = _Integers()
FRACTIONS: Line = _Fractions()


def union(*sets: Intervals, line: Line) -> Intervals:
    """What is in any of some sets."""
    found: list[Interval] = []
    for low, high in sorted((interval for intervals in sets for interval in intervals), key=_low):
        if found and _reaches(found[-1][1], low, line):
            found[-1] = (found[-1][0], _larger_end(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def intersection(left: Intervals, right: Intervals) -> Intervals:
    """What is in both of two sets."""
    found: list[Interval] = []
    i = j = 0
    while i < len(left) and j < len(right):
        low = max(left[i], right[j], key=_low)[0]
        high_left, high_right = left[i][1], right[j][1]
        high = high_left if _ends_first(high_left, high_right) else high_right
        if low is None or high is None or low <= high:
            found.append((low, high))
        if _ends_first(high_left, high_right):
            i += 1
        else:
            j += 1
    return tuple(found)


def complement(intervals: Intervals, line: Line) -> Intervals:
    """What is not in a set."""
    found: list[Interval] = []
    low: Any = None
    open_below = True
    for start, end in intervals:
        if start is not None:
            found.append((None if open_below else low, line.before(start)))
        open_below = False
        if end is None:
            return tuple(found)
        low = line.after(end)
    found.append((None if open_below else low, None))
    return tuple(found)


def contains(intervals: Intervals, point: Any) -> bool:
    """Whether a number of the line's kind is in a set."""
    return any((low is None or low <= point) and (high is None or point <= high) for low, high in intervals)


def size(intervals: Intervals, line: Line, cap: int) -> int:
    """How many numbers a set holds, at most `cap`."""
    total = 0
    for low, high in intervals:
        if low is None or high is None:
            return cap
        total += line.count(low, high)
    return min(total, cap)


def points(intervals: Intervals, line: Line) -> Iterable[Any]:
    """Numbers of a set, near zero or a bound first; endless for an endless set."""
    for low, high in intervals:
        if low is None and high is None:
            start: Any = 0 if line is INTEGERS else 0.5
            yield start
            up, down = line.after(start), line.before(start)
            while True:
                yield up
                yield down
                up, down = line.after(up), line.before(down)
        step = line.before if low is None else line.after
        point = high if low is None else low
        while (low is None or high is None or point <= high) and not (line is FRACTIONS and abs(point) > _LARGEST):
            yield point
            point = step(point)


# --- from comparisons -----------------------------------------------------------------------------------------------


def integers_from(bound: float, *, strict: bool) -> Intervals:
    """The integers at or above a bound, or above it."""
    low = math.ceil(bound)
    return ((low + 1 if strict and low == bound else low, None),)


def integers_to(bound: float, *, strict: bool) -> Intervals:
    """The integers at or below a bound, or below it."""
    high = math.floor(bound)
    return ((None, high - 1 if strict and high == bound else high),)


def fractions_from(bound: float, *, strict: bool) -> Intervals:
    """The numbers with a fraction at or above a bound, or above it."""
    if bound > _LARGEST:
        return EMPTY
    if bound < -_LARGEST:
        return ALL
    point = float(bound)
    if point.is_integer() or strict:
        point = FRACTIONS.after(point)
    return bounded_fractions(((point, None),))


def fractions_to(bound: float, *, strict: bool) -> Intervals:
    """The numbers with a fraction at or below a bound, or below it."""
    if bound < -_LARGEST:
        return EMPTY
    if bound > _LARGEST:
        return ALL
    point = float(bound)
    if point.is_integer() or strict:
        point = FRACTIONS.before(point)
    return bounded_fractions(((None, point),))


def bounded_fractions(intervals: Intervals) -> Intervals:
    """Intervals of fractions with the ends of the line written as "no bound"."""
    found = []
    for low, high in intervals:
        if (low is not None and low > _LARGEST) or (high is not None and high < -_LARGEST):
            continue
        found.append(
            (None if low is None or low <= -_LARGEST else low, None if high is None or high >= _LARGEST else high)
        )
    return tuple(found)


# --- ends, where None is infinite -----------------------------------------------------------------------------------


def _low(interval: Interval) -> tuple[bool, Any]:
    low = interval[0]
    return (low is not None, 0 if low is None else low)


def _reaches(high: Any, low: Any, line: Line) -> bool:
    return high is None or low is None or low <= high or low == line.after(high)


def _larger_end(left: Any, right: Any) -> Any:
    return None if left is None or right is None else max(left, right)


def _ends_first(left: Any, right: Any) -> bool:
    return left is not None and (right is None or left <= right)
