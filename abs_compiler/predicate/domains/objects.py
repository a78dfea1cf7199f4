"""Sets of objects: formulas over tests of objects, decided exactly key by key.

Atoms: ("in", texts) ("length", intervals) ("key", name, domain), where the domain may hold "no value at all".
Keys that no atom names are free: there are always more of them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from abs_compiler.predicate.domains import sets
from abs_compiler.predicate.domains.formulas import Atom
from abs_compiler.predicate.domains.json_text import from_text, json_text
from abs_compiler.predicate.domains.worlds import (
    BlowupError,
    KeyVariable,
    LengthVariable,
    World,
    Worlds,
    holds_length,
    length_cells,
)
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.predicates import ABSENT

_MAX_KINDS = 128
_MAX_WORLDS = 1024
_MAX_MADE_KEYS = 2_000


def holds(atom: Atom, value: dict[str, Any]) -> bool:
    """Whether an atom is true of an object."""
    match atom:
        case ("in", texts):
            return json_text(value) in texts
        case ("length", intervals):
            return holds_length(intervals, len(value))
        case _:
            return sets.contains(atom[2], value.get(atom[1], ABSENT))


@attrs.frozen(slots=False, repr=False)
class _Kind(ReprMixin):
    """What one key holds, where no atom tells the values apart; `true` are the atoms that it satisfies."""

    true: tuple[Atom, ...]
    domain: sets.Domain
    index: int
    sure: bool

    @property
    def must_be_there(self) -> bool:
        return not self.domain.absent


def _key_kinds(atoms: frozenset[Atom]) -> dict[str, list[_Kind]]:
    """For each key that atoms name, the kinds of its values."""
    of_key: dict[str, list[Atom]] = {}
    for atom in atoms:
        if atom[0] == "key":
            of_key.setdefault(atom[1], []).append(atom)
    found = {}
    for name in sorted(of_key):
        about = sorted(of_key[name], key=sets.atom_key)
        parts = sets.partition(sets.ANYTHING, [atom[2] for atom in about], _MAX_KINDS)
        found[name] = [
            _Kind(tuple(atom for i, atom in enumerate(about) if bits >> i & 1), domain, index, sure)
            for index, (bits, domain, sure) in enumerate(parts)
        ]
    return found


def worlds(atoms: frozenset[Atom], cap: int, wanted: Mapping[Atom, bool] | None = None) -> Worlds:
    """The worlds of some atoms; with `wanted`, only those in which these atoms have these values. BlowupError."""
    lengths = length_cells([atom[1] for atom in atoms if atom[0] == "length"])
    literals = sorted({text for atom in atoms if atom[0] == "in" for text in atom[1]})
    values = [from_text(text) for text in literals]
    by_key = _key_kinds(atoms)
    options = [[kind for kind in kinds if _allows(kind, name, wanted or {})] for name, kinds in by_key.items()]
    if math.prod(len(kinds) for kinds in options) * len(lengths) > _MAX_WORLDS:
        raise BlowupError
    found = [_literal_world(value, atoms) for value in values]
    for combination in itertools.product(*options):
        assigned = dict(zip(by_key, combination, strict=True))
        inside = [value for value in values if _fits(value, assigned)]
        for cell, (low, high) in enumerate(lengths):
            taken = sum(1 for value in inside if holds_length(((low, high),), len(value)))
            count = _count(combination, low, high, cap + taken) - taken
            if count <= 0:
                continue
            true = [atom for kind in combination for atom in kind.true]
            true += [atom for atom in atoms if atom[0] == "length" and holds_length(atom[1], low)]
            region = _Region(assigned, low, high, frozenset(literals))
            case = (*(kind.index for kind in combination), cell)
            sure = all(kind.sure for kind in combination)
            shortest = (low, high) == (0, 0)
            found.append(World(frozenset(true), min(count, cap), region.objects, sure, case, shortest=shortest))
    keys = [KeyVariable(name, tuple(kind.domain for kind in kinds)) for name, kinds in by_key.items()]
    return Worlds(tuple(found), (*keys, LengthVariable(lengths, False)))


def _allows(kind: _Kind, name: str, wanted: Mapping[Atom, bool]) -> bool:
    return all((atom in kind.true) is answer for atom, answer in wanted.items() if atom[0] == "key" and atom[1] == name)


def _literal_world(value: dict[str, Any], atoms: frozenset[Atom]) -> World:
    true = frozenset(atom for atom in atoms if holds(atom, value))
    return World(true, 1, functools.partial(_once, value), True, None, value)


def _once(value: Any, _limit: int) -> Iterator[Any]:
    yield value


def _fits(value: dict[str, Any], assigned: Mapping[str, _Kind]) -> bool:
    return all(sets.contains(kind.domain, value.get(name, ABSENT)) for name, kind in assigned.items())


def _count(combination: tuple[_Kind, ...], low: int, high: int | None, cap: int) -> int:
    """How many objects of some lengths there are, up to `cap`. One more key than needed may have any name."""
    needed = [kind for kind in combination if kind.must_be_there]
    if high is None or high > len(needed):
        return cap
    if high < len(needed) or low > high:
        return 0
    total = 1
    for kind in needed:
        total = min(cap, total * sets.size(kind.domain, cap))
    return total


@attrs.frozen(slots=False, repr=False)
class _Region(ReprMixin):
    """The objects of one length cell with one kind of value for each key, but for those that formulas name."""

    assigned: Mapping[str, _Kind]
    low: int
    high: int | None
    named: frozenset[str]

    def objects(self, limit: int) -> Iterator[dict[str, Any]]:
        """Up to `limit` objects, small ones first. Very large ones are not made."""
        wanted = limit + len(self.named)
        needed = [name for name, kind in self.assigned.items() if kind.must_be_there]
        values = [list(sets.members(self.assigned[name].domain, wanted)) for name in needed]
        first = max(self.low, len(needed))
        last = first + wanted if self.high is None else self.high
        made = 0
        for length in range(first, min(last, _MAX_MADE_KEYS) + 1):
            for spare in self._spare_keys(length - len(needed), wanted):
                for chosen in itertools.islice(itertools.product(*values), wanted):
                    found = {**dict(zip(needed, chosen, strict=True)), **spare}
                    if json_text(found) not in self.named:
                        yield found
                        made += 1
                        if made >= limit:
                            return

    def _spare_keys(self, count: int, limit: int) -> Iterator[dict[str, Any]]:
        """Ways to add keys that no atom names."""
        if count <= 0:
            yield {}
            return
        free = (name for i in itertools.count(1) if (name := f"k{i}") not in self.assigned)
        names = list(itertools.islice(free, count + limit))
        for start in range(limit):
            yield dict.fromkeys(names[start : start + count])
