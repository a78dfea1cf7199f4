"""Values of arguments that the schema of a tool can never accept: where several tools may be meant, of all of them.

Values that the spec names one by one are held against the schema itself; of predicates, sets of values decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from abs_compiler.diagnostics import Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.tools.accepted_sets import all_refuse, excludes, schema_text
from abs_compiler.lint.rules.tools.accepted_values import Refusal, named_values, refusal, the_value
from abs_compiler.lint.rules.tools.accepted_words import accepted_types, accepted_words, of_accepted_type
from abs_compiler.lint.rules.tools.arguments import held_calls, of_call
from abs_compiler.lint.rules.tools.calls import Call, properties_of
from abs_compiler.lint.rules.tools.nearest_names import nearest_among
from abs_compiler.lint.tools import Tool
from abs_compiler.runtime.values import show
from abs_compiler.spec.model import ArrayValue, Literal, ObjectValue, Text, Value, ValueEntry
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
    schema = properties_of(tools[0])[entry.key]
    values = named_values(entry.value, call.constant)
    refusals = None if values is None else _refusals(values, entry.key, tools)
    if values is not None and refusals is not None:
        label, by_format = _reason(values, refusals, schema), any(item.by_format for item in refusals)
    elif excludes(context, call, entry.value, entry.key, tools):
        label, by_format = _reason_of_sets(entry.value, schema), False
    else:
        return None
    return Report(
        "impossible-arguments",
        f"`{tools[0].name}` never accepts this for `{entry.key}`",
        entry.value.span,
        label,
        notes=("not every tool holds texts against formats",) if by_format else (),
        helps=(_help(context, entry, tools[0]),),
        severity=Severity.WARNING if by_format else None,
    )


def _impossible_together(context: SessionContext, call: Call, tools: list[Tool]) -> Report | None:
    """The report on arguments of which each could be accepted, but not all together."""
    label = "its schema refuses them"
    fields = [(entry.key, the_value(entry.value, call.constant)) for entry in call.arguments.keys]
    if call.arguments.only and all(one is not None for _, one in fields):
        arguments = {key: one[0] for key, one in fields if one is not None}
        found = [refusal(schema_text(tool), (), arguments) for tool in tools]
        refused = all(item is not None and not item.by_format for item in found)
        label = found[0].reason if refused and found[0] is not None else label
    else:
        refused = all_refuse(context, call, tools)
    if not refused:
        return None
    return Report(
        "impossible-arguments",
        f"`{tools[0].name}` never accepts these arguments",
        call.arguments.span,
        label,
        helps=("compare them with the schema of the tool",),
    )


# --- single values --------------------------------------------------------------------------------------------------


def _refusals(values: list[Any], key: str, tools: list[Tool]) -> list[Refusal] | None:
    """Why each value is refused by the first of the tools; None where one of the tools may accept one of them."""
    found = [[refusal(schema_text(tool), ("properties", key), value) for value in values] for tool in tools]
    if any(item is None for each in found for item in each):
        return None
    return [item for item in found[0] if item is not None]


def _reason(values: list[Any], refusals: list[Refusal], schema: Any) -> str:
    if not any(of_accepted_type(value, schema) for value in values) or (isinstance(schema, dict) and "enum" in schema):
        return accepted_words(schema)
    if len({item.reason for item in refusals}) == 1:
        return refusals[0].reason
    return f"{show(values[0])}: {refusals[0].reason}"


def _reason_of_sets(value: Value, schema: Any) -> str:
    """What is accepted, where that is more than the type which the value has anyway."""
    kind = {ObjectValue: "object", ArrayValue: "array", Text: "string"}.get(type(value))
    same = kind in (accepted_types(schema) or ()) and kind != "string"
    return "its schema refuses it" if same else accepted_words(schema)


def _help(context: SessionContext, entry: ValueEntry, tool: Tool) -> str:
    if not isinstance(entry.value, Literal):
        return _OTHERWISE
    value = entry.value.value
    schema = properties_of(tool)[entry.key]

    def accepted(other: Any) -> bool:
        return refusal(schema_text(tool), ("properties", entry.key), other) is None

    one_type = not accepted([])  # else the schema says nothing of types, and another one passes for no reason
    if isinstance(value, str):
        options = schema.get("enum") if isinstance(schema, dict) else None
        words = [option for option in options if isinstance(option, str)] if isinstance(options, list) else []
        if (candidate := nearest_among(value, words)) is not None:
            return f"a value close to it is `{candidate}`"
        quoted = context.source.text.startswith(('"', "'"), entry.value.span.start)
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
