"""Checks of one event, conditions and values, by definition."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.support.evaluation_model.compositions import FAILED, INCONCLUSIVE, PASSED
from tests.support.evaluation_model.selectors import Event, Targets, category, same_target
from tests.support.oracle.values import equal

Names = Callable[[str], Any]
NOTHING = object()


def step_state(check: dict[str, Any], event: Event, names: Names, targets: Targets) -> str:
    """The state of a check that is no composition; INCONCLUSIVE where a name has no value."""
    try:
        return PASSED if _holds(check, event, names, targets) else FAILED
    except KeyError:
        return INCONCLUSIVE


def _holds(check: dict[str, Any], event: Event, names: Names, targets: Targets) -> bool:
    match check["type"]:
        case "exact_match":
            seen, wanted = looked_at(event), value_of(check["value"], names)
            return seen is not NOTHING and equal(seen, wanted)
        case "contains":
            text, wanted = text_of(event), as_text(value_of(check["value"], names))
            return text is not None and wanted.casefold() in text.casefold()
        case "regex":
            text, pattern = text_of(event), _pattern(check["pattern"], names)
            return text is not None and re.search(pattern, text) is not None
        case "tool_call":
            if not same_target(check["target"], event.get("target"), targets):
                return False
            wanted = [(key, value_of(value, names)) for args in check["args"] for key, value in args["keys"].items()]
            seen = event.get("with") or {}
            return all(key in seen and equal(seen[key], value) for key, value in wanted)
        case unknown:
            raise AssertionError(unknown)


def looked_at(event: Event) -> Any:
    """What evaluations look at: the content, or the arguments of an Execution event; or NOTHING."""
    is_answer = event.get("action") == "responds" and event["actor"] in ("tool", "external")
    if "content" in event and (event["content"] is not None or is_answer):
        return event["content"]
    known = event["category"] if event.get("action") is None else category(event["action"])
    return (event.get("with") or {}) if known == "execution" else NOTHING


def text_of(event: Event) -> str | None:
    """The text of an event."""
    seen = looked_at(event)
    return None if seen is NOTHING or isinstance(seen, (list, dict)) else as_text(seen)


def as_text(value: Any) -> str:
    """The text of a scalar."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return json.dumps(value)


def value_of(template: Any, names: Names) -> Any:
    """The value of a template; KeyError where a name has none."""
    tag, body = template
    match tag:
        case "=":
            return body
        case "ref":
            return names(body)
        case "text":
            return "".join(part if isinstance(part, str) else as_text(names(part[1])) for part in body)
        case "obj":
            return {key: value_of(item, names) for key, item in body.items()}
        case "arr":
            return [value_of(item, names) for item in body]
        case unknown:
            raise AssertionError(unknown)


def _pattern(template: Any, names: Names) -> str:
    tag, body = template
    if tag == "=":
        return body
    parts = [template] if tag == "ref" else body
    return "".join(part if isinstance(part, str) else re.escape(as_text(names(part[1]))) for part in parts)


def names_in(data: Any) -> set[str]:
    """Every name that templates or a condition mention."""
    if isinstance(data, list):
        if len(data) == 2 and data[0] == "ref" and isinstance(data[1], str):
            return {data[1]}
        return {name for item in data for name in names_in(item)}
    if isinstance(data, dict):
        return {name for item in data.values() for name in names_in(item)}
    return set()


def condition(data: Any, names: Names) -> bool | None:
    """Whether a condition holds; None where it has no truth value."""
    if data is None:
        return True
    try:
        value = _value(data, names)
    except (KeyError, TypeError):
        return None
    return value if isinstance(value, bool) else None


def _value(data: Any, names: Names) -> Any:
    match data:
        case ["lit", value]:
            return value
        case ["ref", name]:
            return names(name)
        case ["not", operand]:
            return not _boolean(_value(operand, names))
        case ["and", operands]:
            return all(_boolean(_value(operand, names)) for operand in operands)
        case ["or", operands]:
            return any(_boolean(_value(operand, names)) for operand in operands)
        case ["cmp", operator, left, right]:
            return _compare(operator, _value(left, names), _value(right, names))
        case unknown:
            raise AssertionError(unknown)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _compare(operator: str, left: Any, right: Any) -> bool:
    kinds = {_kind(left), _kind(right)}
    if operator in ("==", "!="):
        if len(kinds) > 1 and "null" not in kinds:
            raise TypeError(kinds)
        return equal(left, right) == (operator == "==")
    if kinds not in ({"number"}, {"string"}):
        raise TypeError(kinds)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return {str: "string", list: "array", dict: "object"}[type(value)]


def places(behavior: dict[str, Any], variable: str, event: Event | None) -> Iterator[Any]:
    """The values of an event at the places where the variable stands alone; without an event, one for each place."""
    for args in behavior["args"]:
        for key, template in args["keys"].items():
            if event is None:
                yield from _walk(template, NOTHING, variable)
            elif key in (event.get("with") or {}):
                yield from _walk(template, event["with"][key], variable)
    if "content" in behavior:
        yield from _walk(behavior["content"], NOTHING if event is None else event.get("content"), variable)


def _walk(template: Any, value: Any, variable: str) -> Iterator[Any]:
    tag, body = template
    if tag == "ref" and body == variable:
        yield value
    elif tag == "obj":
        for key, item in body.items():
            if value is NOTHING:
                yield from _walk(item, NOTHING, variable)
            elif isinstance(value, dict) and key in value:
                yield from _walk(item, value[key], variable)
