"""Calls of many tools with long enumerations are all looked at, and what costs little does not wait for the rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.findings import HEAD, findings

CODES = [f"C{number:03}" for number in range(250)]


def tool(number: int, **more: Any) -> dict[str, Any]:
    own = [f"{number}{code}" for code in CODES]
    properties = {
        "code": {"type": "string", "enum": own},
        "codes": {"type": "array", "items": {"enum": own}},
        "named": {"$ref": "#/$defs/own"},
        "maybe": {"anyOf": [{"$ref": "#/$defs/own"}, {"type": "null"}]},
        "mixed": {"anyOf": [{"enum": own}, {"type": "integer"}]},
        "count": {"type": "integer", "minimum": 0},
    }
    schema = {"type": "object", "properties": properties, "$defs": {"own": {"enum": own}}, **more}
    return {"name": f"tool_{number}", "input_schema": schema}


def call(number: int, arguments: str) -> str:
    return f"  - {{actor: assistant, action: calls, target: tool_{number}, with: {{{arguments}}}}}\n"


def test_one_set_of_constants_asked_often() -> None:
    text = HEAD + "behaviors:\n" + call(0, "code: {$is: 'string'}") * 70 + call(0, "cod: x")
    assert [item.code for item in findings(text, [tool(0)])] == ["ABS622"]


@pytest.mark.parametrize("more", [{}, {"anyOf": [{"required": ["named"]}, {"required": ["maybe"]}]}])
def test_many_tools_and_many_calls(more: dict[str, Any]) -> None:
    arguments = (
        "code: {$is: 'length > 1'}, codes: {$is: 'array each string'}, named: {$is: 'string'}, "
        "maybe: {$is: 'string'}, mixed: {$is: 'string'}, count: {$is: 'integer > 0'}"
    )
    calls = "".join(call(number, arguments) for number in range(300))
    text = HEAD + "behaviors:\n" + calls + call(1, "mixed: {$is: 'number in 0.5..0.7'}") + call(1, "cod: x")
    found = findings(text, [tool(number, **more) for number in range(600)])
    # Alternatives at the root may allow further arguments.
    assert [item.code for item in found] == ["ABS624", *(() if more else ("ABS622",))]


@pytest.mark.parametrize(
    ("schema", "predicate", "refused"),
    [
        ({"enum": CODES}, "string and not in [\"C000\"]", False),
        ({"enum": CODES}, "starts with \"D\"", True),
        ({"enum": CODES, "pattern": "^C00"}, "starts with \"C1\"", True),
        ({"const": 5}, "integer > 5", True),
        ({"type": "null"}, "string", True),
        ({"type": "null"}, "string or null", False),
        ({"enum": ["a"], "nullable": True}, "null", False),
        ({"allOf": [{"enum": CODES}]}, "integer", True),
        ({"allOf": [{"enum": CODES}, {"minLength": 2}]}, "integer", True),
        ({"oneOf": [{"const": "a"}, {"const": "b"}], "type": "string"}, "!= \"a\" and string", False),
        ({"anyOf": [{"enum": CODES}, {"$ref": "#/x"}]}, "integer", False),
        ({"type": "array", "items": {"enum": CODES}, "minItems": 1}, "array each integer", True),
        ({"type": "array", "items": {"enum": CODES}}, "array each integer", False),
    ],
)  # fmt: skip
def test_constants_are_asked_one_by_one(schema: Any, predicate: str, refused: bool) -> None:
    text = HEAD + "behaviors:\n" + call(0, f"x: {{$is: '{predicate}'}}")
    tools = [{"name": "tool_0", "input_schema": {"type": "object", "properties": {"x": schema}}}]
    assert [item.code for item in findings(text, tools) if item.code == "ABS624"] == ["ABS624"] * refused


def test_tools_of_one_target_that_refuse_different_arguments() -> None:
    text = HEAD.replace('0.2"\n', '0.2"\nmatch: {targets: {T: ["t_*"]}}\n') + "behaviors:\n"
    text += "  - {actor: assistant, action: calls, target: T, with: {x: a, y: {$is: 'string'}}}\n"

    def of(x: str, y: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"x": {"type": x}, "y": {"type": y}}}

    apart = [
        {"name": "t_1", "input_schema": of("integer", "string")},
        {"name": "t_2", "input_schema": of("string", "integer")},
    ]
    assert [item.code for item in findings(text, apart)] == ["ABS624"]
    apart[1]["input_schema"] = of("string", "string")
    assert findings(text, apart) == []


def test_schemas_that_lead_to_themselves_in_many_ways() -> None:
    keys = [f"k{number}" for number in range(12)]
    node = {"type": "object", "properties": {key: {"$ref": "#/$defs/node"} for key in keys}, "required": keys}
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    text = HEAD + "behaviors:\n" + call(0, "x: {$is: 'object'}")
    assert findings(text, [{"name": "tool_0", "input_schema": schema}]) == []
