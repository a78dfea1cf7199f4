"""Single values and the schema of a tool: does it refuse one, and why; and which values a spec names one by one.

The project's own evaluation of JSON Schema decides, within its bounds. What it cannot decide, and what may mean
something else where the tool runs (a pattern of another dialect, a format that is not known), refuses nothing.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from abs_compiler.automaton.constants import Constants, constant_text
from abs_compiler.automaton.value_sets import MisfitError, with_constants
from abs_compiler.bounds import spend
from abs_compiler.predicate import tree
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.patterns import PatternError
from abs_compiler.runtime.schema_rules import RULES
from abs_compiler.runtime.schema_run import BASE_STEPS, STEPS_PER_NODE, Place, Run, UndecidedError
from abs_compiler.runtime.schemas import SchemaRefusedError, dialect_of, measure, resolver_of
from abs_compiler.spec.model import ArrayValue, Literal, ObjectValue, Predicate, Reference, Text, Value

if TYPE_CHECKING:
    from abs_compiler.runtime.schema_run import Findings, Rule

_MOST_VALUES = 100
_PRICE = 5  # in steps of work, of holding one value against a schema
# Read in another way by other dialects, whatever the text.
_OF_ONE_DIALECT = re.compile(r"\[\[|&&|\\[QC]")
# Where dialects differ about characters beyond these.
_PRINTABLE = re.compile(r"[ -~]*")
_OPEN = ("\\", ".", "(?")
_COUNTED = frozenset(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"))
# What alone can refuse a value, so that a reader of the schema finds it by its name.
_NAMED = (
    *_COUNTED, "pattern", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "uniqueItems", "required", "additionalProperties",
)  # fmt: skip


@attrs.frozen(slots=False, repr=False)
class Refusal(ReprMixin):
    """Why a value is refused, in words, and the keys that lead to the part that is. Where it is `by_format` alone, a
    tool may still take it: not all look at formats."""

    text: str
    path: tuple[str | int, ...] = ()
    by_format: bool = False


def refusal(schema: str, path: tuple[str | int, ...], value: Any) -> Refusal | None:
    """Why the schema inside another (as JSON text) that a path leads to refuses a value; None where it does not, or is
    undecided."""
    spend(_PRICE)
    try:
        evaluate = _evaluation(schema, path)
        without = evaluate(value, formats=False)
        found = without or evaluate(value, formats=True)
    except (UndecidedError, SchemaRefusedError, PatternError, RecursionError, ValueError):
        return None
    except (TypeError, AttributeError, KeyError):  # a reference leads to something that nobody takes for a schema
        return None
    if not found:
        return None
    where, text = found[0]
    return Refusal(text.partition(", observed ")[0], where, by_format=not without)


@functools.lru_cache(maxsize=1024)
def _read(text: str) -> tuple[Any, str, Any]:
    """A schema, its dialect, and what finds its references."""
    schema = json.loads(text)
    return schema, dialect_of(schema), resolver_of(schema) if '"$' in text else _NoReferences()


@functools.lru_cache(maxsize=4096)
def _evaluation(text: str, path: tuple[str | int, ...]) -> Callable[..., Findings]:
    part, dialect, resolver = _read(text)
    for key in path:
        part = part[key]
    rules: dict[str, Rule] = {**RULES[dialect], "pattern": _pattern, "patternProperties": _pattern_properties}
    rules.update((keyword, _named(keyword, rules[keyword])) for keyword in _NAMED if keyword in rules)

    def evaluate(value: Any, *, formats: bool) -> Findings:
        if "nullable" in text and "null" in json.dumps(value):
            raise UndecidedError("OpenAPI allows null with a keyword of its own")
        findings: Findings = []
        run = Run(
            rules,
            functools.partial(_conforms, dialect) if formats else None,
            BASE_STEPS + STEPS_PER_NODE * measure(value),
            reference_alone=dialect in ("draft-04", "draft-06", "draft-07"),
            wants_seen='"unevaluated' in text,
        )
        return [] if run.fits(part, value, resolver, (), findings, None) else findings

    return evaluate


def _named(keyword: str, rule: Rule) -> Rule:
    """A rule whose findings about a value itself name its keyword, and how much there is where that is counted."""

    def held(value: Any, item: Any, at: Place) -> bool:
        findings = at.findings
        known = 0 if findings is None else len(findings)
        holds = rule(value, item, at)
        if findings is not None and len(findings) > known and findings[known][0] == at.path:
            text = findings[known][1].partition(", observed ")[0]
            counted = f", it has {len(item)}" if keyword in _COUNTED else ""
            findings[known] = (at.path, f"{text} (`{keyword}`){counted}")
        return holds

    return held


class _NoReferences:
    """The resolver of a schema without references: the library for them takes long to load."""

    def in_subresource(self, _resource: Any) -> _NoReferences:
        return self


def _conforms(dialect: str, name: str, text: str) -> bool:
    from abs_compiler.runtime.schema_formats import checkers, conforms

    return name not in checkers(dialect) or conforms(dialect, name, text)


def _pattern(value: Any, item: Any, at: Place) -> bool:
    if isinstance(item, str):
        _refuse_dialects(value, item)
    return RULES["2020-12"]["pattern"](value, item, at)


def _pattern_properties(value: Any, item: Any, at: Place) -> bool:
    if isinstance(item, dict):
        for pattern in value:
            for key in item:
                _refuse_dialects(pattern, key)
    return RULES["2020-12"]["patternProperties"](value, item, at)


def _refuse_dialects(pattern: str, text: str) -> None:
    """UndecidedError where a pattern may mean something else to the tool than to RE2."""
    far = not _PRINTABLE.fullmatch(text) and (any(part in pattern for part in _OPEN) or not pattern.isascii())
    if far or _OF_ONE_DIALECT.search(pattern):
        raise UndecidedError("dialects of patterns differ here")


# --- the values that a spec names one by one ------------------------------------------------------------------------


def named_values(value: Value, constant: Constants) -> list[Any] | None:
    """The values that alone can fit a declared one, where they are few and all known."""
    match value:
        case Literal(value=found):
            return [found]
        case Reference(name=name):
            known = constant(name)
            return None if known is None else [known.value]
        case Text(parts=parts):
            text = constant_text(parts, constant)
            return None if text is None else [text]
        case Predicate(tree=predicate):
            try:
                return _members(with_constants(predicate.root, constant))
            except MisfitError:
                return None
        case ObjectValue(entries=entries):
            fields = [(entry.key, the_value(entry.value, constant)) for entry in entries]
            return None if any(one is None for _, one in fields) else [{key: one[0] for key, one in fields if one}]
        case ArrayValue(items=items):
            ones = [the_value(item, constant) for item in items]
            return None if any(one is None for one in ones) else [[one[0] for one in ones if one]]
        case _:
            return None


def the_value(value: Value, constant: Constants) -> tuple[Any] | None:
    """The only value that fits a declared one, where there is one."""
    found = None if isinstance(value, Predicate) else named_values(value, constant)
    return (found[0],) if found else None


def _members(test: tree.Test) -> list[Any] | None:
    """The values that alone can satisfy a test, and perhaps not all of them do."""
    match test:
        case tree.Compare(operator="==", operand=tree.Literal(value=value)):
            return [value]
        case tree.Member(values=tree.ValueList(items=items)) if 0 < len(items) <= _MOST_VALUES:
            values = [item.value for item in items if isinstance(item, tree.Literal)]
            return values if len(values) == len(items) else None
        case tree.Typed(test=inner):
            return _members(inner)
        case tree.And(parts=parts):
            return next((found for found in map(_members, parts) if found is not None), None)
        case tree.Or(parts=parts):
            each = [found for found in map(_members, parts) if found is not None]
            return [value for found in each for value in found] if len(each) == len(parts) else None
        case _:
            return None
