"""What the rules of this family share: the model of a session, and words for behaviors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from abs_compiler.automaton.captures import Captures
from abs_compiler.diagnostics import Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import SessionContext, UnfinishedError
from abs_compiler.source import Span

if TYPE_CHECKING:
    from abs_compiler.automaton.session import SessionModel

_MOST_LABELS = 3


def model(context: SessionContext) -> SessionModel:
    """The model of a session, made once for all rules."""
    return context.shared(_make)


def _make(context: SessionContext) -> SessionModel:
    from abs_compiler.automaton.session import session_model  # slow to import, and not every file needs it

    return session_model(context.ir, dict(context.program))


def demand_finished(found: SessionModel) -> None:
    """UnfinishedError where not everything about the evaluations of a session was answered."""
    from abs_compiler.automaton.session import MOST_CHECKS

    if found.has_more_checks:
        raise UnfinishedError(f"of the evaluations of a session only the first {MOST_CHECKS} are held against all runs")
    if found.is_out_of_work:
        raise UnfinishedError("the runs of a session were too many to look at all of them")


def captures(context: SessionContext) -> Captures:
    """The captures of a session, looked up once for all rules."""
    return context.shared(_captures)


def _captures(context: SessionContext) -> Captures:
    return Captures(context.ir)


def title(step: Step) -> str:
    """A behavior in words: its id, or what it says is done."""
    behavior = step.behavior
    if behavior.id is not None:
        return behavior.id.text
    parts = (behavior.actor.text, behavior.action.text, "" if step.target is None else step.target.text)
    return " ".join(part for part in parts if part)


def label(step: Step, text: str) -> Label:
    """A label at a behavior: at its target or action where it stands in the session itself, else at its include."""
    if step.via:
        return Label(step.via[0], text)
    behavior = step.behavior
    return Label((behavior.target or behavior.action).span, text)


def labels(context: SessionContext, steps: Sequence[int], text: str) -> tuple[Label, ...]:
    """Labels at some behaviors, the first of many, none twice at one place."""
    found: dict[Span, Label] = {}
    for i in steps[:_MOST_LABELS]:
        one = label(context.ir.steps[i], text)
        found.setdefault(one.span, one)
    return tuple(found.values())
