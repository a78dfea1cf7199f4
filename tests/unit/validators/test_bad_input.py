"""Bad calls and values: a clear error that names the place, or the right answer; never a crash, never a hang."""

from __future__ import annotations

import enum
import json
import re
from collections import OrderedDict, UserDict
from datetime import date
from typing import Any

import pytest

from abs_compiler.runtime.errors import AbsError
from abs_compiler.validators import (
    ToolCall,
    ValidatorError,
    assert_tool_calls,
    compile_expected,
    evaluate_tool_calls,
    match_no_tool_calls,
    match_tool_argument,
)

GOOD = {"toolName": "t", "arguments": {"x": 1}}
NAN, INFINITY = float("nan"), float("inf")

# A call, the kind of error, and what its message says after the place of the call.
BAD_CALLS: list[tuple[Any, type[Exception], str]] = [
    (None, TypeError, ": a tool call is an object with 'toolName', not None"),
    ("add", TypeError, r": a tool call is an object .*, not a text; write \{'toolName': 'add'\} or ToolCall\('add'\)"),
    (5, TypeError, "not a number"),
    (["add"], TypeError, "not a list"),
    ({}, ValueError, ": the call has no 'toolName'"),
    ({"toolname": "add"}, ValueError, r"no 'toolName' \(is it 'toolname'\?\)"),
    ({"name": "add", "input": {}}, ValueError, r"no 'toolName' \(is it 'name'\?\)"),
    ({"toolName": None}, TypeError, ": the name of a tool is a text, not None"),
    ({"toolName": 5}, TypeError, "a text, not a number"),
    ({"toolName": ["add"]}, TypeError, "a text, not a list"),
    ({"toolName": "t", "tool_name": "u"}, ValueError, ": the call has both 'toolName' and 'tool_name'"),
    ({"toolName": "t", "tool_name": "t", "arguments": {}}, ValueError, "both 'toolName' and 'tool_name'"),
    ({"tool_name": "t", "id": 1, "args": {}}, ValueError, "no 'arguments', but 'args' .did you mean 'arguments'"),
    ({"toolName": "t", "arguments": [1]}, TypeError, r"\.arguments: the arguments of a call are an object, not a list"),
    ({"toolName": "t", "arguments": '{"a": 1}'}, TypeError, "not a text; decode it with json.loads first"),
    ({"toolName": "t", "arguments": ""}, TypeError, "not a text"),
    ({"toolName": "t", "arguments": 0}, TypeError, "not a number"),
    ({"toolName": "t", "arguments": {"x": NAN}}, ValueError, r"\.arguments\.x is nan, which is no JSON value"),
    ({"toolName": "t", "arguments": {"x": [1, {"y": INFINITY}]}}, ValueError, r"\.arguments\.x\[1\]\.y is inf"),
    (
        {"toolName": "t", "arguments": {"when": date(2026, 1, 1)}},
        TypeError,
        r"\.arguments\.when is a value of type date",
    ),
    ({"toolName": "t", "arguments": {"x": {1}}}, TypeError, r"\.arguments\.x is a value of type set"),
    ({"toolName": "t", "arguments": {"x": b"1"}}, TypeError, r"\.arguments\.x is bytes"),
    ({"toolName": "t", "arguments": {1: "x"}}, TypeError, "text"),
    ({"toolName": "t", "arguments": {"x": {1: "x"}}}, TypeError, r"\.arguments\.x has a key that is a number"),
]


@pytest.mark.parametrize(("call", "kind", "message"), BAD_CALLS)
def test_a_bad_call_is_named(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=r"actual\[1\].*" + message) as caught:
        evaluate_tool_calls([GOOD], [GOOD, call])
    assert isinstance(caught.value, AbsError)
    assert isinstance(caught.value, ValidatorError)
    with pytest.raises(kind, match=message):
        evaluate_tool_calls([], [GOOD, call], is_negative_test=True)
    with pytest.raises(kind, match=r"(expected\[1\])?.*" + message):
        compile_expected([GOOD, call])
    with pytest.raises(kind, match=r"tool_calls\[1\].*" + message):
        match_tool_argument("t", "x", 1, [GOOD, call])


@pytest.mark.parametrize(
    "key",
    [
        *("args", "argument", "Arguments", "ARGUMENTS", "parameters", "params", "input", "Input", "with", "kwargs"),
        *("arguemnts", "argumnets", "arguments ", "argumentss", "_arguments", "argumens"),
    ],
)
def test_misspelt_arguments_are_no_silent_pass(key: str) -> None:
    call = {"toolName": "t", key: {"a": 99}}
    message = re.escape(f": the call has no 'arguments', but {key!r} (did you mean 'arguments'?)")
    good = [{"toolName": "t", "arguments": {"a": 1}}]
    with pytest.raises(ValidatorError, match=r"expected\[0\]" + message):
        evaluate_tool_calls([call], good)
    with pytest.raises(ValidatorError, match=r"actual\[0\]" + message):
        evaluate_tool_calls([{"toolName": "t"}], [call])
    with pytest.raises(ValidatorError, match=r"actual\[0\]" + message):
        match_no_tool_calls([call])


def test_other_properties_stay() -> None:
    call = {"toolName": "t", "id": "1", "result": {"a": 1}, "description": "x", "argc": 1, 5: "five"}
    assert evaluate_tool_calls([call], [call], argument_matching="exact").actual[0].properties["id"] == "1"
    both = {"toolName": "t", "arguments": {"a": 1}, "input": "the raw text"}
    result = evaluate_tool_calls([both], [both], argument_matching="exact")
    assert result
    assert result.actual[0].properties == {"input": "the raw text"}


@pytest.mark.parametrize("expected", [None, 5, "add", GOOD, ToolCall("t"), {"a"}, b"[]"])
def test_expected_calls_that_are_no_list(expected: Any) -> None:
    for ask in (evaluate_tool_calls, assert_tool_calls):
        with pytest.raises(TypeError, match="expected is a list of tool calls, not"):
            ask(expected, [GOOD])


@pytest.mark.parametrize("name", [None, 5, b"add", ["add"]])
def test_a_tool_call_checks_itself(name: Any) -> None:
    with pytest.raises(TypeError, match="the name of a tool is a text"):
        ToolCall(name)
    arguments: Any = "a=1"
    with pytest.raises(TypeError, match="the arguments of a call are an object"):
        ToolCall("t", arguments)


def nested(depth: int, inside: Any = 1) -> Any:
    for _ in range(depth):
        inside = [inside]
    return inside


def test_deep_values() -> None:
    deep = nested(100_000)
    call = {"toolName": "t", "arguments": {"x": deep}}
    assert evaluate_tool_calls([{"toolName": "t"}], [call])
    assert evaluate_tool_calls([{"toolName": "t", "arguments": {"x": "array"}}], [call])
    result = evaluate_tool_calls([{"toolName": "t", "arguments": {"x": [[1]]}}], [call])
    assert not result
    assert "arguments.x" in result.explain()
    with pytest.raises(ValueError, match=r"expected\[0\]\.arguments\.x.* is nested more than 199 levels deep"):
        evaluate_tool_calls([call], [call])
    with pytest.raises(ValueError, match="nested more than 199 levels deep"):
        match_tool_argument("t", "x", deep, [call])
    almost = {"toolName": "t", "arguments": {"x": nested(150)}}
    for matching in ("partial", "exact"):
        assert evaluate_tool_calls([almost] * 4, [almost] * 4, argument_matching=matching)
        assert not evaluate_tool_calls([almost] * 4, [call] * 4, argument_matching=matching)


def circles() -> list[Any]:
    alone: list[Any] = []
    alone.append(alone)
    inner: dict[str, Any] = {"y": 1}
    outer = {"x": [{"inner": inner}]}
    inner["z"] = outer
    odd: Any = ([],)
    odd[0].append(odd)
    return [alone, outer, odd]


@pytest.mark.parametrize("circle", circles(), ids=["alone", "by others", "a tuple"])
def test_values_that_hold_themselves(circle: Any) -> None:
    call = {"toolName": "t", "arguments": {"x": circle}}
    any_value = {"toolName": "t", "arguments": {"x": "any"}}
    with pytest.raises(ValidatorError, match=r"expected\[0\]\.arguments\.x.* holds itself") as caught:
        evaluate_tool_calls([call], [GOOD])
    assert len(str(caught.value)) < 200
    with pytest.raises(ValidatorError, match=r"actual\[0\]\.arguments.* holds itself") as caught:
        evaluate_tool_calls([any_value], [call])
    assert len(str(caught.value)) < 200
    with pytest.raises(ValidatorError, match=r"tool_calls\[0\]\.arguments.* holds itself"):
        match_tool_argument("t", "y", 1, [call])


def test_values_in_several_places_do_not_hold_themselves() -> None:
    shared = {"a": [1]}
    tower: Any = [1]
    for _ in range(60):
        tower = [tower, tower]
    call = {"toolName": "t", "arguments": {"x": [shared, shared], "y": shared, "pair": (shared, shared)}}
    assert evaluate_tool_calls([call], [call], argument_matching="exact")
    assert evaluate_tool_calls(
        [{"toolName": "t", "arguments": {"z": "any"}}], [{"toolName": "t", "arguments": {"z": tower}}]
    )


def test_long_places_are_cut() -> None:
    with pytest.raises(ValidatorError) as caught:
        compile_expected([{"toolName": "t", "arguments": {"x": nested(150, NAN)}}])
    place = "expected[0].arguments.x" + "[0]" * 7 + "…[0][0]"
    assert str(caught.value) == f"{place} is nan, which is no JSON value"


def test_huge_values() -> None:
    big = 10**5000
    call = {"toolName": "t", "arguments": {"x": big, "text": "x" * 1_000_000, "list": list(range(100_000))}}
    assert evaluate_tool_calls([call], [call])
    other = {"toolName": "t", "arguments": {**call["arguments"], "x": big + 1, "list": [1]}}
    result = evaluate_tool_calls([call], [other])
    assert not result
    assert len(result.explain()) < 2000


def test_plain_forms_of_other_types() -> None:
    class Color(enum.StrEnum):
        RED = "red"

    class Size(enum.IntEnum):
        BIG = 3

    odd = {"toolName": "t", "arguments": OrderedDict(c=Color.RED, s=Size.BIG, pair=(1, 2), deep={"c": [Color.RED]})}
    plain = {"toolName": "t", "arguments": {"c": "red", "s": 3, "pair": [1, 2], "deep": {"c": ["red"]}}}
    for matching in ("partial", "exact"):
        for expected, actual in ((odd, plain), (plain, odd), (odd, odd)):
            assert evaluate_tool_calls([expected], [actual], argument_matching=matching)
    assert match_tool_argument("t", "pair", (1, 2), [plain])
    with pytest.raises(TypeError, match="a tool call is an object"):
        evaluate_tool_calls([plain], [UserDict(plain)])


def test_results_are_json_whatever_came_in() -> None:
    text = "\ud800\u2028\x00"
    call = {"toolName": text, "arguments": {text: text}}
    result = evaluate_tool_calls([call], [{"toolName": "u"}])
    assert json.loads(json.dumps(result.to_dict()))["missing"] == [call]
    assert result.explain().isprintable() or "\n" in result.explain()


def test_what_is_handed_over_stays_as_it_is() -> None:
    expected: Any = [{"toolName": "t", "arguments": {"x": {"y": [1]}}}]
    actual = [{"toolName": "t", "arguments": {"x": {"y": [1]}}}]
    before = json.dumps([expected, actual])
    matcher = compile_expected(expected)
    matcher.evaluate(actual).to_dict()
    assert json.dumps([expected, actual]) == before
    expected[0]["arguments"]["x"]["y"].append(2)
    assert matcher.evaluate(actual)


def test_an_empty_list_is_a_run_without_calls() -> None:
    assert match_no_tool_calls([])
    assert match_no_tool_calls(())
    assert match_no_tool_calls(iter([]))
