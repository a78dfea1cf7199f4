"""Sets of arrays: formulas over tests of arrays, decided exactly by which kinds of items can occur together.

Atoms: ("in", texts) ("length", intervals) ("same", text) ("some", domain); literals are JSON texts, those of "same"
with sorted items. `each P` is "not some not-P".
"""

from __future__ import annotations

import collections
import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from abs_compiler.predicate.domains import sets
from abs_compiler.predicate.domains.formulas import Atom
from abs_compiler.predicate.domains.intervals import Intervals
from abs_compiler.predicate.domains.json_text import from_text, json_text, sorted_items_text
from abs_compiler.predicate.domains.worlds import (
    AtomVariable,
    BlowupError,
    LengthVariable,
    World,
    Worlds,
    cell_of,
    holds_length,
    length_cells,
)
from abs_compiler.repr_mixin import ReprMixin

_MAX_KINDS = 128
_MAX_WORLDS = 1024
_MAX_MADE_LENGTH = 2_000


def holds(atom: Atom, value: list[Any]) -> bool:
    """Whether an atom is true of an array."""
    match atom:
        case ("in", texts):
            return bool(json_text(value) in texts)
        case ("length", intervals):
            return holds_length(intervals, len(value))
        case ("same", text):
            return sorted_items_text(value) == str(text)
        case _:
            return any(sets.contains(atom[1], item) for item in value)


@attrs.frozen(slots=False, repr=False)
class _Kind(ReprMixin):
    """Items that no `some` tells apart: a bit for each `some` that they satisfy."""

    bits: int
    domain: sets.Domain
    size: int
    sure: bool


@attrs.frozen(slots=False, repr=False)
class _Point(ReprMixin):
    """Arrays that formulas name: one literal, or all orders of the items of "same" but for literals."""

    value: list[Any]
    count: int
    make: functools.partial[Iterator[Any]]
    literal: bool


def worlds(atoms: frozenset[Atom], cap: int, wanted: Mapping[Atom, bool] | None = None) -> Worlds:
    """The worlds of some atoms; with `wanted`, only those in which these atoms have these values. BlowupError."""
    somes = tuple(sorted((atom for atom in atoms if atom[0] == "some"), key=sets.atom_key))
    lengths = length_cells([atom[1] for atom in atoms if atom[0] == "length"])
    points = _points(atoms)
    kinds = _kinds(somes, len(points) + cap, wanted or {})
    found = [_point_world(point, atoms) for point in points]
    named = frozenset(json_text(point.value) for point in points if point.literal)
    same = frozenset(sorted_items_text(point.value) for point in points if not point.literal)
    places = collections.Counter[tuple[int, int]]()
    for point in points:
        places[_place(point.value, somes, lengths)] += point.count
    for bits, (fewest, sure) in _combinations(kinds, somes, wanted or {}).items():
        usable = [kind for kind in kinds if kind.bits & ~bits == 0 and (kind.sure or not sure)]
        for cell, (low, high) in enumerate(lengths):
            taken = places[bits, cell]
            count = _count(usable, bits, fewest, low, high, cap + taken) - taken
            if count <= 0:
                continue
            true = [atom for index, atom in enumerate(somes) if bits >> index & 1]
            true += [atom for atom in atoms if atom[0] == "length" and holds_length(atom[1], low)]
            region = _Region(tuple(usable), bits, low, high, named, same)
            case = (*(bits >> index & 1 for index in range(len(somes))), cell)
            shortest = (low, high) == (0, 0)
            found.append(World(frozenset(true), min(count, cap), region.arrays, sure, case, shortest=shortest))
            if len(found) > _MAX_WORLDS:
                raise BlowupError
    return Worlds(tuple(found), (*map(AtomVariable, somes), LengthVariable(lengths, False)))


# --- the arrays that formulas name ----------------------------------------------------------------------------------


def _points(atoms: frozenset[Atom]) -> list[_Point]:
    literals = sorted({text for atom in atoms if atom[0] == "in" for text in atom[1]})
    sames = sorted(atom[1] for atom in atoms if atom[0] == "same")
    found = []
    for text in literals:
        value = from_text(text)
        found.append(_Point(value, 1, functools.partial(_once, value), True))
    for text in sames:
        items = from_text(text)
        orders = [literal for literal in literals if sorted_items_text(from_text(literal)) == text]
        count = orders_of(items) - len(orders)
        if count > 0:
            found.append(_Point(items, count, functools.partial(_reorder, items, frozenset(orders)), False))
    return found


def _once(value: Any, _limit: int) -> Iterator[Any]:
    yield value


def _reorder(items: list[Any], without: frozenset[str], limit: int) -> Iterator[Any]:
    made: set[str] = set()
    for order in itertools.permutations(items):
        text = json_text(list(order))
        if text not in without and text not in made:
            made.add(text)
            yield list(order)
            if len(made) >= limit:
                return


def orders_of(items: list[Any]) -> int:
    """In how many orders some items can stand."""
    counts = collections.Counter(json_text(item) for item in items)
    return math.factorial(len(items)) // math.prod(math.factorial(count) for count in counts.values())


def _point_world(point: _Point, atoms: frozenset[Atom]) -> World:
    true = {atom for atom in atoms if holds(atom, point.value)}
    if not point.literal:
        true = {atom for atom in true if atom[0] != "in"}
    value = point.value if point.literal else ("same", sorted_items_text(point.value))
    return World(frozenset(true), point.count, point.make, True, None, value)


def _place(value: list[Any], somes: tuple[Atom, ...], lengths: Intervals) -> tuple[int, int]:
    bits = sum(1 << index for index, atom in enumerate(somes) if holds(atom, value))
    return bits, cell_of(lengths, len(value))


# --- which items there are, and which can be together ---------------------------------------------------------------


def _kinds(somes: tuple[Atom, ...], cap: int, wanted: Mapping[Atom, bool]) -> list[_Kind]:
    parts = sets.partition(sets.ANY, [atom[1] for atom in somes], _MAX_KINDS)
    banned = sum(1 << index for index, atom in enumerate(somes) if wanted.get(atom) is False)
    return [_Kind(bits, domain, sets.size(domain, cap), sure) for bits, domain, sure in parts if not bits & banned]


def _combinations(
    kinds: list[_Kind], somes: tuple[Atom, ...], wanted: Mapping[Atom, bool]
) -> dict[int, tuple[int, bool]]:
    """Which `some` can hold together: for each combination the fewest items that make it so, and whether that is
    sure."""
    found: dict[int, tuple[int, bool]] = {}
    for sure in (True, False):
        reached = {0: 0}
        frontier = [0]
        for items in itertools.count(1):
            following = []
            for bits in frontier:
                for kind in kinds:
                    joined = bits | kind.bits
                    if joined not in reached and (kind.sure or not sure):
                        reached[joined] = items
                        following.append(joined)
            frontier = following
            if len(reached) > _MAX_WORLDS:
                raise BlowupError
            if not frontier:
                break
        for bits, items in reached.items():
            found.setdefault(bits, (items, sure))
    needed = sum(1 << index for index, atom in enumerate(somes) if wanted.get(atom) is True)
    return {bits: entry for bits, entry in found.items() if bits & needed == needed}


def _count(usable: list[_Kind], bits: int, fewest: int, low: int, high: int | None, cap: int) -> int:
    """How many arrays of some lengths hold items of all the wanted kinds and no others, up to `cap`."""
    first = max(low, fewest)
    if high is not None and high < first:
        return 0
    items = sum(kind.size for kind in usable)
    if items == 0:
        return int(first == 0)
    if high is None:
        return cap
    if items == 1:
        return min(cap, high - first + 1)
    if first - fewest > cap.bit_length():
        # Every item beyond the fewest can be chosen in two ways at least.
        return cap
    ways = {0: 1}
    total = 0
    for length in range(high + 1):
        if length >= first:
            total += ways.get(bits, 0)
            if total >= cap:
                return cap
        following: dict[int, int] = {}
        for covered, count in ways.items():
            for kind in usable:
                joined = covered | kind.bits
                following[joined] = min(cap, following.get(joined, 0) + count * kind.size)
        ways = following
    return total


# --- making arrays --------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False)
class _Region(ReprMixin):
    """The arrays of one length cell with one combination of `some`, but for those that formulas name."""

    usable: tuple[_Kind, ...]
    bits: int
    low: int
    high: int | None
    named: frozenset[str]
    same: frozenset[str]

    def arrays(self, limit: int) -> Iterator[list[Any]]:
        """Up to `limit` arrays, short ones first. Very long ones are not made."""
        wanted = limit + len(self.named) + 1
        choices = [
            (kind.bits, item) for kind in self.usable for item in sets.members(kind.domain, min(kind.size, wanted))
        ]
        made = 0
        longest = self.low + wanted + len(self.usable) + 1
        for length in range(self.low, (longest if self.high is None else min(self.high, longest)) + 1):
            if length > _MAX_MADE_LENGTH:
                return
            for array in self._of_length(length, choices, wanted * 4):
                if json_text(array) not in self.named and sorted_items_text(array) not in self.same:
                    yield array
                    made += 1
                    if made >= limit:
                        return

    def _of_length(self, length: int, choices: list[tuple[int, Any]], limit: int) -> Iterator[list[Any]]:
        """Arrays of one length, by a search that gives up branches which cannot cover what is wanted any more."""
        pending: list[tuple[int, tuple[Any, ...]]] = [(0, ())]
        given = tries = 0
        while pending and given < limit and tries < 200 * limit + 50 * length:
            tries += 1
            covered, items = pending.pop()
            if len(items) == length:
                if covered == self.bits:
                    given += 1
                    yield list(items)
                continue
            left = length - len(items) - 1
            options = [
                (covered | bits, (*items, item))
                for bits, item in choices
                if _at_most(self.bits & ~(covered | bits), left, choices)
            ]
            pending.extend(reversed(options))


def _at_most(missing: int, left: int, choices: list[tuple[int, Any]]) -> bool:
    """Whether so many items can still cover what is missing, judged roughly: too hopeful, never too strict."""
    if not missing:
        return True
    most = max(((bits & missing).bit_count() for bits, _ in choices), default=0)
    return most * left >= missing.bit_count()
