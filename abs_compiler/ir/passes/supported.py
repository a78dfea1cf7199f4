"""Refuse what is understood but not compiled yet: never skipped, never passed.

Takes the expanded session; reports each use with its place. Uses in fragments that nothing includes do not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from abs_compiler.ir.model import Ir, Step
from abs_compiler.source import Span
from abs_compiler.spec import Context
from abs_compiler.spec.model import FromPath, Group, Item, Value
from abs_compiler.spec.walk import behavior_values, flattened

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation


def refuse_unsupported(ctx: Context, ir: Ir) -> None:
    """Report everything in a session that cannot be compiled yet."""
    _refuse_groups(ctx, ir.session.items)
    for step in ir.steps:
        _refuse_in_step(ctx, step)
    for evaluation in ir.session.evaluations:
        _refuse_evaluation(ctx, evaluation)


def _refuse_groups(ctx: Context, items: Iterable[Item]) -> None:
    for item in items:
        if isinstance(item, Group):
            _refuse(ctx, f"groups (`{item.kind.text}`)", item.kind.span)
            for body in item.bodies:
                _refuse_groups(ctx, body)


def _refuse_in_step(ctx: Context, step: Step) -> None:
    behavior = step.behavior
    for value in behavior_values(behavior):
        _refuse_value(ctx, value)
    if behavior.status is not None:
        _refuse(ctx, "`status`", behavior.status.span)
    for evaluation in behavior.evaluations:
        _refuse_evaluation(ctx, evaluation)


def _refuse_value(ctx: Context, value: Value) -> None:
    if isinstance(value, FromPath):
        _refuse(ctx, "captures from the matched event (`$from`)", value.span)


def _refuse_evaluation(ctx: Context, evaluation: Evaluation) -> None:
    from abs_compiler.spec.evaluation_model import Occurs, Preceded  # slow to import, and many specs have none
    from abs_compiler.spec.evaluation_walk import selectors_of

    for part in flattened((evaluation,)):
        if isinstance(part.check, Preceded):
            _refuse(ctx, "`preceded` evaluations", part.type.span)
        if isinstance(part.check, Occurs) and part.check.after is not None:
            _refuse(ctx, f"`after` in `{part.type.text}`", part.check.after.span)
        for selector in selectors_of(part.check):
            if selector.arguments is not None:
                _refuse(ctx, "arguments in selectors", selector.arguments.span)
            if selector.status is not None:
                _refuse(ctx, "`status` in selectors", selector.status.span)


def _refuse(ctx: Context, what: str, span: Span) -> None:
    ctx.sink.report(
        "unsupported-feature",
        f"{what} cannot be compiled yet",
        span,
        "understood, but not supported by this version",
        helps=("leave it out to compile the rest; nothing is ever skipped silently",),
    )
