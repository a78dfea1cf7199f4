"""Domains: sets of JSON values, and "no value at all", kind by kind.

Numbers are interval sets; strings, arrays and objects are formulas over the atoms of their modules. Union,
intersection and complement are exact. Emptiness is exact too, except where a construct of a pattern is not followed
or too many cases would have to be looked at: then it is UNKNOWN, never guessed.
"""

from __future__ import annotations

import enum
import functools
import itertools
from collections.abc import Iterator
from typing import Any

import attrs

from abs_compiler.bounds import OutOfWorkError, allowance, is_bounded, remembered, spend
from abs_compiler.predicate.domains import intervals as numbers
from abs_compiler.predicate.domains.formulas import Atom, Formula, atoms, conj, cubes, disj, evaluate, neg
from abs_compiler.predicate.domains.intervals import FRACTIONS, INTEGERS, Intervals
from abs_compiler.predicate.domains.worlds import BlowupError, World
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.predicates import ABSENT

_MAX_CUBES = 64
_FEW = 40
# The steps of work that one question may take where no bound is given.
_QUESTION = 500_000
# The steps of making one world, and of cutting one piece in two.
_WORLD = 12
_CUT = 12


class Known(enum.Enum):
    """An answer that may not be known."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@attrs.frozen(slots=False, repr=False, cache_hash=True)
class Domain(ReprMixin):
    """See the module."""

    absent: bool = False
    null: bool = False
    booleans: frozenset[bool] = frozenset()
    integers: Intervals = numbers.EMPTY
    fractions: Intervals = numbers.EMPTY
    strings: Formula = False
    arrays: Formula = False
    objects: Formula = False


NOTHING = Domain()
ANY = Domain(False, True, frozenset((False, True)), numbers.ALL, numbers.ALL, True, True, True)
ABSENCE = Domain(absent=True)
ANYTHING = attrs.evolve(ANY, absent=True)
_FORMULA_KINDS = ("strings", "arrays", "objects")


def union(*domains: Domain) -> Domain:
    """What is in any of some domains."""
    return Domain(
        any(each.absent for each in domains),
        any(each.null for each in domains),
        frozenset().union(*(each.booleans for each in domains)),
        numbers.union(*(each.integers for each in domains), line=INTEGERS),
        numbers.union(*(each.fractions for each in domains), line=FRACTIONS),
        disj([each.strings for each in domains]),
        disj([each.arrays for each in domains]),
        disj([each.objects for each in domains]),
    )


def intersection(*domains: Domain) -> Domain:
    """What is in all of some domains."""
    integers, fractions = ANYTHING.integers, ANYTHING.fractions
    for each in domains:
        integers = numbers.intersection(integers, each.integers)
        fractions = numbers.intersection(fractions, each.fractions)
    return Domain(
        all(each.absent for each in domains),
        all(each.null for each in domains),
        ANYTHING.booleans.intersection(*(each.booleans for each in domains)),
        integers,
        fractions,
        conj(each.strings for each in domains),
        conj(each.arrays for each in domains),
        conj(each.objects for each in domains),
    )


def complement(domain: Domain, *, within: Domain = ANY) -> Domain:
    """What is not in a domain: among the values that are present, or also "no value at all" within ANYTHING."""
    return Domain(
        within.absent and not domain.absent,
        not domain.null,
        frozenset((False, True)) - domain.booleans,
        numbers.complement(domain.integers, INTEGERS),
        numbers.bounded_fractions(numbers.complement(domain.fractions, FRACTIONS)),
        neg(domain.strings),
        neg(domain.arrays),
        neg(domain.objects),
    )


def difference(left: Domain, right: Domain) -> Domain:
    """What is in one domain and not in another."""
    return intersection(left, complement(right, within=ANYTHING))


def contains(domain: Domain, value: Any) -> bool:
    """Whether a JSON value, or ABSENT, is in a domain."""
    if value is ABSENT:
        return domain.absent
    match value:
        case None:
            return domain.null
        case bool():
            return value in domain.booleans
        case int():
            return numbers.contains(domain.integers, value)
        case float():
            if value.is_integer():
                return numbers.contains(domain.integers, int(value))
            return numbers.contains(domain.fractions, value)
        case str():
            return evaluate(domain.strings, functools.partial(theory("strings").holds, value=value))
        case list():
            return evaluate(domain.arrays, functools.partial(theory("arrays").holds, value=value))
        case _:
            return evaluate(domain.objects, functools.partial(theory("objects").holds, value=value))


def theory(kind: str) -> Any:
    """The module of a kind: `holds`, `worlds`."""
    from abs_compiler.predicate.domains import arrays, objects, strings

    return {"strings": strings, "arrays": arrays, "objects": objects}[kind]


# --- emptiness ------------------------------------------------------------------------------------------------------


def emptiness(domain: Domain) -> Known:
    """Whether a domain holds nothing."""
    if is_bounded():
        return _emptiness(domain)
    with allowance(_QUESTION):
        try:
            return _emptiness(domain)
        except OutOfWorkError:
            return Known.UNKNOWN


@remembered(8192)
def _emptiness(domain: Domain) -> Known:
    spend(1)
    if domain.absent or domain.null or domain.booleans or domain.integers or domain.fractions:
        return Known.NO
    unknown = False
    for kind in _FORMULA_KINDS:
        found = formula_emptiness(kind, getattr(domain, kind))
        if found is Known.NO:
            return Known.NO
        unknown |= found is Known.UNKNOWN
    return Known.UNKNOWN if unknown else Known.YES


@remembered(8192)
def formula_emptiness(kind: str, formula: Formula) -> Known:
    """Whether no value of a kind makes a formula true."""
    if isinstance(formula, bool):
        return Known.NO if formula else Known.YES
    try:
        return _judge(satisfying(kind, formula, _FEW))
    except BlowupError:
        pass
    ways = cubes(formula, _MAX_CUBES)
    if ways is None:
        return Known.UNKNOWN
    unknown = False
    for cube in ways:
        try:
            found = _judge(_satisfying_cube(kind, cube))
        except BlowupError:
            found = Known.UNKNOWN
        if found is Known.NO:
            return Known.NO
        unknown |= found is Known.UNKNOWN
    return Known.UNKNOWN if unknown else Known.YES


def _judge(worlds: Iterator[World]) -> Known:
    answer = Known.YES
    for world in worlds:
        if world.sure:
            return Known.NO
        answer = Known.UNKNOWN
    return answer


def satisfying(kind: str, formula: Formula, cap: int) -> Iterator[World]:
    """The worlds of a kind in which a formula is true. BlowupError."""
    for world in _worlds(kind, atoms(formula), cap).worlds:
        if evaluate(formula, world.true.__contains__):
            yield world


def _satisfying_cube(kind: str, cube: dict[Atom, bool]) -> Iterator[World]:
    spend(10)
    found = theory(kind).worlds(frozenset(cube), _FEW, cube).worlds
    spend(_WORLD * len(found))
    for world in found:
        if all((atom in world.true) is wanted for atom, wanted in cube.items()):
            yield world


@remembered(4096, BlowupError)
def _worlds(kind: str, found: frozenset[Atom], cap: int) -> Any:
    result = theory(kind).worlds(found, cap)
    spend(_WORLD * len(result.worlds))
    return result


# --- size and members -----------------------------------------------------------------------------------------------


@remembered(8192, BlowupError)
def size(domain: Domain, cap: int) -> int:
    """How many present values a domain holds, at most `cap`; `cap` where it is not known. BlowupError."""
    total = int(domain.null) + len(domain.booleans)
    total += numbers.size(domain.integers, INTEGERS, cap) + numbers.size(domain.fractions, FRACTIONS, cap)
    for kind in _FORMULA_KINDS:
        formula = getattr(domain, kind)
        if total >= cap or formula is True:
            return cap
        if formula is not False:
            total += sum(world.count for world in satisfying(kind, formula, cap))
    return min(total, cap)


def members(domain: Domain, limit: int) -> Iterator[Any]:
    """Up to `limit` present values of a domain, plain ones first. Values of enormous length are not made."""
    return itertools.islice(_members(domain, limit), limit)


def _members(domain: Domain, limit: int) -> Iterator[Any]:
    if domain.integers:
        yield from itertools.islice(numbers.points(domain.integers, INTEGERS), limit)
    for kind, bare in (("strings", ""), ("arrays", []), ("objects", {})):
        formula = getattr(domain, kind)
        if formula is True:
            yield bare
        if formula is not False:
            for world in satisfying(kind, formula, max(limit, _FEW)):
                if world.sure:
                    made = world.make(min(limit, world.count))
                    yield from (value for value in made if not (formula is True and value == bare))
    if domain.fractions:
        yield from itertools.islice(numbers.points(domain.fractions, FRACTIONS), limit)
    if domain.null:
        yield None
    yield from sorted(domain.booleans)


# --- telling values apart -------------------------------------------------------------------------------------------


def partition(whole: Domain, parts: list[Domain], limit: int) -> list[tuple[int, Domain, bool]]:
    """The non-empty pieces into which domains cut a whole: which of them hold the piece (as bits), the piece, and
    whether it is known not to be empty. BlowupError beyond `limit` pieces."""
    pieces = [(0, whole, True)]
    for index, part in enumerate(parts):
        spend(_CUT * len(pieces))
        following = []
        for bits, piece, _ in pieces:
            for inside, cut in ((1, intersection(piece, part)), (0, difference(piece, part))):
                empty = emptiness(cut)
                if empty is not Known.YES:
                    following.append((bits | inside << index, cut, empty is Known.NO))
        pieces = following
        if len(pieces) > limit:
            raise BlowupError
    return pieces


def atom_key(atom: Atom) -> tuple[str, ...]:
    """A key that orders atoms in the same way in every run."""
    return tuple(part if isinstance(part, str) else domain_key(part) for part in atom)


@functools.lru_cache(maxsize=8192)
def domain_key(domain: Any) -> str:
    """A text for each domain, the same in every run."""
    if isinstance(domain, Domain):
        fields = attrs.astuple(domain, recurse=False)
        return "{" + ";".join(domain_key(field) for field in fields) + "}"
    if isinstance(domain, tuple):
        return "(" + ",".join(domain_key(part) for part in domain) + ")"
    if isinstance(domain, frozenset):
        return "<" + ",".join(sorted(map(repr, domain))) + ">"
    return repr(domain)
