"""Evaluations of the session that can never fail.

Catches: a `count` with `min: 0` alone; a `sequence`, `eventually` or `count` of what the session requires anyway, which
fails only where a behavior is unmatched already.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.automaton.checks import ChainCheck
from abs_compiler.automaton.session import Ground
from abs_compiler.diagnostics import Severity
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import demand_finished, labels, model


def check(context: SessionContext) -> Iterator[Report]:
    """Report evaluations that every run satisfies, or every run that has the required behaviors."""
    if not context.ir.session.evaluations:
        return
    found = model(context)
    for each in found.checks:
        ground = found.can_never_fail(each)
        if ground is not None:
            yield _report(context, each, ground)
    demand_finished(found)


def _report(context: SessionContext, each: ChainCheck, ground: Ground) -> Report:
    kind = each.evaluation.type
    if not ground.steps and not ground.extras:
        return Report(
            "vacuous-evaluations",
            f"this `{kind.text}` can never fail: every run satisfies it",
            kind.span,
            "nothing is demanded",
            helps=("correct it, or leave it out",),
        )
    because = "required, so it happens anyway" if ground.steps else ""
    notes = ("`match.extras` allows no other calls",) if ground.extras else ()
    return Report(
        "vacuous-evaluations",
        f"this `{kind.text}` adds nothing: a run that has the required behaviors satisfies it",
        kind.span,
        "demands what is required anyway",
        also=labels(context, ground.steps, because),
        notes=notes,
        helps=("leave it out, or make it say what the behaviors do not",),
        severity=Severity.INFO,
    )
