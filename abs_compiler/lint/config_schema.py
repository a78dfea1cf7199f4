"""The JSON Schema (draft-07) of configuration files, for editors."""

from __future__ import annotations

from typing import Any

from abs_compiler.diagnostics import registry
from abs_compiler.lint.config import LIMITS, SEVERITIES

Json = dict[str, Any]


def config_schema() -> Json:
    """The schema of `abs-compiler.toml` and of the table `tool.abs-compiler`."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "abs-compiler.schema.json",
        "title": "Configuration of absc",
        "description": "`abs-compiler.toml`, or the table `tool.abs-compiler` of `pyproject.toml`.",
        "type": "object",
        "properties": {
            "select": _codes("What is shown, in place of everything that is shown by default."),
            "extend-select": _codes("What is shown besides."),
            "ignore": _codes("What is not shown. Errors of compilation cannot be ignored."),
            "per-file-ignores": {
                "description": "What is not shown of some files.",
                "type": "object",
                "additionalProperties": _codes("For files that the pattern fits."),
                "examples": [{"legacy/**": ["near-miss-names"]}],
            },
            "severity": {
                "description": "How bad a finding is. Errors of compilation stay errors.",
                "type": "object",
                "propertyNames": {"$ref": "#/definitions/code"},
                "additionalProperties": {"enum": list(SEVERITIES)},
                "examples": [{"unused-capture": "error"}],
            },
            "fail-on": {
                "description": "The least severity that fails a run.",
                "enum": list(SEVERITIES),
                "default": "error",
            },
            "exclude": _texts("Files to leave out when folders are searched, as patterns like those of .gitignore."),
            "cache-dir": _text("The folder of the cache."),
            "limits": {
                "description": "Bounds on what is read.",
                "type": "object",
                "properties": {name: {"type": "integer", "minimum": 1} for name in LIMITS},
                "additionalProperties": False,
            },
            "targets": {
                "description": "The recorded names of targets, `*` for any text.",
                "type": "object",
                "additionalProperties": _texts("The names that stand for it."),
                "examples": [{"Order MCP": ["get_order", "orders/*"]}],
            },
            "observe": {"description": "What the recorded runs show.", "enum": ["all", "tools"]},
            "tools": {
                "description": "Definitions of tools that calls are held against: files or folders.",
                "anyOf": [{"type": "string", "minLength": 1}, _texts("Several of them.")],
            },
        },
        "additionalProperties": False,
        "definitions": {"code": _code()},
    }


def _code() -> Json:
    words = [text for row in registry() for text in (row.code, row.name)]
    return {
        "description": "A code, its name, the beginning of codes, or `all`.",
        "type": "string",
        "anyOf": [{"enum": ["all", *words]}, {"pattern": "^ABS[0-9]{0,3}$"}],
    }


def _codes(description: str) -> Json:
    return {"description": description, "type": "array", "items": {"$ref": "#/definitions/code"}}


def _text(description: str) -> Json:
    return {"description": description, "type": "string", "minLength": 1}


def _texts(description: str) -> Json:
    return {"description": description, "type": "array", "items": {"type": "string", "minLength": 1}}
