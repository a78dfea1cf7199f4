"""The normal form of domains: equal sets in different spellings get one formula.

For each kind, a formula becomes the table of its worlds (which combinations of atoms occur, and which of them are in
the set), the table a small cover, the cover a formula. Values that can be listed are listed: finite sets as literals,
exceptions as literals beside the rule. Where there are too many worlds the formula is only sorted.
"""

from __future__ import annotations

import functools
from typing import Any, TypeAlias

import attrs

from abs_compiler.bounds import remembered, spend
from abs_compiler.predicate.domains import sets
from abs_compiler.predicate.domains.arrays import orders_of
from abs_compiler.predicate.domains.cover import Bits, cost, cover
from abs_compiler.predicate.domains.formulas import Formula, atom, atoms, conj, disj, evaluate, neg
from abs_compiler.predicate.domains.intervals import INTEGERS, Intervals, union
from abs_compiler.predicate.domains.json_text import from_text, json_text, sorted_items_text
from abs_compiler.predicate.domains.sets import ANYTHING, NOTHING, Domain
from abs_compiler.predicate.domains.worlds import (
    AtomVariable,
    BlowupError,
    KeyVariable,
    LengthVariable,
    Variable,
    Worlds,
    cell_of,
)
from abs_compiler.runtime.predicate_forms import is_text
from abs_compiler.runtime.predicates import ABSENT

_FEW = 32
_MAX_ROUNDS = 3

_Case: TypeAlias = tuple[int, ...]


@remembered(8192)
def normal(domain: Domain) -> Domain:
    """A domain in normal form."""
    return attrs.evolve(
        domain,
        strings=normal_formula("strings", domain.strings),
        arrays=normal_formula("arrays", domain.arrays),
        objects=normal_formula("objects", domain.objects),
    )


@remembered(8192)
def normal_formula(kind: str, formula: Formula) -> Formula:
    """A formula of one kind in normal form."""
    for _ in range(_MAX_ROUNDS):
        try:
            found = _merged(_from_table(kind, formula))
        except BlowupError:
            return _sorted(formula)
        if found == formula:
            break
        formula = found
    return formula


# --- the table ------------------------------------------------------------------------------------------------------


def _from_table(kind: str, formula: Formula) -> Formula:
    if isinstance(formula, bool):
        return formula
    found: Worlds = sets.theory(kind).worlds(atoms(formula), _FEW + 1)
    listed: list[tuple[Any, bool]] = []
    cases: dict[bool, list[_Case]] = {True: [], False: []}
    endless = False
    for world in found.worlds:
        inside = evaluate(formula, world.true.__contains__)
        if world.case is None and world.value in ("", [], {}):
            # The one value of length 0 is a case like any other, however it is named.
            cases[inside].append(tuple(_locate(kind, variable, world.value) for variable in found.variables))
        elif world.case is None:
            listed.append((world.value, inside))
        elif world.shortest or not world.sure or world.count > _FEW:
            cases[inside].append(world.case)
            endless |= inside and not world.shortest
        else:
            listed.extend((value, inside) for value in world.make(world.count))
    if not endless:
        values = [value for value, inside in listed if inside]
        values += [{"strings": "", "arrays": [], "objects": {}}[kind]] if cases[True] else []
        return disj(_literals(kind, values, [value for value, inside in listed if not inside]))
    rule = _rule(found.variables, cases)
    inside_only = [value for value, inside in listed if inside]
    outside_only = [value for value, inside in listed if not inside]
    extra = _literals(kind, [value for value in inside_only if not _holds(kind, rule, value)], outside_only)
    missing = _literals(kind, [value for value in outside_only if _holds(kind, rule, value)], inside_only)
    return disj((conj((rule, *(neg(part) for part in missing))), *extra))


def _holds(kind: str, formula: Formula, value: Any) -> bool:
    return evaluate(formula, functools.partial(sets.theory(kind).holds, value=_plain(value)))


def _plain(value: Any) -> Any:
    """One array for all orders of some items."""
    if isinstance(value, tuple):
        return from_text(value[1])
    return value


def _locate(kind: str, variable: Variable, value: Any) -> int:
    match variable:
        case AtomVariable(atom=found):
            return int(sets.theory(kind).holds(found, value))
        case KeyVariable(name=name, domains=domains):
            there = value.get(name, ABSENT)
            return next(number for number, domain in enumerate(domains) if sets.contains(domain, there))
        case LengthVariable(cells=cells, broken=False):
            return cell_of(cells, len(value))
        case LengthVariable(cells=cells):
            return cell_of(cells, len(value)) + 1 if is_text(value) else 0


def _literals(kind: str, values: list[Any], others: list[Any]) -> list[Formula]:
    """The formulas for some named values and for none of some others: literals, and orders of items."""
    named = {value if kind == "strings" else json_text(value) for value in values if not isinstance(value, tuple)}
    apart = {value if kind == "strings" else json_text(value) for value in others if not isinstance(value, tuple)}
    sames = {value[1] for value in values if isinstance(value, tuple)}
    if kind == "arrays":
        sames |= _complete_orders(named)
    found: list[Formula] = []
    for text in sorted(sames):
        orders = {literal for literal in named | apart if sorted_items_text(from_text(literal)) == text}
        named -= orders
        missing = tuple(sorted(orders & apart))
        found.append(conj((atom("same", text), neg(atom("in", missing)) if missing else True)))
    return [atom("in", tuple(sorted(named))), *found] if named else found


def _complete_orders(texts: set[str]) -> set[str]:
    """The items whose orders are all among some arrays, where there are several."""
    by_items: dict[str, int] = {}
    for text in texts:
        items = sorted_items_text(from_text(text))
        by_items[items] = by_items.get(items, 0) + 1
    return {items for items, count in by_items.items() if count > 1 and count == orders_of(from_text(items))}


# --- the rule -------------------------------------------------------------------------------------------------------


def _rule(variables: tuple[Variable, ...], cases: dict[bool, list[_Case]]) -> Formula:
    """The shorter of: what one of some cubes allows; what none of some cubes forbids."""
    sizes = [variable.size for variable in variables]
    spend(len(cases[True]) * len(cases[False]) * len(sizes) // 50)
    allowed = cover(sizes, cases[True], cases[False])
    forbidden = cover(sizes, cases[False], cases[True])
    if cost(sizes, allowed) <= cost(sizes, forbidden):
        return disj([_cube(variables, cube) for cube in allowed])
    return conj([neg(_cube(variables, cube)) for cube in forbidden])


def _cube(variables: tuple[Variable, ...], cube: Bits) -> Formula:
    return conj([_express(variable, bits) for variable, bits in zip(variables, cube, strict=True)])


def _express(variable: Variable, bits: int) -> Formula:
    """The formula for some of the values of a variable."""
    if bits == (1 << variable.size) - 1:
        return True
    match variable:
        case AtomVariable(atom=found):
            return ("is", found) if bits == 0b10 else ("not", ("is", found))
        case KeyVariable(name=name, domains=domains):
            allowed = sets.union(*(domain for number, domain in enumerate(domains) if bits >> number & 1))
            return key_formula(name, allowed)
        case LengthVariable(cells=cells, broken=False):
            return _lengths(cells, bits)
        case LengthVariable(cells=cells):
            if bits & 1:
                return neg(_text_lengths(cells, ~bits >> 1))
            return _text_lengths(cells, bits >> 1)


def _lengths(cells: Intervals, bits: int) -> Formula:
    chosen: Intervals = ()
    for number, cell in enumerate(cells):
        if bits >> number & 1:
            chosen = union(chosen, (cell,), line=INTEGERS)
    return atom("length", chosen)


def _text_lengths(cells: Intervals, bits: int) -> Formula:
    every = (1 << len(cells)) - 1
    return atom("text") if bits & every == every else _lengths(cells, bits & every)


# --- tests of items and keys ----------------------------------------------------------------------------------------


def some_formula(domain: Domain) -> Formula:
    """The arrays with an item in a domain."""
    inside = normal(domain)
    return False if inside == NOTHING else atom("some", inside)


def each_formula(domain: Domain) -> Formula:
    """The arrays whose items are all in a domain."""
    return neg(some_formula(sets.complement(domain)))


def key_formula(name: str, domain: Domain) -> Formula:
    """The objects with a value of a domain under a key; the domain may hold "no value at all"."""
    inside = normal(domain)
    if inside == NOTHING:
        return False
    return True if inside == ANYTHING else atom("key", name, inside)


def _merged(formula: Formula) -> Formula:
    """Tests of items joined into one: two `some` in an alternative, two `each` in a conjunction."""
    if isinstance(formula, bool) or formula[0] == "is":
        return formula
    tag, body = formula
    if tag == "not":
        return neg(_merged(body))
    parts = [_merged(part) for part in body]
    found = {part: domain for part in parts if (domain := _item_domain(part, tag)) is not None}
    if len(found) > 1:
        joined = some_formula(sets.union(*found.values()))
        parts = [part for part in parts if part not in found] + [joined if tag == "or" else neg(joined)]
    return _sorted((tag, tuple(parts)))


def _item_domain(part: Formula, tag: str) -> Domain | None:
    """The domain of a `some` in an alternative, or of a negated one in a conjunction."""
    match part:
        case ("is", ("some", Domain() as domain)) if tag == "or":
            return domain
        case ("not", ("is", ("some", Domain() as domain))) if tag == "and":
            return domain
        case _:
            return None


# --- order ----------------------------------------------------------------------------------------------------------


def _sorted(formula: Formula, wanted: bool = True) -> Formula:
    """A formula with negations at its atoms and parts in a fixed order."""
    if isinstance(formula, bool):
        return formula is wanted
    tag, body = formula
    if tag == "is":
        return formula if wanted else neg(formula)
    if tag == "not":
        return _sorted(body, not wanted)
    parts = sorted((_sorted(part, wanted) for part in body), key=sets.domain_key)
    return conj(parts) if (tag == "and") is wanted else disj(parts)
