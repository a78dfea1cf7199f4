"""The validators of arguments: JSON equality, absent arguments, and predicates."""

from __future__ import annotations

from typing import Any

import pytest

from abs_compiler.validators import (
    ToolCall,
    ValidatorTypeError,
    ValidatorValueError,
    match_tool_argument,
    match_tool_argument_with,
    match_tool_call_with_args,
    match_tool_call_with_partial_args,
)


def calls(*arguments: Any) -> list[dict[str, Any]]:
    return [{"toolName": "t", "arguments": item} for item in arguments]


WITHOUT = [{"toolName": "t"}]

EQUAL = [
    (1, 1.0),
    (0, -0.0),
    (10**30, 10**30),
    ([1, {"a": None}], [1.0, {"a": None}]),
    ({"x": 1, "y": 2}, {"y": 2, "x": 1}),
]
DIFFERENT = [
    (1, True),
    (0, False),
    (1, "1"),
    (None, 0),
    (None, ""),
    ("a", "A"),
    ("\u00e9", "e\u0301"),
    ([], {}),
    ([1, 2], [2, 1]),
    ({"x": None}, {}),
    ({"x": 1}, {"x": 1, "y": 2}),
    (2**53, 2**53 + 1),
    ([True], [1]),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_values(left: Any, right: Any) -> None:
    assert match_tool_argument("t", "x", left, calls({"x": right}))
    assert match_tool_call_with_args("t", {"x": left}, calls({"x": right}))
    assert match_tool_call_with_partial_args("t", {"x": left}, calls({"y": 0, "x": right}))


@pytest.mark.parametrize(("left", "right"), [*DIFFERENT, *((right, left) for left, right in DIFFERENT)])
def test_different_values(left: Any, right: Any) -> None:
    assert not match_tool_argument("t", "x", left, calls({"x": right}))
    assert not match_tool_call_with_args("t", {"x": left}, calls({"x": right}))
    assert not match_tool_call_with_partial_args("t", {"x": left}, calls({"x": right}))


def test_placeholder_words_are_texts_here() -> None:
    assert not match_tool_argument("t", "x", "string", calls({"x": "hello"}))
    assert match_tool_call_with_args("t", {"x": "any"}, calls({"x": "any"}))
    assert not match_tool_call_with_partial_args("t", {"x": "number"}, calls({"x": 5}))


def test_a_call_without_arguments_has_no_keys() -> None:
    for actual in (WITHOUT, calls(None), [ToolCall("t")]):
        assert not match_tool_call_with_args("t", {}, actual)
        assert match_tool_call_with_partial_args("t", {}, actual)
        assert not match_tool_call_with_partial_args("t", {"a": 1}, actual)
        assert not match_tool_argument("t", "x", None, actual)
        assert not match_tool_argument_with("t", "x", lambda value: True, actual)
    assert match_tool_call_with_args("t", {}, calls({}))


def test_any_call_of_the_tool_may_match() -> None:
    assert match_tool_call_with_args("t", {"a": 1}, [*WITHOUT, *calls({"a": 2}, {"a": 1})])
    assert not match_tool_call_with_partial_args("t", {"a": 1, "b": 1}, calls({"a": 1}, {"b": 1}))
    assert not match_tool_argument("T", "a", 1, calls({"a": 1}))
    assert match_tool_argument("t", "a.b", 1, calls({"a.b": 1}))


def test_a_predicate_is_asked_in_order_until_it_is_true() -> None:
    asked = []

    def is_two(value: Any) -> int:
        asked.append(value)
        return 7 if value == 2 else 0

    assert match_tool_argument_with("t", "x", is_two, calls({"x": 1}, {"y": 5}, {"x": 2}, {"x": 3}))
    assert asked == [1, 2]


def test_what_a_predicate_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        match_tool_argument_with("t", "x", lambda value: 1 / value, calls({"x": 0}))


def test_answers_are_booleans() -> None:
    assert match_tool_argument_with("t", "x", lambda value: "true enough", calls({"x": 1})) is True
    assert match_tool_argument_with("t", "x", lambda value: [], calls({"x": 1})) is False


@pytest.mark.parametrize("wrong", [None, "a", 5, [1]])
def test_wrong_expectations(wrong: Any) -> None:
    with pytest.raises(ValidatorTypeError, match="expected_args is an object"):
        match_tool_call_with_args("t", wrong, WITHOUT)
    with pytest.raises(ValidatorTypeError, match="expected_args is an object"):
        match_tool_call_with_partial_args("t", wrong, WITHOUT)
    with pytest.raises(ValidatorTypeError, match="predicate is a function"):
        match_tool_argument_with("t", "x", wrong, WITHOUT)


def test_names_that_are_no_texts() -> None:
    name: Any = 5
    with pytest.raises(ValidatorTypeError, match="tool_name is a text"):
        match_tool_argument(name, "x", 1, WITHOUT)
    with pytest.raises(ValidatorTypeError, match="arg_name is a text"):
        match_tool_argument("t", name, 1, WITHOUT)


def test_values_that_are_no_json() -> None:
    with pytest.raises(ValidatorValueError, match=r"expected_value is nan, which is no JSON value"):
        match_tool_argument("t", "x", float("nan"), WITHOUT)
    with pytest.raises(ValidatorTypeError, match=r"expected_args\.x is a value of type object"):
        match_tool_call_with_args("t", {"x": object()}, WITHOUT)
