"""Which evaluations no recording of tools alone can satisfy, since they are about what it does not show.

Judged by what they are about, without looking at runs: never a wrong yes. Evaluations with a condition are left out, as
they may be skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.ir import Step
from abs_compiler.lint.contract import SessionContext
from abs_compiler.runtime.vocabulary import may_be_unseen, seen_by_tools_only
from abs_compiler.spec.evaluation_model import (
    Composition,
    Evaluation,
    Expected,
    InSequence,
    Occurs,
    Selector,
    Within,
)


def undecided(context: SessionContext) -> Iterator[Evaluation]:
    """The evaluations that must hold, and never do where only tools are observed."""
    steps = context.ir.steps
    for step in steps:
        if not is_seen(step):
            yield from (evaluation for evaluation in step.behavior.evaluations if evaluation.when is None)
    unseen = {step.behavior.id.text for step in steps if step.behavior.id is not None and not is_seen(step)}
    yield from _of_the_run(context.ir.session.evaluations, unseen)


def is_seen(step: Step) -> bool:
    """Whether a recording of tools shows what a behavior is about."""
    return seen_by_tools_only(step.behavior.actor.text, step.behavior.action.text)


def _of_the_run(evaluations: tuple[Evaluation, ...], unseen: set[str]) -> Iterator[Evaluation]:
    for evaluation in evaluations:
        if evaluation.when is not None:
            continue
        if isinstance(evaluation.check, Composition):
            if evaluation.type.text == "all_of" and evaluation.threshold is None:
                yield from _of_the_run(evaluation.check.evaluations, unseen)
        elif _never_holds(evaluation, unseen):
            yield evaluation


def _never_holds(evaluation: Evaluation, unseen: set[str]) -> bool:
    match evaluation.check:
        case Within():
            return True
        case Expected(behavior=behavior):
            return behavior.text in unseen
        case InSequence(order=order):
            return any(map(_is_conversation, order))
        case Occurs(match=match, min=least, max=most) if match is not None:
            # Of what may be shown or not, a limit is never known to be kept; what is demanded may be shown.
            if evaluation.type.text == "never" or (evaluation.type.text == "count" and most is not None):
                return _may_be_conversation(match)
            return _is_conversation(match) and (least is None or least.value > 0)
    return False


def _may_be_conversation(selector: Selector) -> bool:
    actor, action = selector.actor, selector.action
    return may_be_unseen(None if actor is None else actor.text, None if action is None else action.text)


def _is_conversation(selector: Selector) -> bool:
    """Whether a selector selects nothing that a recording of tools shows."""
    if selector.action is None or not _may_be_conversation(selector):
        return False
    return selector.action.text != "responds" or selector.actor is not None
