"""Run rules over a compiled file: a compilation in, the reports of all rules into its sink."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from abs_compiler.bounds import OutOfBudgetError, budget
from abs_compiler.diagnostics import Sink
from abs_compiler.lint.contract import FileContext, Report, SessionContext, UnfinishedError
from abs_compiler.lint.table import RULES, Rule, Scope
from abs_compiler.spec.reading import listed

# Steps of work on sets of values (see `abs_compiler.bounds`) for one rule and one file: a few seconds.
_MOST_WORK = 1_000_000


def run_rules(context: FileContext, sink: Sink, rules: Iterable[Rule] = RULES) -> None:
    """Report what the rules find in a file, and which of them did not look at all of it. Those that need a file
    without errors are left out where it has some."""
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
            try:
                with budget(_MOST_WORK):
                    for one in contexts:
                        _put(check(one), sink)
            except OutOfBudgetError:
                _report_unfinished(rule, "that would take more work than is allowed for one file", sink)
            except UnfinishedError as error:
                _report_unfinished(rule, str(error), sink)


def _report_unfinished(rule: Rule, why: str, sink: Sink) -> None:
    sink.report(
        "unfinished-rules",
        f"not all of this file was searched for {listed(rule.codes)}",
        notes=(why, "what was found until then is reported"),
        helps=("split the file, and its longest session: sessions need not live in one file",),
    )


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
