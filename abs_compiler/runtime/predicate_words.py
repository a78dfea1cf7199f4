"""Predicates in plain words: what a set holds, and why a value is in it or not.

Takes predicate data (see `predicates`), gives phrases that fit behind "is": "an integer from 1 to 500", "no value at
all or a text", "a list each item of which is a text".
"""

from __future__ import annotations

import math

from .predicate_forms import Absent, admits_absent, is_text
from .predicates import compile_predicate
from .values import kind_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NOUNS = {"string": "a text", "array": "a list", "object": "a mapping"}
_KINDS = {
    "null": "null",
    "boolean": "a boolean",
    "number": "a number",
    "string": "a text",
    "array": "a list",
    "object": "a mapping",
}
_FORM_KINDS = ("string", "array", "object")
_ALL_KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
_SIGNS = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
_EMPTY_ONES = [["in", [""]], ["in", [[]]], ["in", [{}]]]
_MAX_LISTED = 8


def describe(data: Any, values: Mapping[str, Any] | None = None) -> str:
    """What a predicate admits, as a phrase that fits behind "is"; references with the values that are known."""
    if values:
        data = _with_values(data, values)
    tag = data[0]
    if tag == "set":
        return _set(data[1])
    if tag == "and" or tag == "or":
        parts = [describe(part) for part in data[1]]
        return f" {tag} ".join(f"({part})" if " or " in part or " and " in part else part for part in parts)
    if tag == "not":
        return f"anything but {describe(data[1])}"
    if tag == "each":
        return f"a list each item of which is {describe(data[1])}"
    if tag == "some":
        return f"a list with an item that is {describe(data[1])}"
    if tag == "key":
        return f"a mapping {_key(data[1], data[2])}"
    return _test(data)


def explain(data: Any, value: Any, values: Mapping[str, Any]) -> str:
    """Why a value, or ABSENT, is in the set of a predicate or not, in one short line."""
    absence = data[0] == "set" and data[1].keys() == {"absent"}
    if compile_predicate(data, values)(value):
        if value.__class__ is Absent:
            return "there is no value, and there must be none" if absence else "there is no value, and none is needed"
        return f"{_shown(value)} is {describe(data, values)}"
    if absence:
        return f"{_shown(value)} is there, but there must be no value"
    return _why_not(_with_values(data, values), value, values)


def _shown(value: Any) -> str:
    return "no value" if value.__class__ is Absent else show(value, 60)


def _with_values(data: Any, values: Mapping[str, Any]) -> Any:
    """Predicate data with references replaced by their values."""
    if data.__class__ is not list or data[0] in ("set", "="):
        return data
    if data[0] == "ref":
        if data[1] not in values:
            return data
        return ["=", values[data[1]]]
    if data[0] == "key":
        return ["key", data[1], _with_values(data[2], values)]
    found = [part if part.__class__ is str else _with_all_values(part, values) for part in data]
    if data[0] in ("in", "same") and found[1][0] == "=":
        found[1] = ["list", [["=", item] for item in found[1][1]]]
    return found


def _with_all_values(part: Any, values: Mapping[str, Any]) -> Any:
    if part.__class__ is list and part and part[0].__class__ is list:
        return [_with_values(item, values) for item in part]
    return _with_values(part, values) if part else part


# --- sets -----------------------------------------------------------------------------------------------------------


def _set(kinds: dict[str, Any]) -> str:
    present = {kind: part for kind, part in kinds.items() if kind != "absent"}
    found = ["no value at all"] if "absent" in kinds else []
    found.extend(_present(present))
    return _either(found) if found else "nothing at all"


def _present(kinds: dict[str, Any]) -> list[str]:
    full = [kind for kind in _ALL_KINDS if kinds.get(kind) is True]
    if len(full) == len(_ALL_KINDS):
        return ["any value"]
    if len(full) >= 4:
        return [f"any value but {_either(_present(_complement(kinds)))}"]
    found = []
    literals, kinds = _take_literals(kinds)
    numbers = _numbers(kinds.get("integer"), kinds.get("fraction"))
    if numbers:
        found.append(numbers)
    found.extend(_measured(kinds))
    if kinds.get("boolean") is True:
        found.append("a boolean")
    if literals:
        more = ["…"] if len(literals) > _MAX_LISTED else []
        texts = [show(item, 40) for item in literals[:_MAX_LISTED]] + more
        found.append(texts[0] if len(texts) == 1 else f"one of {', '.join(texts)}")
    return found


def _take_literals(kinds: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The values that are listed one by one, and what is left of the kinds."""
    literals: list[Any] = []
    left = dict(kinds)
    if [left.get(kind) for kind in _FORM_KINDS] == _EMPTY_ONES:
        return literals, left
    for kind in _FORM_KINDS:
        form = left.get(kind)
        if form.__class__ is list and form[0] == "in":
            literals.extend(form[1])
            del left[kind]
    integers = left.get("integer")
    if integers.__class__ is list and not left.get("fraction"):
        points = [low for low, high in integers if low == high and low is not None]
        if len(points) == len(integers):
            literals.extend(points)
            del left["integer"]
    fractions = left.get("fraction")
    if fractions.__class__ is list and not left.get("integer") and all(low == high for low, high in fractions):
        literals.extend(low for low, _ in fractions)
        del left["fraction"]
    if left.pop("null", False):
        literals.append(None)
    if left.get("boolean").__class__ is list:
        literals.extend(left.pop("boolean"))
    return literals, left


def _complement(kinds: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in _ALL_KINDS:
        part = kinds.get(kind)
        if part is True:
            continue
        if not part:
            found[kind] = True
        elif kind == "boolean":
            found[kind] = [not part[0]]
        elif kind == "integer" or kind == "fraction":
            found[kind] = _gaps(part, 1 if kind == "integer" else 0)
        else:
            found[kind] = part[1] if part[0] == "not" else ["not", part]
    # Between two runs of integers an end is an integer, which no fraction equals.
    return {kind: part for kind, part in found.items() if part}


def _gaps(intervals: Any, step: int) -> Any:
    found = []
    low: Any = None
    for index, (start, end) in enumerate(intervals):
        if start is not None:
            found.append([low if index else None, _beside(start, -step, -math.inf)])
        if end is None:
            return found
        low = _beside(end, step, math.inf)
    found.append([low, None])
    return found


def _beside(end: Any, step: int, toward: float) -> Any:
    """The next number of its kind; beside a fraction, the next double."""
    return math.nextafter(end, toward) if end.__class__ is float else end + step


def _either(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} or {parts[-1]}" if len(parts) > 1 else "".join(parts) or "nothing"


# --- numbers --------------------------------------------------------------------------------------------------------


def _numbers(integers: Any, fractions: Any) -> str:
    if not integers and not fractions:
        return ""
    if integers is True and fractions is True:
        return "a number"
    if not fractions:
        return "an integer" if integers is True else f"an integer {_runs(integers)}"
    if not integers:
        return "a number with a fraction" if fractions is True else f"a number with a fraction {_runs(fractions)}"
    if fractions is True and integers is not True:
        missing = _gaps(integers, 1)
        if all(None not in pair for pair in missing):
            return f"a number other than {_either([_run(low, high) for low, high in missing])}"
    if integers is True and fractions is not True:
        missing = _gaps(fractions, 0)
        if all(low is not None and low == high for low, high in missing):
            return f"a number other than {_either([show(low) for low, _ in missing])}"
    runs = _real_runs(integers, fractions)
    if runs is not None:
        return f"a number {_either(runs)}"
    return f"{_numbers(integers, None)} or {_numbers(None, fractions)}"


def _real_runs(integers: Any, fractions: Any) -> list[str] | None:
    """Runs of real numbers, where the integers are just those within the fractions' runs; else None."""
    integers = [[None, None]] if integers is True else integers
    fractions = [[None, None]] if fractions is True else fractions
    if len(integers) != len(fractions):
        return None
    found = []
    for (low, high), (fraction_low, fraction_high) in zip(integers, fractions, strict=True):
        start = _bound(low, fraction_low, 1)
        end = _bound(high, fraction_high, -1)
        if start is None or end is None:
            return None
        found.append(_run_of_reals(start, end))
    return found


def _run_of_reals(start: tuple[str, bool], end: tuple[str, bool]) -> str:
    (low, low_in), (high, high_in) = start, end
    if low and high and low_in and high_in:
        return f"from {low} to {high}"
    words = []
    if low:
        words.append(f"{'of at least' if low_in else 'above'} {low}")
    if high:
        words.append(f"{'of at most' if high_in else 'below'} {high}")
    return " and ".join(words)


def _bound(integer: Any, fraction: Any, inward: int) -> tuple[str, bool] | None:
    """One end of a run of real numbers and whether it is in; empty for no end, None where there is no such run."""
    if integer is None or fraction is None:
        return ("", True) if integer is fraction else None
    if fraction.__class__ is int:
        if integer == fraction:
            return show(fraction), True
        return (show(fraction), False) if integer == fraction + inward else None
    if integer != int(fraction // 1) + (1 if inward == 1 else 0):
        return None
    outside = math.nextafter(fraction, -inward * math.inf)
    return (show(outside), False) if len(repr(outside)) < len(repr(fraction)) else (show(fraction), True)


def _runs(intervals: Any) -> str:
    words = []
    for low, high in intervals:
        if low is None:
            words.append(f"of at most {show(high)}")
        elif high is None:
            words.append(f"of at least {show(low)}")
        else:
            words.append(f"from {show(low)} to {show(high)}" if low != high else f"equal to {show(low)}")
    return _either(words)


def _run(low: Any, high: Any) -> str:
    return show(low) if low == high else f"{show(low)} to {show(high)}"


# --- texts, lists, mappings -----------------------------------------------------------------------------------------


def _measured(kinds: dict[str, Any]) -> list[str]:
    forms = {kind: kinds[kind] for kind in _FORM_KINDS if kinds.get(kind)}
    if list(forms.values()) == _EMPTY_ONES:
        return ["an empty text, list or mapping"]
    shared = [form for form in forms.values() if form.__class__ is list and form[0] == "length"]
    if len(forms) == 3 and len(shared) == 3 and shared[0] == shared[1] == shared[2]:
        return [f"a text, list or mapping {_length(shared[0][1])}"]
    return [_NOUNS[kind] if form is True else f"{_NOUNS[kind]} {_form(form, kind)}" for kind, form in forms.items()]


def _form(form: Any, kind: str) -> str:
    tag = form[0]
    if tag == "and" or tag == "or":
        parts = []
        for part in form[1]:
            words = _form(part, kind)
            parts.append(f"({words})" if part[0] in ("and", "or") else words)
        return f" {tag} ".join(parts)
    if tag == "not":
        return _refused(form[1], kind)
    if tag == "in":
        texts = [show(item, 40) for item in form[1][:_MAX_LISTED]]
        return f"equal to {_either(texts)}"
    if tag == "text":
        return "without lone surrogates"
    if tag == "length":
        return _length(form[1])
    if tag == "key":
        return _key(form[1], form[2])
    if tag == "each":
        refused = _refused_items(form[1])
        return f"each item of which is {describe(form[1])}" if refused is None else f"without an item that is {refused}"
    if tag == "some":
        return f"with an item that is {describe(form[1])}"
    if tag == "same":
        return f"of the items {', '.join(show(item, 40) for item in form[1])} in any order"
    if tag == "from":
        return f"above {show(form[1][:-1])}" if form[1].endswith("\0") else f"at or above {show(form[1])}"
    if tag == "matches":
        return f"that matches /{form[1]}/{form[2]}"
    verb = {"starts": "starts with", "ends": "ends with", "contains": "contains"}[tag]
    return f"that {verb} {show(form[1], 40)}"


def _refused_items(data: Any) -> str | None:
    """What no item may be, where that is said more shortly than what each must be."""
    words = describe(data) if data[0] == "set" else ""
    return words.removeprefix("any value but ") if words.startswith("any value but ") else None


def _refused(form: Any, kind: str) -> str:
    tag = form[0]
    if tag == "in":
        return f"other than {_either([show(item, 40) for item in form[1][:_MAX_LISTED]])}"
    if tag == "from":
        return f"not {_form(form, kind)}"
    if tag in ("starts", "ends", "contains", "matches"):
        verb = {"starts": "start with", "ends": "end with", "contains": "contain"}.get(tag)
        return f"that does not {verb} {show(form[1], 40)}" if verb else f"that does not match /{form[1]}/{form[2]}"
    if tag == "each":
        refused = _refused_items(form[1])
        return f"with an item that is {refused}" if refused else f"with an item that is not {describe(form[1])}"
    if tag == "some":
        return f"without an item that is {describe(form[1])}"
    return f"but not one {_form(form, kind)}"


def _length(intervals: Any) -> str:
    words = []
    for low, high in intervals:
        if high is None:
            words.append(f"{low} or more")
        elif low == high:
            words.append(str(low))
        else:
            words.append(f"at most {high}" if low == 0 else f"{low} to {high}")
    return f"of length {_either(words)}"


def _key(name: str, data: Any) -> str:
    if data[0] != "set":
        return f"whose `{name}` is {describe(data)}"
    if data[1].keys() == {"absent"}:
        return f"without `{name}`"
    if "absent" in data[1]:
        inside = {kind: part for kind, part in data[1].items() if kind != "absent"}
        return f"whose `{name}`, if there, is {_set(inside)}"
    words = _set(data[1])
    return f"with a `{name}`" if words == "any value" else f"whose `{name}` is {words}"


# --- tests with references ------------------------------------------------------------------------------------------


def _test(data: Any) -> str:
    tag = data[0]
    if tag == "==":
        return f"equal to {_value(data[1])}"
    if tag in _SIGNS:
        return f"{_SIGNS[tag]} {_value(data[1])}"
    if tag == "in":
        if data[1] == ["list", []]:
            return "nothing at all, since the list is empty"
        return f"one of {_list(data[1])}"
    if tag == "between":
        return f"a number from {_value(data[1])} to {_value(data[2])}"
    if tag == "same":
        return f"a list of the items {_list(data[1])} in any order"
    if tag == "contains":
        return f"a text or list that contains {_value(data[1])}"
    if tag == "length":
        inner = data[1]
        words = (
            _value(inner[1])
            if inner[0] == "=="
            else f"other than {_value(inner[1])}"
            if inner[0] == "!="
            else _test(inner)
        )
        return f"of a length {words.removeprefix('a number ')}"
    return f"a text that {tag} with {_value(data[1])}"


def _value(data: Any) -> str:
    return show(data[1], 40) if data[0] == "=" else f"{{{{{data[1]}}}}}"


def _list(data: Any) -> str:
    if data[0] == "ref":
        return f"{{{{{data[1]}}}}}"
    return ", ".join(_value(item) for item in data[1]) or "nothing"


# --- why not --------------------------------------------------------------------------------------------------------


def _why_not(data: Any, value: Any, values: Mapping[str, Any]) -> str:
    if value.__class__ is Absent:
        return f"there is no value, but it must be {describe(data)}"
    tag = data[0]
    if tag == "and":
        failing = next(part for part in data[1] if not compile_predicate(part, values)(value))
        return _why_not(failing, value, values)
    if tag == "set":
        kind = kind_of(value)
        parts = [data[1].get(name) for name in (("integer", "fraction") if kind == "number" else (kind,))]
        if not any(parts):
            noun = _KINDS.get(kind, kind)
            return _is_not("null" if kind == "null" else f"{_shown(value)} ({noun})", _set(data[1]))
        if value.__class__ in (str, list, dict):
            return _why_not_form(parts[0], kind, value, values, data)
    if tag == "key" and value.__class__ is dict:
        return _why_not_key(data[1], data[2], value, values)
    if tag == "each" and value.__class__ is list:
        return _why_not_each(data[1], value, values)
    return _is_not(_shown(value), describe(data))


def _is_not(shown: str, words: str) -> str:
    plain = words.startswith(("a ", "an ", "one of", "equal to", "null"))
    return f"{shown} is not {words}" if plain else f"{shown} is refused; it must be {words}"


def _why_not_form(form: Any, kind: str, value: Any, values: Mapping[str, Any], whole: Any) -> str:
    if form[0] == "and":
        failing = next(part for part in form[1] if not compile_predicate(["set", {kind: part}], values)(value))
        return _why_not_form(failing, kind, value, values, ["set", {kind: failing}])
    if form[0] == "key":
        return _why_not_key(form[1], form[2], value, values)
    if form[0] == "each":
        return _why_not_each(form[1], value, values)
    if form[0] == "length" and value.__class__ is str and not is_text(value):
        return f"{_shown(value)} has half of a surrogate pair, so it is not a text with a length"
    if form[0] == "length":
        return f"{_shown(value)} has length {len(value)}, not {_length(form[1]).removeprefix('of length ')}"
    return _is_not(_shown(value), describe(whole))


def _why_not_key(name: str, data: Any, value: dict[str, Any], values: Mapping[str, Any]) -> str:
    if name not in value:
        return f"`{name}` is missing; it must be {describe(data)}"
    if admits_absent(data) and data[0] == "set" and len(data[1]) == 1:
        return f"`{name}` is there, but must not be"
    return f"`{name}`: {_why_not(data, value[name], values)}"


def _why_not_each(data: Any, value: list[Any], values: Mapping[str, Any]) -> str:
    test = compile_predicate(data, values)
    index = next(i for i, item in enumerate(value) if not test(item))
    return f"item {index + 1}: {_why_not(data, value[index], values)}"
