"""The runtime decides small random cases as the definitions demand, whole, event by event, and with tiny caches.

The oracle tries every assignment. Status, matched behaviors and extras must agree; the reported assignment must be one,
its segments must end as early as they can, and a failing one must match as much as can be matched.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.oracle import decide
from tests.support.oracle.compare import bound_matcher, differences, runtime_event
from tests.support.oracle.generate import RandomCase, random_case

CASES = 20_000
CHUNK = 2_500
WIDE_CASES = 600


def all_differences(case: RandomCase, budget: int) -> list[str]:
    """Every way in which the runtime disagrees with the oracle, or with itself, on a case."""
    events = [runtime_event(event) for event in case.events]
    verdict = bound_matcher(case.program, case.bindings).match(events)
    found = differences(case.program, case.bindings, case.events, verdict)
    matcher = bound_matcher(case.program, case.bindings, budget)
    if matcher.match(events).to_dict() != verdict.to_dict():
        found.append(f"the verdict differs with a budget of {budget} transitions")
    monitor = matcher.monitor()
    for event in events:
        running = monitor.feed(event)
        if running.final and running.status != verdict.status and not _only_open(running.status, verdict.status):
            found.append(f"the monitor said {running.status} for good and the verdict is {verdict.status}")
    if monitor.finish().to_dict() != verdict.to_dict():
        found.append("the verdict differs when the events are fed one at a time")
    return found


def _only_open(running: str, verdict: str) -> bool:
    """A pass for good may turn out inconclusive, for reasons that no event can change."""
    return running == "passed" and verdict == "inconclusive"


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_cases(first: int) -> None:
    wrong = {}
    for seed in range(first, first + CHUNK):
        found = all_differences(random_case(Random(seed)), budget=seed % 5 + 1)
        if found:
            wrong[seed] = found
    assert not wrong


def test_random_cases_with_more_behaviors_and_events() -> None:
    wrong = {}
    for seed in range(1_000_000, 1_000_000 + WIDE_CASES):
        found = all_differences(random_case(Random(seed), behaviors=7, events=7), budget=seed % 5 + 1)
        if found:
            wrong[seed] = found
    assert not wrong


@given(random=st.randoms(use_true_random=False), budget=st.integers(1, 5))
@settings(max_examples=150)
def test_drawn_cases(random: Random, budget: int) -> None:
    assert not all_differences(random_case(random, behaviors=4, events=5), budget)


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_the_listing_order_in_a_group_does_not_matter(random: Random) -> None:
    case = random_case(random)
    behaviors = case.program["behaviors"]
    order = list(range(len(behaviors)))
    for start, end in case.program["groups"]:
        members = order[start:end]
        random.shuffle(members)
        order[start:end] = members
    for behavior in behaviors:  # what depends on the order of listing by definition is left out
        behavior["requires"], behavior["capture"], behavior["optional"], behavior["shares"] = None, {}, False, None
    bindings = {"x": 1, "y": True}
    program = {**case.program, "parameters": [], "names": ["x", "y"], "file_names": ["x", "y"]}
    events = [runtime_event(event) for event in case.events]
    listed = bound_matcher(program, bindings).match(events)
    shuffled = bound_matcher({**program, "behaviors": [behaviors[at] for at in order]}, bindings).match(events)
    assert shuffled.status == listed.status
    assert len(shuffled.extras) == len(listed.extras) or listed.status == "failed"


def test_the_cases_hold_what_they_are_for() -> None:
    """The generator makes enough of every hard thing, in cases of every outcome."""
    seen: Counter[str] = Counter()
    for seed in range(3_000):
        case = random_case(Random(seed))
        program, verdict = case.program, decide(case.program, case.bindings, case.events)
        behaviors = program["behaviors"]
        chosen = [behaviors[index] for index in verdict.required] if verdict.complete else []
        seen[verdict.status] += 1
        seen["failed for its extras"] += verdict.status == "failed" and verdict.complete
        seen["groups"] += bool(program["groups"]) and verdict.complete
        seen["adjacent groups"] += any(
            one[1] == other[0] for one, other in zip(program["groups"], program["groups"][1:], strict=False)
        )
        seen["optional matched"] += any(behavior["optional"] for behavior in chosen)
        seen["optional unmatched"] += verdict.complete and any(
            behavior["optional"] for index, behavior in enumerate(behaviors) if index not in verdict.required
        )
        seen["requirement matched"] += any(behavior["requires"] is not None for behavior in chosen)
        seen["shared run"] += any(behavior["shares"] is not None for behavior in chosen)
        seen["capture"] += any(behavior["capture"] for behavior in chosen)
        seen["observe tools"] += verdict.complete and program["match"]["observe"] == "tools"
        seen["category only"] += verdict.complete and any("category" in event for event in case.events)
        seen["recorded"] += verdict.complete and any("recorded" in event for event in case.events)
        seen["limited"] += verdict.complete and program["match"]["extras"] is not None
    assert {name for name, count in seen.items() if count < 30} == set()
