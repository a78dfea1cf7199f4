"""Schemas of tools: is one a JSON Schema, and which draft is it written in.

Takes decoded JSON. Nearly all schemas of tools use the same few keywords plainly: those are recognised here, without
the schemas of the drafts, which take longer to load than everything else. What must hold of a schema is less than of
one in a `schema` evaluation: unknown formats, patterns for other dialects and references to elsewhere are common, and
only leave something undecided.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_DRAFT_07 = "http://json-schema.org/draft-07/schema#"
_DRAFT_04 = "http://json-schema.org/draft-04/schema#"
_TYPES = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))
_TEXTS = frozenset(("title", "description", "format", "pattern", "$comment", "$ref"))
# In these drafts the keywords below mean the same.
_DRAFTS = frozenset(
    (
        _DRAFT_07,
        _DRAFT_07[:-1],
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    )
)
_ANYTHING = frozenset(("default", "const"))
_FLAGS = frozenset(("uniqueItems", "deprecated", "readOnly", "writeOnly"))
_SIZES = frozenset(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"))
_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))
_NAMED = frozenset(("properties", "$defs"))
_ONE = frozenset(("items", "additionalProperties", "not"))
_MANY = frozenset(("anyOf", "allOf", "oneOf"))
_MOST_DEPTH = 64


class BrokenSchemaError(ValueError):
    """What stands for a schema is none; the text says where and why, and `path` leads there."""

    def __init__(self, text: str, path: tuple[Any, ...] = ()) -> None:
        super().__init__(text)
        self.path = path


def sound_schema(schema: Any) -> Any:
    """A schema that follows a draft of JSON Schema. It comes back with `$schema` where it names none and follows an
    older one only. BrokenSchemaError."""
    if is_plain(schema):
        return schema
    from abs_compiler.runtime.schemas import SchemaRefusedError, follow_draft

    named = isinstance(schema, dict) and "$schema" in schema
    try:
        follow_draft(schema)
        return schema
    except SchemaRefusedError as error:
        if named and error.path[-1:] == ("$schema",):
            return schema  # a dialect of its own: nothing is known of it
        first = error
    for draft in () if named or not isinstance(schema, dict) else (_DRAFT_07, _DRAFT_04):
        older = {"$schema": draft, **schema}
        try:
            follow_draft(older)
            return older
        except SchemaRefusedError:
            continue
    raise BrokenSchemaError(_words(first.path, str(first.args[0])), first.path)


def _words(path: tuple[Any, ...], text: str) -> str:
    from abs_compiler.runtime.schema_run import path_text

    text = text.removeprefix("invalid JSON Schema: ")
    if " (nearest: " in text:
        text = text.rpartition(" (nearest: ")[2].removesuffix(")")
    return f"`{path_text('', path).lstrip('.')}`: {text}" if path else text


def is_plain(schema: Any, depth: int = _MOST_DEPTH) -> bool:
    """Whether a schema is certainly sound: it holds nothing but the usual keywords with what belongs to them."""
    if schema is True or schema is False:
        return True
    return isinstance(schema, dict) and depth > 0 and all(_keyword_is_plain(*item, depth) for item in schema.items())


def _keyword_is_plain(keyword: str, value: Any, depth: int) -> bool:
    if keyword == "type":
        words = value if isinstance(value, list) and len(set(map(str, value))) == len(value) > 0 else [value]
        return all(isinstance(word, str) and word in _TYPES for word in words)
    if keyword in _TEXTS:
        return isinstance(value, str)
    if keyword == "$schema":
        return depth == _MOST_DEPTH and isinstance(value, str) and value in _DRAFTS
    if keyword in _NAMED:
        return isinstance(value, dict) and all(is_plain(inner, depth - 1) for inner in value.values())
    if keyword in _ONE:
        return is_plain(value, depth - 1)
    if keyword in _MANY:
        return isinstance(value, list) and bool(value) and all(is_plain(inner, depth - 1) for inner in value)
    if keyword == "required":
        texts = isinstance(value, list) and all(isinstance(key, str) for key in value)
        return texts and len(set(value)) == len(value)
    if keyword in _SIZES:
        return type(value) is int and value >= 0
    if keyword in _NUMBERS:
        return type(value) in (int, float)
    if keyword in _FLAGS:
        return type(value) is bool
    return keyword in _ANYTHING or (keyword in ("enum", "examples") and isinstance(value, list))


def outside_references(schema: Any) -> list[str]:
    """The references of a schema that lead to nothing in it, each once."""
    if '"$ref"' not in json.dumps(schema):
        return []
    left = [reference for reference in dict.fromkeys(_references(schema)) if not _points_inside(schema, reference)]
    if not left:
        return []
    from referencing.exceptions import Unresolvable

    from abs_compiler.runtime.schemas import SchemaRefusedError, resolver_of

    try:
        resolver = resolver_of(schema)
    except SchemaRefusedError:  # a dialect of its own
        return []
    found = []
    for reference in left:
        try:
            resolver.lookup(reference)
        except (Unresolvable, ValueError, RecursionError):
            found.append(reference)
    return found


def _points_inside(schema: Any, reference: str) -> bool:
    """Whether a reference is a plain pointer to something in a schema without an address of its own."""
    if "$id" in schema or "%" in reference or not reference.startswith("#/"):
        return reference == "#"
    found = schema
    for step in reference[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or key not in found:
            return False
        found = found[key]
    return True


def _references(schema: Any) -> Iterator[str]:
    """The references in a schema and in those inside it, where no part of it has an address of its own."""
    from abs_compiler.runtime.schemas import parts_of

    pending = [schema]
    while pending:
        part = pending.pop()
        if not isinstance(part, dict) or (part is not schema and ("$id" in part or "id" in part)):
            continue
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        pending.extend(reversed([inner for _, inner in parts_of(part)]))
