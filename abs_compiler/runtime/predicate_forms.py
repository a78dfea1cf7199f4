"""Sets of values to tests: the closed part of a predicate (see `predicates`) compiled to closures.

A set says for each kind of value which ones are in it: nothing said is none, `true` is all, and otherwise intervals
(integers, fractions) or a *form* (strings, arrays, objects): atoms joined with and, or, not. The closures never raise
on JSON values; conjunctions test the cheapest part first.
"""

from __future__ import annotations

import itertools

from .values import json_equal, json_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Test = Callable[[Any], bool]
    Intervals = list[list[Any]]

# How expensive a test is, roughly in nanoseconds; only the order matters.
_COSTS = {
    "text": 30,
    "length": 40,
    "in": 40,
    "starts": 60,
    "ends": 60,
    "from": 60,
    "contains": 80,
    "key": 150,
    "each": 600,
    "some": 600,
    "matches": 1000,
    "same": 2000,
}
_MAX_POINTS = 256
INFINITY = float("inf")
JSON_KINDS = frozenset((dict, list, str, int, float, bool, type(None)))
_PRESENT = ("null", "boolean", "integer", "fraction", "string", "array", "object")


class Absent:
    """The class of ABSENT: no value at all, as a missing key."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


def always(_value: Any) -> bool:
    return True


def _is_present(value: Any) -> bool:
    return value.__class__ is not Absent


def never(_value: Any) -> bool:
    return False


def set_test(kinds: dict[str, Any], inner: Callable[[Any], Test]) -> Test:
    """The test of a set; `inner` compiles the predicates inside it."""
    named = kinds.keys()
    if named == {"string"}:
        return _only(str, _form_test(kinds["string"], "string", inner))
    if named == {"array"}:
        return _only(list, _form_test(kinds["array"], "array", inner))
    if named == {"object"}:
        return _only(dict, _form_test(kinds["object"], "object", inner))
    if named and named <= {"integer", "fraction"}:
        return number_test(kinds.get("integer"), kinds.get("fraction"))
    if len(kinds) >= len(_PRESENT) and all(kinds.get(kind) is True for kind in _PRESENT):
        return always if kinds.get("absent") else _is_present
    tests: dict[type, Test] = {
        Absent: always if kinds.get("absent") else never,
        type(None): always if kinds.get("null") else never,
        bool: _boolean_test(kinds.get("boolean")),
        str: _form_test(kinds.get("string"), "string", inner),
        list: _form_test(kinds.get("array"), "array", inner),
        dict: _form_test(kinds.get("object"), "object", inner),
    }
    tests[int] = tests[float] = number_test(kinds.get("integer"), kinds.get("fraction"))

    def test(value: Any) -> bool:
        return tests.get(value.__class__, never)(value)

    return test


def _only(kind: type, inside: Test) -> Test:
    if inside is always:
        return lambda value: value.__class__ is kind
    return lambda value: value.__class__ is kind and inside(value)


def _boolean_test(values: Any) -> Test:
    if not values:
        return never
    if values is True or len(values) == 2:
        return always
    wanted = values[0]
    return lambda value: value is wanted


# --- numbers --------------------------------------------------------------------------------------------------------


def number_test(integers: Any, fractions: Any) -> Test:
    """The test of a set of numbers for any value: intervals of integers, and of numbers with a fraction."""
    if integers is True and fractions is True:
        return lambda value: value.__class__ is int or (value.__class__ is float and is_finite(value))
    merged = _one_interval(integers, fractions)
    if merged is not None:
        return _interval_of_numbers(*merged)
    if not fractions:
        return _integer_test(integers)
    missing = _points(_gaps(integers)) if fractions is True and integers is not None else None
    if missing is not None:
        return lambda value: (
            (value.__class__ is int or (value.__class__ is float and is_finite(value))) and value not in missing
        )
    in_integers = _interval_test(integers, whole=True)
    in_fractions = _interval_test(fractions, whole=False)

    def test(value: Any) -> bool:
        kind = value.__class__
        if kind is int:
            return in_integers(value)
        if kind is float:
            return in_integers(value) if value.is_integer() else is_finite(value) and in_fractions(value)
        return False

    return test


def is_finite(value: float) -> bool:
    """Whether JSON has a number: neither an infinity nor a NaN."""
    return value - value == 0


def _one_interval(integers: Any, fractions: Any) -> tuple[Any, bool, Any, bool] | None:
    """The one interval of real numbers that both are cut from: low, whether it is in, high, whether it is in."""
    if integers is True:
        integers = [[None, None]]
    if fractions is True:
        fractions = [[None, None]]
    if not integers or not fractions or len(integers) != 1 or len(fractions) != 1:
        return None
    (low, high), (fraction_low, fraction_high) = integers[0], fractions[0]
    below = _end(low, fraction_low, 1)
    above = _end(high, fraction_high, -1)
    return None if below is None or above is None else (*below, *above)


def _end(integer: Any, fraction: Any, inward: int) -> tuple[Any, bool] | None:
    if integer is None or fraction is None:
        return (None, False) if integer is fraction else None
    if fraction.__class__ is int:
        # Fractions never equal an integer end; whether the integer is in, the integers say.
        if integer == fraction:
            return fraction, True
        return (fraction, False) if integer == fraction + inward else None
    nearest = int(fraction // 1) + (1 if inward == 1 else 0)
    return (fraction, True) if integer == nearest else None


def _interval_of_numbers(low: Any, low_in: bool, high: Any, high_in: bool) -> Test:
    if low is None:
        if high_in:
            return lambda value: (value.__class__ is int or value.__class__ is float) and -INFINITY < value <= high
        return lambda value: (value.__class__ is int or value.__class__ is float) and -INFINITY < value < high
    if high is None:
        if low_in:
            return lambda value: (value.__class__ is int or value.__class__ is float) and low <= value < INFINITY
        return lambda value: (value.__class__ is int or value.__class__ is float) and low < value < INFINITY
    if low_in and high_in:
        return lambda value: (value.__class__ is int or value.__class__ is float) and low <= value <= high

    def test(value: Any) -> bool:
        if value.__class__ is not int and value.__class__ is not float:
            return False
        return (low < value < high) or (low_in and value == low) or (high_in and value == high)

    return test


def _integer_test(integers: Any) -> Test:
    if not integers:
        return never
    if integers is True:
        return lambda value: value.__class__ is int or (value.__class__ is float and value.is_integer())
    points = _points(integers)
    if points is not None:
        return lambda value: (value.__class__ is int or value.__class__ is float) and value in points
    if len(integers) == 1 and None not in integers[0]:
        low, high = integers[0]

        def test_interval(value: Any) -> bool:
            if value.__class__ is int:
                return bool(low <= value <= high)
            return value.__class__ is float and low <= value <= high and value.is_integer()

        return test_interval
    inside = _interval_test(integers, whole=True)

    def test(value: Any) -> bool:
        if value.__class__ is int:
            return inside(value)
        return value.__class__ is float and value.is_integer() and inside(value)

    return test


def _interval_test(intervals: Any, *, whole: bool) -> Test:
    """The test of a number that is known to be of the intervals' kind; `whole` for integers."""
    if not intervals:
        return never
    if intervals is True:
        return always
    if len(intervals) == 1:
        low, high = intervals[0]
        if low is None:
            return always if high is None else lambda value: value <= high
        if high is None:
            return lambda value: value >= low
        return lambda value: low <= value <= high
    if whole:
        points = _points(intervals)
        if points is not None:
            return points.__contains__
        missing = _points(_gaps(intervals))
        if missing is not None:
            return lambda value: value not in missing
    pairs = [(float("-inf") if low is None else low, float("inf") if high is None else high) for low, high in intervals]

    def test(value: Any) -> bool:
        for low, high in pairs:
            if value <= high:
                return bool(value >= low)
        return False

    return test


def _points(intervals: Any) -> frozenset[Any] | None:
    """The numbers of few and short intervals of integers; None where there are more."""
    if intervals is None or intervals is True:
        return None
    found: list[Any] = []
    for low, high in intervals:
        if low is None or high is None or high - low > _MAX_POINTS:
            return None
        found.extend(range(low, high + 1))
        if len(found) > _MAX_POINTS:
            return None
    return frozenset(found)


def _gaps(integers: Any) -> Intervals | None:
    """The integers left out by intervals of integers that reach to both sides; None for others."""
    if integers is True or not integers or integers[0][0] is not None or integers[-1][1] is not None:
        return None
    return [[left[1] + 1, right[0] - 1] for left, right in itertools.pairwise(integers)]


# --- forms ----------------------------------------------------------------------------------------------------------


def _form_test(form: Any, kind: str, inner: Callable[[Any], Test]) -> Test:
    """The test of a form for a value that is known to be of its kind."""
    if not form:
        return never
    if form is True:
        return always
    tag = form[0]
    if tag == "and" or tag == "or":
        parts = sorted(form[1], key=cost)
        return joined([_form_test(part, kind, inner) for part in parts], every=tag == "and")
    if tag == "not":
        refused = _form_test(form[1], kind, inner)
        return lambda value: not refused(value)
    if kind == "string":
        return _string_atom(form)
    if tag == "length":
        return _length_test(form[1])
    if tag == "in":
        return _literal_test(form[1])
    if kind == "object":
        return _key_test(form[1], form[2], inner)
    if tag == "same":
        return same_items_test(form[1])
    return item_test(tag, inner(form[1]))


def cost(form: Any) -> int:
    """How expensive a form or a predicate is to test, roughly."""
    tag = form[0]
    if tag == "and" or tag == "or":
        return sum(cost(part) for part in form[1]) + 20
    if tag == "not":
        return cost(form[1]) + 10
    if tag == "set":
        return 50 + sum(cost(part) for part in form[1].values() if part.__class__ is list and part[0].__class__ is str)
    return _COSTS.get(tag, 100)


def joined(tests: list[Test], *, every: bool) -> Test:
    """All of some tests, or any of them, in their order."""
    if not tests:
        return always if every else never
    first = tests[0]
    if len(tests) == 1:
        return first
    rest = joined(tests[1:], every=every)
    if every:
        return lambda value: first(value) and rest(value)
    return lambda value: first(value) or rest(value)


def is_text(value: str) -> bool:
    """Whether a string is Unicode text: without lone surrogates."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _string_atom(form: Any) -> Test:
    tag = form[0]
    if tag == "text":
        return is_text
    body: Any = form[1]
    if tag == "in":
        return frozenset(body).__contains__
    if tag == "length":
        return _text_length_test(body)
    if tag == "starts":
        return lambda value: value.startswith(body) and (value.isascii() or is_text(value))
    if tag == "ends":
        return lambda value: value.endswith(body) and (value.isascii() or is_text(value))
    if tag == "contains":
        return lambda value: body in value and (value.isascii() or is_text(value))
    if tag == "from":
        return lambda value: value >= body and (value.isascii() or is_text(value))
    return pattern_test(body, form[2], form[3])


def pattern_test(pattern: str, flags: str, prefix: str) -> Test:
    """The test of a pattern for strings; a match is known to begin with `prefix`."""
    from .patterns import compile_pattern

    found = compile_pattern(pattern, ignore_case="i" in flags).test
    if prefix:
        return lambda value: value.startswith(prefix) and found(value)
    return found


def _text_length_test(intervals: Intervals) -> Test:
    if len(intervals) == 1:
        low, high = intervals[0]
        if high is None:
            return lambda value: len(value) >= low and (value.isascii() or is_text(value))
        return lambda value: low <= len(value) <= high and (value.isascii() or is_text(value))
    inside = _interval_test(intervals, whole=True)
    return lambda value: inside(len(value)) and is_text(value)


def _length_test(intervals: Intervals) -> Test:
    if len(intervals) == 1:
        low, high = intervals[0]
        if high is None:
            return lambda value: len(value) >= low
        return lambda value: low <= len(value) <= high
    inside = _interval_test(intervals, whole=True)
    return lambda value: inside(len(value))


def _literal_test(literals: list[Any]) -> Test:
    if len(literals) == 1:
        only = literals[0]
        return lambda value: json_equal(value, only)
    return lambda value: any(json_equal(value, literal) for literal in literals)


def item_test(tag: str, test: Test) -> Test:
    """`each` or `some` for arrays."""
    if tag == "each":
        return lambda value: all(map(test, value))
    return lambda value: any(map(test, value))


def same_items_test(wanted: list[Any]) -> Test:
    """An array of the same items, each as often, for arrays."""
    size = len(wanted)
    counts = _counts(wanted)

    def test(value: Any) -> bool:
        if len(value) != size:
            return False
        try:
            return _counts(value) == counts
        except ValueError:
            return _same_items_slowly(value, wanted)

    return test


def _counts(items: list[Any]) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for item in items:
        key = json_key(item)
        counts[key] = counts.get(key, 0) + 1
    return counts


def _same_items_slowly(items: list[Any], wanted: list[Any]) -> bool:
    """For items nested too deeply for a key."""
    left = list(wanted)
    for item in items:
        index = next((i for i, other in enumerate(left) if json_equal(item, other)), None)
        if index is None:
            return False
        del left[index]
    return not left


def _key_test(key: str, predicate: Any, inner: Callable[[Any], Test]) -> Test:
    test = inner(predicate)
    if admits_absent(predicate):
        return lambda value: key not in value or test(value[key])
    return lambda value: key in value and test(value[key])


def admits_absent(data: Any) -> bool:
    """Whether a predicate's set holds "no value at all". References do not matter: no test but `absent` admits it."""
    tag = data[0]
    if tag == "set":
        return bool(data[1].get("absent", False))
    if tag == "and":
        return all(admits_absent(part) for part in data[1])
    if tag == "or":
        return any(admits_absent(part) for part in data[1])
    return False
