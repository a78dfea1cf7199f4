"""Predicates as data: what the compiler emits for `{$is: ...}`, and how it is tested, bound and checked.

    PREDICATE  ["set", {KIND: ...}]          a set of values, known at compile time:
                 "absent": true  "null": true  "boolean": true | [false] | [true]
                 "integer", "fraction": true | [[low, high], ...]     closed intervals, null = no bound;
                                             a fraction never equals an integral end
                 "string", "array", "object": true | FORM             a kind that is not named is not in the set
               ["and", [PREDICATE...]]  ["or", [PREDICATE...]]
               ["not", PREDICATE]            the complement among present values
               and, where a reference occurs, the tests as they were written:
               ["==", V] ["<", V] ["<=", V] [">", V] [">=", V] ["in", LIST] ["between", V, V]
               ["contains", V] ["starts", V] ["ends", V] ["length", TEST] ["same", LIST]
               ["each", PREDICATE] ["some", PREDICATE] ["key", name, PREDICATE]
    V          ["=", json] | ["ref", name]
    LIST       ["ref", name] | ["list", [V...]]
    TEST       one of == != < <= > >= in between, of the length
    FORM       ["and", [FORM...]] ["or", [FORM...]] ["not", FORM]
      strings  ["in", [text...]] ["length", [[low, high]...]] ["starts", text] ["ends", text] ["contains", text]
               ["from", text]                this text and all after it, by code point
               ["matches", pattern, flags, prefix]    every match begins with the prefix
               ["text"]                      any text without lone surrogates; so are those of all tests but `in`
      arrays   ["in", [array...]] ["length", ...] ["same", [item...]] ["each", PREDICATE] ["some", PREDICATE]
      objects  ["in", [object...]] ["length", ...] ["key", name, PREDICATE]

`compile_predicate` gives a closure that is total on JSON values. Data only: nothing here is ever run as code.
"""

from __future__ import annotations

from .errors import BindError
from .predicate_forms import (
    INFINITY,
    JSON_KINDS,
    Absent,
    admits_absent,
    cost,
    is_finite,
    is_text,
    item_test,
    joined,
    never,
    same_items_test,
    set_test,
)
from .values import json_equal, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Test = Callable[[Any], bool]

ABSENT = Absent()
"""Stands for no value at all: a missing key."""

_MAX_LITERALS = 256
_NAMES = {"null": "null", "boolean": "a boolean", "number": "a number", "string": "a text", "array": "a list"}

__all__ = [
    "ABSENT",
    "PredicateDataError",
    "admits_absent",
    "check_predicate",
    "compile_predicate",
    "describe_predicate",
    "equality_literals",
    "explain_predicate",
    "reference_names",
]


def reference_names(data: Any) -> tuple[str, ...]:
    """The names a predicate refers to, sorted."""
    found: set[str] = set()
    pending = [data]
    while pending:
        item = pending.pop()
        if item.__class__ is not list or not item or item[0] in ("set", "="):
            continue
        if item[0] == "ref":
            found.add(item[1])
        else:
            pending.extend(item)
            # A key of `has` may be the text "ref" or "set"; it is no list and falls through above.
            if item[0].__class__ is list:
                pending.extend(item[0])
    return tuple(sorted(found))


def equality_literals(data: Any) -> list[Any] | None:
    """The values of a predicate that admits a few literals and nothing else; None for any other predicate."""
    if data[0] != "set" or "absent" in data[1]:
        return None
    found: list[Any] = []
    for kind, part in data[1].items():
        if kind == "null":
            found.append(None)
        elif kind == "boolean":
            found.extend([False, True] if part is True else part)
        elif part is True:
            return None
        elif kind == "integer" or kind == "fraction":
            for low, high in part:
                if low is None or high is None or (low != high and kind == "fraction"):
                    return None
                if high - low >= _MAX_LITERALS:
                    return None
                found.extend([low] if low == high else range(low, high + 1))
        elif part[0] == "in":
            found.extend(part[1])
        else:
            return None
    return found if 0 < len(found) <= _MAX_LITERALS else None


def compile_predicate(data: Any, values: Mapping[str, Any]) -> Test:
    """The test of a predicate: a closure that takes any JSON value, or ABSENT. `values` holds the references' values.

    BindError where one is missing or has the wrong type for its place.
    """

    def inner(part: Any) -> Test:
        return compile_predicate(part, values)

    tag = data[0]
    if tag == "set":
        return set_test(data[1], inner)
    if tag == "and" or tag == "or":
        parts = sorted(data[1], key=cost)
        return joined([inner(part) for part in parts], every=tag == "and")
    if tag == "not":
        refused = inner(data[1])
        # What is not JSON satisfies nothing, so that it is found where a session fails.
        return lambda value: (
            not refused(value) and value.__class__ in JSON_KINDS and (value.__class__ is not float or is_finite(value))
        )
    if tag == "each" or tag == "some":
        items = item_test(tag, inner(data[1]))
        return lambda value: value.__class__ is list and items(value)
    if tag == "key":
        return _key_test(data[1], data[2], inner)
    return _bound_test(data, values)


def _key_test(key: str, predicate: Any, inner: Callable[[Any], Test]) -> Test:
    test = inner(predicate)
    if admits_absent(predicate):
        return lambda value: value.__class__ is dict and (key not in value or test(value[key]))
    return lambda value: value.__class__ is dict and key in value and test(value[key])


# --- tests with references ------------------------------------------------------------------------------------------


def _bound_test(data: Any, values: Mapping[str, Any]) -> Test:
    tag = data[0]
    if tag == "==":
        return _equal_test(_value(data[1], values))
    if tag == "in":
        return _member_test(_list(data[1], values))
    if tag == "same":
        same = same_items_test(_list(data[1], values))
        return lambda value: value.__class__ is list and same(value)
    if tag == "between":
        low, high = (_value(end, values, "number", "the end of a range") for end in data[1:])
        return _ordered((">=", low), ("<=", high))
    if tag == "length":
        return _length_test(data[1], values)
    if tag == "contains":
        return _contains_test(_value(data[1], values))
    if tag == "starts" or tag == "ends":
        part = _value(data[1], values, "string", f"the text after `{tag} with`")
        if not is_text(part):
            return never
        if tag == "starts":
            return lambda value: value.__class__ is str and value.startswith(part) and is_text(value)
        return lambda value: value.__class__ is str and value.endswith(part) and is_text(value)
    operand = _value(data[1], values)
    if kind_of(operand) not in ("number", "string"):
        raise _wrong_type(data[1][1], operand, f"the value after `{tag}`", "a number or a text")
    return _ordered((tag, operand))


def _value(data: Any, values: Mapping[str, Any], kind: str | None = None, place: str = "") -> Any:
    tag, body = data
    if tag == "=":
        return body
    if body not in values:
        raise BindError(f"`{body}` has no value")
    value = values[body]
    if kind is not None and kind_of(value) != kind:
        raise _wrong_type(body, value, place, _NAMES[kind])
    return value


def _list(data: Any, values: Mapping[str, Any]) -> list[Any]:
    if data[0] == "list":
        return [_value(item, values) for item in data[1]]
    found: list[Any] = _value(data, values, "array", "the list here")
    return found


def _lengths(data: Any, values: Mapping[str, Any], place: str) -> list[Any]:
    if data[0] == "list":
        return [_value(item, values, "number", place) for item in data[1]]
    members = _list(data, values)
    for item in members:
        if kind_of(item) != "number":
            raise _wrong_type(data[1], item, place, "a number")
    return members


def _wrong_type(name: str, value: Any, place: str, wanted: str) -> BindError:
    kind = kind_of(value)
    return BindError(f"`{name}` is {place} and must be {wanted}, but it is {_NAMES.get(kind, 'an ' + kind)}")


def _equal_test(expected: Any) -> Test:
    kind = expected.__class__
    if kind is str:
        return lambda value: value.__class__ is str and value == expected
    if kind is int or kind is float:
        return lambda value: (value.__class__ is int or value.__class__ is float) and value == expected
    if kind is bool or expected is None:
        return lambda value: value is expected
    return lambda value: json_equal(value, expected)


def _member_test(members: list[Any]) -> Test:
    if all(item.__class__ is str for item in members):
        texts = frozenset(members)
        return lambda value: value.__class__ is str and value in texts
    return lambda value: any(json_equal(value, item) for item in members)


def _contains_test(part: Any) -> Test:
    in_text = part.__class__ is str and is_text(part)

    def test(value: Any) -> bool:
        if value.__class__ is str:
            return in_text and part in value and is_text(value)
        return value.__class__ is list and any(json_equal(item, part) for item in value)

    return test


def _ordered(*bounds: tuple[str, Any]) -> Test:
    """Comparisons with numbers, or one with a text."""
    tests: list[Test] = []
    for operator, bound in bounds:
        if bound.__class__ is not str:
            tests.append(_number_order(operator, bound))
        elif is_text(bound):
            tests.append(_text_order(operator, bound))
        else:
            return never
    return joined(tests, every=True)


def _number_order(operator: str, bound: Any) -> Test:
    if operator == "<":
        return lambda value: (value.__class__ is int or value.__class__ is float) and -INFINITY < value < bound
    if operator == "<=":
        return lambda value: (value.__class__ is int or value.__class__ is float) and -INFINITY < value <= bound
    if operator == ">":
        return lambda value: (value.__class__ is int or value.__class__ is float) and bound < value < INFINITY
    return lambda value: (value.__class__ is int or value.__class__ is float) and bound <= value < INFINITY


def _text_order(operator: str, bound: str) -> Test:
    if operator == "<":
        return lambda value: value.__class__ is str and value < bound and is_text(value)
    if operator == "<=":
        return lambda value: value.__class__ is str and value <= bound and is_text(value)
    if operator == ">":
        return lambda value: value.__class__ is str and value > bound and is_text(value)
    return lambda value: value.__class__ is str and value >= bound and is_text(value)


def _length_test(test: Any, values: Mapping[str, Any]) -> Test:
    place = "the length here"
    tag = test[0]
    if tag == "in":
        accepts: Test = _lengths(test[1], values, place).__contains__
    elif tag == "between":
        accepts = _ordered(
            *((sign, _value(end, values, "number", place)) for sign, end in zip((">=", "<="), test[1:], strict=True))
        )
    else:
        bound = _value(test[1], values, "number", place)
        accepts = {"==": _equal_test(bound), "!=": lambda size: size != bound}.get(tag) or _number_order(tag, bound)

    def measure(value: Any) -> bool:
        kind = value.__class__
        if kind is str:
            return is_text(value) and accepts(len(value))
        return (kind is list or kind is dict) and accepts(len(value))

    return measure


# --- loaded from elsewhere ------------------------------------------------------------------------------------------


class PredicateDataError(ValueError):
    """Data that is not a predicate the compiler could have emitted; the text says where."""


def check_predicate(data: Any) -> None:
    """Refuse data that is not a predicate: unknown operators, wrong types, too deep, too large. PredicateDataError."""
    from .predicate_check import check

    problem = check(data)
    if problem is not None:
        raise PredicateDataError(problem)


def describe_predicate(data: Any, values: Mapping[str, Any] | None = None) -> str:
    """What a predicate admits, as a phrase that fits behind "is"; references with the values that are known."""
    from .predicate_words import describe

    return describe(data, values or {})


def explain_predicate(data: Any, value: Any, values: Mapping[str, Any] | None = None) -> str:
    """Why a value, or ABSENT, is in the set of a predicate or not, in one short line."""
    from .predicate_words import explain

    return explain(data, value, values or {})
