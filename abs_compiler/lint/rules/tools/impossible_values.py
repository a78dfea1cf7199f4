"""Values of arguments that the schema of a tool can never accept: where several tools may be meant, of all of them.

Values that the spec names one by one are held against the schema itself; of predicates, sets of values decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import attrs

from abs_compiler.diagnostics import Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.tools.accepted_sets import all_refuse, excludes, excludes_in, place_of, schema_text
from abs_compiler.lint.rules.tools.accepted_values import named_values, refusal, the_value
from abs_compiler.lint.rules.tools.accepted_words import accepted_types, accepted_words, constants_of
from abs_compiler.lint.rules.tools.arguments import held_calls, of_call
from abs_compiler.lint.rules.tools.calls import Call, properties_of
from abs_compiler.lint.rules.tools.nearest_names import nearest_among
from abs_compiler.lint.rules.tools.refusals import why_refused
from abs_compiler.lint.rules.tools.schema_places import Path, places_below
from abs_compiler.lint.rules.tools.schema_places import part as schema_part
from abs_compiler.lint.rules.tools.written_parts import collections, literal_inside
from abs_compiler.lint.tools import Tool
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.schema_run import path_text
from abs_compiler.runtime.values import show
from abs_compiler.source import Span
from abs_compiler.spec.model import ArrayValue, Literal, ObjectValue, Text, Value, ValueEntry
from abs_compiler.spec.reading import listed
from abs_compiler.syntax.scalars import NumberError, older_reading, resolve

_MEANT_AS_TRUE = ("yes", "on", "y", "1")
_MEANT_AS_FALSE = ("no", "off", "n", "0")
_OTHERWISE = "correct it, or the schema of the tool"


def check(context: SessionContext) -> Iterator[Report]:
    """Report the values that no tool which is meant accepts: first of single arguments, else of all together."""
    for held in context.shared(held_calls):
        call, tools = held.call, held.tools
        silent = not held.unknown and held.missing is None
        for entry in call.arguments.keys:
            report = None if entry.key in held.unknown else _impossible(context, call, entry, tools)
            if report is not None:
                silent = False
                yield of_call(call, report)
        if silent and (report := _impossible_together(context, call, tools)) is not None:
            yield of_call(call, report)


def _impossible(context: SessionContext, call: Call, entry: ValueEntry, tools: list[Tool]) -> Report | None:
    """The report on an argument that no tool accepts with the declared value."""
    if any(entry.key not in properties_of(tool) for tool in tools):
        return None
    text, path = place_of(tools[0], entry.key)
    values = named_values(entry.value, call.constant)
    refused = values is not None and all(
        refusal(*place_of(tool, entry.key), value) is not None for tool in tools for value in values
    )
    if values and refused:
        part = _of_values(context, entry.value, values, text, path)
    elif excludes(context, call, entry.value, entry.key, tools):
        part = _of_sets(context, call, entry.value, text, path)
    else:
        return None
    return Report(
        "impossible-arguments",
        f"`{tools[0].name}` never accepts this for `{path_text('', (entry.key, *part.where)).lstrip('.')}`",
        part.span,
        part.label,
        notes=("not every tool holds texts against formats",) if part.by_format else (),
        helps=(_help(context, part, text),),
        severity=Severity.WARNING if part.by_format else None,
    )


def _impossible_together(context: SessionContext, call: Call, tools: list[Tool]) -> Report | None:
    """The report on arguments of which each could be accepted, but not all together."""
    label = "its schema refuses them"
    span = call.arguments.span
    fields = [(entry.key, the_value(entry.value, call.constant)) for entry in call.arguments.keys]
    if call.arguments.only and all(one is not None for _, one in fields):
        arguments = {key: one[0] for key, one in fields if one is not None}
        found = [refusal(schema_text(tool), (), arguments) for tool in tools]
        refused = all(item is not None and not item.by_format for item in found)
        why = why_refused(schema_text(tools[0]), (), arguments) if refused else None
        if why is not None:
            place = path_text("", why.where).lstrip(".")
            label = f"`{place}`: {why.label}" if place else why.label
    else:
        refused = all_refuse(context, call, tools)
    if not refused:
        return None
    return Report(
        "impossible-arguments",
        f"`{tools[0].name}` never accepts these arguments",
        span,
        label,
        helps=("compare them with the schema of the tool",),
    )


# --- what of a value is refused -------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class _Part(ReprMixin):
    """The part of a value that is refused: the keys that lead to it, its place in the text, why, its own value where
    that is written out, and the place in the schema that refuses it, where one does so by itself."""

    where: Path
    span: Span
    label: str
    by_format: bool = False
    value: tuple[Any] | None = None
    schema: Path | None = None


def _of_values(context: SessionContext, value: Value, values: list[Any], text: str, path: Path) -> _Part:
    """The part of a value that is refused, where the values that fit it are named one by one."""
    each = [why for why in (why_refused(text, path, one) for one in values) if why is not None]
    first = each[0]
    by_format = any(why.by_format for why in each)
    if len(each) > 1 and len({(why.where, why.label) for why in each}) > 1:
        return _Part((), value.span, f"{show(values[0])}: {first.label}", by_format, None, path)
    inner, span = _inside(context, value, first.where)
    literal = (inner.value,) if isinstance(inner, Literal) else None
    return _Part(first.where, span, first.label, by_format, literal, first.schema)


def _of_sets(context: SessionContext, call: Call, value: Value, text: str, path: Path) -> _Part:
    """The innermost part of a value that is refused, where it holds predicates or names without a known value."""
    for step, inner in _parts(value):
        for place in places_below(text, path, (step,)):
            if excludes_in(context, call, inner, text, place):
                found = _of_part(context, call, inner, text, place)
                return attrs.evolve(found, where=(step, *found.where))
    return _Part((), value.span, _reason_of_sets(value, schema_part(text, path)), False, None, path)


def _of_part(context: SessionContext, call: Call, value: Value, text: str, path: Path) -> _Part:
    values = named_values(value, call.constant)
    return (
        _of_sets(context, call, value, text, path) if values is None else _of_values(context, value, values, text, path)
    )


def _parts(value: Value) -> list[tuple[str | int, Value]]:
    match value:
        case ObjectValue(entries=entries):
            return [(entry.key, entry.value) for entry in entries]
        case ArrayValue(items=items):
            return list(enumerate(items))
        case _:
            return []


def _inside(context: SessionContext, value: Value, where: Path) -> tuple[Value, Span]:
    """The part of a value that keys lead to, and where it is marked: what stands elsewhere (behind an alias, or merged)
    is marked where it is used."""
    found = value
    for number, step in enumerate(where):
        if isinstance(found, Literal):
            nodes = context.file.shared(collections)
            return literal_inside(nodes.get(found.span), found, where[number:])
        inner = dict(_parts(found)).get(step)
        if inner is None:
            return value, value.span
        found = inner
    inside = value.span.start <= found.span.start and found.span.end <= value.span.end
    return found, found.span if inside else value.span


def _reason_of_sets(value: Value, schema: Any) -> str:
    """What is accepted, where that is more than the type which the value has anyway."""
    kind = {ObjectValue: "object", ArrayValue: "array", Text: "string"}.get(type(value))
    same = kind in (accepted_types(schema) or ()) and kind != "string"
    if not same:
        return accepted_words(schema)
    keys = [str(key) for key, _ in _parts(value)] if isinstance(value, ObjectValue) else []
    known = schema.get("properties", {})
    strange = [key for key in keys if key not in known]
    if strange and schema.get("additionalProperties") is False and "patternProperties" not in schema:
        return f"{listed(strange)} not allowed here (`additionalProperties`)"
    missing = [key for key in schema.get("required", ()) if key not in keys]
    if isinstance(value, ObjectValue) and missing:
        return f"{listed(missing)} missing (`required`)"
    return "its schema refuses it"


def _help(context: SessionContext, part: _Part, text: str) -> str:
    if part.value is None or part.schema is None:
        return _OTHERWISE
    value, place = part.value[0], part.schema

    def accepted(other: Any) -> bool:
        return refusal(text, place, other) is None

    one_type = not accepted([])  # else the schema says nothing of types, and another one passes for no reason
    if isinstance(value, str):
        words = [option for option in constants_of(schema_part(text, place)) if isinstance(option, str)]
        if (candidate := nearest_among(value, words)) is not None:
            return f"a value close to it is `{candidate}`"
        quoted = context.source.text.startswith(('"', "'"), part.span.start)
        if one_type and quoted and (unquoted := _unquoted(value)) is not None and accepted(unquoted[0]):
            return "leave out the quotes"
        if one_type and accepted(True) and accepted(False):
            return _help_for_boolean(value)
    elif one_type and isinstance(value, int | float) and accepted(written := json.dumps(value)):
        return f'put it in quotes: `"{written}"`'
    return _OTHERWISE


def _unquoted(text: str) -> tuple[Any] | None:
    """What YAML makes of a text without its quotes, where that is no text and the same for all readers."""
    try:
        value = resolve(text)
    except NumberError:
        return None
    return None if isinstance(value, str) or older_reading(text, value) is not None else (value,)


def _help_for_boolean(text: str) -> str:
    word = text.strip().lower()
    if word in _MEANT_AS_TRUE or word in _MEANT_AS_FALSE:
        return f"`{text}` is text; write `{'true' if word in _MEANT_AS_TRUE else 'false'}`"
    return "write `true` or `false`"
