"""A `threshold` that every score reaches: 0.

Scores are numbers from 0 to 1, and a judged evaluation or a composition holds where its score is at least the
threshold. A part of a composition that has a threshold itself is left alone: there its score counts, and not whether it
holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from abs_compiler.lint.contract import FileContext, Report

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation


def check(context: FileContext) -> Iterator[Report]:
    """Report each such evaluation once."""
    found: dict[int, Report] = {}
    for ir in context.irs:
        for evaluations in (*(step.behavior.evaluations for step in ir.steps), ir.session.evaluations):
            for report in _of(evaluations):
                found.setdefault(report.span.start, report)
    yield from found.values()


def _of(evaluations: tuple[Evaluation, ...]) -> Iterator[Report]:
    for evaluation in evaluations:
        threshold = evaluation.threshold
        if threshold is None:
            yield from _of(evaluation.parts)
        elif threshold.value == 0 and _is_scored(evaluation):
            yield Report(
                "vacuous-evaluations",
                f"every score reaches this threshold, so `{evaluation.type.text}` always holds",
                threshold.span,
                "nothing is demanded",
                notes=("scores are numbers from 0 to 1",),
                helps=("write a higher threshold, or leave it out: it is then 0.5 for what is judged",),
            )


def _is_scored(evaluation: Evaluation) -> bool:
    """Whether a score decides; elsewhere a threshold has a finding of its own."""
    from abs_compiler.spec.evaluation_model import Deferred  # slow to import, and many specs have none

    return bool(evaluation.parts) or isinstance(evaluation.check, Deferred)
