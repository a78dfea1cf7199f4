"""The verdict by definition: which behaviors match, how many calls are left over, what cannot be known.

`decide` gives a Decision. `most_matched`, `earliest_ends` and `wrong_steps` judge what a report claims beyond that:
how far a failing run can be matched, where each segment ends, whether a claimed assignment is one at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from tests.support.oracle.assignments import Assignment, Case, assignments, captured, make_case
from tests.support.oracle.fit import is_counted_call
from tests.support.oracle.values import Json

Bindings = dict[str, Json]
Events = list[dict[str, Any]]
Program = dict[str, Any]


@dataclass(frozen=True)
class Decision:
    """A verdict.

    `required` is what had to match: the required behaviors, the optional ones that count as matched, their dependants.
    `complete` says whether it could; `extras` is the number of calls left over then. Where it could not, `possible` is
    the part of it that could while the optional ones were chosen, before the dependants of the last ones joined.
    `certain` says that events whose action is not known exactly were counted out for optional behaviors.
    """

    status: str
    required: frozenset[int]
    complete: bool
    extras: int | None = None
    possible: frozenset[int] = frozenset()
    certain: bool = False


def decide(program: Program, bindings: Bindings, events: Events, *, count_extras: bool = True) -> Decision:
    """The verdict of a program on a trace.

    Without `count_extras` the extras of a program that does not limit them stay uncounted: one complete assignment is
    enough then, which is what makes a program of many behaviors and a long trace bearable.
    """
    found = _decide(make_case(program, bindings, events), count_extras=count_extras)
    if found.complete or not _could_blame_a_guess(program, events):
        return found
    # What is required holds if it holds with uncertain events counted out for the optional behaviors.
    other = _decide(make_case(program, bindings, events, certain=True), count_extras=count_extras)
    return other if other.complete else found


def _could_blame_a_guess(program: Program, events: Events) -> bool:
    """Whether some event's action is not known exactly, and something depends on an optional behavior."""
    case = make_case(program, {}, events)
    depends = any(step.gate is not None and not step.optional and not step.skipped for step in case.steps)
    return depends and any(event.get("action") is None or event.get("recorded") for event in events)


def _decide(case: Case, *, count_extras: bool) -> Decision:
    limit = case.match["extras"]
    settled, possible, decided = _matched_optionals(case, limit is not None)
    required = _required(case, settled)
    complete = assignments(case, required, frozenset()) if decided else iter(())
    if limit is None and not count_extras:
        complete = islice(complete, 1)
    extras = min((len(_unmatched(case, found)) for found in complete), default=None)
    if extras is None:
        return Decision("failed", required, complete=False, possible=possible)
    if limit is not None and extras > limit:
        return Decision("failed", required, complete=True, extras=extras, certain=case.certain)
    status = "inconclusive" if _is_open(case, required) else "passed"
    return Decision(status, required, complete=True, extras=extras, certain=case.certain)


def most_matched(program: Program, bindings: Bindings, events: Events, failed: Decision) -> int:
    """How many of the behaviors that had to match an assignment matches at most, while it matches the possible ones."""
    case = make_case(program, bindings, events)
    found = assignments(case, failed.possible, failed.required)
    return max(sum(event is not None for event in assignment) for assignment in found)


def earliest_ends(
    program: Program, bindings: Bindings, events: Events, matched: frozenset[int], *, certain: bool = False
) -> list[int]:
    """The event with which each segment that matches anything ends, the first segment as early as possible, and so on.

    Where extras are limited, only assignments that leave the fewest calls over are looked at.
    """
    case = make_case(program, bindings, events, certain=certain)
    limited = program["match"]["extras"] is not None
    return min(
        (len(_unmatched(case, found)) if limited else 0, _ends(case, found))
        for found in assignments(case, matched, frozenset())
    )[1]


def wrong_steps(
    program: Program,
    bindings: Bindings,
    events: Events,
    claimed: Assignment,
    required: frozenset[int],
    *,
    certain: bool = False,
) -> list[str]:
    """What keeps a claimed assignment (an event or None for each behavior) from being one; empty when nothing does.

    A required behavior supplies its captures even where a failing run has no event for it.
    """
    case = make_case(program, bindings, events, certain=certain)
    names, wrong = case.names, []
    for index, (step, event) in enumerate(zip(case.steps, claimed, strict=True)):
        if event is not None and not case.fits(index, event, names):
            wrong.append(f"behavior {index} does not fit event {event}")
        if event is not None and step.gate is not None and claimed[step.gate] is None:
            wrong.append(f"behavior {index} is matched although behavior {step.gate} is not")
        for earlier in range(index):
            if not _in_order(case, earlier, index, claimed[earlier], event):
                wrong.append(f"behaviors {earlier} and {index} cannot take events {claimed[earlier]} and {event}")
        if event is not None or step.skipped or index in required:
            names = captured(step, names)
    return wrong


def _matched_optionals(case: Case, limited: bool) -> tuple[frozenset[int], frozenset[int], bool]:
    """The optional behaviors that count as matched, all that matched along with them, and whether each level had an
    answer; where one has none, what was settled before it."""
    settled: frozenset[int] = frozenset()
    possible: frozenset[int] = frozenset()
    levels = [_level(case, index) for index in range(len(case.steps))]
    for level in sorted({0, *levels}):
        candidates = [
            index
            for index, step in enumerate(case.steps)
            if step.optional and not step.skipped and levels[index] == level and _is_active(case, index, settled)
        ]
        if not candidates:
            continue  # nothing to choose; whether all that is required can match is asked at the end
        deeper = frozenset(
            index
            for index, step in enumerate(case.steps)
            if not step.skipped and (levels[index] > level or (levels[index] == level and _is_dependant(case, index)))
        )
        may = frozenset(candidates) | deeper if limited else frozenset(candidates)
        assumed = frozenset(index for index in deeper if _is_dependant(case, index))
        imagined = frozenset() if limited else deeper - assumed
        best = min(
            (
                (
                    len(_unmatched(case, found)) if limited else 0,
                    -sum(found[index] is not None for index in candidates),
                    [found[index] is None for index in candidates],
                )
                for found in assignments(case, _required(case, settled), may, assumed, imagined)
            ),
            default=None,
        )
        if best is None:
            return settled, possible, False
        possible = _required(case, settled)
        settled |= {index for index, absent in zip(candidates, best[2], strict=True) if not absent}
        possible |= settled
    return settled, possible, True


def _level(case: Case, index: int) -> int:
    """How many optional behaviors lie up the chain of `requires`; a dependant is of the level of its gate."""
    step = case.steps[index]
    if step.gate is None:
        return 0
    return _level(case, step.gate) + (1 if step.optional else 0)


def _is_dependant(case: Case, index: int) -> bool:
    return case.steps[index].gate is not None and not case.steps[index].optional


def _is_active(case: Case, index: int, settled: frozenset[int]) -> bool:
    gate = case.steps[index].gate
    return gate is None or gate in settled


def _required(case: Case, settled: frozenset[int]) -> frozenset[int]:
    """What must match once these optional behaviors are known to match: they, the required ones, their dependants."""
    return frozenset(
        index
        for index, step in enumerate(case.steps)
        if not step.skipped and (index in settled if step.optional else _is_active(case, index, settled))
    )


def _unmatched(case: Case, found: Assignment) -> list[int]:
    return [
        event
        for event, observed in enumerate(case.events)
        if event not in found and is_counted_call(observed, case.match)
    ]


def _is_open(case: Case, matched: frozenset[int]) -> bool:
    """Whether something that could have failed was not to be seen."""
    if not case.events and not case.match["allow_empty"]:
        return True
    if case.steps and all(step.skipped for step in case.steps):
        return True
    return any(
        step.uncertain and index not in matched and _is_active(case, index, matched)
        for index, step in enumerate(case.steps)
        if not step.skipped
    )


def _ends(case: Case, found: Assignment) -> list[int]:
    ends: dict[tuple[int, int], int] = {}
    for index, event in enumerate(found):
        if event is not None:
            segment = case.steps[index].group or (index, index + 1)
            ends[segment] = max(event, ends.get(segment, event))
    return [ends[segment] for segment in sorted(ends)]


def _in_order(case: Case, earlier: int, later: int, first: int | None, second: int | None) -> bool:
    if first is None or second is None:
        return True
    one, other = case.steps[earlier], case.steps[later]
    if one.group is not None and one.group == other.group:
        return first != second
    run = one.behavior["shares"]
    return first < second or (first == second and run is not None and run == other.behavior["shares"])
