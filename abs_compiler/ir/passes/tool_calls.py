"""Merge `tool_call` evaluations of a behavior into its step: both constraints apply.

A target that contradicts is an error. Arguments that can never agree are a warning: the step cannot match, and the
report of a run will say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from abs_compiler.diagnostics import Label
from abs_compiler.ir.model import Ir, Step
from abs_compiler.ir.targets import Overlap, overlap
from abs_compiler.runtime.values import json_equal
from abs_compiler.spec import Context
from abs_compiler.spec.model import Arguments, Literal, Name, Predicate, Value, ValueEntry

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation, ToolCall


def merge_tool_calls(ctx: Context, ir: Ir, targets: Mapping[str, tuple[str, ...]]) -> Ir:
    """The session with the constraints of its steps; `targets` maps targets to recorded names."""
    return attrs.evolve(ir, steps=tuple(_merge(ctx, step, targets) for step in ir.steps))


def merged(evaluation: Evaluation) -> bool:
    """Whether an evaluation of a step is one that this pass takes into the step."""
    from abs_compiler.spec.evaluation_model import ToolCall  # slow to import, and many specs have none

    return isinstance(evaluation.check, ToolCall) and evaluation.when is None


def _merge(ctx: Context, step: Step, targets: Mapping[str, tuple[str, ...]]) -> Step:
    behavior = step.behavior
    args = [] if behavior.arguments is None else [behavior.arguments]
    if behavior.action.text != "calls" or not behavior.evaluations:
        return attrs.evolve(step, target=behavior.target, args=tuple(args))
    from abs_compiler.spec.evaluation_model import ToolCall

    target = behavior.target
    ordered: ToolCall | None = None
    for evaluation in behavior.evaluations:
        check = evaluation.check
        if not isinstance(check, ToolCall) or not merged(evaluation):
            continue
        target = _joined_target(ctx, target, check.target, targets)
        if check.arguments is not None:
            args.append(check.arguments)
        if check.ordered is not None:
            _check_order(ctx, ordered, check)
            ordered = check
    step = attrs.evolve(step, target=target, args=tuple(args))
    if ordered is not None:
        step = attrs.evolve(step, ordered=ordered.ordered, ordered_span=ordered.ordered_span)
    _warn_contradictions(ctx, step)
    return step


def _check_order(ctx: Context, before: ToolCall | None, check: ToolCall) -> None:
    if before is None or before.ordered == check.ordered or before.ordered_span is None:
        return
    ctx.sink.report(
        "misplaced-ordered-false",
        "two `tool_call` evaluations of one behavior say different things about order",
        check.ordered_span,
        f"`ordered: {str(check.ordered).lower()}` here",
        also=(Label(before.ordered_span, f"`ordered: {str(before.ordered).lower()}` here"),),
        helps=("keep one of them",),
    )


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
    """Warn about the first pair of constraints that no arguments satisfy."""
    seen: dict[str, ValueEntry] = {}
    strict: Arguments | None = None
    strict_keys: set[str] = set()
    for arguments in step.args:
        allowed = {entry.key for entry in arguments.keys}
        if arguments.only:
            for key, entry in seen.items():
                if key not in allowed:
                    _warn_not_allowed(ctx, entry, arguments)
                    return
        for entry in arguments.keys:
            other = seen.get(entry.key)
            if other is not None and _differ(other.value, entry.value):
                _warn_literals(ctx, other, entry)
                return
            if strict is not None and entry.key not in strict_keys and not isinstance(entry.value, Predicate):
                _warn_not_allowed(ctx, entry, strict)
                return
            if not isinstance(entry.value, Predicate) and (other is None or not isinstance(other.value, Literal)):
                seen[entry.key] = entry
        if arguments.only and strict is None:
            strict, strict_keys = arguments, allowed


def _differ(first: Value, second: Value) -> bool:
    return isinstance(first, Literal) and isinstance(second, Literal) and not json_equal(first.value, second.value)


def _warn_literals(ctx: Context, first: ValueEntry, second: ValueEntry) -> None:
    ctx.sink.report(
        "contradicting-constraints",
        f"the argument `{second.key}` can never have both values",
        second.value.span,
        "differs from the other constraint",
        also=(Label(first.value.span, "the other constraint"),),
        notes=("the step can never match",),
        helps=("keep one of the two values",),
    )


def _warn_not_allowed(ctx: Context, entry: ValueEntry, strict: Arguments) -> None:
    ctx.sink.report(
        "contradicting-constraints",
        f"the argument `{entry.key}` is demanded here, but `with_only` does not allow it",
        entry.key_span,
        "not among the keys of `with_only`",
        also=(Label(strict.span, "`with_only` here"),),
        notes=("the step can never match",),
        helps=(f"add `{entry.key}` to `with_only`, or leave it out here",),
    )
