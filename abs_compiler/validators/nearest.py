"""The nearest of the calls that are left over: the one with the fewest differing top-level keys, then the earliest.

The calls of one tool are kept as bits. Calls with the same set of keys form a group, in which the number of keys that
no call could have right is the same for all; the others are counted for a whole group at once, from an index of the
values each key has.
"""

from __future__ import annotations

from abs_compiler.runtime.templates import pattern_key, value_test
from abs_compiler.runtime.values import json_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .expectation import Expectation

    Pattern = tuple[Any, ...]


class LeftOver:
    """The calls of one tool that are left over: the numbers of their rows, and the arguments of all rows."""

    __slots__ = ("_arguments", "_free", "_groups", "_passing", "_rows", "_values")

    def __init__(self, rows: list[int], arguments: Sequence[Any]) -> None:
        self._rows = rows
        self._arguments = [arguments[row] for row in rows]
        self._free = (1 << len(rows)) - 1
        self._groups: dict[frozenset[str] | None, int] = {}
        self._values: dict[str, dict[Any, int]] = {}
        self._passing: dict[tuple[str, Any], int] = {}
        for index, seen in enumerate(self._arguments):
            keys = frozenset(seen or ()) if seen is None or seen.__class__ is dict else None
            self._groups[keys] = self._groups.get(keys, 0) | 1 << index

    def take_nearest(self, expectation: Expectation) -> tuple[int, int] | None:
        """Take the nearest call away: how many of its keys differ, and its row. None where no call is left."""
        best: tuple[int, int] | None = None
        for keys, members in self._groups.items():
            left = members & self._free
            if left:
                found = self._nearest(expectation, keys, left)
                best = found if best is None else min(best, found)
        if best is None:
            return None
        differing, index = best
        self._free ^= 1 << index
        return differing, self._rows[index]

    def _nearest(self, expectation: Expectation, keys: frozenset[str] | None, left: int) -> tuple[int, int]:
        """The nearest of the calls with these keys (None: no object at all): differing keys, and its index."""
        constraint = expectation.constraint
        if constraint is None:
            return 0, _lowest(left)
        patterns = constraint.patterns
        if keys is None:
            return len(patterns) + 1, _lowest(left)
        # Every call counts the shared keys it has right: digit by digit, `counters[n]` holds bit n of all counts.
        shared = 0
        counters: list[int] = []
        for key, pattern in patterns.items():
            if key in keys:
                shared += 1
                _count(counters, self._matching(key, pattern) & left)
        most, best = _highest(counters, left)
        unexpected = len(keys) - shared if constraint.only else 0
        return len(patterns) - most + unexpected, _lowest(best)

    def _matching(self, key: str, pattern: Pattern) -> int:
        """The calls whose value of a key is what is expected."""
        if pattern[0] == "=":
            return self._index(key).get(json_key(pattern[1]), 0)
        name = (key, pattern_key(pattern))
        found = self._passing.get(name)
        if found is None:
            test = value_test(pattern)
            found = 0
            for index, seen in enumerate(self._arguments):
                if seen.__class__ is dict and key in seen and test(seen[key]):
                    found |= 1 << index
            self._passing[name] = found
        return found

    def _index(self, key: str) -> dict[Any, int]:
        """The values that calls have of a key, with the calls."""
        values = self._values.get(key)
        if values is None:
            values = self._values[key] = {}
            for index, seen in enumerate(self._arguments):
                if seen.__class__ is dict and key in seen:
                    try:
                        name = json_key(seen[key])
                    except ValueError:  # deeper than any expected value
                        continue
                    values[name] = values.get(name, 0) | 1 << index
        return values


def _count(counters: list[int], calls: int) -> None:
    """Add one to the counts of some calls."""
    for digit, bits in enumerate(counters):
        if not calls:
            return
        counters[digit] = bits ^ calls
        calls &= bits
    if calls:
        counters.append(calls)


def _highest(counters: list[int], calls: int) -> tuple[int, int]:
    """The highest count of these calls, and those that have it."""
    most = 0
    for digit in reversed(range(len(counters))):
        if calls & counters[digit]:
            calls &= counters[digit]
            most |= 1 << digit
    return most, calls


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
