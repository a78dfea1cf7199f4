"""What is said to be impossible for a tool is: no arguments that its schema accepts match such a call."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from abs_compiler.pipeline import analyse
from abs_compiler.runtime import load_programs
from tests.support.findings import findings

WORDS: tuple[Any, ...] = (
    {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 9}, {"type": "number"},
    {"enum": ["USD", "EUR", 5]},
    {"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "boolean"}, {"type": ["string", "null"]},
    {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3}, {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"], "additionalProperties": False},
)  # fmt: skip
WANTED: tuple[Any, ...] = (
    1, 0, "abc", "USD", "usd", True, None, ["x"], [1], [], {"c": 1}, {"c": "1"}, {"d": 1}, "{{x}}",
    {"$is": "> 9"}, {"$is": "in 3..20"}, {"$is": "string"}, {"$is": "string length > 3"}, {"$is": "absent"},
    {"$is": "absent or > 20"}, {"$is": "array each integer"}, {"$is": "has {c: integer}"}, {"$is": "not string"},
)  # fmt: skip
SAMPLES: tuple[Any, ...] = (
    1, 4, 9, 12, 1.5, 0, "a", "abc", "abcd", "USD", "usd", True, None, ["x"], ["x", "y"], {"c": 1}, {"c": 7},
)  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_no_arguments_that_a_tool_takes_match_an_impossible_call(seed: int) -> None:
    random = Random(seed)
    refused = clean = 0
    for _ in range(50):
        schema: dict[str, Any] = {"type": "object", "properties": {key: random.choice(WORDS) for key in "ab"}}
        if random.random() < 0.7:
            schema["required"] = random.sample("ab", random.randint(1, 2))
        if random.random() < 0.5:
            schema["additionalProperties"] = False
        keys = random.sample("abz", random.choice((1, 1, 2)))
        call = {random.choice(("with", "with_only")): {key: random.choice(WANTED) for key in keys}}
        behavior = {"actor": "assistant", "action": "calls", "target": "t", **call}
        document = json.dumps({"session": "s", "abs_version": "0.2", "behaviors": [behavior]})
        found = analyse(document, "s.abs.json")
        if not found.programs:
            continue
        reported = [
            item
            for item in findings(document, [{"name": "t", "input_schema": schema}], "s.abs.json")
            if item.severity.value == "error"
        ]
        clean += not reported
        if not reported:
            continue
        refused += 1
        validator = Draft202012Validator(schema)
        (matcher,) = load_programs([dict(found.programs[0])])
        if matcher.parameters:
            matcher = matcher.bind({"x": random.choice(SAMPLES)})
        for _ in range(300):
            sent = {key: random.choice(SAMPLES) for key in random.sample("abz", random.randint(0, 3))}
            if validator.is_valid(sent):
                event = {"actor": "assistant", "action": "calls", "target": "t", "with": sent}
                assert matcher.match([event]).status != "passed", (schema, behavior, sent)
    assert refused > 5
    assert clean > 3
