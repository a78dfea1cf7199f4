"""The tree of a predicate, as it was written: parsing gives it, everything else takes it.

Offsets count the characters of the predicate's text; they take no part in equality, so trees compare by meaning of
the words. Numbers are normalised (`1.0` is 1); values compare as JSON values do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.values import json_key

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


@attrs.frozen(slots=False, repr=False)
class _Placed(ReprMixin):
    """Something with a place in the text, `start` to `end` (not included)."""

    start: int = attrs.field(eq=False, repr=False)
    end: int = attrs.field(eq=False, repr=False)


# --- operands -------------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False)
class Literal(_Placed):
    """A JSON value."""

    value: Json = attrs.field(eq=json_key)


@attrs.frozen(slots=False, repr=False)
class Reference(_Placed):
    """`{{name}}`: a value that is known once parameters are bound and captures made."""

    name: str


Operand: TypeAlias = Literal | Reference


@attrs.frozen(slots=False, repr=False)
class ValueList(_Placed):
    """`[a, {{b}}]`."""

    items: tuple[Operand, ...]


@attrs.frozen(slots=False, repr=False)
class Range(_Placed):
    """`low..high`, both ends in."""

    low: Operand
    high: Operand


Values: TypeAlias = ValueList | Range | Reference


# --- tests ----------------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False)
class TypeTest(_Placed):
    """`string`, `number`, `integer`, `boolean`, `array`, `object`, `null` or `any`."""

    word: str


@attrs.frozen(slots=False, repr=False)
class Absent(_Placed):
    """`absent`: no value at all."""


@attrs.frozen(slots=False, repr=False)
class Compare(_Placed):
    """`== x` and its like; `operator` is one of == != < <= > >=. In `has`, a bare value is `==`."""

    operator: str
    operand: Operand


@attrs.frozen(slots=False, repr=False)
class Member(_Placed):
    """`in [..]`, `in a..b`, `in {{list}}`."""

    values: Values


@attrs.frozen(slots=False, repr=False)
class Contains(_Placed):
    """`contains x`: a substring, or a member of an array."""

    operand: Operand


@attrs.frozen(slots=False, repr=False)
class StartsWith(_Placed):
    operand: Operand


@attrs.frozen(slots=False, repr=False)
class EndsWith(_Placed):
    operand: Operand


@attrs.frozen(slots=False, repr=False)
class Matches(_Placed):
    """`matches /pattern/`, with `i`: ignoring case. `pattern` is in RE2's syntax; `body` is where it starts in the
    text."""

    pattern: str
    ignore_case: bool
    body: int = attrs.field(eq=False, repr=False)


@attrs.frozen(slots=False, repr=False)
class Length(_Placed):
    """A test of the number of code points, items or keys."""

    test: Compare | Member


@attrs.frozen(slots=False, repr=False)
class Each(_Placed):
    item: Test


@attrs.frozen(slots=False, repr=False)
class Some(_Placed):
    item: Test


@attrs.frozen(slots=False, repr=False)
class HasEntry(_Placed):
    """One key of `has` and the test of its value; a test that admits absence lets the key be missing."""

    key: str
    test: Test


@attrs.frozen(slots=False, repr=False)
class Has(_Placed):
    entries: tuple[HasEntry, ...]


@attrs.frozen(slots=False, repr=False)
class SameItems(_Placed):
    values: ValueList | Reference


@attrs.frozen(slots=False, repr=False)
class Typed(_Placed):
    """A type word with the test that belongs to it."""

    type: TypeTest
    test: Test


@attrs.frozen(slots=False, repr=False)
class Not(_Placed):
    operand: Test


@attrs.frozen(slots=False, repr=False)
class And(_Placed):
    parts: tuple[Test, ...]


@attrs.frozen(slots=False, repr=False)
class Or(_Placed):
    parts: tuple[Test, ...]


Test: TypeAlias = (
    TypeTest
    | Absent
    | Compare
    | Member
    | Contains
    | StartsWith
    | EndsWith
    | Matches
    | Length
    | Each
    | Some
    | Has
    | SameItems
    | Typed
    | Not
    | And
    | Or
)


@attrs.frozen(slots=False, repr=False)
class Predicate(ReprMixin):
    """A parsed predicate: its text and its tree."""

    text: str = attrs.field(eq=False)
    root: Test


def children(test: Test) -> tuple[Test, ...]:
    """The tests directly inside a test, in the order in which they are written."""
    match test:
        case And(parts=parts) | Or(parts=parts):
            return parts
        case Not(operand=operand):
            return (operand,)
        case Typed(type=type_, test=inner):
            return (type_, inner)
        case Each(item=item) | Some(item=item):
            return (item,)
        case Has(entries=entries):
            return tuple(entry.test for entry in entries)
        case _:
            return ()


def walk(test: Test) -> Iterator[Test]:
    """A test and everything inside it, outer ones first. Not recursive: unchecked trees may be deep."""
    pending = [test]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))


def references(predicate: Predicate) -> tuple[Reference, ...]:
    """Every reference of a predicate, in the order in which they are written."""
    return tuple(found for test in walk(predicate.root) for found in _own_references(test))


def literal_values(test: Test) -> Iterator[Json]:
    """The values that are written in a test, with the keys of its `has`."""
    for inner in walk(test):
        match inner:
            case Compare(operand=operand) | Contains(operand=operand) | StartsWith(operand=operand):
                operands: tuple[Operand, ...] = (operand,)
            case EndsWith(operand=operand):
                operands = (operand,)
            case Member(values=ValueList(items=items)) | SameItems(values=ValueList(items=items)):
                operands = items
            case Has(entries=entries):
                operands = ()
                yield from (entry.key for entry in entries)
            case _:
                continue
        yield from (operand.value for operand in operands if isinstance(operand, Literal))


def is_closed(test: Test) -> bool:
    """Whether nothing in a test is a reference."""
    return not any(True for inner in walk(test) for _ in _own_references(inner))


def _own_references(test: Test) -> Iterator[Reference]:
    match test:
        case Compare(operand=operand) | Contains(operand=operand) | StartsWith(operand=operand):
            yield from _referenced(operand)
        case EndsWith(operand=operand):
            yield from _referenced(operand)
        case Member(values=values) | SameItems(values=values):
            yield from _referenced(values)
        case Length(test=inner):
            yield from _own_references(inner)
        case _:
            return


def _referenced(operand: Operand | Values) -> Iterator[Reference]:
    match operand:
        case Reference():
            yield operand
        case ValueList(items=items):
            yield from (item for item in items if isinstance(item, Reference))
        case Range(low=low, high=high):
            yield from (end for end in (low, high) if isinstance(end, Reference))
        case Literal():
            return
