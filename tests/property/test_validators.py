"""The validators decide small random cases as the definitions demand, and as equivalent ABS sessions do."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import abs_compiler as absc
from abs_compiler.validators import (
    ToolCallMatchResult,
    ValidatorValueError,
    compile_expected,
    evaluate_tool_calls,
    match_any_tool_call,
    match_tool_call_with_args,
    match_tool_call_with_partial_args,
    match_tool_calls,
    match_tool_calls_subset,
    to_abs,
)
from tests.support.oracle.calls import Answer, Call, canonical, decide

CASES = 20_000
CHUNK = 2_500
SESSIONS = 1_500

# Few names, keys and values, so that calls overlap; values that Python or a careless reader confuses.
WORDS = ["string", "number", "any", "boolean", "null", "array", "object", " Number "]
VALUES: list[Any] = [0, 1, 1.0, True, False, None, "1", "a", "string", [], [1], {}, {"x": 1}, {"x": True}, "{{x}}"]


def random_call(random: Random, names: int, words: bool) -> Call:
    call: Call = {"toolName": random.choice("abc"[:names])}
    keys = random.sample("xyz", random.choice([0, 1, 1, 1, 2]))
    simple = random.random() < 0.5
    arguments = {}
    for key in keys:
        values = [1, 2] if simple else VALUES
        arguments[key] = random.choice(WORDS if words and random.random() < 0.4 else values)
    if arguments or random.random() < 0.7:
        call["arguments"] = arguments or random.choice([{}, {}, None])
    return call


def random_case(random: Random) -> tuple[list[Call], list[Call], dict[str, Any]]:
    """Expected calls, actual calls (often made from the expected ones), options."""
    if random.random() < 0.3:
        return overlapping_case(random)
    names = random.choice([1, 1, 2, 3])
    expected = [random_call(random, names, words=True) for _ in range(random.randint(0, 4))]
    actual = [random_call(random, names, words=False) for _ in range(random.randint(0, 4))]
    for call in expected:
        if random.random() < 0.6:
            arguments = dict(call.get("arguments") or {})
            if random.random() < 0.4:
                arguments[random.choice("xyz")] = random.choice(VALUES)
            for key, value in arguments.items():
                if value in WORDS and random.random() < 0.8:
                    arguments[key] = random.choice(VALUES)
            actual.append({"toolName": call["toolName"], "arguments": arguments})
    if random.random() < 0.5:
        random.shuffle(actual)
    matching = random.choice(["partial", "partial", "exact", "ignore"])
    return expected, actual[:5], {**random_options(random), "argumentMatching": matching}


def overlapping_case(random: Random) -> tuple[list[Call], list[Call], dict[str, Any]]:
    """One tool, general and special expectations of it: taking the first call that fits is often wrong."""
    wanted: list[dict[str, Any]] = [{}, {"x": 1}, {"x": "number"}, {"y": 1}, {"x": 1, "y": 1}]
    run: list[dict[str, Any]] = [{"x": 1}, {"x": 1, "y": 1}, {"x": 2}, {"x": 2, "y": 1}]
    expected = [{"toolName": "a", "arguments": random.choice(wanted)} for _ in range(random.randint(2, 4))]
    actual = [{"toolName": "a", "arguments": random.choice(run)} for _ in range(random.randint(2, 5))]
    return expected, actual, random_options(random)


def random_options(random: Random) -> dict[str, Any]:
    return {
        "toolCallOrder": random.choice(["ignore", "ignore", "strict", "superset", "positional"]),
        "argumentMatching": "partial",
        "maxExtraToolCalls": random.choice([None, None, 0, 1, 2]),
        "isNegativeTest": random.random() < 0.03,
    }


def seen(result: ToolCallMatchResult, expected: list[Call], actual: list[Call]) -> Answer:
    """A result in the terms of the oracle; its lists must hold the calls at those indices."""
    assert [call.to_dict() for call in result.missing] == [expected[item] for item in result.findings.missing]
    assert result.to_dict()["extra"] == [actual[row] for row in result.findings.extra]
    for mismatch in result.argument_mismatches:
        assert mismatch.to_dict() == {
            "toolName": expected[mismatch.expected_index]["toolName"],
            "expectedArgs": expected[mismatch.expected_index].get("arguments") or {},
            "actualArgs": actual[mismatch.actual_index].get("arguments") or {},
        }
        assert mismatch.differences
    return Answer(
        result.passed,
        list(result.pairs),
        result.findings.missing,
        result.findings.extra,
        [(row.expected_index, row.actual_index) for row in result.argument_mismatches],
        [(row.expected_index, row.actual_index) for row in result.out_of_order],
    )


@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_cases(first: int) -> None:
    wrong = {}
    for seed in range(first, first + CHUNK):
        expected, actual, options = random_case(Random(seed))
        answer = decide(expected, actual, options)
        compiled = compile_expected(expected, options).evaluate(actual)
        if seen(compiled, expected, actual) != answer:
            wrong[seed] = (compiled.to_dict(), answer)
        if evaluate_tool_calls(expected, actual, options).to_dict() != compiled.to_dict():
            wrong[seed] = ("the one-off match differs", answer)
        assert compiled.explain().startswith("passed: " if answer.passed else "failed: ")
    assert not wrong


def test_the_cases_hold_what_they_are_for() -> None:
    counted: Counter[str] = Counter()
    for seed in range(8_000):
        expected, actual, options = random_case(Random(seed))
        answer = decide(expected, actual, options)
        order = options["toolCallOrder"]
        counted[f"{order} passed"] += answer.passed
        counted[f"{order} failed"] += not answer.passed
        counted[f"{options['argumentMatching']} passed"] += answer.passed
        counted["mismatches"] += bool(answer.mismatches)
        counted["out of order"] += bool(answer.out_of_order)
        counted["over the limit"] += not answer.passed and len(answer.pairs) == len(expected) > 0
        counted["not first come, first served"] += order == "ignore" and first_come(expected, actual, options) < len(
            answer.pairs
        )
        counted["negative"] += options["isNegativeTest"]
    assert {name for name, count in counted.items() if count < 30} == set()


def first_come(expected: list[Call], actual: list[Call], options: dict[str, Any]) -> int:
    """How many pairs a greedy loop finds."""
    left = list(actual)
    pairs = 0
    for item in expected:
        for call in left:
            if decide([item], [call], {**options, "toolCallOrder": "ignore", "isNegativeTest": False}).pairs:
                left.remove(call)
                pairs += 1
                break
    return pairs


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_the_listing_order_does_not_matter_where_order_is_ignored(random: Random) -> None:
    expected, actual, options = random_case(random)
    options = {**options, "toolCallOrder": "ignore"}
    before = evaluate_tool_calls(expected, actual, options)
    random.shuffle(expected)
    random.shuffle(actual)
    after = evaluate_tool_calls(expected, actual, options)
    assert after.passed == before.passed
    assert len(after.pairs) == len(before.pairs)


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_the_boolean_validators_by_definition(random: Random) -> None:
    expected, actual, _ = random_case(random)
    wanted, names = [call["toolName"] for call in expected], [call["toolName"] for call in actual]
    assert match_tool_calls(wanted, actual) is match_tool_calls(wanted, names) is (wanted == names)
    assert match_tool_calls_subset(wanted, names) is all(name in names for name in wanted)
    assert match_any_tool_call(wanted, names) is any(name in names for name in wanted)
    for call in expected:
        arguments = call.get("arguments") or {}
        same = [item.get("arguments") for item in actual if item["toolName"] == call["toolName"]]
        exactly = any(seen is not None and canonical(seen) == canonical(arguments) for seen in same)
        assert match_tool_call_with_args(call["toolName"], arguments, actual) is exactly
        partly = any(
            all(key in (seen or {}) and canonical(seen[key]) == canonical(value) for key, value in arguments.items())
            for seen in same
        )
        assert match_tool_call_with_partial_args(call["toolName"], arguments, actual) is partly


@cache
def _matcher(text: str) -> absc.Matcher:
    (matcher,) = absc.compile_text(text)
    return matcher


def test_equivalent_abs_sessions_give_the_same_verdicts() -> None:
    wrong, none = {}, 0
    for seed in range(SESSIONS):
        expected, actual, options = random_case(Random(seed))
        try:
            text = to_abs(expected, options, session=f"case {seed}")
        except ValidatorValueError:
            none += 1
            assert options["toolCallOrder"] == "positional"
            assert options["maxExtraToolCalls"] != 0
            continue
        events = [
            {"actor": "assistant", "action": "calls", "target": call["toolName"], "with": call.get("arguments")}
            for call in actual
        ]
        verdict = _matcher(text).match(events)
        if (verdict.status == "passed") != evaluate_tool_calls(expected, actual, options).passed:
            wrong[seed] = (text, events, verdict.status)
    assert not wrong
    assert none < SESSIONS // 5
