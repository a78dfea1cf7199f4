"""JSON Schemas: what they say of values, which are refused, and that nothing hangs or raises."""

from __future__ import annotations

import threading
import time
from collections import Counter
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from abs_compiler.runtime import BindError
from abs_compiler.runtime.outcome import FAILED, INCONCLUSIVE, PASSED
from abs_compiler.runtime.schema_formats import checkers, conforms
from abs_compiler.runtime.schema_rules import is_multiple
from abs_compiler.runtime.schema_run import UndecidedError
from abs_compiler.runtime.schemas import SchemaRefusedError, check_schema, measure, schema_check
from tests.support.programs import behavior, check, match, outcome, program, says

DRAFTS = {
    "2020-12": ("https://json-schema.org/draft/2020-12/schema", jsonschema.Draft202012Validator),
    "2019-09": ("https://json-schema.org/draft/2019-09/schema", jsonschema.Draft201909Validator),
    "draft-07": ("http://json-schema.org/draft-07/schema#", jsonschema.Draft7Validator),
    "draft-06": ("http://json-schema.org/draft-06/schema#", jsonschema.Draft6Validator),
    "draft-04": ("http://json-schema.org/draft-04/schema#", jsonschema.Draft4Validator),
}

# The library as an oracle, on small schemas and values.

TYPES = ("string", "number", "integer", "boolean", "null", "array", "object")
SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, 2, 1.5, 3.0, "", "a", "ab", "abc", "b1")
KEYS = ("a", "b", "ab", "c")
PATTERNS = ("^a", "b$", "[0-9]", "^$")
COUNTED = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
LISTED = ("allOf", "anyOf", "oneOf")
CASES = 800


def random_value(random: Random, depth: int = 2) -> Any:
    kind = random.random()
    if depth and kind < 0.3:
        return [random_value(random, depth - 1) for _ in range(random.randint(0, 3))]
    if depth and kind < 0.7:
        return {key: random_value(random, depth - 1) for key in random.sample(KEYS, random.randint(0, 3))}
    return random.choice(SCALARS)


def random_schema(random: Random, draft: str, depth: int = 2) -> Any:
    """A schema of a few keywords of a draft; now and then one that the draft forbids."""
    if not depth or random.random() < 0.2:
        return random.choice(({"type": random.choice(TYPES)}, {}, draft != "draft-04", False))
    return dict(_keyword(random, draft, depth - 1) for _ in range(random.randint(1, 4)))


def _keyword(random: Random, draft: str, depth: int) -> tuple[str, Any]:
    def below() -> Any:
        return random_schema(random, draft, depth)

    def several() -> list[Any]:
        return [below() for _ in range(random.randint(1, 3))]

    def named(keys: tuple[str, ...] = KEYS) -> dict[str, Any]:
        return {key: below() for key in random.sample(keys, random.randint(0, 2))}

    def some_keys() -> list[str]:
        return random.sample(KEYS, random.randint(1, 2))

    choices: dict[str, Any] = {
        **{name: lambda: random.randint(0, 3) for name in COUNTED},
        **dict.fromkeys(LISTED, several),
        "type": lambda: random.choice((random.choice(TYPES), random.sample(TYPES, 2))),
        "enum": lambda: random.sample(SCALARS, random.randint(1, 3)),
        "multipleOf": lambda: random.choice((1, 2, 0.5)),
        "pattern": lambda: random.choice(PATTERNS),
        "uniqueItems": lambda: True,
        "required": some_keys,
        "properties": named,
        "patternProperties": lambda: named(PATTERNS),
        "additionalProperties": below,
        "not": below,
        "items": below,
        "$ref": lambda: "#/definitions/x",
        **_later_keywords(random, draft, below, several, named, some_keys),
    }
    name = random.choice(sorted(choices))
    return name, choices[name]()


def _later_keywords(random: Random, draft: str, below: Any, several: Any, named: Any, some_keys: Any) -> dict[str, Any]:
    """The keywords that not all drafts have."""
    found: dict[str, Any] = {}
    if draft == "draft-04":
        found |= {"exclusiveMinimum": lambda: True, "exclusiveMaximum": lambda: random.random() < 0.5}
    else:
        counts = {name: lambda: random.randint(0, 3) for name in ("exclusiveMinimum", "exclusiveMaximum")}
        found |= {**counts, "const": lambda: random.choice(SCALARS), "contains": below, "propertyNames": below}
    if draft not in ("draft-04", "draft-06"):
        found |= {"if": below, "then": below, "else": below}
    if draft == "2020-12":
        # In the draft before, the library reads `unevaluated…` after older texts.
        found |= {"prefixItems": several, "unevaluatedItems": below, "unevaluatedProperties": below}
    else:
        found |= {"items": lambda: random.choice((below, several))(), "additionalItems": below}
    if draft in ("2019-09", "2020-12"):
        found |= {
            "dependentRequired": lambda: {random.choice(KEYS): some_keys()},
            "dependentSchemas": named,
            "minContains": lambda: random.randint(0, 2),
            "maxContains": lambda: random.randint(0, 2),
        }
    else:
        found["dependencies"] = lambda: {**named(), random.choice(KEYS): some_keys()}
    return found


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_library_agrees(draft: str) -> None:
    uri, validator = DRAFTS[draft]
    # In draft 4 the library takes 1.0 for no integer; here numbers are what they are by value.
    extend: Any = jsonschema.validators.extend
    library: Any = extend(validator, type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER)
    seen: Counter[str] = Counter()
    for seed in range(CASES):
        random = Random(seed)
        whole = {"$schema": uri, "allOf": [random_schema(random, draft)], "definitions": {"x": {"type": "string"}}}
        sound = validator(validator.META_SCHEMA).is_valid(whole)
        try:
            judge = schema_check(whole)
        except SchemaRefusedError:
            assert not sound, seed
            seen["refused"] += 1
            continue
        assert sound, seed
        for _ in range(4):
            value = random_value(random)
            try:
                wanted = PASSED if library(whole).is_valid(value) else FAILED
            except TypeError:  # it stumbles over `additionalItems` beside an `items` that is a boolean
                continue
            found = judge(value)
            assert found.state == wanted, (seed, value, found.reason)
            seen[found.state] += 1
    assert min(seen[PASSED], seen[FAILED]) > CASES / 2


# What is said


@pytest.mark.parametrize(
    ("schema", "value", "reason"),
    [
        ({"type": "string"}, 12, "content: expected string, observed 12 (number)"),
        ({"type": ["string", "null"]}, [], "content: expected string or null, observed [] (array)"),
        ({"enum": ["a", 1]}, "b", 'content: expected one of ["a", 1], observed "b"'),
        ({"const": {"a": 1}}, {"a": True}, 'content: expected {"a": 1}, observed {"a": true}'),
        ({"minimum": 3}, 2, "content: expected at least 3, observed 2"),
        ({"exclusiveMaximum": 3}, 3, "content: expected less than 3, observed 3"),
        ({"multipleOf": 0.01}, 0.075, "content: expected a multiple of 0.01, observed 0.075"),
        ({"minLength": 2}, "é", 'content: expected at least 2 characters, observed 1: "é"'),
        ({"maxItems": 1}, [1, 2], "content: expected at most 1 items, observed 2: [1, 2]"),
        ({"pattern": "^O-"}, "X", 'content: expected text that matches /^O-/, observed "X"'),
        ({"required": ["a", "b"]}, {"a": 1}, 'content: "b" missing, observed {"a": 1}'),
        ({"uniqueItems": True}, [1, 2, 1.0], "content: expected different items, observed 1.0 at 0 and at 2"),
        ({"properties": {"a b": {"items": {"type": "null"}}}}, {"a b": [None, 0]},
         'content["a b"][1]: expected null, observed 0 (number)'),
        ({"additionalProperties": False, "properties": {"a": {}}}, {"a": 1, "x": 2}, 'content: "x" not allowed here'),
        ({"unevaluatedProperties": False, "allOf": [{"properties": {"a": {}}}]}, {"a": 1, "x": 2},
         'content: "x" not allowed here'),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, 'content: the key "ab" does not fit `propertyNames`'),
        ({"contains": {"type": "string"}}, [1], "content: expected at least 1 items that fit `contains`, observed 0"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, 'content: "b" missing, which "a" needs'),
        ({"not": {"type": "number"}}, 1, "content: fits what `not` excludes: 1"),
        ({"oneOf": [{"type": "number"}, {"minimum": 0}]}, 1,
         "content: fits the alternatives 1, 2 of `oneOf`, only one may: 1"),
        ({"anyOf": [{"type": "string"}, {"properties": {"a": {"const": 1}}, "required": ["a"]}]}, {"a": 2},
         "content: fits none of the 2 alternatives of `anyOf` (nearest: a: expected 1, observed 2)"),
        (False, 1, "content: 1 is not allowed here"),
        ({"properties": {"a": False}}, {"a": "x"}, 'content.a: "x" is not allowed here'),
        ({"format": "ipv4"}, "1.2.3", 'content: expected the format ipv4, observed "1.2.3"'),
    ],
)  # fmt: skip
def test_findings_name_values_and_places(schema: Any, value: Any, reason: str) -> None:
    found = schema_check(schema)(value)
    assert (found.state, found.reason) == (FAILED, reason)


def test_only_a_few_findings_are_told() -> None:
    found = schema_check({"items": {"type": "string"}})(list(range(1000)))
    assert found.reason.count("content[") == 3
    assert len(found.reason) < 300


def test_arguments_are_called_with() -> None:
    call = {"actor": "assistant", "action": "calls", "target": "A", "with": {"n": 1}}
    state, reason = outcome(check("schema", schema={"properties": {"n": {"type": "string"}}}), call)
    assert (state, reason) == (FAILED, "with.n: expected string, observed 1 (number)")


# Bounds


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_a_recursive_schema_follows_a_value_to_its_bound() -> None:
    recursive = schema_check({"items": {"$ref": "#"}, "type": ["array", "number"]})
    assert recursive(nested(99)).state == PASSED
    found = recursive(nested(100))
    assert (found.state, found.reason) == (
        INCONCLUSIVE,
        "content cannot be held against the schema: it is nested more than 100 levels deep",
    )
    assert recursive(nested(100_000)).state == INCONCLUSIVE


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#"}}},
        {"$dynamicAnchor": "here", "$dynamicRef": "#here"},
        {"$dynamicAnchor": "here", "anyOf": [{"$dynamicRef": "#here"} for _ in range(50)]},
        {"unevaluatedProperties": False, "$ref": "#"},
        {"$schema": DRAFTS["2019-09"][0], "$recursiveAnchor": True, "allOf": [{"$recursiveRef": "#"}]},
        {"if": {"$ref": "#"}},
        {"not": {"$ref": "#"}},
    ],
)
@pytest.mark.parametrize("value", [1, {"a": 1}, [1]])
def test_a_schema_without_end_is_undecided(schema: Any, value: Any) -> None:
    found = schema_check(schema)(value)
    assert found.state == INCONCLUSIVE
    assert "content cannot be held against the schema: " in found.reason


def exploding(keyword: str, inner: dict[str, Any]) -> dict[str, Any]:
    """A schema that looks at a value 2^40 times."""
    parts = {f"a{n}": {keyword: [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)}
    return {"$ref": "#/$defs/a0", "$defs": {**parts, "a40": inner}}


@pytest.mark.parametrize(
    "schema",
    [
        exploding("anyOf", {"type": "string"}),
        exploding("allOf", {"type": "number"}),
        exploding("oneOf", {"type": "string"}),
        {**exploding("anyOf", {"type": "number"}), "unevaluatedItems": False},
        {"patternProperties": {"a": exploding("allOf", {})["$defs"]["a0"]}, **exploding("allOf", {})},
    ],
)
def test_an_explosion_of_alternatives_is_undecided_soon(schema: Any) -> None:
    judge = schema_check(schema)
    start = time.process_time()
    found = judge({"a": 1} if "patternProperties" in schema else 1)
    assert time.process_time() - start < 10
    assert found.state == INCONCLUSIVE
    assert "steps" in found.reason


def test_a_failure_stays_one_whatever_its_wording_would_cost() -> None:
    """The search for the nearest alternative is bounded by itself."""
    explosion = exploding("anyOf", {"type": "string"})
    found = schema_check({"$defs": explosion["$defs"], "anyOf": [{"type": "null"}, {"allOf": [False, explosion]}]})(1)
    assert found.state == FAILED


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a+)+$"},
        {"patternProperties": {"^(a+)+$": False}},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False},
        {"$schema": DRAFTS["2019-09"][0], "patternProperties": {"^(a+)+$": {}}, "unevaluatedProperties": False},
        {"propertyNames": {"pattern": "^(a+)+$"}},
    ],
)
def test_a_catastrophic_pattern_does_not_hang(schema: Any) -> None:
    text = "a" * 20_000 + "!"
    start = time.process_time()
    found = schema_check(schema)(text if "pattern" in schema else {text: 1})
    assert time.process_time() - start < 20
    assert found.state == (PASSED if schema == {"patternProperties": {"^(a+)+$": False}} else FAILED)


def test_large_arrays_are_linear() -> None:
    judge = schema_check({"uniqueItems": True, "items": {"type": "object"}})
    start = time.process_time()
    assert judge([{"n": number} for number in range(20_000)]).state == PASSED
    assert time.process_time() - start < 20


# Values that JSON texts cannot hold, and hard numbers


@pytest.mark.parametrize("value", [float("inf"), float("nan"), {1: 2}, (1, 2), {1, 2}, b"x", object(), [{"a": [1j]}]])
def test_what_is_no_json_is_undecided(value: Any) -> None:
    found = schema_check({"type": "object"})(value)
    assert found.state == INCONCLUSIVE
    assert "no JSON" in found.reason or "no text" in found.reason


@pytest.mark.parametrize(
    ("number", "unit", "is_one"),
    [
        (0.3, 0.1, True),
        (0.35, 0.1, False),
        (0.0075, 0.0001, True),
        (0.00751, 0.0001, False),
        (10**400, 0.1, True),
        (10**400 + 1, 2, False),
        (1e308, 0.123456789, False),
        (1e308, 1e-320, True),
        (1.0, 1, True),
        (4.5, 1.5, True),
        (-7, 3, False),
        (0, 0.1, True),
    ],
)
def test_multiples_are_exact(number: float, unit: float, is_one: bool) -> None:
    assert is_multiple(number, unit) is is_one
    assert (schema_check({"multipleOf": unit})(number).state == PASSED) is is_one


def test_huge_numbers_have_reasons_too() -> None:
    assert is_multiple(10**5000, 10**2500)
    found = schema_check({"type": "string"})(10**5000)
    assert (found.state, found.reason) == (FAILED, "content: expected string, observed <number> (number)")
    assert schema_check({"maximum": 10**400})(1e308).state == PASSED
    assert schema_check({"type": "integer"})(1e308).state == PASSED


def test_halves_of_surrogate_pairs() -> None:
    assert schema_check({"minLength": 1, "pattern": "x"})("\ud800").state == FAILED
    assert schema_check({"patternProperties": {"": False}})({"\ud800": 1}).state == PASSED
    assert '"\\ud800"' in schema_check({"type": "number"})("\ud800").reason
    for name in checkers("2020-12"):
        assert schema_check({"format": name})("\ud800").state in (PASSED, FAILED)


# Schemas that are refused


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("x", "schema: a schema is a mapping or a boolean"),
        ({"type": "strin"}, "schema.type: invalid JSON Schema: fits none of the 2 alternatives"),
        ({"properties": {"a": {"minimum": "1"}}}, "schema.properties.a.minimum: invalid JSON Schema: expected number"),
        ({"properties": {"a": 1}}, "schema.properties.a: invalid JSON Schema: expected object or boolean"),
        ({"multipleOf": 0}, "schema.multipleOf: invalid JSON Schema: expected more than 0"),
        ({"items": [{}]}, "schema.items: invalid JSON Schema: expected object or boolean"),
        ({"$schema": "https://example.com/mine"}, 'schema["$schema"]: unknown `$schema` "https://example.com/mine"'),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "unknown `$schema`"),
        ({"$defs": {"a": {"$schema": DRAFTS["draft-07"][0]}}}, "one schema cannot mix drafts"),
        ({"format": "colour"}, "schema.format: unknown format `colour`; known here are date, "),
        ({"pattern": "(?=a)"}, "schema.pattern: the pattern is refused: invalid perl operator: (?=; patterns run on"),
        ({"patternProperties": {"(": {}}}, 'schema.patternProperties["("]: the pattern is refused'),
        (
            {"$ref": "https://example.com/s.json"},
            'schema["$ref"]: "https://example.com/s.json" leads out of the schema',
        ),
        ({"$ref": "other.json#/a"}, "leads out of the schema, and nothing is ever fetched; copy that schema"),
        ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, "leads out of the schema"),
        ({"$ref": "#/$defs/a"}, 'schema["$ref"]: "#/$defs/a" leads nowhere in this schema'),
        ({"$ref": "#a"}, "leads nowhere in this schema"),
        ({"$dynamicRef": "#a"}, "leads nowhere in this schema"),
        ({"properties": {"a": {"$ref": "#/title"}}, "title": "x"}, "leads to something that is no schema"),
        ({"x": {"pattern": "("}, "$ref": "#/x"}, 'schema["$ref"].pattern: the pattern is refused'),
        ({"properties": {"a": {"$id": "http://[::1", "$ref": "b"}}}, "is no reference: Invalid IPv6 URL"),
        ({"allOf": nested(70)}, "schema: it is nested more than 64 levels deep"),
    ],
)
def test_refused_schemas(schema: Any, message: str) -> None:
    with pytest.raises(SchemaRefusedError) as refused:
        schema_check(schema)
    assert message in str(refused.value)


def test_schemas_that_are_fine() -> None:
    for schema in (
        {"$id": "https://example.com/s", "$ref": "#/$defs/a", "$defs": {"a": {"$anchor": "b"}}},
        {"$id": "https://example.com/s", "$ref": "t", "$defs": {"t": {"$id": "t", "type": "string"}}},
        {"$ref": "#b", "$defs": {"a": {"$anchor": "b", "type": "string"}}},
        {"properties": {"$ref": {"type": "string"}, "format": {"enum": ["x"]}, "pattern": {"const": "("}}},
        {"const": {"format": "colour", "$ref": "nowhere", "pattern": "("}, "enum": [{"pattern": "("}]},
        {"x-mine": 1, "unknown": {"pattern": "("}},
        {"pattern": r"^\pL+\z"},
        {"$schema": "https://json-schema.org/draft/2020-12/schema#"},
        True,
    ):
        check_schema(schema)


def test_references_into_embedded_schemas() -> None:
    schema = {
        "$id": "https://example.com/s",
        "properties": {"a": {"$ref": "t#/$defs/n"}},
        "$defs": {"t": {"$id": "t", "$defs": {"n": {"$ref": "#/$defs/m"}, "m": {"type": "null"}}}},
    }
    assert schema_check(schema)({"a": None}).state == PASSED
    assert schema_check(schema)({"a": 1}).state == FAILED


def test_a_dynamic_reference_follows_the_outermost_anchor() -> None:
    schema = {
        "$id": "https://example.com/strict",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "unevaluatedProperties": False,
        "$defs": {
            "tree": {
                "$id": "tree",
                "$dynamicAnchor": "node",
                "properties": {"next": {"$dynamicRef": "#node"}, "n": {"type": "number"}},
            }
        },
    }
    assert schema_check(schema)({"n": 1, "next": {"n": 2}}).state == PASSED
    assert schema_check(schema)({"n": 1, "next": {"m": 2}}).state == FAILED


def test_references_alone_in_old_drafts() -> None:
    schema = {"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "number"}}}
    assert schema_check({**schema, "$schema": DRAFTS["draft-07"][0]})(1).state == PASSED
    assert schema_check({**schema, "$schema": DRAFTS["2019-09"][0]})(1).state == FAILED


# Formats


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2026-02-28", "2026-02-30"),
        ("date-time", "2026-07-30T12:00:00Z", "2026-07-30T12:00:00Z\n"),
        ("time", "12:30:00Z", "25:00:00Z"),
        ("duration", "P1D", "1D"),
        ("email", "a@b", "ab"),
        ("hostname", "example.com", "-a"),
        ("idn-hostname", "bücher.de", "a..b"),
        ("ipv4", "127.0.0.1", "127.0.0.256"),
        ("ipv6", "::1", "::g"),
        ("uri", "https://a/b?c#d", "a b"),
        ("uri", "https://a/b?c#d", "https://a\n"),
        ("uri-reference", "../a", "\\"),
        ("iri", "https://bücher.de/é?ü#ö", "bücher:x"),
        ("iri", "https://a/%C3%A9", "https://a/\ue000"),
        ("iri", "https://a/?\ue000", "https://a/#\ue000"),
        ("iri-reference", "é", "\\é"),
        ("json-pointer", "/a~1b", "a"),
        ("relative-json-pointer", "1/a", "/a"),
        ("regex", "^(?=a)b$", "("),
        ("regex", r"\pL", "a{2,1}"),
        ("uri-template", "/a/{b}", "/a/{b"),
        ("uuid", "12345678-1234-1234-1234-123456789012", "x"),
    ],
)
def test_formats_are_asserted(name: str, good: str, bad: str) -> None:
    if name not in checkers("2020-12"):
        with pytest.raises(SchemaRefusedError, match="others need the package"):
            schema_check({"format": name})
        return
    judge = schema_check({"format": name})
    assert judge(good).state == PASSED
    assert judge(bad).state == FAILED
    assert judge(12).state == PASSED


def test_formats_of_older_drafts() -> None:
    assert "uuid" not in checkers("draft-07")
    with pytest.raises(SchemaRefusedError, match="unknown format `uuid`"):
        schema_check({"$schema": DRAFTS["draft-07"][0], "format": "uuid"})


@pytest.mark.parametrize(
    ("name", "text"), [("regex", "a*" * 5_000), ("regex", "(" * 900 + ")" * 900), ("uri-template", "{a}" * 9_000)]
)
def test_texts_too_long_for_a_format_are_undecided(name: str, text: str) -> None:
    if name in checkers("2020-12"):
        assert schema_check({"format": name})(text).state == INCONCLUSIVE


@settings(max_examples=150)
@given(text=st.text(max_size=40) | st.text("/%[]:{}().~#?@-0aP1TZé\ue000\ud800\n", max_size=80))
@example(text="a{1,99999999999999999999}")
@example(text="(a" * 300)
def test_no_format_raises(text: str) -> None:
    for name in checkers("2020-12"):
        try:
            conforms("2020-12", name, text)
        except UndecidedError:
            assert name == "regex"


# In a session


def test_references_in_a_schema() -> None:
    made = program([behavior("assistant", "informs", checks=[check("schema", schema={"maximum": "{{most}}"})])])
    assert match(made, [says(3)], most=3).status == "passed"
    assert match(made, [says(4)], most=3).status == "failed"
    with pytest.raises(BindError, match=r"`schema` at 1:1: schema.maximum: invalid JSON Schema: expected number"):
        match(made, [says(4)], most="3")


def test_a_capture_that_may_not_apply_leaves_the_schema_open() -> None:
    optional = behavior("assistant", "greets", optional=True, capture={"most": "three"})
    made = program(
        [optional, behavior("assistant", "informs", checks=[check("schema", schema={"maximum": "{{most}}"})])]
    )
    greets = {"actor": "assistant", "action": "greets"}
    reasons = [match(made, events).checks[0].reason for events in ([says(4)], [greets, says(4)])]
    assert reasons[0] == "`most` has no value here"
    assert reasons[1].startswith("schema.maximum: invalid JSON Schema")


def test_one_validator_serves_many_threads() -> None:
    judge = schema_check({"items": {"$ref": "#"}, "anyOf": [{"type": "array"}, {"type": "integer"}]})
    wrong: list[str] = []

    def work(good: bool) -> None:
        value = [[[1, 2], [3]] if good else [["x"]]] * 20
        for _ in range(50):
            if judge(value).state != (PASSED if good else FAILED):
                wrong.append("a thread saw another's findings")

    threads = [threading.Thread(target=work, args=(number % 2 == 0,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_measuring_never_recurses() -> None:
    assert measure({"a": [1, {"b": None}]}) == 5
    with pytest.raises(UndecidedError):
        measure(nested(100_000))
