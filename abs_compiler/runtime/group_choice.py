"""Which member of an unordered group has which event: the assignment in which most evaluations hold.

Takes the assigned behaviors; inside each group, over the events it kept, the complete assignment is chosen in which
most evaluations hold, blocking ones first, then the one in which fewest fail (else the listing order could decide
between failed and inconclusive); ties by listing order. Judges are not asked.
"""

from __future__ import annotations

from .assignment import best_assignment
from .outcome import FAILED, PASSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .checks import Check
    from .decision import Decision
    from .outcome import Outcome


def settle_groups(decision: Decision, evaluate: Callable[[Check, int, int], Outcome]) -> dict[int, int]:
    """The assignment of a decision with the members of each group on the events where most of their evaluations
    hold. `evaluate(check, behavior, event)` gives the outcome of a check, judges aside."""
    assigned = dict(decision.assigned)
    behaviors, group_of = decision.plan.program.behaviors, decision.plan.roles.group_of
    members: dict[int, list[int]] = {}
    for index in sorted(assigned):
        if index in group_of:
            members.setdefault(group_of[index], []).append(index)
    for group in members.values():
        checks = {index: [check for check in behaviors[index].checks if _depends_on_event(check)] for index in group}
        if len(group) > 1 and any(checks.values()):
            assigned.update(_settle(decision, group, checks, assigned, evaluate))
    return assigned


def _depends_on_event(check: Check) -> bool:
    """Whether the outcome of a check, judges aside, can differ from event to event."""
    return check.type != "judge" and not (check.type == "tool_call" and check.fields["merged"])


def _settle(
    decision: Decision,
    group: list[int],
    checks: dict[int, list[Check]],
    assigned: dict[int, int],
    evaluate: Callable[[Check, int, int], Outcome],
) -> dict[int, int]:
    events = sorted(assigned[index] for index in group)
    classifier = decision.plan.classifier(decision.applied)
    masks = [decision.sequence.mask_at(event, classifier) for event in events]
    base = sum(map(len, checks.values())) + 1
    weights = [
        [
            _weight(index, event, checks[index], base, evaluate) if mask >> index & 1 else None
            for event, mask in zip(events, masks, strict=True)
        ]
        for index in group
    ]
    return {index: events[column] for index, column in zip(group, best_assignment(weights), strict=True)}


def _weight(
    index: int, event: int, checks: list[Check], base: int, evaluate: Callable[[Check, int, int], Outcome]
) -> int:
    """Blocking checks that hold, then checks that hold, then checks that do not fail."""
    weight = 0
    for check in checks:
        state = evaluate(check, index, event).state
        if state == PASSED:
            weight += base * base + base if check.blocking else base
        weight += state != FAILED
    return weight
