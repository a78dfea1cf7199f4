"""Members of a group that exactly the same events satisfy.

Catches a copied call whose target or arguments were not changed: the group then demands two of the same call, and which
of them is which member, no run tells. Where all members are alike, `ordered: false` has no effect at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abs_compiler.automaton.step_sets import StepSet, same_set
from abs_compiler.diagnostics import Label, Severity
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import label, model
from abs_compiler.spec.model import ToolCall


def check(context: SessionContext) -> Iterator[Report]:
    """Report groups of alike members, and alike members of groups."""
    if not context.ir.groups:
        return
    found = model(context)
    steps = context.ir.steps
    for start, end in context.ir.groups:
        twins = list(_twins(found.steps[start:end]))
        all_alike = [earlier for earlier, _ in twins] == [start] * (end - start - 1)
        if all_alike and not any(_matters(step) for step in steps[start:end]):
            yield _no_effect(steps, start, end)
            continue
        for earlier, i in twins:
            yield _alike(steps[earlier], steps[i])


def _twins(steps: Sequence[StepSet]) -> Iterator[tuple[int, int]]:
    """The behaviors that exactly the same events satisfy as an earlier one, each after the first of these."""
    different: dict[tuple[str, str, str | None], list[StepSet]] = {}
    for step in steps:
        known = different.setdefault((step.actor, step.action, step.target), [])
        twin = next((other for other in known if same_set(other, step)), None)
        if twin is None:
            known.append(step)
        else:
            yield twin.index, step.index


def _matters(step: Step) -> bool:
    """Whether it makes a difference which event is this behavior's."""
    behavior = step.behavior
    other = [item for item in behavior.evaluations if not isinstance(item.check, ToolCall)]
    return bool(other or behavior.capture or behavior.optional or step.requires is not None)


def _no_effect(steps: tuple[Step, ...], start: int, end: int) -> Report:
    place = label(steps[end - 1], "the same events satisfy all of these")
    span = steps[end - 1].ordered_span
    if span is not None and not steps[end - 1].via:
        place = Label(span, "the same events satisfy all calls of the group")
    return Report(
        "no-effect-ordered-false",
        "`ordered: false` has no effect: no run can tell the calls of this group apart",
        place.span,
        place.text,
        also=(label(steps[start], "the first of them"),),
        helps=("give the calls different targets or arguments, or leave `ordered: false` out",),
    )


def _alike(earlier: Step, later: Step) -> Report:
    differ = _matters(earlier) or _matters(later)
    place = label(later, "satisfied by the same calls as the other one")
    return Report(
        "indistinguishable-steps",
        "no run can tell this call from another one of the group",
        place.span,
        place.text,
        also=(label(earlier, "the other one"),),
        notes=(
            ("the group demands two such calls; which of them is which is decided by the evaluations that hold",)
            if differ
            else ("the group demands two such calls",)
        ),
        helps=("give one of them another target or other arguments, or leave one out",),
        severity=None if differ else Severity.INFO,
    )
