"""Properties that stand among the keywords of a JSON Schema: `{order_id: {type: string}}`, `{id: string}`.

JSON Schema ignores them there, so that the schema accepts everything.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Label
from abs_compiler.spec.reading import Context, listed, near
from abs_compiler.syntax import Entry, Mapping, Scalar

_TYPES = {
    "string": "string",
    "str": "string",
    "text": "string",
    "number": "number",
    "float": "number",
    "integer": "integer",
    "int": "integer",
    "boolean": "boolean",
    "bool": "boolean",
    "array": "array",
    "list": "array",
    "object": "object",
    "dict": "object",
    "null": "null",
}
# Keywords that test nothing: in a schema without any that does, one with the name of a type is a property.
_NOTES = frozenset(("id", "default", "examples"))
_SHOWN = 3


def report_properties(ctx: Context, schema: Mapping, keywords: frozenset[str]) -> set[str]:
    """Report the properties among the keys of one schema, as one finding. Gives their keys."""
    noted = all(entry.key in _NOTES or entry.key not in keywords for entry in schema.entries)
    found = [
        entry
        for entry in schema.entries
        if _describes(entry) and _is_property(ctx, entry, keywords, may_be_a_note=noted)
    ]
    if not found:
        return set()
    first, *others = found
    unknown = [entry.key for entry in found if entry.key not in keywords]
    if unknown:
        message = f"{listed(unknown)} {'is no keyword' if len(unknown) == 1 else 'are no keywords'} of JSON Schema"
    else:
        message = f"{listed([entry.key for entry in found])} tests nothing here"
    ctx.sink.report(
        "unknown-schema-keyword",
        message,
        first.key_span,
        "ignored by JSON Schema" if first.key not in keywords else f"a note, no property `{first.key}`",
        also=tuple(Label(entry.key_span, "this too") for entry in others[:_SHOWN]),
        helps=(f"properties stand under `properties`: `properties: {{{first.key}: {_shown(first)}}}`",),
    )
    return {entry.key for entry in found}


def _describes(entry: Entry) -> bool:
    """Whether the value is what one writes of a property: a schema, or the name of a type."""
    value = entry.value
    return isinstance(value, Mapping) or (isinstance(value, Scalar) and value.value in _TYPES)


def _is_property(ctx: Context, entry: Entry, keywords: frozenset[str], *, may_be_a_note: bool) -> bool:
    if entry.key in keywords:
        return may_be_a_note and entry.key in _NOTES and isinstance(entry.value, Scalar)
    if entry.key.startswith("x-") or "{{" in entry.key or entry.key in _TYPES:
        return False
    return near(ctx, entry.key, keywords) is None


def _shown(entry: Entry) -> str:
    value = entry.value
    return f"{{type: {_TYPES[str(value.value)]}}}" if isinstance(value, Scalar) else "…"
