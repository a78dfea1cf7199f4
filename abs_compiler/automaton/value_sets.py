"""Sets of the values that fit what a spec declares: typed values in, bounds of sets out.

Where a value depends on a name whose value is not known, two sets bound the true one: `inside` holds only values that
fit, `around` all that could. `constant(name)` gives `Constant(value)` where the spec itself fixes a name's value.
"""

from __future__ import annotations

import itertools
from typing import Any

import attrs

from abs_compiler.automaton.constants import Constants, constant_text, nothing_known
from abs_compiler.bounds import OutOfWorkError, allowance, spend
from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import Bounds, denote, literal_domain
from abs_compiler.predicate.domains import ABSENCE, ANY, NOTHING, Domain, Known, difference, emptiness, intersection
from abs_compiler.predicate.domains.formulas import Formula, atom, conj, disj
from abs_compiler.predicate.domains.normal import key_formula, some_formula
from abs_compiler.spec.model import (
    Arguments,
    ArrayValue,
    FromPath,
    Literal,
    ObjectValue,
    Predicate,
    Reference,
    Text,
    Value,
)

# The steps of work that one question about sets may take; beyond it the answer is "not known".
ALLOWED = 200_000
_PRICE = 10  # of any question, besides
_MOST_OPTIONAL_KEYS = 4

OBJECTS = Domain(objects=True)
TEXTS = Domain(strings=True)


class MisfitError(Exception):
    """A constant of a type that its place cannot take: nothing fits."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def is_empty(domain: Domain) -> bool:
    """Whether a set is known to hold nothing."""
    spend(_PRICE)
    try:
        with allowance(ALLOWED):
            return emptiness(domain) is Known.YES
    except OutOfWorkError:
        return False


def is_inhabited(domain: Domain) -> bool:
    """Whether a set is known to hold something."""
    spend(_PRICE)
    try:
        with allowance(ALLOWED):
            return emptiness(domain) is Known.NO
    except OutOfWorkError:
        return False


def is_within(inner: Domain, outer: Domain) -> bool:
    """Whether a set is known to lie within another."""
    return is_empty(difference(inner, outer))


def exactly(domain: Domain) -> Bounds:
    """Bounds of a set that is known."""
    return Bounds(domain, domain)


def both(*each: Bounds) -> Bounds:
    """Bounds of what is in all of some sets."""
    return Bounds(intersection(*(b.inside for b in each)), intersection(*(b.around for b in each)))


# --- values of arguments --------------------------------------------------------------------------------------------


def value_set(value: Value, constant: Constants = nothing_known) -> Bounds:
    """The values that fit a declared one, and "no value at all" where it may be missing. MisfitError."""
    match value:
        case Literal(value=found):
            return exactly(literal_domain(found))
        case Reference(name=name):
            known = constant(name)
            return Bounds(NOTHING, ANY) if known is None else exactly(literal_domain(known.value))
        case Text(parts=parts):
            text = constant_text(parts, constant)
            return Bounds(NOTHING, TEXTS) if text is None else exactly(literal_domain(text))
        case Predicate(tree=predicate):
            return denote(with_constants(predicate.root, constant))
        case ObjectValue(entries=entries):
            return exact_object([(entry.key, value_set(entry.value, constant)) for entry in entries])
        case ArrayValue(items=items):
            return _exact_array([value_set(item, constant) for item in items])
        case FromPath():
            return Bounds(NOTHING, ANY)


def argument_set(arguments: Arguments, constant: Constants = nothing_known) -> Bounds:
    """The argument objects that fit `with` or `with_only`; no arguments are the empty object. MisfitError."""
    if arguments.whole is not None:
        return both(denote(with_constants(arguments.whole.tree.root, constant)), exactly(OBJECTS))
    keys = [(entry.key, value_set(entry.value, constant)) for entry in arguments.keys]
    return exact_object(keys) if arguments.only else partial_object(keys)


def partial_object(keys: list[tuple[str, Bounds]]) -> Bounds:
    """The objects with these keys at least."""
    return Bounds(
        Domain(objects=conj([key_formula(key, bounds.inside) for key, bounds in keys])),
        Domain(objects=conj([key_formula(key, bounds.around) for key, bounds in keys])),
    )


def exact_object(keys: list[tuple[str, Bounds]]) -> Bounds:
    """The objects with exactly these keys, of which those that may be absent may be missing."""
    inside = _closed([(key, bounds.inside) for key, bounds in keys])
    around = _closed([(key, bounds.around) for key, bounds in keys])
    if around is None:
        most = conj([key_formula(key, bounds.around) for key, bounds in keys])
        return Bounds(NOTHING, Domain(objects=conj((most, atom("length", ((0, len(keys)),))))))
    return Bounds(NOTHING if inside is None else Domain(objects=inside), Domain(objects=around))


def _closed(keys: list[tuple[str, Domain]]) -> Formula | None:
    """The objects with exactly some keys; None where too many of them may be missing."""
    optional = [(key, domain) for key, domain in keys if domain.absent]
    if len(optional) > _MOST_OPTIONAL_KEYS:
        return None
    needed = [key_formula(key, domain) for key, domain in keys if not domain.absent]
    ways = []
    for present in itertools.product((True, False), repeat=len(optional)):
        parts = [
            key_formula(key, attrs.evolve(domain, absent=False) if there else ABSENCE)
            for (key, domain), there in zip(optional, present, strict=True)
        ]
        size = len(needed) + sum(present)
        ways.append(conj([*needed, *parts, atom("length", ((size, size),))]))
    return disj(ways)


def _exact_array(items: list[Bounds]) -> Bounds:
    """Arrays of exactly these items; only what can be said without positions."""
    size = len(items)
    parts = [some_formula(item.around) for item in items]
    return Bounds(NOTHING, Domain(arrays=conj([atom("length", ((size, size),)), *parts])))


# --- structures of content ------------------------------------------------------------------------------------------


def structure_set(value: Value, constant: Constants = nothing_known) -> Bounds:
    """The contents that are compatible with a declared structure: types are compared, values are not. MisfitError."""
    match value:
        case Literal(value=found):
            return exactly(_type_set(found))
        case Reference(name=name):
            known = constant(name)
            return Bounds(NOTHING, ANY) if known is None else exactly(_type_set(known.value))
        case Text():
            return exactly(TEXTS)
        case Predicate(tree=predicate):
            return denote(with_constants(predicate.root, constant))
        case ObjectValue(entries=entries):
            return partial_object([(entry.key, structure_set(entry.value, constant)) for entry in entries])
        case ArrayValue():
            return exactly(Domain(arrays=True))
        case FromPath():
            return Bounds(NOTHING, ANY)


def _type_set(value: Any) -> Domain:
    match value:
        case dict():
            return Domain(objects=conj([key_formula(key, _type_set(item)) for key, item in value.items()]))
        case list():
            return Domain(arrays=True)
        case _:
            return denote(tree.TypeTest(0, 0, _word(value))).inside


def _word(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case _:
            return "string"


# --- predicates with constants --------------------------------------------------------------------------------------


def with_constants(test: tree.Test, constant: Constants) -> tree.Test:
    """A predicate with the names of known values replaced by these. MisfitError where one cannot stand there."""
    if tree.is_closed(test):
        return test
    match test:
        case tree.Compare(operator=operator, operand=operand):
            orders = operator not in ("==", "!=")
            return attrs.evolve(test, operand=_operand(operand, constant, (int, float, str) if orders else None))
        case tree.Member(values=values):
            return attrs.evolve(test, values=_values(values, constant))
        case tree.Contains(operand=operand):
            return attrs.evolve(test, operand=_operand(operand, constant, None))
        case tree.StartsWith(operand=operand) | tree.EndsWith(operand=operand):
            return attrs.evolve(test, operand=_operand(operand, constant, (str,)))
        case tree.SameItems(values=values):
            return attrs.evolve(test, values=_values(values, constant))
        case tree.Length(test=inner):
            length = with_constants(inner, constant)
            assert isinstance(length, tree.Compare | tree.Member)
            return attrs.evolve(test, test=length)
        case tree.Each(item=item) | tree.Some(item=item):
            return attrs.evolve(test, item=with_constants(item, constant))
        case tree.Has(entries=entries):
            return attrs.evolve(
                test,
                entries=tuple(attrs.evolve(entry, test=with_constants(entry.test, constant)) for entry in entries),
            )
        case tree.Typed(test=inner):
            return attrs.evolve(test, test=with_constants(inner, constant))
        case tree.Not(operand=inner):
            return attrs.evolve(test, operand=with_constants(inner, constant))
        case tree.And(parts=parts) | tree.Or(parts=parts):
            return attrs.evolve(test, parts=tuple(with_constants(part, constant) for part in parts))
        case _:
            return test


def _operand(operand: tree.Operand, constant: Constants, kinds: tuple[type, ...] | None) -> tree.Operand:
    if isinstance(operand, tree.Literal):
        return operand
    known = constant(operand.name)
    if known is None:
        return operand
    if kinds is not None and type(known.value) not in kinds:
        raise MisfitError(operand.name)
    return tree.Literal(operand.start, operand.end, known.value)


def _values(values: Any, constant: Constants) -> Any:
    match values:
        case tree.Range(low=low, high=high):
            numbers = (int, float)
            return attrs.evolve(values, low=_operand(low, constant, numbers), high=_operand(high, constant, numbers))
        case tree.ValueList(items=items):
            return attrs.evolve(values, items=tuple(_operand(item, constant, None) for item in items))
        case tree.Reference(name=name):
            known = constant(name)
            if known is None:
                return values
            if not isinstance(known.value, list):
                raise MisfitError(name)
            items = tuple(tree.Literal(values.start, values.end, item) for item in known.value)
            return tree.ValueList(values.start, values.end, items)
        case _:
            return values
