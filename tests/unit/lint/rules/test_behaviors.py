"""What is said of behaviors holds for random events: none matches an unreachable one, the same ones match those that no
run tells apart, and the example of an overlap matches both.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from abs_compiler.automaton.session import session_model
from abs_compiler.automaton.step_sets import same_set
from abs_compiler.pipeline import analyse
from abs_compiler.runtime import load_programs
from abs_compiler.runtime.errors import BindError
from tests.support.findings import findings

CAPTURED = (5, 50, "50", "x", True, [1])
VALUES: tuple[Any, ...] = (
    1, 7, "x", "7", True, None, [1], {"a": 1},
    {"$is": "integer > 3"}, {"$is": "integer >= 4"}, {"$is": "number > 3 and <= 9"}, {"$is": "<= {{most}}"},
    {"$is": "integer in 3..9"}, {"$is": "in 4..{{most}}"}, {"$is": "number and == {{most}}"}, {"$is": "string"},
    {"$is": "absent or integer"}, {"$is": "not string"}, {"$is": "contains {{most}}"}, "{{most}}", "no {{most}}",
)  # fmt: skip
ARGUMENTS: tuple[Any, ...] = (
    {}, None, "text", *({"a": value} for value in (1, 2, 3, 4, 4.5, 5, 7, 9, 10, 50, 60, "x", "7", "50", "no x", True,
    False, None, [1], [1, 2], {"a": 1})), {"a": 7, "b": 1}, {"b": 7}, {"a": 4, "b": 7},
)  # fmt: skip


def random_constraint(random: Random) -> dict[str, Any]:
    keys = random.sample("ab", random.choice((1, 1, 2)))
    if random.random() < 0.1:
        return {"with": {"$is": random.choice(("length == 1", "has {a: integer}", "length > 1"))}}
    return {random.choice(("with", "with", "with_only")): {key: random.choice(VALUES) for key in keys}}


def random_call(random: Random) -> dict[str, Any]:
    call: dict[str, Any] = {"actor": "assistant", "action": "calls", "target": "t", **random_constraint(random)}
    if random.random() < 0.5:
        call["evaluations"] = [{"type": "tool_call", **random_constraint(random)}]
    return call


def matches(matcher: Any, arguments: Any, wanted: int) -> bool:
    """Whether a call is one that behavior number `wanted` matches. A captured value that cannot stand where it is used
    is refused before any event is looked at."""
    event = {"actor": "assistant", "action": "calls", "target": "t", "with": arguments}
    try:
        verdict = matcher.match([{"actor": "user", "action": "asks"}, event])
    except BindError:
        return False
    return bool(verdict.steps[wanted].state == "matched")


@pytest.mark.parametrize("seed", range(6))
def test_no_event_matches_an_unreachable_behavior(seed: int) -> None:
    random = Random(seed)
    impossible = 0
    for _ in range(60):
        asks = {"actor": "user", "action": "asks", "capture": {"most": random.choice(CAPTURED)}}
        document = {"session": "s", "abs_version": "0.2", "behaviors": [asks, random_call(random)]}
        found = analyse(json.dumps(document), "s.abs.json")
        if not found.programs:
            continue
        program = dict(found.programs[0])
        step = session_model(found.irs[0], program).steps[1]
        (matcher,) = load_programs([program])
        matched = [arguments for arguments in ARGUMENTS if matches(matcher, arguments, 1)]
        if step.is_impossible:
            impossible += 1
            assert matched == [], document
    assert impossible > 5


@pytest.mark.parametrize("seed", range(6))
def test_the_same_events_match_what_no_run_tells_apart(seed: int) -> None:
    random = Random(seed)
    same = 0
    for _ in range(60):
        asks = {"actor": "user", "action": "asks", "capture": {"most": random.choice(CAPTURED)}}
        first = random_call(random)
        second = {**first, "id": "x"} if random.random() < 0.2 else random_call(random)
        document = {"session": "s", "abs_version": "0.2", "behaviors": [asks, first, second]}
        found = analyse(json.dumps(document), "s.abs.json")
        if not found.programs:
            continue
        left, right = session_model(found.irs[0], dict(found.programs[0])).steps[1:]
        if not same_set(left, right):
            continue
        same += 1
        alone = []
        for call in (first, second):
            one = analyse(json.dumps({**document, "behaviors": [asks, call]}), "s.abs.json")
            (matcher,) = load_programs([dict(one.programs[0])])
            alone.append([arguments for arguments in ARGUMENTS if matches(matcher, arguments, 1)])
        assert alone[0] == alone[1], document
    assert same > 3


@pytest.mark.parametrize("seed", range(4))
def test_the_example_of_an_overlap_matches_both(seed: int) -> None:
    random = Random(seed)
    overlaps = 0
    tests = (
        "number in 1..9",
        "number in 9..20",
        "integer > 5",
        "in [1, 5]",
        "in [5, 7]",
        "< 6",
        "string",
        "absent or 3..4",
    )
    for _ in range(60):
        calls = [
            {"actor": "assistant", "action": "calls", "target": "t", "with": {"a": {"$is": random.choice(tests)}}}
            for _ in range(2)
        ]
        document = json.dumps({"session": "s", "abs_version": "0.2", "behaviors": calls})
        for item in findings(document, name="s.abs.json"):
            if item.name != "overlapping-steps":
                continue
            overlaps += 1
            example = json.loads(re.findall(r"`(.+?)`", item.message)[0])
            (matcher,) = load_programs([dict(analyse(document, "s.abs.json").programs[0])])
            event = {"actor": "assistant", "action": "calls", "target": "t", "with": {"a": example}}
            assert matcher.match([event, event]).status == "passed"
    assert overlaps > 3
