"""Merge `tool_call` evaluations of a behavior into its step: both constraints apply.

A target that contradicts is an error. Arguments that can never agree are a warning: the step cannot match, and the
report of a run will say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import attrs

from abs_compiler.diagnostics import Label
from abs_compiler.ir.model import Ir, Step
from abs_compiler.ir.targets import Overlap, overlap
from abs_compiler.runtime.values import json_equal
from abs_compiler.spec import Context
from abs_compiler.spec.model import Arguments, Evaluation, Literal, Name, Predicate, ToolCall


def merge_tool_calls(ctx: Context, ir: Ir, targets: Mapping[str, tuple[str, ...]]) -> Ir:
    """The session with the constraints of its steps; `targets` maps targets to recorded names."""
    return attrs.evolve(ir, steps=tuple(_merge(ctx, step, targets) for step in ir.steps))


def merged(evaluation: Evaluation) -> bool:
    """Whether an evaluation of a step is one that this pass takes into the step."""
    return isinstance(evaluation.check, ToolCall) and evaluation.when is None


def _merge(ctx: Context, step: Step, targets: Mapping[str, tuple[str, ...]]) -> Step:
    behavior = step.behavior
    own = () if behavior.arguments is None else (behavior.arguments,)
    step = attrs.evolve(step, target=behavior.target, args=own)
    if behavior.action.text != "calls":
        return step
    for evaluation in behavior.evaluations:
        check = evaluation.check
        if isinstance(check, ToolCall) and merged(evaluation):
            step = _add(ctx, step, check, targets)
    _warn_contradictions(ctx, step)
    return step


def _add(ctx: Context, step: Step, check: ToolCall, targets: Mapping[str, tuple[str, ...]]) -> Step:
    target = _joined_target(ctx, step.target, check.target, targets)
    args = step.args if check.arguments is None else (*step.args, check.arguments)
    ordered, span = step.ordered, step.ordered_span
    if check.ordered is not None and check.ordered_span is not None:
        if ordered is not None and ordered != check.ordered and span is not None:
            ctx.sink.report(
                "misplaced-ordered-false",
                "two `tool_call` evaluations of one behavior say different things about order",
                check.ordered_span,
                f"`ordered: {str(check.ordered).lower()}` here",
                also=(Label(span, f"`ordered: {str(ordered).lower()}` here"),),
                helps=("keep one of them",),
            )
        ordered, span = check.ordered, check.ordered_span
    return attrs.evolve(step, target=target, args=args, ordered=ordered, ordered_span=span)


def _joined_target(
    ctx: Context, first: Name | None, second: Name | None, targets: Mapping[str, tuple[str, ...]]
) -> Name | None:
    """The target that satisfies both."""
    if first is None or second is None:
        return first or second
    match overlap(first.text, second.text, targets):
        case Overlap.FIRST:
            return first
        case Overlap.SECOND:
            return second
        case Overlap.NONE:
            ctx.sink.report(
                "contradicting-targets",
                f"this step demands the target `{first.text}` and the target `{second.text}`",
                second.span,
                "no call can have both",
                also=(Label(first.span, "the other target"),),
                helps=("leave `target` out of the evaluation: the one of the behavior applies",),
            )
        case Overlap.PARTLY:
            ctx.sink.report(
                "unsupported-feature",
                f"the recorded names of `{first.text}` and `{second.text}` overlap only in part",
                second.span,
                "both targets apply to one call",
                also=(Label(first.span, "the other target"),),
                helps=("name one target, with an entry of its own under `match.targets`",),
            )
    return first


def _warn_contradictions(ctx: Context, step: Step) -> None:
    for first, second in combinations(step.args, 2):
        if not _warn_literals(ctx, first, second) and not _warn_extra_key(ctx, first, second):
            _warn_extra_key(ctx, second, first)


def _warn_literals(ctx: Context, first: Arguments, second: Arguments) -> bool:
    declared = {entry.key: entry for entry in first.keys}
    for entry in second.keys:
        other = declared.get(entry.key)
        if other is None or not isinstance(other.value, Literal) or not isinstance(entry.value, Literal):
            continue
        if not json_equal(other.value.value, entry.value.value):
            ctx.sink.report(
                "contradicting-constraints",
                f"the argument `{entry.key}` can never have both values",
                entry.value.span,
                "differs from the other constraint",
                also=(Label(other.value.span, "the other constraint"),),
                notes=("the step can never match",),
                helps=("keep one of the two values",),
            )
            return True
    return False


def _warn_extra_key(ctx: Context, strict: Arguments, other: Arguments) -> bool:
    """`with_only` on one side, and on the other a key it does not allow."""
    if not strict.only:
        return False
    allowed = {entry.key for entry in strict.keys}
    for entry in other.keys:
        if entry.key not in allowed and not isinstance(entry.value, Predicate):
            ctx.sink.report(
                "contradicting-constraints",
                f"the argument `{entry.key}` is demanded here, but `with_only` does not allow it",
                entry.key_span,
                "not among the keys of `with_only`",
                also=(Label(strict.span, "`with_only` here"),),
                notes=("the step can never match",),
                helps=(f"add `{entry.key}` to `with_only`, or leave it out here",),
            )
            return True
    return False
