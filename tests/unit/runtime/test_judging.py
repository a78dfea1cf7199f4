"""Judges: plain and asynchronous, honest and not; and texts that a judge must match."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from typing import Any

import pytest

from abs_compiler.runtime import Event
from abs_compiler.runtime.judging import JudgeRequest
from tests.support.programs import answers, behavior, calls, check, match, matcher, program, says, select


def judged(judge: Any, **fields: Any) -> tuple[str, str]:
    """State and reason of a judged check on a text."""
    made = program([behavior("assistant", "informs", checks=[check("judge", criteria="polite", **fields)])])
    verdict = match(made, [says("hello")], judge=judge)
    (result,) = verdict.checks
    return result.state, result.reason


@pytest.mark.parametrize(
    ("answer", "state", "reason"),
    [
        (True, "passed", "score 1, threshold 0.5"),
        (False, "failed", "score 0, threshold 0.5"),
        (0.5, "passed", "score 0.5, threshold 0.5"),
        (0.49999999, "failed", "score 0.49999999, threshold 0.5"),
        (1, "passed", "score 1, threshold 0.5"),
        ((0.7, "kind"), "passed", "score 0.7, threshold 0.5: kind"),
        ((False, None), "failed", "score 0, threshold 0.5"),
        ({"score": 0.2, "reason": "curt"}, "failed", "score 0.2, threshold 0.5: curt"),
        ({"score": True}, "passed", "score 1, threshold 0.5"),
    ],
)
def test_answers(answer: Any, state: str, reason: str) -> None:
    assert judged(lambda request: answer) == (state, reason)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "answer",
    [
        None, "0.9", b"1", -0.1, 1.1, 2, 10**400, float("nan"), float("inf"),
        [0.5, "x"], (0.5,), (0.5, 3), (0.5, "a", "b"),
        {"score": "1"}, {"Score": 1}, {"score": 1, "verdict": "good"}, {"score": 1, "reason": 5}, 1j, object(),
        Unprintable(), 10**5000, "x" * 10_000,
    ],
    ids=lambda answer: type(answer).__name__,
)  # fmt: skip
def test_nonsense_leaves_the_check_open_and_is_told_shortly(answer: Any) -> None:
    state, reason = judged(lambda request: answer)
    assert state == "inconclusive"
    assert reason.startswith("the judge returned ")
    assert reason.endswith(", not a score from 0 to 1 or a bool, alone or with a reason")
    assert len(reason) < 450


class Number:
    """What numeric libraries return."""

    def __float__(self) -> float:
        return 0.75


def test_numbers_of_other_libraries() -> None:
    assert judged(lambda request: Number()) == ("passed", "score 0.75, threshold 0.5")


def test_a_judge_that_raises_loses_nothing_else() -> None:
    def judge(request: JudgeRequest) -> float:
        if request.criteria == "bad":
            raise ValueError("no model")
        return 0.9

    checks = [check("judge", criteria=criteria) for criteria in ("bad", "good")]
    checks.append(check("contains", value="hello"))
    verdict = match(program([behavior("assistant", "informs", checks=checks)]), [says("hello")], judge=judge)
    assert [result.state for result in verdict.checks] == ["inconclusive", "passed", "passed"]
    assert verdict.checks[0].reason == "the judge raised ValueError: no model"
    assert verdict.status == "inconclusive"


class SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def test_an_error_without_words() -> None:
    def judge(request: JudgeRequest) -> float:
        raise SilentError

    assert judged(judge) == ("inconclusive", "the judge raised SilentError: <SilentError>")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("kind", ["plain", "asynchronous", "inside a loop"])
def test_interrupts_pass_through(error: type[BaseException], kind: str) -> None:
    def plain(request: JudgeRequest) -> float:
        raise error

    async def later(request: JudgeRequest) -> float:
        await asyncio.sleep(0)
        raise error

    async def caller() -> Any:
        # an interrupt ends its own loop, so it is caught before it reaches this one
        with pytest.raises(error):
            judged(later)

    if kind == "inside a loop":
        asyncio.run(caller())
        return
    with pytest.raises(error):
        judged(plain if kind == "plain" else later)


async def soon(request: JudgeRequest) -> tuple[float, str]:
    await asyncio.sleep(0)
    return 0.8, "after a while"


class Asynchronous:
    async def __call__(self, request: JudgeRequest) -> bool:
        return True


def test_asynchronous_judges() -> None:
    assert judged(soon) == ("passed", "score 0.8, threshold 0.5: after a while")
    assert judged(Asynchronous()) == ("passed", "score 1, threshold 0.5")


def test_asynchronous_judges_inside_a_running_loop() -> None:
    variable = contextvars.ContextVar("variable", default="outside")

    async def judge(request: JudgeRequest) -> tuple[float, str]:
        await asyncio.sleep(0)
        return 0.8, f"{variable.get()} {threading.current_thread() is not threading.main_thread()}"

    async def caller() -> tuple[str, str]:
        variable.set("inside")
        return judged(judge)

    assert asyncio.run(caller()) == ("passed", "score 0.8, threshold 0.5: inside True")


def test_awaiting_what_cannot_be_awaited_here_leaves_the_check_open() -> None:
    async def caller() -> tuple[str, str]:
        future = asyncio.get_running_loop().create_future()
        return judged(lambda request: future)

    state, reason = asyncio.run(caller())
    assert state == "inconclusive"
    assert reason.startswith("the judge raised RuntimeError")


def test_without_a_judge_everything_a_runner_needs_is_told() -> None:
    ask = behavior("user", "says", id="ask", capture={"order": "O-1"})
    call = behavior("assistant", "calls", "get", id="call")
    answer = behavior("tool", "responds", "get", id="answer")
    said = behavior(
        "assistant",
        "informs",
        id="said",
        checks=[
            check(
                "judge",
                rule="Groundedness",
                criteria="about {{order}}",
                threshold=0.7,
                places={"query": 0, "context": 2, "response": None},
                adapter="azure",
                prompt="{{kept}}",
            )
        ],
    )
    session = check("judge", rule="custom", id="mine", places={"context": 1})
    user = {"actor": "user", "action": "says", "content": "where is O-1?"}
    events = [user, calls("get", id="O-1"), answers("get", {"status": "sent"}), says("It was sent.")]
    verdict = match(program([ask, call, answer, said], [session]), events)
    assert verdict.status == "inconclusive"
    first, second = verdict.deferred
    assert first.to_dict() == {
        "rule": "Groundedness",
        "threshold": 0.7,
        "session": "made by hand",
        "at": (1, 1),
        "id": None,
        "criteria": "about O-1",
        "behavior": 3,
        "behavior_id": "said",
        "event": {"actor": "assistant", "action": "informs", "content": "It was sent."},
        "query": "where is O-1?",
        "context": '{"status": "sent"}',
        "response": "It was sent.",
        "adapter": "azure",
        "dataset": None,
        "prompt": "{{kept}}",
    }
    assert first.events == events
    assert (second.rule, second.id, second.event, second.context) == ("custom", "mine", None, '{"id": "O-1"}')
    assert [item["rule"] for item in verdict.to_dict()["deferred"]] == ["Groundedness", "custom"]


def test_raw_texts_and_scalars_reach_the_judge() -> None:
    seen = []

    def judge(request: JudgeRequest) -> bool:
        seen.append(request.response)
        return True

    made = program([behavior("tool", "responds", "A", checks=[check("judge", criteria="fine")])])
    raw = Event("tool", "responds", target="A", content={"a": 1}, raw='{"a":   1}')
    for event in (raw, answers("A", 1.0), answers("A", None), answers("A", [1])):
        match(made, [event], judge=judge)
    assert seen == ['{"a":   1}', "1", "null", "[1]"]


def test_what_does_not_run_is_not_judged() -> None:
    asked = []

    def judge(request: JudgeRequest) -> bool:
        asked.append(request.criteria)
        return True

    never = ["lit", False]
    checks = [
        check("judge", criteria="skipped", when=never),
        check("all_of", when=never, checks=[check("judge", criteria="skipped with it")]),
        check("contains", value="nothing of it", blocking=True),
        check("judge", criteria="blocked"),
    ]
    steps = [
        behavior("assistant", "greets", optional=True, checks=[check("judge", criteria="of a skipped behavior")]),
        behavior("assistant", "informs", checks=checks, capture={"x": "1"}),
    ]
    session = [check("judge", criteria="uses {{x}}"), check("judge", criteria="of the session")]
    verdict = match(program(steps, session), [says("hello")], judge=judge)
    assert asked == ["of the session"]
    assert [request.criteria for request in verdict.deferred] == ["of the session"]


def test_groups_are_settled_without_the_judge() -> None:
    asked = []

    def judge(request: JudgeRequest) -> bool:
        asked.append(request.event and request.event["with"])
        return True

    members = [
        behavior("assistant", "calls", "S", checks=[check("judge", criteria="fine")]),
        behavior("assistant", "calls", "S", checks=[check("exact_match", value={"k": 1})]),
    ]
    made = program(members, groups=[(0, 2)])
    assert match(made, [calls("S", k=1), calls("S", k=2)], judge=judge).status == "passed"
    assert asked == [{"k": 2}]


# Texts that a judge must match


def with_judged_text(**fields: Any) -> dict[str, Any]:
    return behavior("assistant", "asks", matches_when=("judge", "asks for the order"), **fields)


def about_order(request: JudgeRequest) -> bool:
    assert request.criteria == "asks for the order"
    return "order" in (request.response or "")


def test_a_judge_says_which_texts_match() -> None:
    made = program([with_judged_text(id="ask"), behavior("assistant", "calls", "A")])
    events = [says("hello"), says("your order?"), calls("A")]
    verdict = match(made, events, judge=about_order)
    assert verdict.status == "passed"
    assert [step.event for step in verdict.steps] == [1, 2]
    assert [request.response for request in verdict.deferred] == ["hello", "your order?"]
    assert match(made, [says("hello"), calls("A")], judge=about_order).status == "failed"


def test_without_a_judge_texts_are_taken_both_ways() -> None:
    made = program([with_judged_text(id="ask"), behavior("assistant", "calls", "A")])
    verdict = match(made, [says("your order?"), calls("A")])
    assert verdict.status == "inconclusive"
    assert verdict.reasons == ("`matches_when` of step 1: `llm_judge` needs a judge",)
    assert [request.response for request in verdict.deferred] == ["your order?"]
    # no text stands before the call, so no judge could help
    assert match(made, [calls("A"), says("your order?")]).status == "failed"
    assert match(made, [says("your order?")]).status == "failed"
    # an optional step that changes nothing
    made = program([with_judged_text(optional=True), behavior("assistant", "calls", "A")])
    assert match(made, [says("your order?"), calls("A")]).status == "passed"
    assert match(made, [calls("A")]).status == "passed"


def test_answers_in_between_count_too() -> None:
    """All texts matching and none matching would both pass; only the second one matching fails."""
    made = program(
        [
            with_judged_text(optional=True),
            behavior("user", "says", requires=0),
        ]
    )
    user = {"actor": "user", "action": "says", "content": "42"}
    assert match(made, [says("a"), user, says("b")]).status == "inconclusive"


def test_a_judge_that_fails_on_a_text_leaves_the_session_open() -> None:
    def judge(request: JudgeRequest) -> bool:
        if request.response == "?":
            raise RuntimeError("no model")
        return about_order(request)

    made = program([with_judged_text(), behavior("assistant", "calls", "A")])
    verdict = match(made, [says("?"), calls("A")], judge=judge)
    assert verdict.status == "inconclusive"
    assert verdict.reasons == ("`matches_when` of step 1: the judge raised RuntimeError: no model",)
    assert match(made, [says("?"), says("order"), calls("A")], judge=judge).status == "passed"
    assert match(made, [says("?")], judge=judge).status == "failed"


def test_many_texts_without_a_judge_end_soon() -> None:
    steps = [with_judged_text(optional=True) for _ in range(3)]
    made = program(steps, [check("expected", behavior=1)])
    start = time.process_time()
    verdict = match(made, [says(f"text {number}") for number in range(40)])
    assert time.process_time() - start < 20
    assert verdict.status == "inconclusive"


def test_each_question_is_asked_once() -> None:
    asked = []

    def judge(request: JudgeRequest) -> bool:
        asked.append((request.rule, request.criteria, request.response))
        if request.response == "?":
            raise RuntimeError("no model")
        return True

    checks = [check("judge", criteria="polite")]
    made = program([with_judged_text(), behavior("user", "says", checks=checks)])
    user = {"actor": "user", "action": "says", "content": "bye"}
    match(made, [says("a"), says("a"), says("?"), user], judge=judge)
    assert len(asked) == len(set(asked))


def test_two_members_of_a_group_ask_for_themselves() -> None:
    """Equal criteria of two behaviors are two questions: the judge is told which behavior asks."""

    def judge(request: JudgeRequest) -> bool:
        return (request.behavior == 0) == (request.response == "first")

    members = [behavior("assistant", "calls", "S", matches_when=("judge", "fits")) for _ in range(2)]
    made = program(members, groups=[(0, 2)])
    first, second = ({**calls("S"), "content": word} for word in ("first", "second"))
    assert match(made, [first, second], judge=judge).status == "passed"
    assert match(made, [second, first], judge=judge).status == "passed"
    assert match(made, [first, first], judge=judge).status == "failed"


def test_the_monitor_gives_the_same_verdict() -> None:
    made = program([with_judged_text(), behavior("assistant", "calls", "A")], [check("never", match=select("tool"))])
    events = [says("your order?"), calls("A")]
    for judge in (None, about_order):
        monitor = matcher(made).monitor()
        assert [monitor.feed(event).status for event in events] == ["failed", "inconclusive"]
        assert monitor.finish(judge=judge).to_dict() == match(made, events, judge=judge).to_dict()
    monitor = matcher(made).monitor()
    assert [monitor.feed(event).final for event in (*events, answers("A", 1))] == [False, False, True]
