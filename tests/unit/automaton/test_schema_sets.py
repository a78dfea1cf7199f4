"""Sets of JSON Schemas: what a validator accepts lies around, and what lies inside is accepted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from abs_compiler.automaton.schema_sets import schema_set
from abs_compiler.automaton.value_sets import is_empty
from abs_compiler.predicate.domains import contains

VALUES: list[Any] = [
    None, True, 0, 1, 1.5, 5, -3, "", "a", "abc", "ORD-1", [], [1], [1, "a"], {},
    {"a": 1}, {"a": "x", "b": 2}, {"c": []},
]  # fmt: skip


def random_schema(random: Random, depth: int = 2) -> Any:
    """A schema of the kind that tools have, and some that they do not."""
    if random.random() < 0.05:
        return random.choice((True, {}, False))
    schema: dict[str, Any] = {}
    choices: list[tuple[str, Any]] = [
        ("type", random.choice(("string", "integer", "number", "object", "array", "boolean", ["string", "null"]))),
        ("enum", random.sample([1, "a", None, [1], {"a": 1}, 2.0], 2)),
        ("const", random.choice((1, "abc", {"a": 1}))),
        ("minimum", random.choice((0, 1.5, 5))),
        ("exclusiveMaximum", random.choice((1, 5))),
        ("multipleOf", 1),
        ("minLength", random.choice((0, 1, 3))),
        ("maxLength", 1),
        ("maxItems", 1),
        ("minProperties", 1),
        ("pattern", random.choice(("^[a-z]+$", "b", "^ORD-[0-9]$"))),
        ("format", "date"),
        ("uniqueItems", True),
        ("required", random.sample(["a", "b", "c"], random.randint(0, 2))),
        ("additionalProperties", random.choice((True, False))),
    ]
    if depth:
        choices += [
            ("items", random_schema(random, depth - 1)),
            ("properties", {key: random_schema(random, depth - 1) for key in random.sample("abc", 2)}),
            ("anyOf", [random_schema(random, depth - 1), random_schema(random, depth - 1)]),
            ("oneOf", [random_schema(random, depth - 1), random_schema(random, depth - 1)]),
            ("allOf", [random_schema(random, depth - 1)]),
            ("not", random_schema(random, depth - 1)),
            ("$ref", "#/$defs/one"),
        ]
    for keyword, value in random.sample(choices, random.randint(1, 3)):
        schema[keyword] = value
    return schema


@pytest.mark.parametrize("seed", range(8))
def test_a_set_bounds_what_a_validator_accepts(seed: int) -> None:
    random = Random(seed)
    exact = 0
    for _ in range(150):
        schema = random_schema(random)
        if isinstance(schema, dict):
            schema["$defs"] = {"one": random_schema(random, 0)}
        validator = Draft202012Validator(schema)
        bounds = schema_set(schema)
        exact += bounds.is_exact
        for value in VALUES:
            accepted = validator.is_valid(value)
            assert contains(bounds.around, value) or not accepted, (schema, value)
            assert accepted or not contains(bounds.inside, value), (schema, value)
    assert exact > 20


def test_what_no_value_satisfies_is_empty() -> None:
    assert is_empty(schema_set({"type": "integer", "minimum": 5, "maximum": 4}).around)
    assert is_empty(schema_set({"type": "string", "enum": [1, 2]}).around)
    assert is_empty(schema_set({"type": "number", "minimum": 5, "exclusiveMinimum": True, "maximum": 5}).around)
    assert is_empty(schema_set({"type": "object", "required": ["a"], "properties": {"a": False}}).around)


def test_references_that_never_end_say_nothing() -> None:
    bounds = schema_set({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}})
    assert all(contains(bounds.around, value) for value in VALUES)
    elsewhere = schema_set({"$ref": "https://example.com/schema"})
    assert contains(elsewhere.around, 1)


def test_words_that_are_no_types_say_nothing() -> None:
    assert contains(schema_set({"type": "dict", "properties": {"a": {"type": "float"}}}).around, {"a": 1})


def test_a_schema_inside_another() -> None:
    schema = {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    assert not contains(schema_set(schema, ("properties", "a")).around, "1")


def test_nullable_admits_null() -> None:
    assert contains(schema_set({"type": "string", "nullable": True}).around, None)
