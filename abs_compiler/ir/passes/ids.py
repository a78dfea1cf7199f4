"""Behavior ids after expansion: unique, and `requires` resolved to the index of an earlier behavior.

Unknown, own, later and circular requirements are reported.
"""

from __future__ import annotations

import attrs

from abs_compiler.diagnostics import Label
from abs_compiler.ir.model import Ir, Step
from abs_compiler.source import Span
from abs_compiler.spec import Context
from abs_compiler.spec.model import Name
from abs_compiler.spec.reading import listed, near_help


def resolve_ids(ctx: Context, ir: Ir) -> Ir:
    """The session with `requires` as indices."""
    index = _index_of_ids(ctx, ir)
    steps = list(ir.steps)
    circular: set[int] | None = None
    for position, step in enumerate(steps):
        requires = step.behavior.requires
        if requires is None:
            continue
        target = index.get(requires.text)
        if target is None:
            report_unknown_id(ctx, requires, "`requires`", index)
        elif target < position:
            steps[position] = attrs.evolve(step, requires=target)
        else:
            if circular is None:
                circular = _circular(ir, index)
            _report_order(ctx, ir, circular, position, target)
    return attrs.evolve(ir, steps=tuple(steps))


def ids_of(ir: Ir) -> dict[str, int]:
    """The index of every id; of the first where one is used twice."""
    found: dict[str, int] = {}
    for position, step in enumerate(ir.steps):
        if step.behavior.id is not None:
            found.setdefault(step.behavior.id.text, position)
    return found


def report_unknown_id(ctx: Context, found: Name, what: str, known: dict[str, int]) -> None:
    """Report an id that no behavior of the session has."""
    otherwise = f"ids of this session: {listed(known)}" if known else f"give the behavior meant `id: {found.text}`"
    help_ = near_help(ctx, found, known, "an id", otherwise)
    ctx.sink.report(
        "unknown-behavior-id",
        f"{what} names `{found.text}`, but no behavior of the session has that id",
        found.span,
        "no such id",
        helps=(help_,),
    )


def _index_of_ids(ctx: Context, ir: Ir) -> dict[str, int]:
    index = ids_of(ir)
    reported: set[Span] = set()
    for position, step in enumerate(ir.steps):
        name = step.behavior.id
        if name is None or index[name.text] == position:
            continue
        span, label = _id_place(step, name)
        if span in reported:
            continue  # one include brings in many: one cause
        reported.add(span)
        first = ir.steps[index[name.text]]
        first_name = first.behavior.id or name
        first_span, first_label = _id_place(first, first_name)
        labels = () if first_span == span else (Label(first_span, first_label),)
        helps = ("give each behavior of a session an id of its own",)
        if step.via and first.via:
            helps = ("a fragment that holds ids can be included once in a session",)
        ctx.sink.report(
            "duplicate-id",
            f"two behaviors of the session have the id `{name.text}`",
            span,
            label,
            also=labels,
            helps=helps,
        )
    return index


def _id_place(step: Step, name: Name) -> tuple[Span, str]:
    if step.via:
        return step.via[0], f"brings in `{name.text}`"
    return name.span, f"`{name.text}` here"


def _report_order(ctx: Context, ir: Ir, circular: set[int], position: int, target: int) -> None:
    """Report a requirement of itself, of something later, or in a circle."""
    requires = ir.steps[position].behavior.requires
    if requires is None:
        return
    own = ir.steps[position].behavior.id
    also: tuple[Label, ...] = ()
    if target == position:
        message, label = "a behavior cannot require itself", "its own id"
        help_ = "name an earlier behavior, or leave `requires` out"
    elif own is not None and {position, target} <= circular:
        message, label = f"`{own.text}` and `{requires.text}` require each other", "closes the circle"
        help_ = "drop one of the requirements"
    else:
        message, label = f"`requires` names `{requires.text}`, which comes later", "listed after this behavior"
        help_ = "list the required behavior first"
        later = ir.steps[target].behavior.id
        if later is not None and not ir.steps[target].via:
            also = (Label(later.span, "listed here"),)
    ctx.sink.report("bad-requires", message, requires.span, label, also=also, helps=(help_,))


def _circular(ir: Ir, index: dict[str, int]) -> set[int]:
    """The steps that lie on a circle of requirements. Each step requires one at most, so one walk finds all."""
    circular: set[int] = set()
    seen: dict[int, int] = {}
    for start in range(len(ir.steps)):
        path: list[int] = []
        at: int | None = start
        while at is not None and at not in seen:
            seen[at] = start
            path.append(at)
            requires = ir.steps[at].behavior.requires
            at = None if requires is None else index.get(requires.text)
        if at is not None and seen[at] == start:
            circular.update(path[path.index(at) :])
    return circular
