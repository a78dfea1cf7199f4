"""The editor schema: it takes every document that compiles, and refuses those whose shape is wrong."""

from __future__ import annotations

import json

import jsonschema
import pytest

from abs_compiler.lint.config_schema import config_schema
from abs_compiler.pipeline import Compilation, analyse
from abs_compiler.spec.editor_schema import editor_schema
from abs_compiler.syntax import to_json
from tests.support.absc import ROOT
from tests.support.conformance import ConformanceCase, conformance_cases

SCHEMAS = {"abs.schema.json": editor_schema, "abs-compiler.schema.json": config_schema}
VALIDATOR = jsonschema.Draft7Validator(editor_schema())
# Mistakes of shape, which a schema can see.
SHAPE = {
    "bad-value", "empty-collection", "extra-keys-beside-is", "extra-keys-beside-literal", "misplaced-evaluation",
    "misplaced-reference", "missing-key", "predicate-not-text", "unknown-evaluation-type", "unknown-key",
    "unsupported-version", "with-and-with-only", "wrong-kind",
}  # fmt: skip
# What a schema cannot see of them: comparisons of two values, near misses of fields among unknown ones, which are
# allowed, the action of the behavior around, texts inside predicates.
BEYOND_SHAPE = {
    "evaluations/count:bounds-the-wrong-way-round",
    "evaluations/fields:nearly-a-field",
    "evaluations/tool_call:on-a-text",
    "evaluations/tool_call:on-another-action-of-execution",
    "groups/tool_call:misspelt-field",
    "groups/tool_call:tool-call-on-an-answer",
    "predicates/references:in-quotes",
    "predicates/references:in-a-pattern",
}
CASES = conformance_cases()


def compilation(case: ConformanceCase) -> Compilation:
    name = "case.abs.json" if case.source.lstrip().startswith(b"{") else "case.abs.yaml"
    return analyse(case.source, name)


def complaints(found: Compilation) -> list[str]:
    return [error.message for item in found.documents for error in VALIDATOR.iter_errors(to_json(item.root))]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_is_checked_in(name: str) -> None:
    """If not: `absc schema --output specs/schema/abs.schema.json`, and with `--config` the other one."""
    schema = SCHEMAS[name]()
    jsonschema.Draft7Validator.check_schema(schema)
    text = (ROOT / "specs" / "schema" / name).read_text(encoding="utf-8")
    assert text == json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def test_every_document_that_compiles_is_taken_and_every_wrong_shape_refused() -> None:
    taken = refused = 0
    for case in CASES:
        found = compilation(case)
        errors = {item.name for item in found.diagnostics if item.severity.value == "error"}
        said = complaints(found)
        if not errors:
            assert said == [], str(case)
            taken += 1
        elif errors & SHAPE and found.documents and str(case) not in BEYOND_SHAPE:
            assert said, str(case)
            refused += 1
    assert taken > 900
    assert refused > 80


def test_what_is_beyond_shape_is_taken() -> None:
    beyond = [case for case in CASES if str(case) in BEYOND_SHAPE]
    assert len(beyond) == len(BEYOND_SHAPE)
    for case in beyond:
        assert complaints(compilation(case)) == [], str(case)


def test_everything_is_described() -> None:
    def keys(node: object) -> list[str]:
        if isinstance(node, list):
            return [key for item in node for key in keys(item)]
        if not isinstance(node, dict):
            return []
        own = []
        for key, value in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
            if isinstance(value, dict) and value and "const" not in value and "description" not in value:
                own.append(key)
        return own + [key for value in node.values() for key in keys(value)]

    schema = editor_schema()
    undescribed = set(keys(schema["properties"])) | set(keys(schema["definitions"]))
    assert undescribed <= {"include", "unordered", "ordered", "one_of", "repeat", "type", "behaviors"}
    for item in schema["examples"]:
        assert list(VALIDATOR.iter_errors(item)) == []


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"session": "t", "behaviors": [{"include": "x", "actor": "user", "action": "asks"}]}, ["behaviors", 0]),
        ({"session": "t", "behaviors": [{"include": 5}]}, ["behaviors", 0, "include"]),
        ({"session": "t", "behaviors": [{"actor": "user", "action": 5}]}, ["behaviors", 0, "action"]),
        ({"session": "t", "behaviors": [{"unordered": [{"actor": "user", "action": "asks", "x": 1}]}]},
         ["behaviors", 0, "unordered", 0]),
        ({"session": "t", "behaviors": [], "evaluations": [{"type": "never"}]}, ["evaluations", 0]),
    ],
)  # fmt: skip
def test_a_mistake_is_marked_where_it_is(document: object, place: list[object]) -> None:
    deepest = max(VALIDATOR.iter_errors(document), key=lambda error: len(error.absolute_path))
    assert list(deepest.absolute_path) == place


@pytest.mark.parametrize(
    "inner",
    [
        {"matches_when": {"type": "contains", "value": ""}},
        {"matches_when": {"type": "regex", "pattern": ""}},
        {"matches_when": {"type": "llm_judge", "criteria": ""}},
        {"evaluations": [{"type": "regex", "pattern": ""}]},
        {"evaluations": [{"type": "llm_judge", "criteria": ""}]},
        {"evaluations": [{"type": "custom", "id": ""}]},
        {"target": ""},
        {"id": ""},
    ],
)
def test_empty_texts_are_taken_where_the_compiler_takes_them(inner: dict[str, object]) -> None:
    behavior = {"actor": "assistant", "action": "informs", **inner}
    document = {"session": "s", "abs_version": "0.2", "behaviors": [behavior]}
    found = analyse(json.dumps(document), "s.abs.json")
    assert VALIDATOR.is_valid(document) is not any(item.severity.value == "error" for item in found.diagnostics)
