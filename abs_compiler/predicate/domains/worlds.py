"""Worlds: the ways in which the atoms of one kind of value can be true together.

A world names the atoms that are true in it, counts the values it holds (up to a cap), and makes some. A formula is
satisfiable exactly when it is true in a world. Worlds are told apart by variables: each has a number for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import attrs

from abs_compiler.predicate.domains.formulas import Atom
from abs_compiler.predicate.domains.intervals import Intervals
from abs_compiler.repr_mixin import ReprMixin


class BlowupError(Exception):
    """More worlds than can be looked at."""


@attrs.frozen(slots=False, repr=False)
class AtomVariable(ReprMixin):
    """1 where an atom holds."""

    atom: Atom

    @property
    def size(self) -> int:
        return 2


@attrs.frozen(slots=False, repr=False)
class KeyVariable(ReprMixin):
    """What the key of an object holds: the number of one of some domains."""

    name: str
    domains: tuple[Any, ...]

    @property
    def size(self) -> int:
        return len(self.domains)


@attrs.frozen(slots=False, repr=False)
class LengthVariable(ReprMixin):
    """The number of a cell of lengths; with `broken`, 0 is a string that is no text and cells count from 1."""

    cells: Intervals
    broken: bool

    @property
    def size(self) -> int:
        return len(self.cells) + int(self.broken)


Variable: TypeAlias = AtomVariable | KeyVariable | LengthVariable


@attrs.frozen(slots=False, repr=False, eq=False)
class World(ReprMixin):
    """See the module. `sure` is False where it is not known whether any value lives in it.

    `case` has a number for each variable; it is None for the values that formulas name, which then are `value` (for
    the orders of some items: ("same", text)). `shortest` says that it is about the value of length 0 alone.
    """

    true: frozenset[Atom]
    count: int
    make: Callable[[int], Iterator[Any]] = attrs.field(repr=False)
    sure: bool = True
    case: tuple[int, ...] | None = None
    value: Any = None
    shortest: bool = False


@attrs.frozen(slots=False, repr=False, eq=False)
class Worlds(ReprMixin):
    """The worlds of some atoms and the variables that tell them apart, the dearest to test first."""

    worlds: tuple[World, ...]
    variables: tuple[Variable, ...]


def length_cells(lengths: list[Intervals]) -> Intervals:
    """The lengths from 0 on, cut wherever one of some sets of lengths begins or ends, and behind 0."""
    cuts = {0, 1}
    for intervals in lengths:
        for low, high in intervals:
            cuts.add(low)
            if high is not None:
                cuts.add(high + 1)
    ordered = sorted(cuts)
    return tuple(
        (low, None if following is None else following - 1)
        for low, following in zip(ordered, [*ordered[1:], None], strict=True)
    )


def holds_length(intervals: Intervals, length: int) -> bool:
    """Whether a set of lengths holds one."""
    return any(low <= length and (high is None or length <= high) for low, high in intervals)


def cell_of(cells: Intervals, length: int) -> int:
    """The number of the cell of a length."""
    return next(number for number, cell in enumerate(cells) if holds_length((cell,), length))
