"""Number the runs of adjacent optional Communication behaviors: members of one run may share an event."""

from __future__ import annotations

import attrs

from abs_compiler.ir.model import Ir, Step
from abs_compiler.spec.vocabulary import category_of


def number_shares(ir: Ir) -> Ir:
    """The session with the runs of two or more numbered from 0."""
    steps = list(ir.steps)
    number = 0
    start = 0
    for end in range(len(steps) + 1):
        if end < len(steps) and _may_share(steps[end]) and (end == start or steps[end].block == steps[start].block):
            continue
        if end - start >= 2:
            steps[start:end] = [attrs.evolve(step, shares=number) for step in steps[start:end]]
            number += 1
        start = end if end < len(steps) and _may_share(steps[end]) else end + 1
    return attrs.evolve(ir, steps=tuple(steps))


def _may_share(step: Step) -> bool:
    behavior = step.behavior
    return behavior.optional and category_of(behavior.action.text) == "communication"
