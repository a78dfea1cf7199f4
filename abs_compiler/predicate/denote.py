"""From trees to sets: what a predicate denotes.

Where a reference occurs the set is not known until values are bound; then there are two sets, one that is certainly
inside and one that is certainly around it. Without references both are the same set.
"""

from __future__ import annotations

import re

import attrs

from abs_compiler.bounds import remembered
from abs_compiler.predicate import tree
from abs_compiler.predicate.domains import ANY, NOTHING, Domain, complement, intersection, union
from abs_compiler.predicate.domains import intervals as numbers
from abs_compiler.predicate.domains.arrays import orders_of
from abs_compiler.predicate.domains.formulas import Formula, atom, conj, neg
from abs_compiler.predicate.domains.intervals import Intervals
from abs_compiler.predicate.domains.json_text import from_text, json_text, sorted_items_text
from abs_compiler.predicate.domains.normal import each_formula, key_formula, some_formula
from abs_compiler.predicate.domains.regex_syntax import as_plain
from abs_compiler.predicate.domains.sets import ABSENCE
from abs_compiler.predicate.domains.text_machines import regex_tree
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.predicate_forms import is_text

_TEXTS = atom("text")
_TYPES = {
    "any": ANY,
    "null": Domain(null=True),
    "boolean": Domain(booleans=frozenset((False, True))),
    "integer": Domain(integers=numbers.ALL),
    "number": Domain(integers=numbers.ALL, fractions=numbers.ALL),
    "string": Domain(strings=True),
    "array": Domain(arrays=True),
    "object": Domain(objects=True),
}
_NUMBERS = _TYPES["number"]
_ORDERED = Domain(integers=numbers.ALL, fractions=numbers.ALL, strings=_TEXTS)
_MEASURED = Domain(strings=_TEXTS, arrays=True, objects=True)


@attrs.frozen(slots=False, repr=False)
class Bounds(ReprMixin):
    """`inside` holds only values of the set, `around` all of them."""

    inside: Domain
    around: Domain

    @property
    def is_exact(self) -> bool:
        return self.inside == self.around


def _exactly(domain: Domain) -> Bounds:
    return Bounds(domain, domain)


@remembered(8192)
def denote(test: tree.Test) -> Bounds:
    """The set of a test, or bounds of it."""
    match test:
        case tree.TypeTest(word=word):
            return _exactly(_TYPES[word])
        case tree.Absent():
            return _exactly(ABSENCE)
        case tree.Compare():
            return _comparison(test)
        case tree.Member(values=values):
            return _membership(values)
        case tree.Contains(operand=tree.Literal(value=part)):
            strings = occurs("contains", part) if isinstance(part, str) else False
            return _exactly(Domain(strings=strings, arrays=some_formula(literal_domain(part))))
        case tree.Contains():
            return Bounds(NOTHING, Domain(strings=_TEXTS, arrays=atom("length", ((1, None),))))
        case tree.StartsWith(operand=operand):
            return _affix("starts", operand)
        case tree.EndsWith(operand=operand):
            return _affix("ends", operand)
        case tree.Matches(pattern=pattern, ignore_case=ignore_case):
            return _exactly(Domain(strings=matches(pattern, ignore_case=ignore_case)))
        case tree.Length(test=inner):
            return _length(inner)
        case tree.Each(item=item):
            bounds = denote(item)
            return Bounds(Domain(arrays=each_formula(bounds.inside)), Domain(arrays=each_formula(bounds.around)))
        case tree.Some(item=item):
            bounds = denote(item)
            return Bounds(Domain(arrays=some_formula(bounds.inside)), Domain(arrays=some_formula(bounds.around)))
        case tree.Has(entries=entries):
            parts = [(entry.key, denote(entry.test)) for entry in entries]
            return Bounds(
                Domain(objects=conj([key_formula(key, bounds.inside) for key, bounds in parts])),
                Domain(objects=conj([key_formula(key, bounds.around) for key, bounds in parts])),
            )
        case tree.SameItems(values=values):
            return _same_items(values)
        case tree.Typed(type=type_, test=inner):
            return _both(denote(type_), denote(inner))
        case tree.Not(operand=operand):
            bounds = denote(operand)
            return Bounds(complement(bounds.around), complement(bounds.inside))
        case tree.And(parts=parts):
            return _both(*map(denote, parts))
        case tree.Or(parts=parts):
            each = list(map(denote, parts))
            return Bounds(union(*(b.inside for b in each)), union(*(b.around for b in each)))


def _both(*each: Bounds) -> Bounds:
    return Bounds(intersection(*(b.inside for b in each)), intersection(*(b.around for b in each)))


# --- values ---------------------------------------------------------------------------------------------------------


def literal_domain(value: tree.Json) -> Domain:
    """The set of one value."""
    match value:
        case None:
            return _TYPES["null"]
        case bool():
            return Domain(booleans=frozenset((value,)))
        case int():
            return Domain(integers=((value, value),))
        case float() if value.is_integer():
            return Domain(integers=((int(value), int(value)),))
        case float():
            return Domain(fractions=numbers.bounded_fractions(((value, value),)))
        case str():
            return Domain(strings=atom("in", (value,)))
        case list():
            return Domain(arrays=atom("in", (json_text(value),)))
        case dict():
            return Domain(objects=atom("in", (json_text(value),)))


def _comparison(test: tree.Compare) -> Bounds:
    operator, operand = test.operator, test.operand
    if isinstance(operand, tree.Reference):
        return Bounds(NOTHING, ANY if operator in ("==", "!=") else _ORDERED)
    if operator == "==":
        return _exactly(literal_domain(operand.value))
    if operator == "!=":
        return _exactly(complement(literal_domain(operand.value)))
    if isinstance(operand.value, str):
        return _exactly(Domain(strings=_text_order(operator, operand.value)))
    assert isinstance(operand.value, int | float)
    return _exactly(_number_order(operator, operand.value))


def _number_order(operator: str, bound: float) -> Domain:
    strict = operator in ("<", ">")
    if operator in (">", ">="):
        return Domain(
            integers=numbers.integers_from(bound, strict=strict), fractions=numbers.fractions_from(bound, strict=strict)
        )
    return Domain(
        integers=numbers.integers_to(bound, strict=strict), fractions=numbers.fractions_to(bound, strict=strict)
    )


def _text_order(operator: str, bound: str) -> Formula:
    if not is_text(bound):
        return False
    # The next text by code point is the same with U+0000 behind it.
    start = bound + "\0" if operator in (">", "<=") else bound
    at_or_after = atom("from", start) if start else _TEXTS
    return at_or_after if operator in (">", ">=") else conj((_TEXTS, neg(at_or_after)))


def _membership(values: tree.Values) -> Bounds:
    match values:
        case tree.Reference():
            return Bounds(NOTHING, ANY)
        case tree.Range(low=low, high=high):
            around = _NUMBERS
            if isinstance(low, tree.Literal):
                around = intersection(around, _number_order(">=", _number(low)))
            if isinstance(high, tree.Literal):
                around = intersection(around, _number_order("<=", _number(high)))
            known = isinstance(low, tree.Literal) and isinstance(high, tree.Literal)
            return Bounds(around if known else NOTHING, around)
        case tree.ValueList(items=items):
            inside = union(*(literal_domain(item.value) for item in items if isinstance(item, tree.Literal)))
            known = all(isinstance(item, tree.Literal) for item in items)
            return Bounds(inside, inside if known else ANY)


def _number(literal: tree.Literal) -> float:
    assert isinstance(literal.value, int | float)
    return literal.value


# --- texts ----------------------------------------------------------------------------------------------------------


def occurs(how: str, text: str) -> Formula:
    """The texts that start with, end with or contain a text."""
    if not is_text(text):
        return False
    return atom(how, text) if text else _TEXTS


def _affix(how: str, operand: tree.Operand) -> Bounds:
    if isinstance(operand, tree.Reference):
        return Bounds(NOTHING, Domain(strings=_TEXTS))
    return _exactly(Domain(strings=occurs(how, str(operand.value))))


def matches(pattern: str, *, ignore_case: bool) -> Formula:
    """The texts in which a pattern occurs; one that says what a simpler test says becomes that test."""
    plain = re.sub(r"\\([\s\S])", lambda found: "/" if found.group(1) == "/" else found.group(), pattern)
    found = regex_tree(plain, "")
    # Where there are no letters the flag says nothing.
    flags = "i" if ignore_case and (found is None or regex_tree(plain, "i") != found) else ""
    found = regex_tree(plain, flags)
    simple = None if found is None else as_plain(found)
    if simple is None:
        return atom("matches", plain, flags)
    how, text = simple
    if how == "is":
        return atom("in", (text,))
    return occurs(how, text)


# --- lengths and items ----------------------------------------------------------------------------------------------


def _length(test: tree.Compare | tree.Member) -> Bounds:
    lengths = denote(test)
    return Bounds(_of_lengths(lengths.inside), _of_lengths(lengths.around))


def _of_lengths(domain: Domain) -> Domain:
    found: Intervals = numbers.intersection(domain.integers, ((0, None),))
    if not found:
        return NOTHING
    if found == ((0, None),):
        return _MEASURED
    return Domain(strings=atom("length", found), arrays=atom("length", found), objects=atom("length", found))


def _same_items(values: tree.ValueList | tree.Reference) -> Bounds:
    if isinstance(values, tree.Reference):
        return Bounds(NOTHING, Domain(arrays=True))
    items = [item.value for item in values.items if isinstance(item, tree.Literal)]
    if len(items) < len(values.items):
        size = len(values.items)
        return Bounds(NOTHING, Domain(arrays=atom("length", ((size, size),))))
    text = sorted_items_text(items)
    if orders_of(from_text(text)) == 1:
        return _exactly(Domain(arrays=atom("in", (json_text(items),))))
    return _exactly(Domain(arrays=atom("same", text)))
