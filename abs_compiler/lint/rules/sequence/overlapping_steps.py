"""Ordered calls told apart by predicates that overlap: a run in the wrong order passes.

Catches bounds that share their ends, `in 1..100` and then `in 100..500`: two calls with 100 satisfy both behaviors, in
whatever order they were meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import model
from abs_compiler.runtime.values import show
from abs_compiler.spec.model import Predicate, ValueEntry

if TYPE_CHECKING:
    from abs_compiler.automaton.session import SessionModel


def check(context: SessionContext) -> Iterator[Report]:
    """Report neighbours that the same argument tells apart, but not for every value."""
    steps = context.ir.steps
    for i in range(len(steps) - 1):
        if len(steps[i].args) != 1 or len(steps[i + 1].args) != 1 or not _same_call(steps[i], steps[i + 1]):
            continue
        if not _ordered_neighbours(model(context), i):
            continue
        first = {entry.key: entry for entry in steps[i].args[0].keys}
        second = {entry.key: entry for entry in steps[i + 1].args[0].keys}
        if first.keys() != second.keys() or steps[i].args[0].only != steps[i + 1].args[0].only:
            continue
        apart = [key for key in first if not _same(first[key], second[key])]
        if len(apart) == 1:
            report = _overlap(first[apart[0]], second[apart[0]])
            if report is not None:
                yield report


def _same_call(left: Step, right: Step) -> bool:
    """Whether two behaviors are alike but for their arguments."""
    return all(
        (None if one is None else one.text) == (None if other is None else other.text)
        for one, other in (
            (left.behavior.actor, right.behavior.actor),
            (left.behavior.action, right.behavior.action),
            (left.target, right.target),
        )
    )


def _ordered_neighbours(found: SessionModel, i: int) -> bool:
    """Whether two behaviors are ordered, and it is known which events satisfy them."""
    left, right = found.steps[i], found.steps[i + 1]
    if found.roles.group_of.get(i) is not None and found.roles.group_of.get(i) == found.roles.group_of.get(i + 1):
        return False
    return left.is_exact and right.is_exact and i in found.roles.required and i + 1 in found.roles.required


def _same(first: ValueEntry, second: ValueEntry) -> bool:
    from abs_compiler.automaton.value_sets import value_set  # slow to import, and rarely needed

    return value_set(first.value) == value_set(second.value)


def _overlap(first: ValueEntry, second: ValueEntry) -> Report | None:
    if not isinstance(first.value, Predicate) or not isinstance(second.value, Predicate):
        return None
    from abs_compiler.automaton.value_sets import is_inhabited, value_set
    from abs_compiler.predicate.domains import difference, intersection, members

    left, right = value_set(first.value), value_set(second.value)
    if not left.is_exact or not right.is_exact:
        return None
    shared = intersection(left.inside, right.inside)
    if not all(
        map(is_inhabited, (shared, difference(left.inside, right.inside), difference(right.inside, left.inside)))
    ):
        return None
    witness = next(members(shared, 1), None)
    example = f"`{show(witness, 40)}`"
    return Report(
        "overlapping-steps",
        f"this behavior and the one before it both accept {example} for `{second.key}`",
        second.value.span,
        "overlaps with the other one",
        also=(Label(first.value.span, "the behavior before"),),
        notes=(f"two calls with {example} satisfy both, so a run in the wrong order passes",),
        helps=("let the two leave no value in common, if the order matters",),
    )
