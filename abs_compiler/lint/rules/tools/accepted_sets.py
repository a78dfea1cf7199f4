"""Sets of values and the schemas of tools: can a tool accept any value of a set.

Schemas of few constants (`enum`, `const`, also behind references and in alternatives) are asked constant by constant;
of others, a value that is accepted is looked for, and else the algebra of sets decides. Equal questions of one file are
asked once.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Hashable
from typing import Any

from abs_compiler.automaton.schema_sets import schema_set
from abs_compiler.automaton.value_sets import ALLOWED, MisfitError, argument_set, both, is_empty, value_set
from abs_compiler.bounds import OutOfWorkError, allowance, spend
from abs_compiler.lint.contract import FileContext, SessionContext
from abs_compiler.lint.rules.tools.accepted_samples import samples
from abs_compiler.lint.rules.tools.accepted_values import named_values, refusal
from abs_compiler.lint.rules.tools.calls import Call, properties_of
from abs_compiler.lint.rules.tools.schema_places import Path, part, pointer, root
from abs_compiler.lint.tools import Tool
from abs_compiler.predicate.denote import Bounds
from abs_compiler.predicate.domains import ANY, NOTHING, Domain, contains, intersection
from abs_compiler.spec.model import Value, ValueEntry

_MOST_DEPTH = 12
# What a schema of arguments may say for its arguments to be independent of each other.
_INDEPENDENT = frozenset(
    (
        "type", "properties", "required", "additionalProperties", "title", "description", "strict", "$schema",
        "$defs", "definitions", "$comment", "examples", "default",
    )
)  # fmt: skip
# What says nothing about which values are accepted, beside alternatives.
_SILENT = frozenset(("title", "description", "default", "examples", "example", "deprecated", "$comment"))


@functools.lru_cache(maxsize=1024)
def schema_text(tool: Tool) -> str:
    """The schema of a tool as JSON text, by which what is known of it is kept."""
    return json.dumps(tool.schema)


def excludes(context: SessionContext, call: Call, value: Value, key: str, tools: list[Tool]) -> bool:
    """Whether none of the tools accepts any of the values that fit a declared one for an argument."""
    try:
        wanted = value_set(value, call.constant).around
    except MisfitError:
        return False
    return excludes_set(context, wanted, key, tools)


def place_of(tool: Tool, key: str) -> tuple[str, Path]:
    """The schema of an argument: the text it stands in, and where."""
    return schema_text(tool), ("properties", key)


def excludes_in(context: SessionContext, call: Call, value: Value, text: str, path: Path) -> bool:
    """Whether a place in a schema accepts none of the values that fit a declared one."""
    named = named_values(value, call.constant)
    if named is not None:
        found = [refusal(text, path, one) for one in named]
        return bool(found) and all(item is not None and not item.by_format for item in found)
    try:
        wanted = value_set(value, call.constant).around
    except MisfitError:
        return False
    if wanted.absent or not _once(context, (wanted, text, path), lambda: _holds_none(text, path, wanted, _MOST_DEPTH)):
        return False
    return not is_empty(wanted)


def excludes_set(context: SessionContext, wanted: Domain, key: str, tools: list[Tool]) -> bool:
    """Whether none of the tools accepts any value of a set for an argument; the set may be empty for other reasons."""
    if wanted.absent or not all(_excluded(context, wanted, tool, key) for tool in tools):
        return False
    return not is_empty(wanted)


def _excluded(context: SessionContext, wanted: Domain, tool: Tool, key: str) -> bool:
    text, path = _schema_of(tool, key)
    return _once(context, (wanted, text, path), lambda: _holds_none(text, path, wanted, _MOST_DEPTH))


@functools.lru_cache(maxsize=8192)
def _schema_of(tool: Tool, key: str) -> tuple[str, Path]:
    """The schema of an argument: by itself where it refers to nothing, so that many tools may share it."""
    alone = json.dumps(properties_of(tool)[key])
    if '"$' in alone or "$schema" in tool.schema:
        return schema_text(tool), ("properties", key)
    return alone, ()


def _once(context: SessionContext, question: Hashable, ask: Callable[[], bool]) -> bool:
    answers = context.file.shared(_answers)
    if question not in answers:
        answers[question] = ask()
    return answers[question]


def _answers(_context: FileContext) -> dict[Hashable, bool]:
    return {}


# --- one argument ---------------------------------------------------------------------------------------------------


def _holds_none(text: str, path: Path, wanted: Domain, depth: int) -> bool:
    """Whether a schema is known to accept no value of a set."""
    schema = part(text, path)
    if isinstance(schema, dict) and depth:
        options = _options(schema)
        if options is not None:
            return not any(_takes(text, path, wanted, option) for option in options)
        if schema.keys() <= _SILENT | {"$ref"} and (target := pointer(text, schema.get("$ref"))) is not None:
            return _holds_none(text, target, wanted, depth - 1)
        for word in ("anyOf", "oneOf", "allOf"):
            parts = schema.get(word)
            if schema.keys() <= _SILENT | {word} and isinstance(parts, list) and parts:
                each = (_holds_none(text, (*path, word, number), wanted, depth - 1) for number in range(len(parts)))
                if word != "allOf":
                    return all(each)
                if len(parts) == 1:
                    return next(each)
    if any(_takes(text, path, wanted, value) for value in _samples(text, path)):
        return False
    try:
        with allowance(ALLOWED):
            return is_empty(intersection(wanted, _accepted(text, path).around))
    except (OutOfWorkError, ValueError, RecursionError):
        return False


def _options(schema: dict[str, Any]) -> list[Any] | None:
    """The constants of which alone a schema may accept some; None where it names none."""
    if "$ref" in schema or "nullable" in schema:
        return None
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    if "const" in schema:
        return [schema["const"]]
    return [None] if schema.get("type") == "null" else None


def _takes(text: str, path: Path, wanted: Domain, option: Any) -> bool:
    spend(1)
    return contains(wanted, option) and refusal(text, path, option) is None


@functools.lru_cache(maxsize=4096)
def _samples(text: str, path: Path) -> list[Any]:
    return samples(part(text, path), root(text))


@functools.lru_cache(maxsize=4096)
def _known(text: str, path: Path) -> Bounds:
    return schema_set(root(text), path)


def _accepted(text: str, path: Path) -> Bounds:
    try:
        return _known(text, path)
    except (ValueError, RecursionError):
        return Bounds(NOTHING, ANY)


# --- all arguments --------------------------------------------------------------------------------------------------


def all_refuse(context: SessionContext, call: Call, tools: list[Tool]) -> bool:
    """Whether each of the tools is known to refuse all arguments that fit those of a call."""
    separate = call.arguments.whole is None and all(_is_independent(tool) for tool in tools)
    if separate:
        # One tool alone was held against the arguments one by one.
        return len(tools) > 1 and all(_refuses_one(context, call, tool) for tool in tools)
    try:
        with allowance(ALLOWED):
            wanted = argument_set(call.arguments, call.constant)
            if any(_takes_a_sample(call, tool, wanted.around) for tool in tools):
                return False
            return not is_empty(wanted.around) and all(
                _once(context, (wanted.around, schema_text(tool)), functools.partial(_refuses_all, wanted, tool))
                for tool in tools
            )
    except (OutOfWorkError, MisfitError):
        return False


def _is_independent(tool: Tool) -> bool:
    """Whether a schema says of its arguments only what holds of each by itself."""
    schema = tool.schema
    return isinstance(schema, dict) and schema.keys() <= _INDEPENDENT and schema.get("type", "object") == "object"


def _refuses_one(context: SessionContext, call: Call, tool: Tool) -> bool:
    return any(_refuses(context, call, entry, tool) for entry in call.arguments.keys) or bool(
        call.arguments.only and _lacks(call, tool)
    )


def _refuses(context: SessionContext, call: Call, entry: ValueEntry, tool: Tool) -> bool:
    """Whether a tool accepts no value of an argument that fits the declared one."""
    if entry.key not in properties_of(tool):
        closed = tool.schema.get("additionalProperties") is False
        try:
            return closed and not value_set(entry.value, call.constant).around.absent
        except MisfitError:
            return False
    values = named_values(entry.value, call.constant)
    if values is not None:
        text, path = _schema_of(tool, entry.key)
        found = [refusal(text, path, value) for value in values]
        if all(item is not None and not item.by_format for item in found):
            return True
    return excludes(context, call, entry.value, entry.key, [tool])


def _lacks(call: Call, tool: Tool) -> bool:
    """Whether a call without other arguments lacks one that a tool requires."""
    given = {entry.key for entry in call.arguments.keys}
    required = tool.schema.get("required")
    return isinstance(required, list) and any(name not in given for name in required)


def _takes_a_sample(call: Call, tool: Tool, wanted: Domain) -> bool:
    """Whether arguments are found that fit a call and that a tool accepts."""
    text = schema_text(tool)
    named = {}
    for entry in call.arguments.keys:
        found = _sample_of(call, entry, tool)
        if found is not None:
            named[entry.key] = found[0]
    bases = [{}] if call.arguments.only else [item for item in (*_samples(text, ()), {}) if isinstance(item, dict)]
    return any(_takes(text, (), wanted, {**base, **named}) for base in bases)


def _sample_of(call: Call, entry: ValueEntry, tool: Tool) -> tuple[Any] | None:
    """A value of an argument that fits a call and that a tool accepts, where one is found."""
    if (values := named_values(entry.value, call.constant)) is not None:
        return (values[0],) if values else None
    wanted = value_set(entry.value, call.constant).around
    text, path = _schema_of(tool, entry.key) if entry.key in properties_of(tool) else ("true", ())
    found = (value for value in _samples(text, path) if _takes(text, path, wanted, value))
    return next(((value,) for value in found), None)


def _refuses_all(wanted: Bounds, tool: Tool) -> bool:
    return is_empty(both(wanted, _accepted(schema_text(tool), ())).around)
