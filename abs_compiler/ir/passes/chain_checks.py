"""What evaluations say about the behaviors of their own session: ids that must exist, selectors that must not rely
on optional behaviors. Looked up after expansion, when all behaviors are there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from abs_compiler.diagnostics import Label, Severity
from abs_compiler.ir.model import Ir, Step
from abs_compiler.ir.passes.ids import ids_of, report_unknown_id
from abs_compiler.spec import Context
from abs_compiler.spec.model import Deferred, Evaluation, Expected, InSequence, Name, Selector
from abs_compiler.spec.walk import flattened


def check_evaluations(ctx: Context, ir: Ir) -> None:
    """Report evaluations that name what the session does not have."""
    index = ids_of(ir)
    chosen: dict[tuple[str | None, ...], tuple[Step | None, bool]] | None = None
    for step in ir.steps:
        _check_places(ctx, ir, step.behavior.evaluations, index)
    _check_places(ctx, ir, ir.session.evaluations, index, at_session=True)
    for evaluation in flattened(ir.session.evaluations):
        match evaluation.check:
            case Expected(behavior=behavior):
                _check_expected(ctx, ir, behavior, index)
            case InSequence(order=order):
                chosen = _chosen_by_parts(ir) if chosen is None else chosen
                for selector in order:
                    parts = (selector.actor, selector.action, selector.target)
                    _check_sequence(ctx, selector, *chosen.get(tuple(map(_text, parts)), (None, True)))
            case _:
                continue


def _check_places(
    ctx: Context, ir: Ir, evaluations: Iterable[Evaluation], index: dict[str, int], *, at_session: bool = False
) -> None:
    for evaluation in flattened(evaluations):
        if not isinstance(evaluation.check, Deferred):
            continue
        for key, name in evaluation.check.places:
            if name.text == "self":
                if at_session:
                    _report_self(ctx, key, name)
                continue
            if name.text in index:
                continue
            id_, dot, action = name.text.rpartition(".")
            if not dot or id_ not in index:
                report_unknown_id(ctx, name, f"`{key}`", index)
            elif ir.steps[index[id_]].behavior.action.text != action:
                _report_other_action(ctx, key, name, id_, ir.steps[index[id_]].behavior.action)


def _report_self(ctx: Context, key: str, name: Name) -> None:
    ctx.sink.report(
        "misplaced-evaluation",
        f"`{key}: self` means the behavior an evaluation stands at, and this one stands at the session",
        name.span,
        "no behavior here",
        helps=("name the behavior by its id, or move the evaluation to the behavior",),
    )


def _report_other_action(ctx: Context, key: str, name: Name, id_: str, action: Name) -> None:
    ctx.sink.report(
        "unknown-behavior-id",
        f"`{key}` names `{name.text}`, but the action of `{id_}` is `{action.text}`",
        name.span,
        "another action",
        also=(Label(action.span, "its action"),),
        helps=(f"write `{id_}`, or `{id_}.{action.text}`",),
    )


def _check_expected(ctx: Context, ir: Ir, behavior: Name, index: dict[str, int]) -> None:
    position = index.get(behavior.text)
    if position is None:
        report_unknown_id(ctx, behavior, "`expected`", index)
        return
    found = ir.steps[position].behavior
    if found.optional or found.requires is not None:
        return
    ctx.sink.report(
        "vacuous-evaluations",
        f"`expected` on `{behavior.text}` adds nothing: that behavior is required anyway",
        behavior.span,
        "not optional",
        also=() if found.id is None else (Label(found.id.span, "required here"),),
        helps=("make the behavior `optional: true`, or leave `expected` out",),
    )


def _check_sequence(ctx: Context, selector: Selector, optional: Step | None, only: bool) -> None:
    if optional is None:
        return
    ctx.sink.report(
        "optional-in-sequence",
        "a behavior that `sequence` relies on cannot be optional"
        if only
        else "this selector of `sequence` also selects an optional behavior",
        selector.span,
        "selects optional behaviors only" if only else "selects required and optional behaviors",
        also=(Label(optional.behavior.span, "optional"),),
        helps=("use `expected` for optional behaviors, or select a required one",),
        severity=Severity.ERROR if only else Severity.WARNING,
    )


def _text(name: Name | None) -> str | None:
    return None if name is None else name.text


def _chosen_by_parts(ir: Ir) -> dict[tuple[str | None, ...], tuple[Step | None, bool]]:
    """For actor, action and target as selectors may name them (None: any): the first optional behavior whose event
    could be selected, by what both say, and whether only optional ones could be."""
    found: dict[tuple[str | None, ...], tuple[Step | None, bool]] = {}
    for step in ir.steps:
        optional = step.behavior.optional
        said = (step.behavior.actor.text, step.behavior.action.text, _text(step.target))
        for wanted in set(itertools.product(*((text, None) for text in said))):
            first, only = found.get(wanted, (None, True))
            found[wanted] = (step if optional and first is None else first, only and optional)
    return found
