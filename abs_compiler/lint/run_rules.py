"""Run rules over a compiled file: a compilation in, the reports of all rules into its sink."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from abs_compiler.diagnostics import Sink
from abs_compiler.lint.contract import FileContext, Report, SessionContext
from abs_compiler.lint.table import RULES, Rule, Scope


def run_rules(context: FileContext, sink: Sink, rules: Iterable[Rule] = RULES) -> None:
    """Report what the rules find in a file. Those that need a file without errors are left out where it has some."""
    compiled = len(context.programs) > 0
    sessions = [
        SessionContext(context, ir, program) for ir, program in zip(context.irs, context.programs, strict=False)
    ]
    text = context.source.text
    escaped = "\\x" in text or "\\u" in text or "\\U" in text  # any text may be hidden behind these
    for rule in rules:
        if rule.needs_tools and context.tools is None:
            continue
        if rule.mentions and not escaped and not any(mention in text for mention in rule.mentions):
            continue
        contexts: list[Any] = [context]
        if rule.scope == Scope.SESSION:
            contexts = list(sessions)
        elif rule.scope == Scope.FILE and not compiled:
            contexts = []
        if contexts:
            check = rule.load()
            for one in contexts:
                _put(check(one), sink)


def _put(reports: Iterator[Report], sink: Sink) -> None:
    for found in reports:
        sink.report(
            found.name,
            found.message,
            found.span,
            found.label,
            also=found.also,
            notes=found.notes,
            helps=found.helps,
            severity=found.severity,
        )
