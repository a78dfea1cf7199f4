"""The meaning of predicates, written down as plainly as possible: the reference that everything else is tested by.

Takes a tree, a JSON value or ABSENT, and the values of references; says whether the value is in the predicate's set.
Slow, obvious, and independent of the sets of values and of the compiled form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abs_compiler.predicate import tree
from abs_compiler.runtime.patterns import compile_pattern
from abs_compiler.runtime.predicates import ABSENT
from abs_compiler.runtime.values import json_equal

_NOTHING: Mapping[str, Any] = {}


def holds(test: tree.Test, value: Any, values: Mapping[str, Any] = _NOTHING) -> bool:
    """Whether a value, or ABSENT, is in the set of a test."""
    if value is ABSENT:
        return _holds_absent(test)
    match test:
        case tree.TypeTest(word=word):
            return has_type(value, word)
        case tree.Absent():
            return False
        case tree.Compare(operator=operator, operand=operand):
            return _compares(operator, value, _value(operand, values))
        case tree.Member(values=candidates):
            return _is_member(value, candidates, values)
        case tree.Contains(operand=operand):
            part = _value(operand, values)
            if isinstance(value, list):
                return any(json_equal(item, part) for item in value)
            return _are_texts(value, part) and part in value
        case tree.StartsWith(operand=operand):
            part = _value(operand, values)
            return _are_texts(value, part) and value.startswith(part)
        case tree.EndsWith(operand=operand):
            part = _value(operand, values)
            return _are_texts(value, part) and value.endswith(part)
        case tree.Matches(pattern=pattern, ignore_case=ignore_case):
            if not _are_texts(value):
                return False
            return compile_pattern(pattern, ignore_case=ignore_case).search(value) is True
        case tree.Length(test=inner):
            has_length = isinstance(value, list | dict) or _are_texts(value)
            return has_length and holds(inner, len(value), values)
        case tree.Each(item=item):
            return isinstance(value, list) and all(holds(item, element, values) for element in value)
        case tree.Some(item=item):
            return isinstance(value, list) and any(holds(item, element, values) for element in value)
        case tree.Has(entries=entries):
            return isinstance(value, dict) and all(
                holds(entry.test, value.get(entry.key, ABSENT), values) for entry in entries
            )
        case tree.SameItems(values=candidates):
            return isinstance(value, list) and _same_items(value, _list_of(candidates, values))
        case tree.Typed(type=type_, test=inner):
            return holds(type_, value, values) and holds(inner, value, values)
        case tree.Not(operand=inner):
            return not holds(inner, value, values)
        case tree.And(parts=parts):
            return all(holds(part, value, values) for part in parts)
        case tree.Or(parts=parts):
            return any(holds(part, value, values) for part in parts)


def _holds_absent(test: tree.Test) -> bool:
    match test:
        case tree.Absent():
            return True
        case tree.And(parts=parts):
            return all(_holds_absent(part) for part in parts)
        case tree.Or(parts=parts):
            return any(_holds_absent(part) for part in parts)
        case _:
            # `not P` is the complement among the values that are present.
            return False


def has_type(value: Any, word: str) -> bool:
    """Whether a JSON value has the type of a type word."""
    match word:
        case "any":
            return True
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case "number":
            return _is_number(value)
        case _:
            return _is_number(value) and (isinstance(value, int) or value.is_integer())


def is_text(value: Any) -> bool:
    """Whether a value is a text without lone surrogates."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _are_texts(*values: Any) -> bool:
    return all(is_text(value) for value in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _compares(operator: str, value: Any, operand: Any) -> bool:
    match operator:
        case "==":
            return json_equal(value, operand)
        case "!=":
            return not json_equal(value, operand)
    comparable = (_is_number(value) and _is_number(operand)) or _are_texts(value, operand)
    if not comparable:
        return False
    match operator:
        case "<":
            return bool(value < operand)
        case "<=":
            return bool(value <= operand)
        case ">":
            return bool(value > operand)
        case _:
            return bool(value >= operand)


def _is_member(value: Any, candidates: tree.Values, values: Mapping[str, Any]) -> bool:
    if isinstance(candidates, tree.Range):
        low, high = _value(candidates.low, values), _value(candidates.high, values)
        return _is_number(value) and low <= value <= high
    return any(json_equal(value, item) for item in _list_of(candidates, values))


def _same_items(value: list[Any], wanted: list[Any]) -> bool:
    left = list(wanted)
    for item in value:
        index = next((i for i, other in enumerate(left) if json_equal(item, other)), None)
        if index is None:
            return False
        del left[index]
    return not left


def _list_of(candidates: tree.ValueList | tree.Reference, values: Mapping[str, Any]) -> list[Any]:
    if isinstance(candidates, tree.Reference):
        found: list[Any] = values[candidates.name]
        return found
    return [_value(item, values) for item in candidates.items]


def _value(operand: tree.Operand, values: Mapping[str, Any]) -> Any:
    return operand.value if isinstance(operand, tree.Literal) else values[operand.name]
