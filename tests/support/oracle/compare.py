"""Run one case through the runtime and through the oracle, and say in words where they differ."""

from __future__ import annotations

from typing import Any

from abs_compiler.runtime import Event, Matcher, Verdict, load_programs
from tests.support.oracle.decide import Decision, decide, earliest_ends, most_matched, wrong_steps
from tests.support.oracle.fit import is_counted_call


def runtime_event(event: dict[str, Any]) -> Any:
    """An oracle's event as the runtime takes it: a dictionary, or what a reader makes of a recording."""
    if not event.get("recorded"):
        return event
    return Event(
        event["actor"], event["action"], target=event.get("target"), arguments=event.get("with"), recorded=True
    )


def bound_matcher(program: dict[str, Any], bindings: dict[str, Any], budget: int = 20_000) -> Matcher:
    """The runtime's matcher of a program, with its names bound."""
    (matcher,) = load_programs([program], budget=budget)
    return matcher.bind(bindings)


def differences(
    program: dict[str, Any], bindings: dict[str, Any], events: list[dict[str, Any]], verdict: Verdict
) -> list[str]:
    """What the runtime's verdict and the definitions disagree about; empty when they agree."""
    wanted = decide(program, bindings, events)
    found = _verdict_differences(program, events, verdict, wanted)
    claimed = tuple(step.event for step in verdict.steps)
    found += wrong_steps(program, bindings, events, claimed, wanted.required, certain=wanted.certain)
    if wanted.complete and not found:
        found += _order_differences(program, bindings, events, claimed, wanted)
    if not wanted.complete:
        found += _partial_differences(program, bindings, events, claimed, wanted)
    return found


def _verdict_differences(
    program: dict[str, Any], events: list[dict[str, Any]], verdict: Verdict, wanted: Decision
) -> list[str]:
    found = []
    if verdict.status != wanted.status:
        found.append(f"the status is {verdict.status}, not {wanted.status}")
    if not wanted.complete:
        return found
    matched = {step.index for step in verdict.steps if step.state == "matched"}
    if matched != wanted.required:
        found.append(f"the matched behaviors are {sorted(matched)}, not {sorted(wanted.required)}")
    if program["match"]["extras"] is not None:
        if len(verdict.extras) != wanted.extras:
            found.append(f"the extras are {verdict.extras}, and there are {wanted.extras}")
        used = {step.event for step in verdict.steps}
        left = [at for at, event in enumerate(events) if at not in used and is_counted_call(event, program["match"])]
        if list(verdict.extras) != left:
            found.append(f"the extras are {verdict.extras}, and the reported steps leave {left}")
    return found


def _order_differences(
    program: dict[str, Any],
    bindings: dict[str, Any],
    events: list[dict[str, Any]],
    claimed: tuple[int | None, ...],
    wanted: Decision,
) -> list[str]:
    """Segments end as early as they can in the reported assignment."""
    ends: dict[int, int] = {}
    for index, event in enumerate(claimed):
        if event is not None:
            start = next((start for start, end in program["groups"] if start <= index < end), index)
            ends[start] = max(event, ends.get(start, event))
    reported = [ends[start] for start in sorted(ends)]
    earliest = earliest_ends(program, bindings, events, wanted.required, certain=wanted.certain)
    return [] if reported == earliest else [f"the segments end at {reported}, not at {earliest}"]


def _partial_differences(
    program: dict[str, Any],
    bindings: dict[str, Any],
    events: list[dict[str, Any]],
    claimed: tuple[int | None, ...],
    wanted: Decision,
) -> list[str]:
    """A failing report matches as many required behaviors as can be; where captures are about, it need not."""
    if any(behavior["capture"] for behavior in program["behaviors"]):
        return []
    reported = sum(claimed[index] is not None for index in wanted.required)
    most = most_matched(program, bindings, events, wanted)
    return [] if reported == most else [f"{reported} required behaviors are reported as matched, {most} can be"]
