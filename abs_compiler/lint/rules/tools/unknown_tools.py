"""Targets that are no tool, and recorded names in `match` that are none.

Catches typing mistakes and renamed tools: such a call can never be matched by an agent that has these tools. What is
only forbidden is a warning, since it may be meant to stay forbidden; so is what `match.ignore` names, which may be
ignored for other agents. What people and external systems do is none of the agent's tools. Names that may be those of
something else, as in a selector without an action, are reported only where the name of a tool is near, as a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help, Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.tools.calls import (
    mapped_targets,
    meant,
    recorded_names,
    targets,
    targets_of_others,
    tools_of,
)
from abs_compiler.lint.rules.tools.nearest_names import nearest_among
from abs_compiler.lint.tools import Tools
from abs_compiler.spec.model import Name
from abs_compiler.spec.reading import listed


def check(context: SessionContext) -> Iterator[Report]:
    """Report every name of a tool that none of the tools has."""
    tools = tools_of(context)
    if tools is None:
        return
    every = list(targets(context))
    used = [target for target in every if not target.doubtful]
    demanded = {target.name.text for target in used if not target.forbidden}
    only_forbidden = {target.name.text for target in used} - demanded
    others = targets_of_others(context) - {target.name.text for target in used}
    given = context.options.targets
    for entry in context.ir.session.match.targets:
        if entry.target.text in others or entry.target.text in given:  # whose names replace these
            continue
        severity = Severity.WARNING if entry.target.text in only_forbidden else None
        for name in entry.names:
            if not tools.knows(name.text):
                yield _report(context, tools, name, _label(name), severity, recorded=True)
    for name in context.ir.session.match.ignore:
        if name.text not in others and not recorded_names(context, name.text) and not tools.knows(name.text):
            yield _report(context, tools, name, _label(name), Severity.WARNING)
    for target in every:
        name = target.name
        if meant(context, tools, name.text) or recorded_names(context, name.text):
            continue
        if target.doubtful and (name.text in others or _nearest(context, tools, name.text) is None):
            continue
        severity = Severity.WARNING if target.forbidden or target.doubtful else None
        yield _report(context, tools, name, "no tool of this name", severity)
    first = {target.name.text: target.name for target in reversed(used)}
    for text in sorted(given.keys() & first.keys()):
        severity = Severity.WARNING if text in only_forbidden else None
        for recorded in given[text]:
            if not tools.knows(recorded):
                yield _of_options(tools, first[text], recorded, severity)


def _nearest(context: SessionContext, tools: Tools, name: str) -> str | None:
    return nearest_among(name, tools.names) or nearest_among(name, mapped_targets(context))


def _label(name: Name) -> str:
    return "matches no tool" if "*" in name.text else "no tool of this name"


def _report(
    context: SessionContext,
    tools: Tools,
    name: Name,
    label: str,
    severity: Severity | None = None,
    *,
    recorded: bool = False,
) -> Report:
    """The report on a name. A recorded one is that of a tool; others may also be names that stand for tools."""
    candidate = nearest_among(name.text, tools.names)
    own = None if recorded or candidate is not None else nearest_among(name.text, mapped_targets(context))
    if candidate is None and own is None:
        helps: tuple[str | Help, ...] = (
            _all(tools),
            *(() if "*" in name.text else ("a name of your own can stand for recorded ones: see `match.targets`",)),
        )
    else:
        right = candidate or own or ""
        written = context.source.text[name.span.start : name.span.end]
        fix = Fix(f"write `{right}`", (Edit(name.span, right),)) if written == name.text else None
        what = "a tool close to it is" if own is None else "a name close to it, which stands for tools, is"
        helps = (Help(f"{what} `{right}`", fix),)
    return Report("unknown-tools", f"unknown tool `{name.text}`", name.span, label, helps=helps, severity=severity)


def _all(tools: Tools) -> str:
    return f"the {'only tool is' if len(tools.names) == 1 else 'tools are'} {listed(tools.names)}"


def _of_options(tools: Tools, target: Name, recorded: str, severity: Severity | None) -> Report:
    """The report on a recorded name that lies in no spec."""
    candidate = nearest_among(recorded, tools.names)
    return Report(
        "unknown-tools",
        f"unknown tool `{recorded}`",
        target.span,
        f"stands for `{recorded}`, which {'matches' if '*' in recorded else 'is'} no tool",
        notes=(f"what `{target.text}` stands for is said in `targets` of the configuration, or with `--target`",),
        helps=(_all(tools) if candidate is None else f"a tool close to it is `{candidate}`",),
        severity=severity,
    )
