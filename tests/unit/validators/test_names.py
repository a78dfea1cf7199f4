"""The validators of names: membership, counting, edges, and what `actual` may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abs_compiler.validators import (
    ToolCall,
    UnreadableCallsError,
    ValidatorTypeError,
    ValidatorValueError,
    match_any_tool_call,
    match_no_tool_calls,
    match_tool_call_count,
    match_tool_calls,
    match_tool_calls_subset,
)


def test_exact_sequences_count_duplicates_and_compare_by_code_point() -> None:
    assert match_tool_calls([], [])
    assert not match_tool_calls([], ["a"])
    assert match_tool_calls(["a", "a"], ["a", "a"])
    assert not match_tool_calls(["a", "a"], ["a"])
    assert not match_tool_calls(["a", "b", "a"], ["a", "a", "b"])
    assert not match_tool_calls(["Add"], ["add"])
    assert not match_tool_calls(["add "], ["add"])
    assert not match_tool_calls(["\u00e9"], ["e\u0301"])
    assert not match_tool_calls(["any"], ["add"])


def test_a_subset_is_membership_not_a_multiset() -> None:
    assert match_tool_calls_subset(["a", "a", "a"], ["b", "a"])
    assert match_tool_calls_subset([], [])
    assert not match_tool_calls_subset(["a"], [])


def test_any_of_none_is_false() -> None:
    assert not match_any_tool_call([], [])
    assert not match_any_tool_call([], ["a"])
    assert match_any_tool_call(["z", "a"], ["a", "b"])


@pytest.mark.parametrize(
    ("count", "answer"), [(2, True), (2.0, True), (10**400, False), (1, False), (1.5, False), (-1, False)]
)
def test_counts(count: float, answer: bool) -> None:
    assert match_tool_call_count("a", ["a", "b", "a"], count) is answer


def test_a_count_of_zero() -> None:
    assert match_tool_call_count("a", [], -0.0)
    assert match_tool_call_count("A", ["a"], 0)


def test_an_empty_name_is_still_a_call() -> None:
    assert not match_no_tool_calls([""])


@pytest.mark.parametrize(
    "actual",
    [
        ["add", "multiply"],
        ("add", "multiply"),
        iter(["add", "multiply"]),
        [ToolCall("add"), ToolCall("multiply", {"a": 1})],
        [{"toolName": "add"}, {"tool_name": "multiply"}],
        [
            {"actor": "user", "action": "says", "content": "add"},
            {"actor": "assistant", "action": "calls", "target": "add"},
            {"actor": "tool", "action": "responds", "target": "add"},
            {"actor": "assistant", "action": "submits", "target": "multiply"},
            {"actor": "user", "action": "uploads", "target": "file"},
        ],
    ],
)
def test_actual_in_every_form(actual: Any) -> None:
    assert match_tool_calls(["add", "multiply"], actual)


@pytest.mark.parametrize("names", [None, 5, "add", b"add", {"add": 1}, ["add", 3], [None], [True]])
def test_expected_names_that_are_no_list_of_texts(names: Any) -> None:
    for ask in (match_tool_calls, match_tool_calls_subset, match_any_tool_call):
        with pytest.raises(ValidatorTypeError, match="expected"):
            ask(names, ["add"])


@pytest.mark.parametrize("names", [None, 5, ["add", 3], [None], [["add"]], {"add"}])
def test_actual_names_that_are_no_list_of_texts(names: Any) -> None:
    for ask in (match_tool_calls, match_tool_calls_subset, match_any_tool_call):
        with pytest.raises(ValidatorTypeError, match="actual"):
            ask(["add"], names)
    with pytest.raises(ValidatorTypeError, match="actual"):
        match_no_tool_calls(names)


@pytest.mark.parametrize("count", ["2", None, True])
def test_a_count_that_is_no_number(count: Any) -> None:
    with pytest.raises(ValidatorTypeError, match="count is a number"):
        match_tool_call_count("add", ["add"], count)


@pytest.mark.parametrize("count", [float("nan"), float("inf"), float("-inf")])
def test_a_count_that_is_no_number_of_calls(count: float) -> None:
    with pytest.raises(ValidatorValueError, match=f"count is {count}, which is no number of calls"):
        match_tool_call_count("add", ["add"], count)


def test_a_path_that_is_empty() -> None:
    with pytest.raises(UnreadableCallsError, match=r"^actual: the path of a recorded run is empty$"):
        match_no_tool_calls("")


def test_messages_are_worded_for_python(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text('{"steps": []}')
    with pytest.raises(UnreadableCallsError, match=r"name the format with read_trace\(") as caught:
        match_no_tool_calls(file)
    assert "--" not in str(caught.value)
