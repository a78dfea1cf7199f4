"""Evaluations of whole sessions: dependants of blocking ones, groups, variables, steps that texts match, reports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from abs_compiler.runtime import ArtifactError, BindError, TraceError
from tests.support.programs import answers, behavior, calls, check, match, matcher, program, says, select

GREETS = {"actor": "assistant", "action": "greets"}


def states(verdict: Any) -> list[str]:
    return [result.state for result in verdict.checks]


def contains(value: str, **fields: Any) -> Any:
    return check("contains", value=value, **fields)


# Blocking


def test_a_failing_blocking_check_makes_its_dependants_inconclusive() -> None:
    steps = [
        behavior("user", "says", capture={"x": "a"}, checks=[contains("b", blocking=True), contains("q")]),
        behavior("assistant", "greets", optional=True, requires=0, checks=[contains("hi")]),
        behavior("assistant", "calls", "A", requires=1, checks=[check("exact_match", value={})]),
        behavior("assistant", "informs", capture={"y": "{{x}}"}, checks=[contains("z")]),
        behavior("assistant", "informs", checks=[contains("{{y}}"), contains("other")]),
    ]
    session = [
        check("eventually", match=select("user")),
        check("tool_call", target="A", with_={"k": "{{x}}"}),
        check("never", match=select("tool"), when=["cmp", "==", ["ref", "x"], ["lit", "a"]]),
        check("variable_consistency", variable="y"),
        check("all_of", checks=[check("judge", criteria="about {{x}}"), check("never", match=select("user"))]),
    ]
    user = {"actor": "user", "action": "says", "content": "q"}
    events = [user, {**GREETS, "content": "yo"}, calls("A"), says("c"), says("d")]
    verdict = match(program(steps, session), events)
    blocked = "a blocking `contains` of step 1 failed"
    assert [(result.state, result.reason) for result in verdict.checks] == [
        ("failed", 'expected text with "b", observed "q"'),
        ("inconclusive", blocked),
        ("inconclusive", blocked),
        ("inconclusive", blocked),
        ("inconclusive", f"`x`: {blocked}"),
        ("inconclusive", f"`y`: `x`: {blocked}"),
        ("failed", 'expected text with "other", observed "d"'),
        ("passed", "event #0 is `user does anything`"),
        ("inconclusive", f"`x`: {blocked}"),
        ("inconclusive", f"`x`: {blocked}"),
        ("inconclusive", f"`y`: `x`: {blocked}"),
        ("failed", "0 of 2 hold, all must"),
    ]


def test_what_does_not_depend_on_it_goes_on() -> None:
    steps = [
        behavior("assistant", "informs", checks=[contains("first"), contains("b", blocking=True)]),
        behavior("assistant", "informs", checks=[contains("c"), contains("nothing", when=["lit", False])]),
    ]
    assert states(match(program(steps), [says("first"), says("c")])) == ["passed", "failed", "passed", "skipped"]


def test_only_a_failure_blocks() -> None:
    steps = [behavior("assistant", "informs", checks=[check("judge", criteria="x", blocking=True), contains("a")])]
    assert states(match(program(steps), [says("a")])) == ["inconclusive", "passed"]
    assert states(match(program(steps), [says("a")], judge=lambda request: 0)) == ["failed", "inconclusive"]


def test_inside_a_composition_and_at_the_session_blocking_has_no_dependants() -> None:
    parts = [contains("a", blocking=True), contains("b")]
    steps = [behavior("assistant", "informs", checks=[check("any_of", checks=parts), contains("b")])]
    session = [check("never", match=select("assistant"), blocking=True), check("eventually", match=select("assistant"))]
    verdict = match(program(steps, session), [says("b")])
    assert states(verdict) == ["passed", "passed", "failed", "passed"]
    assert [child.state for child in verdict.checks[0].children] == ["failed", "passed"]


# Later events


def test_a_later_event_that_would_have_satisfied_a_check_is_named() -> None:
    made = program([behavior("assistant", "informs", checks=[contains("x")]), behavior("user", "says")])
    user = {"actor": "user", "action": "says", "content": "x"}
    verdict = match(made, [says("a"), user, says("b"), says("x")])
    assert verdict.checks[0].reason == 'expected text with "x", observed "a"; event #3 would have satisfied it'
    assert "event #3 would have satisfied it" in verdict.explain()
    verdict = match(made, [says("a"), user, says("b")])
    assert verdict.checks[0].reason == 'expected text with "x", observed "a"'


# Groups


def member(*checks: Any, **fields: Any) -> Any:
    return behavior("assistant", "calls", "S", checks=checks, **fields)


def exact(value: Any, **fields: Any) -> Any:
    return check("exact_match", value={"k": value}, **fields)


def in_group(*members: Any, events: Any) -> Any:
    return match(program(members, groups=[(0, len(members))]), events)


def test_most_checks_hold_and_blocking_ones_come_first() -> None:
    events = [calls("S", k=1), calls("S", k=2)]
    verdict = in_group(member(exact(2)), member(exact(1)), events=events)
    assert verdict.status == "passed"
    assert [step.event for step in verdict.steps] == [1, 0]
    verdict = in_group(member(exact(1), exact(1), exact(2)), member(exact(1, blocking=True)), events=events)
    assert [step.event for step in verdict.steps] == [1, 0]
    verdict = in_group(member(exact(9)), member(exact(9)), events=events)
    assert [step.event for step in verdict.steps] == [0, 1]


def test_the_events_a_group_kept_are_not_changed() -> None:
    events = [calls("S", k=1), calls("S", k=2), calls("S", k=3)]
    verdict = in_group(member(exact(3)), member(exact(2)), events=events)
    assert states(verdict) == ["failed", "passed"]
    assert verdict.checks[0].reason.endswith("event #2 would have satisfied it")


def test_ties_cannot_turn_a_failure_into_doubt() -> None:
    unsure = check("any_of", checks=[exact(1), check("judge", criteria="fine")])
    members = [member(unsure), member(exact(1))]
    events = [calls("S", k=1), calls("S", k=2)]
    for order in (members, members[::-1]):
        verdict = in_group(*order, events=events)
        assert verdict.status == "inconclusive"
        assert sorted(states(verdict)) == ["inconclusive", "passed"]


def test_a_large_group_is_settled_soon() -> None:
    size = 60
    members = [member(exact(size - index)) for index in range(size)]
    verdict = in_group(*members, events=[calls("S", k=number) for number in range(1, size + 1)])
    assert verdict.status == "passed"
    assert [step.event for step in verdict.steps] == list(range(size))[::-1]


# variable_consistency


def consistency(steps: Any, events: Any, **bindings: Any) -> tuple[str, str]:
    made = program(steps, [check("variable_consistency", variable="x")])
    made["file_names"] = sorted({*made["file_names"], *bindings})
    result = match(made, events, **bindings).checks[-1]
    return result.state, result.reason


USER = {"actor": "user", "action": "says", "content": "12345"}


def test_variables_keep_one_value() -> None:
    user = behavior("user", "says", capture={"x": "12345"})
    call = behavior("assistant", "calls", "A", with_={"id": "{{x}}"})
    answer = behavior("tool", "responds", "A", content={"order": {"id": "{{x}}"}, "n": ["{{x}}"]})
    events = [USER, calls("A", id="12345"), answers("A", {"order": {"id": "12345"}, "n": []})]
    assert consistency([user, call, answer], events) == ("passed", '"12345" in 3 places')
    events[2] = answers("A", {"order": {"id": "999"}, "n": []})
    assert consistency([user, call, answer], events) == (
        "failed",
        '"12345" (captured by step 1), but "999" (content.order.id of event #2)',
    )
    again = behavior("user", "says", capture={"x": "2"})
    assert consistency([user, again], [USER, USER]) == (
        "failed",
        '"12345" (captured by step 1), but "2" (captured by step 2)',
    )


def test_values_are_equal_as_json() -> None:
    call = behavior("assistant", "calls", "A", with_={"id": "{{x}}"})
    answer = behavior("tool", "responds", "A", content={"id": "{{x}}"})
    assert consistency([call, answer], [calls("A", id=1.0), answers("A", {"id": 1})], x=1)[0] == "passed"
    assert consistency([call, answer], [calls("A", id=1), answers("A", {"id": 2})], x=1)[0] == "failed"


def test_a_variable_that_was_not_observed_is_no_pass() -> None:
    optional = behavior("assistant", "calls", "A", with_={"id": "{{x}}"}, optional=True)
    assert consistency([optional], [says("y")], x=1) == ("inconclusive", "no value of `x` was observed")


def test_whole_arguments_and_merged_calls_are_places_too() -> None:
    whole = behavior("assistant", "calls", "A")
    whole["args"] = [{"only": False, "whole": ["ref", "x"], "at": [1, 1]}]
    merged = behavior(
        "assistant",
        "calls",
        "B",
        checks=[check("tool_call", with_={"o": "{{x}}"}, merged=True, when=["cmp", "!=", ["ref", "x"], ["lit", None]])],
    )
    assert consistency([whole, merged], [calls("A", k=1), calls("B", o={"k": 1})], x={"k": 1}) == (
        "passed",
        '{"k": 1} in 2 places',
    )


# tool_call with a condition


def conditional(**fields: Any) -> Any:
    made = check("tool_call", merged=True, when=["ref", "strict"], **fields)
    return program([behavior("assistant", "calls", "A", checks=[made, exact(1)])])


def test_a_merged_call_steers_matching_where_its_condition_holds() -> None:
    events = [calls("A", k=2), calls("A", k=1)]
    verdict = match(conditional(with_={"k": 1}), events, strict=True)
    assert [step.event for step in verdict.steps] == [1]
    assert verdict.checks[0].reason == "part of the step, which matched event #1"
    verdict = match(conditional(with_={"k": 1}), events, strict=False)
    assert [step.event for step in verdict.steps] == [0]
    assert states(verdict) == ["skipped", "failed"]


def test_a_merged_target_must_be_had_too() -> None:
    made = conditional(target="a*")
    made["match"]["targets"] = {"A": ["b", "c"], "a*": ["c"]}
    verdict = match(made, [calls("b"), calls("c")], strict=True)
    assert [step.event for step in verdict.steps] == [1]
    verdict = match(made, [calls("b")], strict=True)
    assert verdict.status == "failed"
    assert 'target: expected "a*", observed "b"' in verdict.explain()


def test_conditions_of_members_tell_them_apart() -> None:
    """Members that differ in a merged target only are not the same step."""
    one, two = (
        behavior("assistant", "calls", "A", checks=[check("tool_call", target=target, merged=True, when=["lit", True])])
        for target in ("b", "c")
    )
    made = program([one, two], groups=[(0, 2)], targets={"A": ["b", "c"]})
    assert match(made, [calls("c"), calls("b")]).status == "passed"
    assert match(made, [calls("b"), calls("b")]).status == "failed"


def test_a_merged_call_whose_condition_only_a_run_decides() -> None:
    optional = behavior("assistant", "greets", optional=True, capture={"x": "a"})
    merged = check("tool_call", with_={"k": "{{x}}"}, merged=True, when=["cmp", "==", ["ref", "x"], ["lit", "a"]])
    made = program([optional, behavior("assistant", "calls", "A", checks=[merged])])
    verdict = match(made, [GREETS, calls("A", k="b"), calls("A", k="a")])
    assert (verdict.status, [step.event for step in verdict.steps]) == ("passed", [0, 2])
    verdict = match(made, [calls("A", k="b")])
    assert (verdict.status, verdict.checks[0].reason) == ("inconclusive", "`when`: `x` has no value here")


# matches_when


def asks(kind: str, wanted: str, **fields: Any) -> Any:
    return behavior("assistant", "asks", matches_when=(kind, wanted), **fields)


@pytest.mark.parametrize(
    ("kind", "wanted", "text", "matches"),
    [
        ("contains", "ORDER id", "your order ID?", True),
        ("contains", "order", "hello", False),
        ("contains", "", None, False),
        ("regex", "order (id|number)", "order number", True),
        ("regex", "^order", "an order", False),
        ("contains", "1", 1.0, True),
        ("contains", "a", ["a"], False),
    ],
)
def test_texts_that_match(kind: str, wanted: str, text: Any, matches: bool) -> None:
    made = program([asks(kind, wanted)])
    assert match(made, [says(text)]).status == ("passed" if matches else "failed")


def test_a_text_replaces_the_action_but_neither_actor_nor_target() -> None:
    made = program([behavior("assistant", "asks", "Ann", matches_when=("contains", "hi"))])
    for event, passes in (
        ({**says("hi"), "target": "Ann"}, True),
        ({**calls("Ann"), "content": "hi"}, True),
        ({"actor": "assistant", "category": "communication", "content": "hi", "target": "Ann"}, True),
        (says("hi"), False),
        ({**says("hi", actor="user"), "target": "Ann"}, False),
    ):
        assert match(made, [event]).status == ("passed" if passes else "failed")


def test_why_no_text_matched() -> None:
    verdict = match(program([asks("contains", "order id")]), [says("hello"), says("bye")])
    assert 'content: expected text with "order id", observed "hello"' in verdict.explain()
    verdict = match(program([asks("regex", "order id")]), [{"actor": "assistant", "action": "informs"}])
    assert "content: expected text that matches /order id/, observed no text" in verdict.explain()


def test_texts_with_references() -> None:
    made = program([asks("contains", "No. {{x}}")])
    assert match(made, [says("no. 5")], x=5).status == "passed"
    made = program([asks("regex", "^{{x}}$")])
    assert match(made, [says("a.b")], x="a.b").status == "passed"
    assert match(made, [says("aXb")], x="a.b").status == "failed"
    with pytest.raises(BindError, match="`assistant asks` at 1:1: an array has no text"):
        match(made, [says("a")], x=[1])
    with pytest.raises(BindError, match="half of a surrogate pair"):
        match(made, [says("a")], x="\ud800")


def test_a_text_that_only_an_optional_capture_supplies() -> None:
    optional = behavior("user", "says", optional=True, capture={"x": "a"})
    made = program([optional, asks("contains", "{{x}}")])
    assert match(made, [USER, says("abc")]).status == "passed"
    verdict = match(made, [says("abc")])
    assert verdict.status == "failed"
    assert "`x` has no value here, so no event can match" in verdict.explain()
    unfit = behavior("user", "says", optional=True, capture={"x": [1]})
    made = program([unfit, behavior("user", "says", optional=True, capture={"x": "a"}), asks("contains", "{{x}}")])
    verdict = match(made, [USER, says("abc")])
    assert verdict.status == "passed"


def test_optional_steps_may_share_one_text() -> None:
    steps = [asks("contains", "order", optional=True, shares=0), asks("contains", "mail", optional=True, shares=0)]
    session = [check("expected", behavior=index) for index in (0, 1)]
    assert match(program(steps, session), [says("order and mail")]).status == "passed"
    assert match(program(steps, session), [says("mail"), says("order")]).status == "failed"


def test_a_call_that_two_texts_share_is_counted_once() -> None:
    steps = [asks("contains", "order", optional=True, shares=0), asks("contains", "mail", optional=True, shares=0)]
    spoken = {**calls("A"), "content": "order and mail"}
    verdict = match(program(steps, extras=0), [spoken])
    assert (verdict.status, verdict.extras) == ("passed", ())
    verdict = match(program(steps, extras=0), [spoken, spoken])
    assert (verdict.status, verdict.extras) == ("passed", ())
    verdict = match(program(steps, extras=0), [spoken, spoken, spoken])
    assert (verdict.status, len(verdict.extras)) == ("failed", 1)


def test_a_pattern_that_is_not_the_compilers() -> None:
    with pytest.raises(ArtifactError):
        match(program([asks("regex", "(")]), [says("x")])


# Reports


def test_every_evaluation_has_a_line_with_its_place_event_and_reason() -> None:
    parts = [contains("a", at=4), check("judge", criteria="fine", at=5)]
    steps = [
        behavior("assistant", "informs", checks=[check("any_of", checks=parts, at=3)]),
        behavior("assistant", "calls", "A", optional=True, checks=[exact(1, at=7)]),
    ]
    session = [check("never", match=select("tool"), at=9), check("eventually", match=select("user"), at=10)]
    verdict = match(program(steps, session), [says("b")])
    lines = [line.strip() for line in verdict.explain().split("\n")]
    assert lines == [
        "failed: made by hand",
        "ok       1  assistant informs  event #0",
        "open     any_of (made.abs.yaml:3:1, event #0): 0 of 2 hold, at least one must",
        'FAILED   contains (made.abs.yaml:4:1, event #0): expected text with "a", observed "b"',
        "open     llm_judge (made.abs.yaml:5:1, event #0): `llm_judge` needs a judge",
        'criteria: "fine"',
        'response: "b"',
        "threshold: 0.5",
        "skipped  2  assistant calls A",
        "skipped  exact_match (7:1): the behavior was skipped",
        "ok       never (9:1): no event is `tool does anything`",
        "FAILED   eventually (made.abs.yaml:10:1): no event is `user does anything`",
    ]
    report = verdict.to_dict()
    first = report["checks"][0]
    assert first["children"][0] == {
        "behavior": 0,
        "type": "contains",
        "line": 4,
        "column": 1,
        "state": "failed",
        "reason": 'expected text with "a", observed "b"',
        "event": 0,
        "blocking": False,
        "score": 0.0,
        "threshold": None,
        "children": [],
    }
    assert (first["state"], first["event"], first["score"]) == ("inconclusive", 0, None)
    assert [item["state"] for item in report["checks"]] == ["inconclusive", "skipped", "passed", "failed"]
    assert verdict.reasons == ("`eventually` of the session: no event is `user does anything`",)


@pytest.mark.parametrize("nasty", ["a\nb", "\x1b[31m", "\u202e", "\ud800", "\u2028", "]]>", "<&>", "é" * 5000, "\x00"])
def test_reports_hold_any_text(nasty: str) -> None:
    def judge(request: Any) -> tuple[float, str]:
        return 0.1, nasty

    steps = [behavior("assistant", "informs", nasty, checks=[contains(nasty + "x"), check("judge", criteria=nasty)])]
    made = program(steps, [check("never", match=select("assistant", None, nasty))])
    made["session"] = nasty
    verdict = match(made, [{**says(nasty), "target": nasty}], judge=judge)
    text = verdict.explain()
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text.split("\n")) == 5
    json.dumps(verdict.to_dict())


def test_hostile_values_do_not_break_a_report() -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    checks = [contains("x"), check("exact_match", value=1), check("schema", schema={}), check("regex", pattern="x")]
    made = program([behavior("assistant", "informs", checks=[*checks, check("judge", criteria="x")])])
    for value in (deep, 10**5000):
        verdict = match(made, [says(value)])
        assert states(verdict)[:2] == ["failed", "failed"]
        assert verdict.explain()
    for value in (Hostile(), {1: 2}, float("nan"), b"x", {"a": Hostile()}, {Hostile(): 1}):
        with pytest.raises(TraceError, match=r"events\[0\]: `content"):
            match(made, [says(value)])


def test_the_monitor_gives_the_same_report() -> None:
    members = [member(exact(2)), member(exact(1, blocking=True))]
    made = program([*members, behavior("assistant", "informs", checks=[contains("x")])], groups=[(0, 2)])
    events = [calls("S", k=1), calls("S", k=2), says("y"), says("x")]
    monitor = matcher(made).monitor()
    running = [monitor.feed(event).status for event in events]
    assert running == ["failed"] * 4
    assert monitor.finish().to_dict() == match(made, events).to_dict()


def test_one_matcher_serves_many_verdicts() -> None:
    made = matcher(program([behavior("assistant", "informs", checks=[check("schema", schema={"type": "string"})])]))
    assert [made.match([says(value)]).status for value in ("x", 1, "y")] == ["passed", "failed", "passed"]
