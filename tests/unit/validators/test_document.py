"""Every example of the document the validators come from, with the answers it gives.

Each row is a line of the document as it stands there, the same in Python, and the answer. Where the document is
present, a test checks that no line with an answer was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from abs_compiler.validators import (
    evaluate_tool_calls,
    match_any_tool_call,
    match_no_tool_calls,
    match_tool_argument,
    match_tool_argument_with,
    match_tool_call_count,
    match_tool_call_with_args,
    match_tool_call_with_partial_args,
    match_tool_calls,
    match_tool_calls_subset,
    resolve_match_options,
)
from tests.support.shared import needs_shared, shared_root

Calls = list[dict[str, Any]]


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"toolName": tool, "arguments": arguments}


ADD_MULTIPLY = ["add", "multiply"]
ADD_2_3: Calls = [call("add", a=2, b=3)]
ADD_5_10: Calls = [call("add", a=5, b=10)]
TASK: Calls = [call("createTask", name="Task", priority="high", project="default")]

ANSWERS: list[tuple[str, Callable[[], bool], bool]] = [
    (
        'matchToolCalls(["add", "multiply"], result.toolsCalled()); // true',
        lambda: match_tool_calls(["add", "multiply"], ADD_MULTIPLY),
        True,
    ),
    (
        'matchToolCalls(["multiply", "add"], result.toolsCalled()); // false (wrong order)',
        lambda: match_tool_calls(["multiply", "add"], ADD_MULTIPLY),
        False,
    ),
    (
        'matchToolCalls(["add"], result.toolsCalled());             // false (missing multiply)',
        lambda: match_tool_calls(["add"], ADD_MULTIPLY),
        False,
    ),
    (
        'matchToolCallsSubset(["add"], result.toolsCalled());             // true',
        lambda: match_tool_calls_subset(["add"], ADD_MULTIPLY),
        True,
    ),
    (
        'matchToolCallsSubset(["multiply", "add"], result.toolsCalled()); // true (order doesn\'t matter)',
        lambda: match_tool_calls_subset(["multiply", "add"], ADD_MULTIPLY),
        True,
    ),
    (
        'matchToolCallsSubset(["divide"], result.toolsCalled());          // false',
        lambda: match_tool_calls_subset(["divide"], ADD_MULTIPLY),
        False,
    ),
    (
        'matchAnyToolCall(["add", "subtract"], result.toolsCalled()); // true',
        lambda: match_any_tool_call(["add", "subtract"], ["add"]),
        True,
    ),
    (
        'matchAnyToolCall(["multiply", "divide"], result.toolsCalled()); // false',
        lambda: match_any_tool_call(["multiply", "divide"], ["add"]),
        False,
    ),
    (
        'matchToolCallCount("add", result.toolsCalled(), 3); // true',
        lambda: match_tool_call_count("add", ["add", "add", "add"], 3),
        True,
    ),
    (
        'matchToolCallCount("add", result.toolsCalled(), 2); // false',
        lambda: match_tool_call_count("add", ["add", "add", "add"], 2),
        False,
    ),
    (
        "matchNoToolCalls(result.toolsCalled()); // true (if no tools called)",
        lambda: match_no_tool_calls([]),
        True,
    ),
    (
        'matchToolCallWithArgs("add", { a: 2, b: 3 }, result.getToolCalls()); // true',
        lambda: match_tool_call_with_args("add", {"a": 2, "b": 3}, ADD_2_3),
        True,
    ),
    (
        'matchToolCallWithArgs("add", { a: 2 }, result.getToolCalls());       // false (missing b)',
        lambda: match_tool_call_with_args("add", {"a": 2}, ADD_2_3),
        False,
    ),
    (
        'matchToolCallWithArgs("add", { a: 3, b: 2 }, result.getToolCalls()); // false (wrong values)',
        lambda: match_tool_call_with_args("add", {"a": 3, "b": 2}, ADD_2_3),
        False,
    ),
    (
        'matchToolCallWithPartialArgs("createTask", { name: "Task" }, calls);     // true',
        lambda: match_tool_call_with_partial_args("createTask", {"name": "Task"}, TASK),
        True,
    ),
    (
        'matchToolCallWithPartialArgs("createTask", { priority: "high" }, calls); // true',
        lambda: match_tool_call_with_partial_args("createTask", {"priority": "high"}, TASK),
        True,
    ),
    (
        'matchToolCallWithPartialArgs("createTask", { status: "open" }, calls);   // false',
        lambda: match_tool_call_with_partial_args("createTask", {"status": "open"}, TASK),
        False,
    ),
    (
        'matchToolArgument("add", "a", 5, result.getToolCalls());  // true if a=5',
        lambda: match_tool_argument("add", "a", 5, ADD_5_10),
        True,
    ),
    (
        'matchToolArgument("add", "b", 10, result.getToolCalls()); // true if b=10',
        lambda: match_tool_argument("add", "b", 10, ADD_5_10),
        True,
    ),
]


@pytest.mark.parametrize(("line", "ask", "answer"), ANSWERS, ids=[line for line, _, _ in ANSWERS])
def test_the_answer_beside_the_example(line: str, ask: Callable[[], bool], answer: bool) -> None:
    assert ask() is answer


@needs_shared
def test_no_answer_of_the_document_is_left_out() -> None:
    root = shared_root()
    assert root is not None
    text = (root / "seeds" / "tool-call-validators.txt").read_text(encoding="utf-8")
    answered = [line.strip() for line in text.splitlines() if re.search(r"\); *// (true|false)", line)]
    assert sorted(answered) == sorted(line for line, _, _ in ANSWERS)
    assert all(("// true" in line) is answer for line, _, answer in ANSWERS)


@pytest.mark.parametrize(("value", "answer"), [(5, False), ("say hello", True), ("bye", True), (None, False)])
def test_argument_with_a_type_check(value: Any, answer: bool) -> None:
    calls = [call("echo", message=value)]
    assert match_tool_argument_with("echo", "message", lambda v: isinstance(v, str), calls) is answer


@pytest.mark.parametrize(("value", "answer"), [("say hello", True), ("bye", False)])
def test_argument_with_a_content_check(value: Any, answer: bool) -> None:
    calls = [call("echo", message=value)]
    assert match_tool_argument_with("echo", "message", lambda v: "hello" in str(v), calls) is answer


@pytest.mark.parametrize(("value", "answer"), [(5, True), (0, False), (100, False), ("5", False)])
def test_argument_with_a_range_check(value: Any, answer: bool) -> None:
    calls = [call("add", a=value)]
    ask = match_tool_argument_with("add", "a", lambda v: isinstance(v, (int, float)) and 0 < v < 100, calls)
    assert ask is answer


@pytest.mark.parametrize(("value", "answer"), [("a@b.co", True), ("a b@c.d", False), ("a@b", False)])
def test_argument_with_an_email_check(value: Any, answer: bool) -> None:
    calls = [call("sendEmail", to=value)]
    email = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+\Z")
    assert match_tool_argument_with("sendEmail", "to", lambda v: email.match(str(v)), calls) is answer


def test_with_test_frameworks() -> None:
    calls = [call("add", a=5, b=6)]
    assert match_tool_calls(["add"], [c["toolName"] for c in calls])
    assert match_tool_call_with_args("add", {"a": 10, "b": 20}, [call("add", a=10, b=20)])
    assert match_tool_calls_subset(["add", "multiply"], ADD_MULTIPLY)


def test_evaluate_the_example() -> None:
    expected = [{"toolName": "createTask", "arguments": {"priority": "high"}}]
    match = evaluate_tool_calls(expected, [call("createTask", title="Deploy", priority="high")])
    assert match.passed
    assert match.to_dict() == {
        "passed": True,
        "missing": [],
        "extra": [],
        "outOfOrder": [],
        "argumentMismatches": [],
    }
    match = evaluate_tool_calls(
        expected, [call("createTask", title="Deploy", priority="low")], {"argumentMatching": "partial"}
    )
    assert not match.passed
    assert match.to_dict()["missing"] == []
    assert match.to_dict()["argumentMismatches"] == [
        {
            "toolName": "createTask",
            "expectedArgs": {"priority": "high"},
            "actualArgs": {"title": "Deploy", "priority": "low"},
        }
    ]


# "any": any value that is there; the others by type. Undefined does not exist here: it is an absent key.
PLACEHOLDER_TABLE = {
    "any": [None, True, 0, 1.5, "", [], {}],
    "string": ["", "string", "any"],
    "number": [0, -2, 1.5, 10**30],
    "boolean": [True, False],
    "object": [{}, {"a": 1}],
    "array": [[], [1]],
    "null": [None],
}
VALUES: list[Any] = [None, True, False, 0, -2, 1.5, 10**30, "", "string", "any", [], [1], {}, {"a": 1}]


@pytest.mark.parametrize("word", PLACEHOLDER_TABLE)
def test_what_a_placeholder_matches(word: str) -> None:
    matched = PLACEHOLDER_TABLE[word]
    for value in VALUES:
        wanted = word == "any" or any(type(value) is type(other) and value == other for other in matched)
        result = evaluate_tool_calls([call("t", x=word)], [call("t", x=value)])
        assert result.passed is wanted, value
    assert not evaluate_tool_calls([call("t", x=word)], [call("t")])


def test_placeholders_of_the_example() -> None:
    expected = [{"toolName": "sendEmail", "arguments": {"to": "string", "subject": "any"}}]
    assert evaluate_tool_calls(expected, [call("sendEmail", to="a@b.c", subject=None, body="...")])
    assert not evaluate_tool_calls(expected, [call("sendEmail", to=5, subject="Hi")])
    assert not evaluate_tool_calls(expected, [call("sendEmail", to="a@b.c")])


def test_layered_options() -> None:
    resolved = resolve_match_options({"allowExtraToolCalls": False}, {"argumentMatching": "exact"}, None)
    assert resolved.to_dict() == {
        "toolCallOrder": "ignore",
        "allowExtraToolCalls": False,
        "argumentMatching": "exact",
    }


def test_defaults_are_those_of_the_document() -> None:
    assert resolve_match_options().to_dict() == {
        "toolCallOrder": "ignore",
        "allowExtraToolCalls": True,
        "argumentMatching": "partial",
    }
