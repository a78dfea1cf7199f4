"""Runs of calls become unordered groups.

A run is a stretch of adjacent `calls` behaviors of one list. A behavior whose `tool_call` says `ordered: false` is a
carrier: it ends a group that reaches back to the end of the group before it, or to the beginning of the run;
adjacent carriers end it together. A written `ordered: true` ends the run before it and stays ordered itself. Calls
after the last carrier stay ordered.
"""

from __future__ import annotations

import attrs

from abs_compiler.diagnostics import Label
from abs_compiler.ir.model import Ir, Step
from abs_compiler.spec import Context


def find_groups(ctx: Context, ir: Ir) -> Ir:
    """The session with its unordered groups."""
    groups: list[tuple[int, int]] = []
    start: int | None = None
    for position, step in enumerate(ir.steps):
        if start is not None and not _joins(step, ir.steps[position - 1]):
            groups.extend(_groups_of_run(ctx, ir.steps, start, position))
            start = None
        if start is None and _is_call(step) and step.ordered is not True:
            start = position
    if start is not None:
        groups.extend(_groups_of_run(ctx, ir.steps, start, len(ir.steps)))
    return attrs.evolve(ir, groups=tuple(groups))


def _is_call(step: Step) -> bool:
    return step.behavior.action.text == "calls"


def _joins(step: Step, before: Step) -> bool:
    """Whether a step goes on with the run of the one before it."""
    return _is_call(step) and step.ordered is not True and step.block == before.block


def _groups_of_run(ctx: Context, steps: tuple[Step, ...], start: int, end: int) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    position = start
    carrier: int | None = None
    while position < end:
        if steps[position].ordered is not False:
            position += 1
            continue
        carrier = position
        while carrier + 1 < end and steps[carrier + 1].ordered is False:
            carrier += 1
        position = carrier + 1
        if position - start > 1:
            groups.append((start, position))
        else:
            _warn_single(ctx, steps[carrier], position < end)
            carrier = None
        start = position
    if carrier is not None and start < end:
        _warn_rest(ctx, steps[carrier], steps[start])
    return groups


def _warn_single(ctx: Context, step: Step, followed: bool) -> None:
    if step.ordered_span is None:
        return
    help_ = "move it to the last of the calls that may come in any order" if followed else "remove it"
    ctx.sink.report(
        "no-effect-ordered-false",
        "`ordered: false` covers a single call, so it has no effect",
        step.ordered_span,
        "no call directly before this one belongs to the group",
        notes=("a group reaches back from the behavior that carries `ordered: false`",),
        helps=(help_,),
    )


def _warn_rest(ctx: Context, carrier: Step, rest: Step) -> None:
    span = rest.via[-1] if rest.via else rest.behavior.action.span
    also = () if carrier.ordered_span is None else (Label(carrier.ordered_span, "the group ends here"),)
    ctx.sink.report(
        "no-effect-ordered-false",
        "calls after the last `ordered: false` stay in their order",
        span,
        "comes after all calls of the group",
        also=also,
        helps=(
            "move `ordered: false` to the last call that may come in any order",
            "to say that the order is meant, write `ordered: true` here",
        ),
    )
