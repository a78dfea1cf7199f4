"""JSON Schemas inside `schema` evaluations: is a schema one that can be decided, and if not, where and why.

2020-12 unless `$schema` names another draft. Formats are asserted, so an unknown one is an error; so are patterns
that RE2 does not run and references that leave the schema. An unknown keyword is a warning: JSON Schema ignores it.
The schema library is imported only here, and only when a document holds a schema.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from typing import Any

from abs_compiler.diagnostics import Help
from abs_compiler.runtime.schemas import MANY_SCHEMAS, NAMED_SCHEMAS, ONE_SCHEMA
from abs_compiler.spec.model import Literal, Name, Value
from abs_compiler.spec.patterns import check_pattern, check_pattern_key
from abs_compiler.spec.reading import Context, a_kind, listed, near_help
from abs_compiler.spec.schema_properties import report_properties
from abs_compiler.spec.values import Place, read_value
from abs_compiler.syntax import Entry, JsonValue, Mapping, Node, Scalar, Sequence, to_json

_MOST_FINDINGS = 20
_MOST_KEYWORDS = 5000

# The drafts that are evaluated, by the `$schema` that names them, and the formats that each adds to those before it.
_DRAFTS = {
    "http://json-schema.org/draft-04/schema": (
        "date-time",
        "email",
        "hostname",
        "idn-email",
        "ipv4",
        "ipv6",
        "regex",
        "uri",
    ),
    "http://json-schema.org/draft-06/schema": ("json-pointer", "uri-reference", "uri-template"),
    "http://json-schema.org/draft-07/schema": (
        "date",
        "idn-hostname",
        "iri",
        "iri-reference",
        "relative-json-pointer",
        "time",
    ),
    "https://json-schema.org/draft/2019-09/schema": ("duration", "uuid"),
    "https://json-schema.org/draft/2020-12/schema": (),
}
_LATEST = "https://json-schema.org/draft/2020-12/schema"

# Keywords that hold no schema.
_PLAIN = (
    "$anchor",
    "$comment",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "id",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
    "writeOnly",
)
_KINDS = {
    "array": "a list",
    "boolean": "a boolean",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
}
_TYPE_NAMES = tuple(_KINDS)
_KEYWORDS = frozenset((*ONE_SCHEMA, *MANY_SCHEMAS, *NAMED_SCHEMAS, *_PLAIN))
_PROSE = ("$comment", "description", "title")


def read_schema(ctx: Context, node: Node) -> Value | None:
    """The value of a schema, with references in its literals; None after reporting what is wrong with it."""
    value = read_value(ctx, _without_prose(node), Place.EVALUATION)
    if value is None:
        return None
    return value if _is_sound(ctx, node) and _is_usable(ctx, node) else None


def _is_usable(ctx: Context, node: Node) -> bool:
    """Whether the runtime can evaluate a sound schema; one with references is only known once they are bound."""
    from abs_compiler.runtime.schemas import SchemaRefusedError, check_schema

    schema = to_json(_without_prose(node))
    if "{{" in json.dumps(schema):
        return True
    try:
        check_schema(schema)
    except SchemaRefusedError as error:
        help_ = error.hint or "see what the draft of JSON Schema says of this place"
        _bad(ctx, _node_at(node, error.path), str(error.args[0]), help_)
        return False
    return True


def _without_prose(node: Node) -> Node:
    """The schema without texts for people, in which braces mean nothing."""
    if not isinstance(node, Mapping):
        return node
    kept = []
    for entry in node.entries:
        if entry.key in _PROSE and isinstance(entry.value, Scalar):
            continue
        kept.append(Entry(entry.key, entry.key_span, _without_prose_below(entry)))
    return Mapping(node.span, tuple(kept), node.alias_of)


def _without_prose_below(entry: Entry) -> Node:
    value = entry.value
    if entry.key in NAMED_SCHEMAS and isinstance(value, Mapping):
        named = tuple(Entry(item.key, item.key_span, _without_prose(item.value)) for item in value.entries)
        return Mapping(value.span, named, value.alias_of)
    if entry.key in MANY_SCHEMAS and isinstance(value, Sequence):
        return Sequence(value.span, tuple(_without_prose(item) for item in value.items), value.alias_of)
    return _without_prose(value) if entry.key in ONE_SCHEMA else value


def _is_sound(ctx: Context, node: Node) -> bool:
    schemas = list(_schemas(node))
    entries = [entry for schema in schemas for entry in schema.entries]
    ctx.spent["schema keywords"] += len(entries)
    if ctx.spent["schema keywords"] > _MOST_KEYWORDS:
        ctx.sink.report(
            "too-complex",
            f"the JSON Schemas of this file hold more than {_MOST_KEYWORDS:,} keywords",
            node.span,
            "the limit is passed here",
            helps=("check fewer details, or split the file",),
        )
        return False
    draft = _draft(ctx, node)
    if draft is None:
        return False
    valid = _is_valid(ctx, node)
    names = _Names(to_json(node))
    formats = _formats(draft)
    checks = []
    for schema in schemas:
        properties = report_properties(ctx, schema, _KEYWORDS)
        checks += [
            _check_keyword(ctx, entry, names, formats) for entry in schema.entries if entry.key not in properties
        ]
    return valid and all(checks)


def _draft(ctx: Context, node: Node) -> str | None:
    """The draft a schema is of; None after reporting one that is not known."""
    named = node.get("$schema") if isinstance(node, Mapping) else None
    if named is None:
        return _LATEST
    draft = named.value.removesuffix("#") if isinstance(named, Scalar) and isinstance(named.value, str) else None
    if draft in _DRAFTS:
        return draft
    _bad(ctx, named, "`$schema` names a draft that is not known", "leave it out for draft 2020-12")
    return None


def _formats(draft: str) -> tuple[str, ...]:
    """The formats of a draft, sorted."""
    found: list[str] = []
    for name, added in _DRAFTS.items():
        found += added
        if name == draft:
            break
    return tuple(sorted(found))


def _is_valid(ctx: Context, node: Node) -> bool:
    """Whether a schema follows its own draft."""
    from abs_compiler.runtime.schema_formats import jsonschema_package

    validators = jsonschema_package().validators
    schema: Any = to_json(node)
    validator: Any = validators.validator_for(schema, default=validators.Draft202012Validator)
    try:
        errors = list(itertools.islice(validator(validator.META_SCHEMA).iter_errors(schema), _MOST_FINDINGS))
    except RecursionError:
        _bad(ctx, node, "this JSON Schema is nested too deeply", "move inner schemas under `$defs` and refer to them")
        return False
    for error in errors:
        _report_invalid(ctx, node, error)
    return not errors


def _report_invalid(ctx: Context, node: Node, error: Any) -> None:
    """Report one violation of the draft, in our words: the library's hold Python's notation of the whole value."""
    found = _node_at(node, error.path)
    keyword = next((step for step in reversed(error.path) if isinstance(step, str)), "schema")
    if keyword == "type" and isinstance(found, Scalar):
        name = Name(found.text, found.span)
        known = near_help(ctx, name, _TYPE_NAMES, "a known type", f"known are {listed(_TYPE_NAMES)}")
        _bad(ctx, found, f"`{found.text}` is no type of JSON Schema", known)
        return
    kinds = error.validator_value if error.validator == "type" else None
    expected = [_KINDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds or []) if kind in _KINDS]
    if expected:
        message = f"`{keyword}` must be {' or '.join(expected)} in a JSON Schema, not {a_kind(found)}"
    else:
        message = f"`{keyword}` cannot have this value in a JSON Schema"
    _bad(ctx, found, message, f"see what the draft of JSON Schema says of `{keyword}`")


def _bad(ctx: Context, node: Node, message: str, help_: str | Help) -> None:
    ctx.sink.report("bad-json-schema", message, node.span, "here", helps=(help_,))


def _node_at(node: Node, path: Iterable[str | int]) -> Node:
    """The deepest node on a path."""
    for step in path:
        match node, step:
            case Mapping(), str():
                node = node.get(step) or node
            case Sequence(), int() if step < len(node.items):
                node = node.items[step]
            case _:
                break
    return node


def _schemas(node: Node) -> Iterator[Mapping]:
    """A schema and every schema inside it, as far as they are mappings."""
    if not isinstance(node, Mapping):
        return
    yield node
    for entry in node.entries:
        value = entry.value
        if entry.key in NAMED_SCHEMAS and isinstance(value, Mapping):
            for named in value.entries:
                yield from _schemas(named.value)
        elif entry.key in MANY_SCHEMAS and isinstance(value, Sequence):
            for item in value.items:
                yield from _schemas(item)
        elif entry.key in ONE_SCHEMA:
            yield from _schemas(value)


def _check_keyword(ctx: Context, entry: Entry, names: _Names, formats: tuple[str, ...]) -> bool:
    value = entry.value
    text = value.value if isinstance(value, Scalar) and isinstance(value.value, str) else None
    match entry.key:
        case "format" if text is not None and "{{" not in text and text not in formats:
            known = near_help(ctx, Name(text, value.span), formats, "a known format", f"known are {listed(formats)}")
            _bad(ctx, value, f"unknown format `{text}`", known)
            return False
        case "pattern" if text is not None and isinstance(value, Scalar) and "{{" not in text:
            return check_pattern(ctx, value, Literal(value.span, text))
        case "patternProperties" if isinstance(value, Mapping):
            checked = [check_pattern_key(ctx, item) for item in value.entries]
            return all(checked)
        case "$ref" | "$dynamicRef" | "$recursiveRef" if text is not None:
            return _check_reference(ctx, value, text, names)
        case key if key not in _KEYWORDS and not key.startswith("x-") and "{{" not in key:
            ctx.sink.report(
                "unknown-schema-keyword",
                f"`{key}` is no keyword of JSON Schema",
                entry.key_span,
                "ignored by JSON Schema",
                helps=(near_help(ctx, Name(key, entry.key_span), _KEYWORDS, "a keyword", f"remove `{key}`"),),
            )
    return True


class _Names:
    """What references inside one schema can lead to."""

    def __init__(self, schema: JsonValue) -> None:
        self._schema = schema
        self.resources = frozenset(_declared(schema, ("$id", "id")))
        self._anchors = frozenset(_declared(schema, ("$anchor", "$dynamicAnchor")))

    def finds(self, fragment: str) -> bool:
        """Whether a fragment, a JSON pointer or an anchor, leads to something."""
        if not fragment.startswith("/"):
            return fragment in self._anchors
        from urllib.parse import unquote  # slow to import, and rarely needed

        at = self._schema
        for step in unquote(fragment).split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict) and key in at:
                at = at[key]
            elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
                at = at[int(key)]
            else:
                return False
        return True


def _declared(schema: JsonValue, keys: tuple[str, ...]) -> Iterator[str]:
    """Every text under one of the keys, at any depth."""
    match schema:
        case dict():
            for key, value in schema.items():
                if key in keys and isinstance(value, str):
                    yield value
                yield from _declared(value, keys)
        case list():
            for item in schema:
                yield from _declared(item, keys)


def _check_reference(ctx: Context, node: Node, reference: str, names: _Names) -> bool:
    """A reference stays inside its schema and finds something there."""
    resource, _, fragment = reference.partition("#")
    if resource and resource not in names.resources:
        _bad(
            ctx,
            node,
            f"`{reference}` leads out of the schema, and nothing is ever fetched",
            "copy that schema under `$defs` and write `#/$defs/…`",
        )
        return False
    # what an embedded schema holds is looked up where it is used
    if resource or not fragment or names.finds(fragment):
        return True
    _bad(ctx, node, f"`{reference}` leads nowhere", "point to a schema that exists, such as `#/$defs/NAME`")
    return False
