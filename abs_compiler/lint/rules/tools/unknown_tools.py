"""Targets that are no tool, and recorded names in `match` that are none.

Catches typing mistakes and renamed tools: such a call can never be matched by an agent that has these tools. What a
`never` forbids is a warning only, since it may be meant to stay forbidden; so is what `match.ignore` names, which may
be ignored for other agents.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help, Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.tools.calls import forbidden, meant, recorded_names, targets, tools_of
from abs_compiler.lint.tools import Tools
from abs_compiler.runtime.targets import glob_matches
from abs_compiler.spec.model import Name
from abs_compiler.spec.reading import listed
from abs_compiler.spec.suggest import nearest


def check(context: SessionContext) -> Iterator[Report]:
    """Report every name of a tool that none of the tools has."""
    tools = tools_of(context)
    if tools is None:
        return
    for entry in context.ir.session.match.targets:
        for name in entry.names:
            if not any(glob_matches(name.text, tool) for tool in tools.names):
                yield _report(context, tools, name, _label(name))
    for name in context.ir.session.match.ignore:
        if not recorded_names(context, name.text) and not any(glob_matches(name.text, tool) for tool in tools.names):
            yield _report(context, tools, name, _label(name), Severity.WARNING)
    never = set(forbidden(context))
    for target in targets(context):
        if not meant(context, tools, target.text) and not recorded_names(context, target.text):
            severity = Severity.WARNING if target in never else None
            yield _report(context, tools, target, "no tool of this name", severity)


def _label(name: Name) -> str:
    return "matches no tool" if "*" in name.text else "no tool of this name"


def _report(context: SessionContext, tools: Tools, name: Name, label: str, severity: Severity | None = None) -> Report:
    candidate = nearest(name.text, tools.names)
    if candidate is None:
        helps: tuple[str | Help, ...] = (
            f"the tools are {listed(tools.names)}",
            *(() if "*" in name.text else ("a name of your own can stand for recorded ones: see `match.targets`",)),
        )
    else:
        written = context.source.text[name.span.start : name.span.end]
        fix = Fix(f"write `{candidate}`", (Edit(name.span, candidate),)) if written == name.text else None
        helps = (Help(f"a tool close to it is `{candidate}`", fix),)
    return Report("unknown-tools", f"unknown tool `{name.text}`", name.span, label, helps=helps, severity=severity)
