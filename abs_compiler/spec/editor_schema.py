"""The JSON Schema (draft-07) of a document, for editors: completion, descriptions, and mistakes while typing.

Made from the words of the language, so that it knows all of them and no others. It says what the shape of a document
can say and leaves the rest (names that must exist, predicates, patterns) to the compiler. Which form an entry has is
told by the key that makes it one (`if`/`then` rather than `oneOf`), so that an editor marks the mistake, not the entry.
"""

from __future__ import annotations

from typing import Any

from abs_compiler.spec.evaluation_types import CHAIN, STEP, TYPES, EvaluationType
from abs_compiler.spec.vocabulary import (
    ACTIONS,
    ACTORS,
    FRAGMENT_DOCUMENT_KEYS,
    LATEST_VERSION,
    STATUSES,
    VERSIONS,
)

Json = dict[str, Any]

# Its address is a name, nothing to fetch: editors are given the file.
_ID = "abs.schema.json"
_CALL = {"actor": "assistant", "action": "calls", "target": "Order MCP", "with": {"orderId": "12345"}}
_NO_REFERENCE = {"not": {"pattern": r"\{\{"}}


def editor_schema() -> Json:
    """The schema."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": _ID,
        "title": "ABS session",
        "description": "What an AI agent is seen to do, and what must hold of it: one document of an ABS file.",
        "type": "object",
        "properties": _document(),
        "additionalProperties": False,
        "if": {"required": ["fragments"], "propertyNames": {"enum": list(FRAGMENT_DOCUMENT_KEYS)}},
        "else": {"required": ["session", "behaviors"]},
        "examples": [{"session": "Order status", "abs_version": LATEST_VERSION, "behaviors": [_CALL]}],
        "definitions": {
            "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/item"}},
            "item": _item(),
            "behavior": _behavior(),
            "arguments": _arguments(),
            "value": _value(),
            "predicate": _predicate(),
            "literal": _literal(),
            "selector": _selector(),
            "stepEvaluations": _evaluations(STEP),
            "chainEvaluations": _evaluations(CHAIN),
            "stepEvaluation": _evaluation(STEP),
            "chainEvaluation": _evaluation(CHAIN),
        },
    }


# --- small parts ----------------------------------------------------------------------------------------------------


def _ref(name: str, description: str = "", **more: Any) -> Json:
    """A reference; in draft-07 what stands beside `$ref` is ignored, so it is wrapped."""
    about = {"description": description} if description else {}
    return {**about, "allOf": [{"$ref": f"#/definitions/{name}"}], **more}


def _text(description: str, *examples: str) -> Json:
    shown = {"examples": list(examples)} if examples else {}
    return {"description": description, "type": "string", "minLength": 1, **shown}


def _any_text(description: str, *examples: str) -> Json:
    """Text that may be empty; where that says nothing, the compiler or `absc lint` warns."""
    return {key: value for key, value in _text(description, *examples).items() if key != "minLength"}


def _name(description: str, *examples: str) -> Json:
    return {**_text(description, *examples), **_NO_REFERENCE}


def _word(description: str, words: tuple[str, ...]) -> Json:
    """A word of the language, or another one, which the compiler warns about."""
    return {**_name(description), "anyOf": [{"enum": list(words)}, {"type": "string"}]}


def _flag(description: str) -> Json:
    return {"description": description, "type": "boolean"}


def _count(description: str, least: int) -> Json:
    return {"description": description, "type": "integer", "minimum": least}


# --- documents ------------------------------------------------------------------------------------------------------


def _document() -> Json:
    return {
        "session": _text("What the session is about; reports call it by this name.", "Refund of a damaged order"),
        "description": {"description": "More about it, for people.", "type": "string"},
        "abs_version": {
            "description": "The version of the language, in quotes.",
            "type": "string",
            "enum": list(VERSIONS),
            "default": LATEST_VERSION,
        },
        "dataset": {
            "description": "Rows to run the session with, one run a row. `{{id.column}}` is a value of a row.",
            "type": "object",
            "properties": {
                "id": _name("What references call it: `{{cases.orderId}}`.", "cases"),
                "path": _name("A .json or .jsonl file, relative to this one.", "cases.jsonl"),
            },
            "additionalProperties": False,
            "examples": [{"id": "cases", "path": "cases.jsonl"}],
        },
        "fragments": {
            "description": "Lists of behaviors by name, to be included; all documents of a file share them.",
            "type": "object",
            "propertyNames": _NO_REFERENCE,
            "additionalProperties": {"$ref": "#/definitions/items"},
        },
        "behaviors": {
            "description": "What is seen to happen, in this order; other events may lie between.",
            "type": "array",
            "items": {"$ref": "#/definitions/item"},
        },
        "evaluations": _ref("chainEvaluations", "What must hold of the whole run."),
        "match": _match(),
    }


def _match() -> Json:
    names = {"type": "array", "items": _name("A recorded name; `*` stands for any text.")}
    return {
        "description": "How the session is matched. An extension: other ABS tools refuse it.",
        "type": "object",
        "properties": {
            "extras": {
                "description": "How many calls beyond those listed may happen.",
                "anyOf": [{"enum": ["allow", "forbid"]}, {"type": "integer", "minimum": 0}],
                "default": "allow",
            },
            "ignore": {**names, "description": "Calls that never count as extra."},
            "targets": {
                "description": "The recorded names of a target.",
                "type": "object",
                "propertyNames": _NO_REFERENCE,
                "additionalProperties": {**names, "minItems": 1},
                "examples": [{"Order MCP": ["get_order", "orders/*"]}],
            },
            "observe": {
                "description": "What the recorded runs show: everything, or tool events only.",
                "enum": ["all", "tools"],
                "default": "all",
            },
            "allow_empty": _flag("Whether a run without any event may pass."),
        },
        "additionalProperties": False,
    }


# --- behaviors ------------------------------------------------------------------------------------------------------


def _item() -> Json:
    """A behavior, unless a key says that it is an include or a group."""
    found: Json = {"$ref": "#/definitions/behavior"}
    behavior = {"anyOf": [{"required": ["actor"]}, {"required": ["action"]}]}
    for key, form in reversed(_forms().items()):
        condition = {"required": [key], "not": behavior}
        found = {"if": condition, "then": form, "else": found}
    return {"type": "object", **found}


def _forms() -> dict[str, Json]:
    items = {"$ref": "#/definitions/items"}
    bodies = {
        "include": _name("The name of a fragment, whose behaviors take this place."),
        "unordered": _ref("items", "These happen in any order. An extension."),
        "ordered": _ref("items", "These happen in this order, within a group without one. An extension."),
        "one_of": {
            "description": "One of these lists happens. An extension.",
            "type": "array",
            "minItems": 2,
            "items": items,
        },
        "repeat": {
            "description": "These happen again and again. An extension.",
            "type": "object",
            "properties": {
                "min": _count("At least so often; 1 where it is left out.", 0),
                "max": _count("At most so often; open where it is left out.", 1),
                "behaviors": items,
            },
            "required": ["behaviors"],
            "additionalProperties": False,
        },
    }
    return {
        key: {"type": "object", "properties": {key: body}, "additionalProperties": False}
        for key, body in bodies.items()
    }


def _behavior() -> Json:
    return {
        "description": "One thing that is seen to happen.",
        "type": "object",
        "properties": {
            "id": _name("A name for `requires`, `expected` and reports; unique in the session.", "lookup"),
            "actor": _word("Who does it.", ACTORS),
            "action": _word("What is done.", ACTIONS),
            "target": _name("The tool, system, element or recipient.", "Order MCP"),
            "content": _ref("value", "What is said, or the structure of what a tool answers."),
            "capture": {
                "description": "Values to keep under names, for later behaviors: `{{name}}`.",
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
                "additionalProperties": {"$ref": "#/definitions/value"},
                "examples": [{"orderId": "12345"}],
            },
            "with": _ref("arguments", "Arguments that must be there with these values; others may be too."),
            "with_only": _ref("arguments", "Exactly these arguments, and no others."),
            "evaluations": _ref("stepEvaluations", "What must hold of this step."),
            "optional": _flag("Whether it may be missing."),
            "requires": _name("The id of an earlier behavior: this one is asked for where that one happened."),
            "matches_when": _matches_when(),
            "status": {
                "description": "How the call came out. An extension.",
                "enum": list(STATUSES),
            },
        },
        "required": ["actor", "action"],
        "not": {"required": ["with", "with_only"]},
        "additionalProperties": False,
        "examples": [_CALL],
    }


def _matches_when() -> Json:
    fields = {"contains": "value", "regex": "pattern", "llm_judge": "criteria"}
    return {
        "description": "A test of the text in place of the action.",
        "type": "object",
        "properties": {
            "type": {"enum": list(fields)},
            "value": _any_text("The text that must be there, in any case."),
            "pattern": _any_text("A regular expression (RE2) that must be found."),
            "criteria": _any_text("What a judge must find."),
        },
        "required": ["type"],
        "additionalProperties": False,
        "allOf": [
            {"if": {"properties": {"type": {"const": kind}}}, "then": {"required": [field], "maxProperties": 2}}
            for kind, field in fields.items()
        ],
        "examples": [{"type": "contains", "value": "refund"}],
    }


# --- values ---------------------------------------------------------------------------------------------------------


def _arguments() -> Json:
    return {
        "type": "object",
        "minProperties": 1,
        "if": {"required": ["$is"]},
        "then": {"$ref": "#/definitions/predicate"},
        "else": {
            "if": {"required": ["$literal"]},
            "then": {"$ref": "#/definitions/literal"},
            "else": {"propertyNames": _NO_REFERENCE, "additionalProperties": {"$ref": "#/definitions/value"}},
        },
        "examples": [{"orderId": "12345"}, {"amount": {"$is": "integer in 1..500"}}],
    }


def _value() -> Json:
    inner = {"$ref": "#/definitions/value"}
    return {
        "description": "A value, a reference `{{name}}`, or a predicate `{$is: '...'}`.",
        "if": {"type": "object", "required": ["$is"]},
        "then": {"$ref": "#/definitions/predicate"},
        "else": {
            "if": {"type": "object", "required": ["$literal"]},
            "then": {"$ref": "#/definitions/literal"},
            "else": {"items": inner, "propertyNames": _NO_REFERENCE, "additionalProperties": inner},
        },
    }


def _predicate() -> Json:
    return {
        "description": "A test of the value. An extension.",
        "type": "object",
        "properties": {
            "$is": _text("The test, in quotes.", "integer > 0", "string matches /^ORD-/", 'in ["USD", "EUR"]', "absent")
        },
        "required": ["$is"],
        "additionalProperties": False,
    }


def _literal() -> Json:
    return {
        "description": "This very value, whatever it looks like. An extension.",
        "type": "object",
        "properties": {"$literal": {}},
        "required": ["$literal"],
        "additionalProperties": False,
    }


def _selector() -> Json:
    return {
        "description": "Which events are meant.",
        "type": "object",
        "minProperties": 1,
        "properties": {
            "actor": _word("Who does it.", ACTORS),
            "action": _word("What is done.", ACTIONS),
            "target": _name("The tool, system, element or recipient.", "Order MCP"),
            "with": _ref("arguments", "Arguments that must be there. An extension."),
            "with_only": _ref("arguments", "Exactly these arguments. An extension."),
            "status": {"description": "How the call came out. An extension.", "enum": list(STATUSES)},
        },
        "not": {"required": ["with", "with_only"]},
        "additionalProperties": False,
        "examples": [{"actor": "assistant", "action": "calls", "target": "issue_refund"}],
    }


# --- evaluations ----------------------------------------------------------------------------------------------------


def _evaluations(level: str) -> Json:
    return {"type": "array", "items": {"$ref": f"#/definitions/{level}Evaluation"}}


def _evaluation(level: str) -> Json:
    kinds = [kind for kind in TYPES.values() if level in kind.levels]
    return {
        "description": "Something that must hold.",
        "type": "object",
        "properties": {
            "type": {"description": "What kind of check it is.", "enum": [kind.name for kind in kinds]},
            "blocking": _flag("Whether a failure makes what depends on it inconclusive."),
            "threshold": {
                "description": "The least score that passes, from 0 to 1.",
                "type": "number",
                "minimum": 0,
                "maximum": 1,
            },
            "when": _text("A condition on variables.", '{{plan}} == "gold"'),
            "adapter": _name("Which judge is asked."),
            "dataset": _name("What the judge is given."),
            "prompt": {"description": "The template of the judge's prompt.", "type": "string"},
        },
        "required": ["type"],
        "allOf": [_of_type(kind, level) for kind in kinds],
        "examples": [_EXAMPLES[level]],
    }


_EXAMPLES: dict[str, Json] = {
    STEP: {"type": "contains", "value": "refund"},
    CHAIN: {"type": "never", "match": {"action": "calls", "target": "issue_refund"}},
}


def _of_type(kind: EvaluationType, level: str) -> Json:
    """What holds of evaluations of one type. Fields that no type has are for the compiler to warn about."""
    fields = {name: _field(name, kind, level) for name in kind.fields}
    then: Json = {"properties": fields}
    if kind.required:
        then["required"] = list(kind.required)
    if kind.name == "tool_call":
        then["not"] = {"required": ["with", "with_only"]}
    if kind.name == "count":
        then["anyOf"] = [{"required": ["min"]}, {"required": ["max"]}]
    return {"if": {"properties": {"type": {"const": kind.name}}, "required": ["type"]}, "then": then}


def _field(name: str, kind: EvaluationType, level: str) -> Json:
    selector = {
        "match": "The events that are looked at.",
        "after": "Only events after one of these.",
        "by": "What comes before.",
    }
    if name in selector:
        return _ref("selector", selector[name])
    plain: dict[str, Json] = {
        "pattern": _any_text("A regular expression (RE2) that must be found in the text.", "order \\d+"),
        "schema": {"description": "A JSON Schema (2020-12) of the content.", "type": ["object", "boolean"]},
        "target": _name("The tool that is called."),
        "with": _ref("arguments", "Arguments that must be there."),
        "with_only": _ref("arguments", "Exactly these arguments."),
        "ordered": _flag("`false` ends a group: this call and those directly before it come in any order."),
        "criteria": _any_text("What a judge must find.", "The answer is polite."),
        "query": _name("The id of the behavior that asks, or `self`."),
        "context": _name("The id of the behavior that gives the context, or `self`."),
        "response": _name("The id of the behavior that answers, or `self`."),
        "id": _name("The name of the check that is yours."),
        "order": {
            "description": "Events that come in this order.",
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/definitions/selector"},
        },
        "min": _count("At least so many.", 0),
        "max": _count("At most so many.", 0),
        "max_steps": _count("At most so many events later.", 1),
        "variable": _text("The name whose values must be equal everywhere.", "orderId"),
        "behavior": _name("The id of an optional behavior that must happen."),
        "reason": _name("Why, for reports."),
        "same": {
            "description": "Paths whose values must be equal.",
            "type": "array",
            "minItems": 1,
            "items": _name("A path.", "with.orderId"),
        },
        "evaluations": {
            "description": "The evaluations that are put together.",
            "type": "array",
            "minItems": 1,
            "items": {"$ref": f"#/definitions/{level}Evaluation"},
        },
    }
    if name == "value" and kind.name == "contains":
        return {"description": "The text that must be there, in any case.", "type": "string", "examples": ["refund"]}
    if name == "value":
        return {"description": "The content must be equal to this."}
    return plain[name]
