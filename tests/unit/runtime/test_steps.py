"""Checks of one event: what they look at, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from abs_compiler.runtime import BindError, Event
from abs_compiler.runtime.steps import judged_text, observed_text, observed_value
from tests.support.programs import answers, behavior, calls, check, match, outcome, program, says


def event(**fields: Any) -> Event:
    return Event.from_dict(fields)


@pytest.mark.parametrize(
    ("seen", "value", "text"),
    [
        (says("x"), ("content", "x"), "x"),
        (says(""), ("content", ""), ""),
        (says(None), (None, None), None),
        ({"actor": "assistant", "action": "informs"}, (None, None), None),
        (says({"a": 1}), ("content", {"a": 1}), None),
        (says([1]), ("content", [1]), None),
        (says(1.0), ("content", 1.0), "1"),
        (says(0.5), ("content", 0.5), "0.5"),
        (says(True), ("content", True), "true"),
        (answers("A", None), ("content", None), "null"),
        ({"actor": "tool", "action": "responds"}, (None, None), None),
        ({"actor": "assistant", "action": "responds", "content": None}, (None, None), None),
        (calls("A", k=1), ("with", {"k": 1}), None),
        ({"actor": "assistant", "action": "calls"}, ("with", {}), None),
        ({"actor": "assistant", "action": "submits", "with": None}, ("with", {}), None),
        ({"actor": "assistant", "action": "calls", "with": " "}, ("with", {}), None),
        ({"actor": "assistant", "action": "calls", "with": "not json"}, ("with", "not json"), "not json"),
        ({"actor": "assistant", "action": "calls", "with": []}, ("with", []), None),
        ({**calls("A", k=1), "content": "now"}, ("content", "now"), "now"),
        ({"actor": "assistant", "category": "execution", "with": {"k": 1}}, ("with", {"k": 1}), None),
        ({"actor": "assistant", "category": "communication", "content": "x"}, ("content", "x"), "x"),
        ({"actor": "assistant", "action": "selects", "with": {"k": 1}}, (None, None), None),
        (says(10**5000), ("content", 10**5000), "1" + "0" * 5000),
        (says((1, 2)), ("content", (1, 2)), None),
    ],
    ids=range(24),
)
def test_what_is_looked_at(seen: Any, value: Any, text: str | None) -> None:
    made = Event.from_dict(seen)
    assert observed_value(made) == value
    assert observed_text(made) == text


def test_raw_text_comes_first() -> None:
    made = Event("tool", "responds", content=[1], raw="[ 1 ]")
    assert observed_value(made) == ("content", [1])
    assert observed_text(made) == judged_text(made) == "[ 1 ]"


def test_judges_get_the_json_text_of_structures() -> None:
    assert judged_text(event(**says({"a": ["é"]}))) == '{"a": ["é"]}'
    assert judged_text(event(**calls("A", k=1))) == '{"k": 1}'
    assert judged_text(event(actor="assistant", action="informs")) is None
    assert judged_text(event(**says({1, 2}))) is None


@pytest.mark.parametrize(
    ("made", "seen", "state", "reason"),
    [
        (check("exact_match", value={"b": 2, "a": 1.0}), answers("A", {"a": 1, "b": 2}), "passed",
         'observed {"a": 1, "b": 2}'),
        (check("exact_match", value=True), says(1), "failed", "expected true (boolean), observed 1 (number)"),
        (check("exact_match", value="1"), says(1), "failed", 'expected "1" (string), observed 1 (number)'),
        (check("exact_match", value="x"), says("y"), "failed", 'expected "x", observed "y"'),
        (check("exact_match", value=None), answers("A", None), "passed", "observed null"),
        (check("exact_match", value=None), says(None), "failed", "expected null, observed no content"),
        (check("exact_match", value={}), {"actor": "assistant", "action": "calls"}, "passed", "observed {}"),
        (check("exact_match", value={"a": 1}), Event("tool", "responds", content={"a": 1}, raw='{"a":1}'), "passed",
         'observed {"a": 1}'),
        (check("contains", value="REFUND"), says("a refund"), "passed", '"REFUND" is in "a refund"'),
        (check("contains", value="strasse"), says("Die Straße"), "passed", '"strasse" is in "Die Straße"'),
        (check("contains", value="x"), says("y"), "failed", 'expected text with "x", observed "y"'),
        (check("contains", value=""), says(""), "passed", '"" is in ""'),
        (check("contains", value=""), says(None), "failed", 'expected text with "", observed no content'),
        (check("contains", value="2"), says(12), "passed", '"2" is in "12"'),
        (check("contains", value="tru"), says(True), "passed", '"tru" is in "true"'),
        (check("contains", value="x"), says(["x"]), "failed", 'expected text with "x", observed ["x"] (array)'),
        (check("contains", value="x"), calls("A", k="x"), "failed",
         'expected text with "x", observed {"k": "x"} (object)'),
        (check("contains", value='"a"'), Event("tool", "responds", content={"a": 1}, raw='{"a":1}'), "passed",
         '"\\"a\\"" is in "{\\"a\\":1}"'),
        (check("regex", pattern="^O-[0-9]+$"), says("O-12"), "passed", '/^O-[0-9]+$/ matches "O-12"'),
        (check("regex", pattern="b"), says("abc"), "passed", '/b/ matches "abc"'),
        (check("regex", pattern="B"), says("abc"), "failed", 'expected text that matches /B/, observed "abc"'),
        (check("regex", pattern="x"), says({"x": 1}), "failed",
         'expected text that matches /x/, observed {"x": 1} (object)'),
        (check("regex", pattern="x"), says("\ud800x"), "failed",
         '"\\ud800x" is no Unicode text, so /x/ cannot match it'),
        (check("schema", schema={"type": "string"}), says(None), "failed", "no content to hold against the schema"),
        (check("schema", schema={"type": "string"}), says("x"), "passed", 'fits the schema: "x"'),
        (check("tool_call", target="B"), calls("A"), "failed", 'expected target "B", observed "A"'),
        (check("tool_call", with_={"k": 1}), calls("A", k=1.0), "passed", 'A with {"k": 1.0}'),
        (check("tool_call", with_={"k": 1, "l": 2}), calls("A", k="1"), "failed",
         'with.k: expected 1 (number), observed "1" (string); with.l: expected 2, observed missing'),
    ],
)  # fmt: skip
def test_reasons_name_values(made: Any, seen: Any, state: str, reason: str) -> None:
    assert outcome(made, seen) == (state, reason)


def test_long_values_are_told_apart() -> None:
    state, reason = outcome(check("exact_match", value="a" * 500 + "b" + "c" * 500), says("a" * 500 + "B" + "c" * 500))
    assert state == "failed"
    assert "ab" in reason
    assert "aB" in reason


def test_a_catastrophic_pattern_does_not_hang() -> None:
    assert outcome(check("regex", pattern="^(a+)+$"), says("a" * 10_000 + "!"))[0] == "failed"


# Values with references


def test_references_in_values() -> None:
    assert outcome(check("exact_match", value={"id": "{{x}}"}), calls("A", id=5), x=5)[0] == "passed"
    assert outcome(check("contains", value="{{x}}"), says("No. 5"), x=5)[0] == "passed"
    assert outcome(check("contains", value="no. {{x}}"), says("No. 5"), x=5.0)[0] == "passed"
    assert outcome(check("tool_call", with_={"id": "{{x}}"}), calls("A", id=True), x=True)[0] == "passed"


@pytest.mark.parametrize(
    "value", [".", "a+b", "(", "[x]", "\\", "a b", "é", "\n", "_", "-", "^$", "\x00", "{2}", "/", "#"]
)
def test_values_are_escaped_in_patterns(value: str) -> None:
    assert outcome(check("regex", pattern="^{{x}}$"), says(value), x=value)[0] == "passed"
    assert outcome(check("regex", pattern="^[{{x}}]+$"), says(value), x=value)[0] == "passed"
    assert outcome(check("regex", pattern="^{{x}}$"), says(value + "z"), x=value)[0] == "failed"


@pytest.mark.parametrize(
    ("made", "value", "message"),
    [
        (check("contains", value="{{x}}"), [1], "`contains` at 1:1: an array has no text"),
        (check("contains", value="a {{x}}"), {"a": 1}, "`contains` at 1:1: `x` is an object, which has no text"),
        (check("regex", pattern="{{x}}"), {"a": 1}, "`regex` at 1:1: an object has no text"),
        (check("regex", pattern="{{x}}"), "\ud800", "`regex` at 1:1: it holds half of a surrogate pair"),
        (check("regex", pattern="{{x}}"), "a" * 2000, "`regex` at 1:1: longer than 1,000 characters"),
        (check("judge", criteria="{{x}}"), [1], "`llm_judge` at 1:1: an array has no text"),
        (check("schema", schema={"type": "{{x}}"}), "strin", "`schema` at 1:1: schema.type: invalid JSON Schema"),
        (check("all_of", checks=[check("contains", value="{{x}}")]), [1], "`contains` at 1:1: an array has no text"),
    ],
)
def test_bound_values_that_do_not_fit(made: Any, value: Any, message: str) -> None:
    with pytest.raises(BindError) as refused:
        outcome(made, says("x"), x=value)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (check("contains", value="{{x}}"), "an array has no text inside a longer text"),
        (check("contains", value="a {{x}}"), "`x` is an array, which has no text inside a longer text"),
        (check("regex", pattern="{{x}}"), "an array has no text inside a longer text"),
        (check("judge", criteria="{{x}}"), "an array has no text inside a longer text"),
    ],
)
def test_captures_that_do_not_fit_leave_the_check_open(made: Any, reason: str) -> None:
    """Only a run can tell whether an optional step supplies the value."""
    optional = behavior("assistant", "greets", optional=True, capture={"x": [1]})
    session = program([optional, behavior("assistant", "informs", checks=[made])])
    greets = {"actor": "assistant", "action": "greets"}
    (result,) = match(session, [greets, says("x")]).checks
    assert result.state == "inconclusive"
    assert result.reason.startswith(reason)
    (result,) = match(session, [says("x")]).checks
    assert (result.state, result.reason) == ("inconclusive", "`x` has no value here")
