"""Chain checks: what they say, with events that know only their category and with conversation out of sight."""

from __future__ import annotations

import time
from typing import Any

import pytest

from abs_compiler.runtime import Event
from tests.support.programs import answers, behavior, calls, check, match, matcher, program, says, select

ASKS = {"actor": "user", "action": "asks", "content": "?"}
TALK = {"actor": "assistant", "category": "communication", "content": "hm"}
ANY_CALL = {"actor": "assistant", "category": "execution", "target": "A"}


def session(made: Any, events: Any, *, observe: str = "all", **targets: Any) -> tuple[str, str]:
    """State and reason of a check on a trace."""
    (result,) = match(program([], [made], observe=observe, targets=targets), events).checks
    return result.state, result.reason


def never(*selector: Any) -> Any:
    return check("never", match=select(*selector))


CALL = select(None, "calls")


@pytest.mark.parametrize(
    ("made", "events", "state", "reason"),
    [
        (check("eventually", match=CALL), [ASKS, calls("A")], "passed", "event #1 is `anybody calls`"),
        (check("eventually", match=CALL), [ASKS], "failed", "no event is `anybody calls`"),
        (check("eventually", match=CALL), [calls("A"), calls("B")], "passed", "2 events are `anybody calls`"),
        (check("eventually", match=select("assistant", "rejects")), [TALK], "passed",
         "0 to 1 events are `assistant rejects`"),
        (never("user"), [calls("A")], "passed", "no event is `user does anything`"),
        (never("user"), [calls("A"), ASKS], "failed", "event #1 is `user does anything`"),
        (never("user"), [ASKS, ASKS], "failed", "2 events are `user does anything`, the first is #0"),
        (never("assistant", "rejects"), [TALK], "inconclusive",
         "0 to 1 events are `assistant rejects`; the recording does not say whether event #0 is one"),
        (never("assistant", "calls"), [TALK], "passed", "no event is `assistant calls`"),
        (check("count", match=CALL, min=1, max=1), [calls("A")], "passed",
         "event #0 is `anybody calls`, 1 to 1 required"),
        (check("count", match=CALL, min=2), [calls("A")], "failed",
         "event #0 is `anybody calls`, at least 2 required"),
        (check("count", match=CALL, max=1), [calls("A"), ASKS, calls("B")], "failed",
         "2 events are `anybody calls`, at most 1 allowed"),
        (check("count", match=CALL, min=1, max=0), [ANY_CALL], "inconclusive",
         "0 to 1 events are `anybody calls`; the recording does not say whether event #0 is one"),
        (check("sequence", order=[select("user"), CALL]), [ASKS, TALK, calls("A")], "passed", "in order: #0, #2"),
        (check("sequence", order=[select("user"), CALL]), [calls("A"), ASKS], "failed",
         "no event is `anybody calls` after #1"),
        (check("sequence", order=[CALL, CALL]), [calls("A")], "failed", "no event is `anybody calls` after #0"),
        (check("sequence", order=[select("user")]), [TALK], "failed", "no event is `user does anything`"),
        (check("within", after=select("user"), match=CALL, max_steps=1), [ASKS, TALK, ASKS, calls("A")], "passed",
         "event #3 is `anybody calls`, 1 step after event #2"),
        (check("within", after=select("user"), match=CALL, max_steps=1), [ASKS, TALK, calls("A")], "failed",
         "the nearest `anybody calls` is event #2, 2 steps after event #0, 1 step allowed"),
        (check("within", after=select("user"), match=CALL, max_steps=2), [calls("A"), ASKS], "failed",
         "no event is `anybody calls` within 2 steps after `user does anything`"),
        (check("within", after=select("user"), match=CALL, max_steps=2), [calls("A")], "failed",
         "no event is `user does anything`"),
        (check("tool_call", target="A", with_={"k": 1}), [calls("A"), calls("A", k=1)], "passed",
         "event #1 is `a call of A with these arguments`"),
        (check("tool_call", target="A", with_={"k": 1}), [calls("A", k=2), calls("B", k=1)], "failed",
         "no event is `a call of A with these arguments`"),
        (check("tool_call", target=None), [answers("A", 1)], "failed", "no event is `a call`"),
    ],
)  # fmt: skip
def test_reasons_name_events(made: Any, events: Any, state: str, reason: str) -> None:
    assert session(made, events) == (state, reason)


def test_targets_are_mapped() -> None:
    assert session(never(None, "calls", "Orders"), [calls("get_order")], Orders=["get_*"])[0] == "failed"
    assert session(check("tool_call", target="Orders"), [calls("get_order")], Orders=["get_*"])[0] == "passed"


def recorded(target: str) -> Event:
    return Event("assistant", "calls", target=target, recorded=True)


def test_a_recorded_invocation_may_be_another_execution_action() -> None:
    stores = select("assistant", "stores")
    assert session(check("eventually", match=stores), [recorded("A")])[0] == "passed"
    state, reason = session(check("never", match=stores), [recorded("A")])
    assert (state, reason.partition("; ")[2]) == (
        "inconclusive",
        "the recording does not say whether event #0 is one",
    )
    assert session(check("never", match=stores), [calls("A")])[0] == "passed"
    assert session(check("never", match=CALL), [recorded("A")])[0] == "failed"
    assert session(check("tool_call", target="A"), [recorded("A")])[0] == "passed"
    assert session(check("none_of", checks=[check("tool_call", target="A")]), [recorded("A")])[0] == "failed"


@pytest.mark.parametrize(
    "made",
    [
        check("eventually", match=select("assistant", "rejects")),
        check("sequence", order=[select("assistant", "rejects")]),
        check("count", match=select("assistant", "rejects"), min=1),
        check("within", after=select("user"), match=select("assistant", "rejects"), max_steps=1),
        check("any_of", checks=[check("eventually", match=select("assistant", "rejects"))]),
        never("assistant", "rejects"),
        check("none_of", checks=[never("assistant", "rejects")]),
    ],
    ids=lambda made: made["type"],
)
def test_under_a_none_of_everything_forbids(made: Any) -> None:
    assert session(check("none_of", checks=[made]), [ASKS, TALK])[0] == "inconclusive"


def test_the_event_in_doubt_is_named() -> None:
    near = check("within", after=select("assistant", "rejects"), match=CALL, max_steps=1)
    (result,) = match(program([], [check("none_of", checks=[near])]), [TALK, calls("A")]).checks
    assert result.children[0].reason == (
        "event #1 is `anybody calls`, 1 step after event #0, but the recording does not say whether event #0 is one"
    )


def test_a_selector_without_action_selects_whatever_the_recording_knows() -> None:
    assert session(never("assistant"), [TALK])[0] == "failed"
    assert session(check("none_of", checks=[check("eventually", match=select("assistant"))]), [TALK])[0] == "failed"


def test_expected() -> None:
    steps = [
        behavior("user", "asks"),
        behavior("assistant", "greets", optional=True),
        behavior("assistant", "calls", "A"),
    ]

    def expected(events: Any, *, none_of: bool = False, **fields: Any) -> tuple[str, str]:
        made: Any = check("expected", **fields)
        (result,) = match(program(steps, [check("none_of", checks=[made]) if none_of else made]), events).checks
        return result.state, (result.children[0] if none_of else result).reason

    greets = {"actor": "assistant", "action": "greets"}
    assert expected([ASKS, greets, calls("A")], behavior=1) == ("passed", "step 2 (assistant greets) matched event #1")
    assert expected([ASKS, calls("A")], behavior=1, reason="be kind") == (
        "failed",
        "step 2 (assistant greets) was expected and did not match: be kind",
    )
    after = select("user", "asks")
    assert expected([ASKS, greets, calls("A")], behavior=1, after=after) == (
        "passed",
        "step 2 (assistant greets) matched event #1, after event #0 (`user asks`)",
    )
    assert expected([ASKS, greets, calls("A")], behavior=1, after=CALL) == (
        "failed",
        "step 2 (assistant greets) matched event #1, not after any `anybody calls`",
    )
    assert expected([ASKS, TALK, calls("A")], behavior=1)[0] == "passed"
    assert expected([ASKS, TALK, calls("A")], behavior=1, none_of=True) == (
        "inconclusive",
        "step 2 (assistant greets) matched event #1, but the recording does not say whether event #1 is one",
    )
    # in and out agree: nothing comes before it
    assert expected([ASKS, TALK, calls("A")], behavior=1, after=CALL, none_of=True)[0] == "passed"


# Conversation out of sight


def tools(made: Any, events: Any) -> str:
    return session(made, events, observe="tools")[0]


def test_what_a_recording_of_tools_decides() -> None:
    a, b = calls("A"), calls("B")
    assert tools(never("assistant", "rejects"), [a]) == "inconclusive"
    assert tools(never("assistant", "calls", "B"), [a]) == "passed"
    assert tools(never("assistant"), [a]) == "failed"
    assert tools(never("user"), [ASKS, a]) == "inconclusive"  # what is there besides tool events is ignored
    assert tools(check("count", match=select("assistant"), min=1), [a]) == "passed"
    assert tools(check("count", match=select("assistant"), min=2), [a]) == "inconclusive"
    assert tools(check("count", match=select("assistant"), max=3), [a, b]) == "inconclusive"
    assert tools(check("count", match=select("assistant"), max=1), [a, b]) == "failed"
    assert tools(check("sequence", order=[select("user"), CALL]), [a]) == "inconclusive"
    assert tools(check("sequence", order=[select("user"), CALL, CALL]), [a]) == "failed"
    assert tools(check("sequence", order=[CALL, CALL]), [a, b]) == "passed"
    assert tools(check("within", after=CALL, match=CALL, max_steps=1), [a, b]) == "inconclusive"
    assert tools(check("within", after=CALL, match=CALL, max_steps=1), [a]) == "failed"
    assert tools(check("within", after=select("user"), match=CALL, max_steps=1), []) == "failed"
    assert tools(check("within", after=select("user"), match=CALL, max_steps=1), [a]) == "inconclusive"
    assert tools(check("tool_call", target="B"), [a]) == "failed"
    assert tools(check("eventually", match=select("tool", "responds")), [a]) == "failed"
    assert tools(check("eventually", match=select(None, "responds")), [a]) == "inconclusive"
    assert tools(check("never", match=select(None, "ponders")), [a]) == "passed"
    assert session(never("user"), [a], observe="tools")[1] == (
        "no event is `user does anything`, but the conversation is not observed"
    )


def test_checks_of_steps_that_are_not_observed() -> None:
    said = behavior(
        "assistant", "informs", id="said", checks=[check("contains", value="x"), check("judge", criteria="y")]
    )
    skipped = behavior("user", "says", checks=[check("contains", value="x", when=["lit", False])])
    made = program(
        [said, skipped, behavior("assistant", "calls", "A")], [check("expected", behavior=0)], observe="tools"
    )
    verdict = match(made, [calls("A")])
    assert [result.state for result in verdict.checks] == ["inconclusive", "inconclusive", "skipped", "inconclusive"]
    assert verdict.checks[0].reason == "the behavior is not observed"
    assert verdict.deferred == ()
    assert verdict.status == "inconclusive"


# Values that only a run supplies


def test_a_call_whose_arguments_depend_on_an_optional_capture() -> None:
    optional = behavior("assistant", "greets", optional=True, capture={"x": 5})
    made = program([optional], [check("tool_call", target="A", with_={"k": "{{x}}"})])
    greets = {"actor": "assistant", "action": "greets"}
    verdict = match(made, [calls("A", k=5), greets])
    assert verdict.checks[0].reason == "event #0 is `a call of A with these arguments`"
    assert match(made, [calls("A", k=6), greets]).status == "failed"
    verdict = match(made, [calls("A", k=5)])
    assert (verdict.status, verdict.checks[0].reason) == ("inconclusive", "`x` has no value here")
    monitor = matcher(made).monitor()
    assert [monitor.feed(event).status for event in (calls("A", k=5), greets)] == ["inconclusive", "passed"]


def test_a_capture_comes_before_what_is_bound_and_the_last_one_counts() -> None:
    steps = [
        behavior("user", "asks", capture={"x": 1}),
        behavior("assistant", "calls", "A", with_={"k": "{{x}}"}, capture={"x": 2}),
    ]
    made = program(steps, [check("tool_call", target="B", with_={"k": "{{x}}"})])
    made["file_names"] = ["x"]
    assert match(made, [ASKS, calls("A", k=1), calls("B", k=2)], x=9).status == "passed"
    assert match(made, [ASKS, calls("A", k=1), calls("B", k=1)], x=9).status == "failed"


# The monitor


def test_what_no_event_can_mend_is_final() -> None:
    made = program([], [check("all_of", checks=[check("count", match=CALL, max=1)]), check("eventually", match=CALL)])
    monitor = matcher(made).monitor()
    running = [monitor.feed(event) for event in (calls("A"), calls("A"), says("x"))]
    assert [(item.status, item.final) for item in running] == [("passed", False), ("failed", True), ("failed", True)]
    conditional = check("never", match=CALL, when=["ref", "strict"])
    for strict in (True, False):
        monitor = matcher(program([], [conditional]), strict=strict).monitor()
        running_now = monitor.feed(calls("A"))
        assert (running_now.status, running_now.final) == (("failed", True) if strict else ("passed", False))
    monitor = matcher(program([], [check("any_of", checks=[never(None, "calls"), never("user")])])).monitor()
    assert not monitor.feed(calls("A")).final


def test_a_failing_evaluation_of_settled_steps_is_final() -> None:
    made = program([behavior("assistant", "calls", "A", checks=[check("exact_match", value={"k": 1})])])
    monitor = matcher(made).monitor()
    running = [monitor.feed(event) for event in (says("x"), calls("A", k=2), calls("A", k=1))]
    assert [(item.status, item.final) for item in running] == [("failed", False), ("failed", True), ("failed", True)]


def test_long_traces_cost_little_an_event() -> None:
    checks = [never("user", "hands_off"), check("count", match=CALL, min=1), check("sequence", order=[CALL] * 20)]
    made = program([behavior("assistant", "calls", "A", checks=[check("exact_match", value={})])], checks)
    monitor = matcher(made).monitor()
    start = time.process_time()
    for number in range(5_000):
        monitor.feed(calls("A") if number % 2 else says("x"))
    assert monitor.finish().status == "passed"
    assert time.process_time() - start < 10
