"""What is said to be impossible for a tool is: no arguments that its schema accepts match such a call."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from abs_compiler.pipeline import analyse
from abs_compiler.runtime import load_programs
from tests.support.findings import HEAD, findings

WORDS: tuple[Any, ...] = (
    {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 9}, {"type": "number"},
    {"enum": ["USD", "EUR", 5]},
    {"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "boolean"}, {"type": ["string", "null"]},
    {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3}, {"multipleOf": 4}, {"pattern": "^\\w{3}$"},
    {"type": "array", "uniqueItems": True, "contains": {"const": "y"}}, {"const": 1}, {"$ref": "#/$defs/some"},
    {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"], "additionalProperties": False},
)  # fmt: skip
WANTED: tuple[Any, ...] = (
    1, 0, ["x", "x"], {"$is": "in [1, \"a\"]"}, {"$is": "string in [\"abc\"] or == 9"},
    "abc", "USD", "usd", True, None, ["x"], [1], [], {"c": 1}, {"c": "1"}, {"d": 1}, "{{x}}",
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
        if "$ref" in json.dumps(schema):
            schema["$defs"] = {"some": {"type": ["integer", "array"], "maximum": 4}}
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


_DEFINED = {"text": {"type": "string"}, "code": {"type": "string", "pattern": "^[0-9]+$"}}


def of_one_argument(value: str, schema: Any) -> list[Any]:
    """What is said of a value, as YAML, against the schema of its argument."""
    parameters = {"type": "object", "properties": {"x": schema}, "$defs": _DEFINED}
    parameters["x-own"] = {"broken": {"minLength": "1", "required": 5, "enum": 3}}
    text = f"{HEAD}behaviors:\n  - {{actor: assistant, action: calls, target: t, with: {{x: {value}}}}}\n"
    found = findings(text, [{"name": "t", "input_schema": parameters}])
    return [item for item in found if item.code == "ABS624"]


OTHERWISE = "correct it, or the schema of the tool"


@pytest.mark.parametrize(
    ("value", "schema", "label", "help_"),
    [
        ('"12"', {"type": "string", "pattern": r"^ORD-\d+$"}, r"expected text that matches /^ORD-\d+$/ (`pattern`)",
         OTHERWISE),
        ("7", {"multipleOf": 5}, "expected a multiple of 5 (`multipleOf`)", OTHERWISE),
        ("{$is: 'in [1, 2]'}", {"multipleOf": 5}, "expected a multiple of 5 (`multipleOf`)", OTHERWISE),
        ("{$is: 'in [1, 7]'}", {"minimum": 6, "multipleOf": 5}, "1: expected at least 6 (`minimum`)", OTHERWISE),
        ("{$is: 'integer in [1, 2] or == 3'}", {"enum": [4, 5]}, "one of `4` and `5` is accepted (`enum`)",
         OTHERWISE),
        ("[1, 1]", {"type": "array", "uniqueItems": True}, "expected different items (`uniqueItems`)", OTHERWISE),
        ("true", {"enum": ["a", "b"]}, "one of `a` and `b` is accepted (`enum`)", OTHERWISE),
        ("1", {"enum": [True]}, "`true` is accepted (`enum`)", OTHERWISE),
        ("ab", {"type": "string", "minLength": 5}, "expected at least 5 characters (`minLength`), it has 2",
         OTHERWISE),
        ("[{id: 1}]", {"items": {"required": ["sku"]}}, '"sku" missing (`required`)', OTHERWISE),
        ("0", {"type": "number", "exclusiveMinimum": 0}, "expected more than 0 (`exclusiveMinimum`)", OTHERWISE),
        ("{b: 1}", {"properties": {"a": {}}, "additionalProperties": False},
         '"b" not allowed here (`additionalProperties`)', OTHERWISE),
        ("{b: 1}", {"type": "object", "required": ["a"]}, '"a" missing (`required`)', OTHERWISE),
        ('"yes"', {"type": "boolean"}, "a boolean is accepted", "`yes` is text; write `true`"),
        ("off", {"type": "boolean"}, "a boolean is accepted", "`off` is text; write `false`"),
        ("maybe", {"type": "boolean"}, "a boolean is accepted", "write `true` or `false`"),
        ('"true"', {"type": "boolean"}, "a boolean is accepted", "leave out the quotes"),
        ('"012"', {"type": "integer"}, "an integer is accepted", OTHERWISE),
        ('"5"', {"type": "integer", "minimum": 6}, "an integer from 6 is accepted", OTHERWISE),
        ('"5"', {"type": "integer", "minimum": 1, "maximum": 6}, "an integer from 1 up to 6 is accepted",
         "leave out the quotes"),
        ("5", {"type": "string", "pattern": "^O"}, "a string that matches /^O/ is accepted", OTHERWISE),
        ("5", {"$ref": "#/$defs/text"}, "a string is accepted", 'put it in quotes: `"5"`'),
        ("5", {"anyOf": [{"type": "string"}, {"type": "null"}]}, "a string or null is accepted",
         'put it in quotes: `"5"`'),
        ("2", False, "2 is not allowed here", OTHERWISE),
        ("{$is: 'string length < 3'}", {"type": "string", "minLength": 5, "maxLength": 9},
         "a string of at least 5 characters and at most 9 characters is accepted", OTHERWISE),
        ("{$is: 'number > 500'}", {"type": "number", "exclusiveMinimum": 0, "maximum": 500},
         "a number above 0 and up to 500 is accepted", OTHERWISE),
        ("{id: '{{v}}', m: 3}", {"type": "object", "properties": {"m": {"type": "string"}}}, "a string is accepted",
         'put it in quotes: `"3"`'),
        ("{id: '{{v}}', m: 3}", {"type": "object", "properties": {"id": {}}, "additionalProperties": False},
         "`m` not allowed here (`additionalProperties`)", OTHERWISE),
        ("{id: '{{v}}'}", {"type": "object", "required": ["m"]}, "`m` missing (`required`)", OTHERWISE),
        ("{id: '{{v}}'}", {"type": "object", "minProperties": 2}, "its schema refuses it", OTHERWISE),
        ("usd", {"oneOf": [{"const": "USD", "title": "Dollar"}, {"const": "EUR"}]},
         "one of `USD` and `EUR` is accepted", "a value close to it is `USD`"),
        ("abc", {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer"}]},
         "of 2 alternatives the nearest is `anyOf[0]`: expected at most 2 characters (`maxLength`), it has 3",
         OTHERWISE),
        ("7", {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 10, "title": "Count"}]},
         "of 2 alternatives the nearest is `Count`: expected at least 10 (`minimum`)", 'put it in quotes: `"7"`'),
        ("abc", {"oneOf": [{"type": "integer"}, {"$ref": "#/$defs/code"}]},
         "of 2 alternatives the nearest is `code`: expected text that matches /^[0-9]+$/ (`pattern`)", OTHERWISE),
        ("abc", {"anyOf": [{"type": "string", "pattern": "^x"}]}, "expected text that matches /^x/ (`pattern`)",
         OTHERWISE),
        ("true", {"anyOf": [{"type": "string", "maxLength": 2}, {"type": "integer", "minimum": 1}]},
         "a string of at most 2 characters or an integer from 1 is accepted", OTHERWISE),
        ("5", {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
         "fits the alternatives 1, 2 of `oneOf`, only one may: 5", OTHERWISE),
        ("{$is: '> 5'}", {"anyOf": [{"type": "integer", "maximum": 3}, {"type": "null"}]},
         "an integer up to 3 or null is accepted", OTHERWISE),
        ("aaaaa", {"allOf": [{"type": "string"}, {"maxLength": 3}]},
         "expected at most 3 characters (`maxLength`), it has 5", OTHERWISE),
    ],
)  # fmt: skip
def test_what_is_said_of_a_value(value: str, schema: Any, label: str, help_: str) -> None:
    (item,) = of_one_argument(value, schema)
    assert (item.severity.value, item.labels[0].text, item.helps[0].text) == ("error", label, help_)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ("{$is: 'in [1, 5]'}", {"multipleOf": 5}),
        ("{$is: 'absent or in [1]'}", {"type": "string"}),
        ("nope", {"format": "of-our-own"}),
        ("null", {"type": "string", "nullable": True}),
        ('"\u00e9"', {"pattern": r"^\w$"}),
        ("x", {"pattern": "[[:digit:]]"}),
        ("x", {"pattern": "(?!x)"}),
        ("x", {"patternProperties": {"(?!x)": False}}),
        ("{x: 1}", {"patternProperties": {"(?!x)": False}}),
        ("5", {"$ref": "http://x/y.json"}),
        ("x", {"$ref": "#/x-own/broken"}),
        ("1.0", {"type": "integer"}),
        ("'{{v}}'", {"type": "string", "pattern": "^a$"}),
        ("'{{v}}'", {"format": "date"}),
    ],
)
def test_what_may_be_accepted_is_no_finding(value: str, schema: Any) -> None:
    assert of_one_argument(value, schema) == []


@pytest.mark.parametrize(("value", "name"), [("tomorrow", "date"), ("nope", "email")])
def test_a_format_alone_is_a_warning(value: str, name: str) -> None:
    (item,) = of_one_argument(value, {"type": "string", "format": name})
    assert (item.severity.value, item.labels[0].text) == ("warning", f"expected the format {name}")
    assert item.notes


def test_constant_arguments_that_are_complete_are_held_against_the_whole_schema() -> None:
    tool = {"name": "t", "input_schema": {"dependentRequired": {"a": ["b"]}, "properties": {"a": {}, "b": {}}}}
    call = "behaviors:\n  - {actor: assistant, action: calls, target: t, KEY: {a: 1}}\n"
    assert findings(HEAD + call.replace("KEY", "with"), [tool]) == []
    (item,) = findings(HEAD + call.replace("KEY", "with_only"), [tool])
    assert (item.code, item.labels[0].text) == ("ABS624", '"b" missing, which "a" needs')


CARD = {"properties": {"kind": {"const": "card"}, "number": {"type": "integer"}}, "required": ["kind", "number"]}
CASH = {"properties": {"kind": {"const": "cash"}, "given": {"type": "number"}}, "required": ["kind"]}
WAYS = {"oneOf": [{"type": "object", **CASH}, {"type": "object", **CARD}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("value", "schema", "marked", "place", "label"),
    [
        ("{a: {b: [1, xyz]}}", {"properties": {"a": {"properties": {"b": {"items": {"type": "integer"}}}}}},
         "xyz", "x.a.b[1]", "an integer is accepted"),
        ("[usd, EUR]", {"items": {"enum": ["USD", "EUR"]}}, "usd", "x[0]",
         "one of `USD` and `EUR` is accepted (`enum`)"),
        ("{a: {b: 1}}", {"properties": {"a": {"required": ["c"]}}}, "{b: 1}", "x.a", '"c" missing (`required`)'),
        ("{'a b': 1}", {"additionalProperties": {"type": "string"}}, "1", 'x["a b"]', "a string is accepted"),
        ("{$literal: {a: [5]}}", {"properties": {"a": {"items": {"type": "string"}}}}, "5", "x.a[0]",
         "a string is accepted"),
        ("[{k: s}, &a {k: 5}, *a]", {"items": {"properties": {"k": {"type": "string"}}}}, "5", "x[1].k",
         "a string is accepted"),
        ("[1, [2, x]]", {"prefixItems": [{}, {"items": {"type": "integer"}}]}, "x", "x[1][1]",
         "an integer is accepted"),
        ("{kind: card, number: '5'}", WAYS, "'5'", "x.number",
         "of 3 alternatives the nearest is that of `kind: card`: an integer is accepted"),
        ("{kind: crd, number: 5}", WAYS, "crd", "x.kind",
         'of 3 alternatives the nearest is that of `kind: card`: expected "card" (`const`)'),
        ("{kind: cash, given: much}", WAYS, "much", "x.given",
         "of 3 alternatives the nearest is that of `kind: cash`: a number is accepted"),
        ("{kind: card}", WAYS, "{kind: card}", "x",
         'of 3 alternatives the nearest is that of `kind: card`: "number" missing (`required`)'),
        ("{a: '{{v}}', b: {c: 5}}", {"properties": {"b": {"properties": {"c": {"type": "string"}}}}}, "5", "x.b.c",
         "a string is accepted"),
        ("['{{v}}', {a: {$is: '> 5'}}]", {"items": {"anyOf": [{"type": "object", "properties": {"a": {"maximum": 3}}},
                                                              {"type": "string"}]}},
         "{$is: '> 5'}", "x[1].a", "its schema refuses it"),
        ("{a: '{{v}}', b: {$is: 'in [5, 6]'}}", {"properties": {"b": {"$ref": "#/$defs/text"}}}, "{$is: 'in [5, 6]'}",
         "x.b", "a string is accepted"),
        ("{a: '{{v}}', b: [c, {d: 1}]}", {"properties": {"b": {"items": {"type": "string"}}}}, "{d: 1}", "x.b[1]",
         "a string is accepted"),
    ],
)  # fmt: skip
def test_the_part_that_is_refused_is_marked(value: str, schema: Any, marked: str, place: str, label: str) -> None:
    (item,) = of_one_argument(value, schema)
    span = item.labels[0].span
    assert item.source is not None
    assert item.source.text[span.start : span.end] == marked
    assert (item.message, item.labels[0].text) == (f"`t` never accepts this for `{place}`", label)


def test_what_stands_elsewhere_is_marked_where_it_is_used() -> None:
    tools = [{"name": "t", "input_schema": {"properties": {"x": {"properties": {"k": {"type": "string"}}}}}}]
    text = HEAD + "behaviors:\n  - {actor: assistant, action: calls, target: u, with: {x: &a {k: 5}}}\n"
    for use in ("*a", "{<<: *a, m: 1}"):
        whole = text + f"  - {{actor: assistant, action: calls, target: t, with: {{x: {use}}}}}\n"
        found = [item for item in findings(whole, tools) if item.code == "ABS624"]
        spans = [item.labels[0].span for item in found]
        assert [whole[span.start : span.end] for span in spans] == [use]


def test_alternatives_that_lead_to_themselves_end() -> None:
    node = {"anyOf": [{"type": "object", "properties": {"n": {"$ref": "#/$defs/node"}}, "required": ["n"]}] * 2}
    schema = {"properties": {"x": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
    value = "{n: " * 10 + "1" + "}" * 10
    text = f"{HEAD}behaviors:\n  - {{actor: assistant, action: calls, target: t, with: {{x: {value}}}}}\n"
    (item,) = findings(text, [{"name": "t", "input_schema": schema}])
    assert item.labels[0].text.count("of 2 alternatives the nearest is") == 6
