"""Sessions that decide nothing: every run passes, or none can.

Catches: behaviors that are all optional, with nothing else demanded; `observe: tools` in a session that is all
conversation, or beside evaluations of what is then not observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Label
from abs_compiler.ir.passes.tool_calls import merged
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import label
from abs_compiler.runtime.vocabulary import seen_by_tools_only
from abs_compiler.source import Span

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

_INCONCLUSIVE = "what is not observed is never taken as passed: each run is inconclusive"
_MOST_LABELS = 3


def check(context: SessionContext) -> Iterator[Report]:
    """Report the session where its behaviors, evaluations and options say that every run, or no run, passes."""
    session, steps = context.ir.session, context.ir.steps
    if session.behaviors_span is None:
        return
    if (context.options.observe or session.match.observe) == "tools":
        if steps and not any(seen_by_tools_only(step.behavior.actor.text, step.behavior.action.text) for step in steps):
            yield _all_conversation(context, session.behaviors_span)
            return
        undecided = _undecided(context)
        if undecided:
            yield _never_decided(undecided)
            return
    if not steps or session.evaluations or session.match.extras is not None:
        return
    if all(step.behavior.optional and all(map(merged, step.behavior.evaluations)) for step in steps):
        yield _all_optional(context, session.behaviors_span)


def _all_optional(context: SessionContext, span: Span) -> Report:
    steps = context.ir.steps
    return Report(
        "vacuous-sessions",
        "this session can never fail: all its behaviors are optional",
        span,
        "nothing is demanded",
        also=(Label(label(steps[0], "").span, "optional, and so is what follows" if len(steps) > 1 else "optional"),),
        notes=("an optional behavior need not be matched, so any run passes",),
        helps=(
            "leave `optional` out of what must happen",
            "to allow these calls and no others, write `match: {extras: forbid}`",
        ),
    )


def _all_conversation(context: SessionContext, span: Span) -> Report:
    session = context.ir.session
    limited = session.evaluations or session.match.extras is not None
    return Report(
        "vacuous-sessions",
        "no run can pass this session: with `observe: tools` none of its behaviors is looked at",
        span,
        "all of them are conversation",
        also=(label(context.ir.steps[0], "not in recordings of tools only"),),
        notes=(f"{_INCONCLUSIVE}{', unless it fails otherwise' if limited else ''}",),
        helps=("add the calls that must be made, or observe all",),
    )


def _undecided(context: SessionContext) -> Sequence[Evaluation]:
    """The evaluations that keep each run from passing where only tools are observed."""
    if not context.ir.session.evaluations and not any(step.behavior.evaluations for step in context.ir.steps):
        return ()
    from abs_compiler.lint.rules.sequence.undecided_evaluations import undecided  # slow to import, and rarely needed

    return tuple(undecided(context))


def _never_decided(undecided: Sequence[Evaluation]) -> Report:
    first, *others = undecided
    places = {other.type.span: Label(other.type.span, "nor is this") for other in others}
    places.pop(first.type.span, None)
    return Report(
        "vacuous-sessions",
        f"no run can pass this session: with `observe: tools` this `{first.type.text}` is never known to hold",
        first.type.span,
        "about what is not observed",
        also=tuple(places.values())[:_MOST_LABELS],
        notes=(f"{_INCONCLUSIVE}, unless it fails otherwise",),
        helps=(
            "evaluate calls or answers of tools alone: where something is selected, say `action: calls`",
            "else leave the evaluation out, or observe all",
        ),
    )
