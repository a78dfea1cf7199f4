"""Evaluations against their definitions, on random sessions and traces: offline, and event by event.

The model (`tests.support.evaluation_model`) tries every choice of events, every assignment of a group, and every trace
that could lie behind a recording of tool events.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from abs_compiler.runtime import BindError, Matcher
from tests.support.evaluation_model.compositions import FAILED, INCONCLUSIVE, PASSED, SKIPPED, Part, combined
from tests.support.evaluation_model.generate import CONDITIONS, Case, chain_case, step_case
from tests.support.evaluation_model.sessions import COMPOSITIONS, Session, Tree, all_states
from tests.support.oracle.compare import runtime_event
from tests.support.programs import behavior, calls, check, match, matcher, program, says

CHAIN_CASES = 20_000
STEP_CASES = 4_000
CHUNK = 2_000


def differences(case: Case) -> list[str]:
    """Every way in which the runtime disagrees with the definitions, or with itself, on a case."""
    events = [runtime_event(event) for event in case.events]
    try:
        bound = matcher(case.program, **case.bindings)
        verdict = bound.match(events)
    except BindError:
        return []
    claimed = {step.index: step.event for step in verdict.steps if step.event is not None}
    unmatched = frozenset(step.index for step in verdict.steps if step.state == "unmatched")
    session = Session(case.program, case.bindings, case.events, dict(claimed), unmatched)
    wanted, found = all_states(session), [Tree.of(result) for result in verdict.checks]
    wrong = [f"{one} is not {other}" for one, other in zip(found, wanted, strict=True) if one != other]
    if session.matched != claimed:
        wrong.append(f"the groups have {claimed}, not {session.matched}")
    states = {tree.state for tree in wanted}
    if verdict.status == PASSED and not states <= {PASSED, SKIPPED}:
        wrong.append(f"the session passed with {states}")
    if FAILED in states and verdict.status != FAILED:
        wrong.append(f"the session is {verdict.status} although a check failed")
    return wrong + _monitor_differences(bound, events, verdict.to_dict())


def _monitor_differences(bound: Matcher, events: list[Any], report: dict[str, Any]) -> list[str]:
    monitor = bound.monitor()
    final = None
    for event in events:
        running = monitor.feed(event)
        if final is not None and running.status != final:
            return [f"the monitor said {final} for good, and then {running.status}"]
        final = running.status if running.final else None
    found = [] if monitor.finish().to_dict() == report else ["the report differs event by event"]
    if final == FAILED and report["status"] != FAILED:
        found.append(f"the monitor said {final} for good and the verdict is {report['status']}")
    return found


@pytest.mark.parametrize("first", range(0, CHAIN_CASES, CHUNK))
def test_chain_checks(first: int) -> None:
    wrong = {}
    for seed in range(first, first + CHUNK):
        found = differences(chain_case(Random(seed)))
        if found:
            wrong[seed] = found
    assert not wrong


@pytest.mark.parametrize("first", range(0, STEP_CASES, CHUNK))
def test_checks_of_steps_and_what_depends_on_them(first: int) -> None:
    wrong = {}
    for seed in range(first, first + CHUNK):
        found = differences(step_case(Random(seed)))
        if found:
            wrong[seed] = found
    assert not wrong


def test_the_running_verdict_is_that_of_the_trace_so_far() -> None:
    for seed in range(1_000):
        case = chain_case(Random(seed))
        bound = matcher(case.program)
        monitor = bound.monitor()
        events = [runtime_event(event) for event in case.events]
        for count, event in enumerate(events, 1):
            assert monitor.feed(event).status == bound.match(events[:count]).status, seed


def test_the_cases_hold_what_they_are_for() -> None:
    seen: Counter[str] = Counter()
    for make, count in ((chain_case, 1_500), (step_case, 2_500)):
        for seed in range(count):
            case = make(Random(seed))
            try:
                verdict = match(case.program, [runtime_event(event) for event in case.events], **case.bindings)
            except BindError:
                seen["bound values that do not fit"] += 1
                continue
            _count(seen, verdict.checks)
            seen["sessions that " + verdict.status] += 1
            seen["observe tools"] += case.program["match"]["observe"] == "tools"
            seen["groups"] += bool(case.program["groups"])
            seen["blocked"] += any("a blocking" in result.reason for result in verdict.checks)
            seen["hints"] += any("would have satisfied" in result.reason for result in verdict.checks)
    assert {name for name, count in seen.items() if count < 10} == set()
    assert len(seen) > 40


def _count(seen: Counter[str], results: Any) -> None:
    for result in results:
        seen[f"{result.check.type} {result.state}"] += 1
        _count(seen, result.children)


# Compositions of scores


def _random_parts(random: Random, depth: int) -> tuple[dict[str, Any], Part]:
    """A random check and the part it is: scores, answers that are no answers, conditions, compositions of them."""
    skipped = random.random() < 0.15
    when = ["lit", False] if skipped else random.choice((None, None, CONDITIONS[2]))
    if depth and random.random() < 0.5:
        kind = random.choice(COMPOSITIONS)
        threshold = random.choice((None, None, "0", "0.25", "0.5", "0.7", "1"))
        below = [_random_parts(random, depth - 1) for _ in range(random.randint(1, 4))]
        made = check(kind, when=when, threshold=threshold and float(threshold), checks=[one for one, _ in below])
        whole = combined(kind, threshold and Fraction(threshold), [part for _, part in below])
        return made, Part(SKIPPED) if skipped else whole
    score = random.choice((*range(11), "none"))
    threshold = random.choice((None, 0.0, 0.3, 0.8))
    made = check("judge", when=when, threshold=threshold, criteria=f"score {score}")
    if skipped:
        return made, Part(SKIPPED)
    if score == "none":
        return made, Part(INCONCLUSIVE)
    exact = Fraction(score, 10)
    state = PASSED if exact >= Fraction(str(0.5 if threshold is None else threshold)) else FAILED
    return made, Part(state, exact, exact)


def _judge(request: Any) -> float:
    score = request.criteria.removeprefix("score ")
    if score == "none":
        raise RuntimeError("no score")
    return int(score) / 10


@pytest.mark.parametrize("at", ["step", "session"])
def test_compositions(at: str) -> None:
    for seed in range(2_000):
        made, wanted = _random_parts(Random(seed), 3)
        steps = [behavior("assistant", "informs", checks=[made] if at == "step" else [])]
        session = program(steps, [] if at == "step" else [made])
        (result,) = match(session, [says("x")], judge=_judge).checks
        assert result.state == wanted.state, seed
        if result.state != SKIPPED and made["type"] in COMPOSITIONS:
            assert result.outcome.low == pytest.approx(float(wanted.low))
            assert result.outcome.high == pytest.approx(float(wanted.high))


# Groups


def _group_case(random: Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Members of one group, each listed alone in its content, and a trace of calls."""
    words = ("red", "blue", "green")
    members = []
    for _ in range(random.randint(2, 4)):
        checks = [
            check(
                random.choice(("exact_match", "any_of", "all_of")),
                blocking=random.random() < 0.3,
                value={"k": random.choice(words)},
            )
            for _ in range(random.randint(0, 2))
        ]
        members.append(
            behavior(
                "assistant",
                "calls",
                random.choice(("S", "S", "T")),
                with_={"k": random.choice(words)} if random.random() < 0.3 else None,
                checks=[_with_parts(random, item, words) for item in checks],
            )
        )
    events = [calls(random.choice(("S", "S", "T")), k=random.choice(words)) for _ in range(random.randint(2, 6))]
    return members, events


def _with_parts(random: Random, item: dict[str, Any], words: tuple[str, ...]) -> dict[str, Any]:
    if item["type"] == "exact_match":
        return item
    del item["value"]
    undecided = check("judge", criteria="good?")
    return {**item, "checks": [check("exact_match", value={"k": random.choice(words)}), undecided]}


def test_the_verdict_does_not_depend_on_the_listing_of_a_group() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1_200):
        random = Random(seed)
        members, events = _group_case(random)
        group = [(0, len(members))]
        statuses = set()
        for order in random.sample(list(permutations(members)), min(6, len(list(permutations(members))))):
            verdict = match(program(order, groups=group), events)
            held = sum(result.state == PASSED for result in verdict.checks)
            statuses.add((verdict.status, held if verdict.status != FAILED or _complete(verdict) else None))
        assert len(statuses) == 1, seed
        seen[statuses.pop()[0]] += 1
    assert min(seen.values()) > 50


def _complete(verdict: Any) -> bool:
    return all(step.state == "matched" for step in verdict.steps)
