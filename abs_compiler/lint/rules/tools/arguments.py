"""Arguments that the tools do not take: unknown names, and required ones that `with_only` leaves out.

Where a target may mean several tools, all of them must refuse. What a schema says in ways that are not followed here
counts as accepted. Values are held against schemas by another rule (`impossible_values`), which costs more.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from abs_compiler.automaton.value_sets import MisfitError, is_within, value_set
from abs_compiler.diagnostics import Edit, Fix, Help, Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.tools.calls import Call, calls, meant, needed_entries, properties_of, tools_of
from abs_compiler.lint.rules.tools.nearest_names import nearest_among
from abs_compiler.lint.tools import Tool
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import ABSENCE, NOTHING, Domain
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import ValueEntry
from abs_compiler.spec.reading import listed
from abs_compiler.syntax.offsets import scalar_range

_MOST_TOOLS = 20


@attrs.frozen(slots=False, repr=False, eq=False)
class HeldCall(ReprMixin):
    """A call that is held against the tools that it may mean, with what was found about the names of its arguments:
    reports on unknown ones by name, and on missing ones."""

    call: Call
    tools: list[Tool]
    unknown: dict[str, Report]
    missing: Report | None


def check(context: SessionContext) -> Iterator[Report]:
    """Report the names of arguments that no tool which is meant has, and those that all of them require."""
    for held in context.shared(held_calls):
        for report in (*held.unknown.values(), held.missing):
            if report is not None:
                yield of_call(held.call, report)


def of_call(call: Call, report: Report) -> Report:
    """A report on a call: a warning only, where such a call is but forbidden."""
    return attrs.evolve(report, severity=Severity.WARNING) if call.forbidden else report


def held_calls(context: SessionContext) -> list[HeldCall]:
    """The calls whose arguments can be held against tools."""
    tools = tools_of(context)
    if tools is None:
        return []
    found: list[HeldCall] = []
    for call in calls(context):
        candidates = [] if call.target is None else meant(context, tools, call.target.text)
        if not candidates or len(candidates) > _MOST_TOOLS or any(tool.schema is None for tool in candidates):
            continue
        unknown: dict[str, Report] = {}
        for argument in _arguments(context, call):
            report = _unknown(context, argument, candidates)
            if report is not None:
                unknown.setdefault(argument.key, report)
        found.append(HeldCall(call, candidates, unknown, _missing(call, candidates)))
    return found


# --- names ----------------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class _Argument(ReprMixin):
    """An argument that is named: its place, and the values it may have."""

    key: str
    span: Span
    values: Domain


def _arguments(context: SessionContext, call: Call) -> Iterator[_Argument]:
    """The arguments that a call must have, or not have: keys, and those that a predicate about all of them names."""
    for entry in call.arguments.keys:
        yield _Argument(entry.key, entry.key_span, _values(call, entry))
    whole = call.arguments.whole
    for named in () if whole is None else needed_entries(whole, call.constant):
        assert whole is not None
        span = scalar_range(context.source, whole.scalar, named.start, named.end)
        yield _Argument(named.key, span, denote(named.test).around)


def _values(call: Call, entry: ValueEntry) -> Domain:
    try:
        return value_set(entry.value, call.constant).around
    except MisfitError:
        return NOTHING


def _unknown(context: SessionContext, argument: _Argument, tools: list[Tool]) -> Report | None:
    key, span = argument.key, argument.span
    if any(_may_take(tool, key) for tool in tools) or _must_not_be_sent(argument.values):
        return None
    refused = all(tool.schema.get("additionalProperties") is False for tool in tools)
    known = sorted({key for tool in tools for key in properties_of(tool)})
    candidate = nearest_among(key, known)
    if candidate is not None:
        written = context.source.text[span.start : span.end]
        fix = Fix(f"write `{candidate}`", (Edit(span, candidate),)) if written == key else None
        help_: str | Help = Help(f"an argument close to it is `{candidate}`", fix)
    else:
        help_ = f"`{tools[0].name}` takes {listed(known)}" if known else f"`{tools[0].name}` takes no arguments"
    return Report(
        "unknown-arguments",
        f"`{tools[0].name}` has no argument `{key}`",
        span,
        "the tool refuses it" if refused else "not among those that its schema describes",
        helps=(help_,),
        severity=None if refused and not argument.values.absent else Severity.WARNING,
    )


def _may_take(tool: Tool, key: str) -> bool:
    """Whether a schema says anything that may allow an argument. One that lists its arguments and says no more is
    taken at its word."""
    schema = tool.schema
    if not isinstance(schema, dict) or key in properties_of(tool):
        return True
    if any(word in schema for word in ("patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if")):
        return True
    if "properties" not in schema:
        return True
    return schema.get("additionalProperties", False) is not False


def _must_not_be_sent(values: Domain) -> bool:
    return values.absent and is_within(values, ABSENCE)


def _missing(call: Call, tools: list[Tool]) -> Report | None:
    """A required argument that the call cannot have."""
    if call.arguments.whole is not None:
        return None
    absent = {entry.key: entry for entry in call.arguments.keys if _must_not_be_sent(_values(call, entry))}
    given = {entry.key for entry in call.arguments.keys} - absent.keys()
    missing: list[list[str]] = []
    for tool in tools:
        required = tool.schema.get("required") if isinstance(tool.schema, dict) else None
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        missing.append([name for name in names if name in absent or (call.arguments.only and name not in given)])
    if not all(missing):
        return None
    names = missing[0]
    first = absent.get(names[0])
    what = f"the argument {listed(names)}" if len(names) == 1 else f"the arguments {listed(names)}"
    return Report(
        "missing-arguments",
        f"`{tools[0].name}` requires {what}, which this call cannot have",
        call.arguments.span if first is None else first.key_span,
        "no other arguments are allowed" if first is None else "must not be sent",
        helps=(f"add {listed(names)}" if first is None else "let the argument be present",),
    )
