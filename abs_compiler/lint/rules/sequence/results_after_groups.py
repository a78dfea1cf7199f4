"""A group of calls in any order, followed by the results of its members in one order.

Catches parallel calls listed with their results below them: all results must then come after all calls, in the order
in which they are listed. A run that answers each call at once, or answers in another order, fails.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Label
from abs_compiler.ir import Ir, Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import label
from abs_compiler.spec.behavior import is_tool_response


def check(context: SessionContext) -> Iterator[Report]:
    """Report each group that is followed by the results of two or more of its members."""
    for start, end in context.ir.groups:
        called = {_target(step) for step in context.ir.steps[start:end]} - {None}
        answers = [i for i in _results(context.ir, end) if _target(context.ir.steps[i]) in called]
        if len({_target(context.ir.steps[i]) for i in answers}) < 2:
            continue
        first, second = context.ir.steps[answers[0]], context.ir.steps[answers[1]]
        carrier = context.ir.steps[end - 1].ordered_span
        also = [label(second, "and must come before this one")]
        if carrier is not None and not context.ir.steps[end - 1].via:
            also.append(Label(carrier, "the calls may come in any order"))
        place = label(first, "must come after all calls of the group")
        yield Report(
            "results-after-groups",
            "the calls may come in any order, but their results must follow all of them, in this order",
            place.span,
            place.text,
            also=tuple(also),
            notes=("a run that answers each call at once, or the second call first, fails",),
            helps=(
                "leave the results out where only the calls matter",
                "to keep call and result together, list each result after its call, without `ordered: false`",
            ),
        )


def _target(step: Step) -> str | None:
    return None if step.target is None else step.target.text


def _results(ir: Ir, start: int) -> Iterator[int]:
    """The results of tools listed directly from a place on."""
    for i in range(start, len(ir.steps)):
        behavior = ir.steps[i].behavior
        if not is_tool_response(behavior.actor, behavior.action) or behavior.optional:
            return
        yield i
