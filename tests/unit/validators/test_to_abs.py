"""Expected calls as ABS sessions: the text itself, and that it compiles to the same verdicts whatever it holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import abs_compiler as absc
from abs_compiler.validators import (
    Literal,
    ToolCall,
    ValidatorTypeError,
    ValidatorValueError,
    compile_expected,
    evaluate_tool_calls,
    to_abs,
)


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"toolName": tool, "arguments": arguments}


def matcher(text: str) -> absc.Matcher:
    (only,) = absc.compile_text(text)
    return only


def passes(text: str, actual: list[dict[str, Any]]) -> bool:
    events = [
        {"actor": "assistant", "action": "calls", "target": item["toolName"], "with": item.get("arguments")}
        for item in actual
    ]
    return matcher(text).match(events).status == "passed"


def test_a_group_of_partial_expectations() -> None:
    expected = [
        ToolCall("createTask", {"priority": "high", "title": "string", "kind": Literal("string"), "note": "{{x}}"}),
        call("notify"),
    ]
    assert to_abs(expected, {"maxExtraToolCalls": 2}, session="a task") == (
        """abs_version: "0.2"
session: "a task"
match:
  extras: 2
behaviors:
  - actor: assistant
    action: calls
    target: createTask
    with:
      priority: "high"
      title: {$is: 'string'}
      kind: "string"
      note: {$literal: "{{x}}"}
  - actor: assistant
    action: calls
    target: notify
    evaluations:
      - type: tool_call
        ordered: false
"""
    )


def test_an_ordered_list_of_exact_expectations() -> None:
    expected = [call("a", x=[1, None, {"y": 1.5}]), call("order: b"), call("yes")]
    matching = compile_expected(expected, tool_call_order="strict", argument_matching="exact", max_extra_tool_calls=0)
    assert matching.to_abs() == (
        """abs_version: "0.2"
session: "expected tool calls"
match:
  extras: forbid
behaviors:
  - actor: assistant
    action: calls
    target: a
    with_only:
      x: [1, null, {"y": 1.5}]
  - actor: assistant
    action: calls
    target: "order: b"
    with: {$is: 'length == 0'}
  - actor: assistant
    action: calls
    target: "yes"
    with: {$is: 'length == 0'}
"""
    )


def test_runs_without_calls() -> None:
    negative = to_abs([call("a")], is_negative_test=True)
    assert passes(negative, [])
    assert not passes(negative, [call("b")])
    nothing = to_abs([])
    assert not passes(nothing, [])
    assert passes(nothing, [call("a"), call("b")])
    limited = to_abs([], max_extra_tool_calls=1)
    assert [passes(limited, [call("a")] * count) for count in range(3)] == [False, True, False]


def test_positional_has_a_session_only_without_extra_calls() -> None:
    assert passes(
        to_abs([call("a"), call("b")], tool_call_order="positional", max_extra_tool_calls=0), [call("a"), call("b")]
    )
    with pytest.raises(ValidatorValueError, match="'positional' has one only with max_extra_tool_calls 0"):
        to_abs([call("a")], tool_call_order="positional")


@pytest.mark.parametrize(("name", "problem"), [("", "has no name"), ("a{{b}}", "takes for a reference")])
def test_names_no_session_can_hold(name: str, problem: str) -> None:
    with pytest.raises(ValidatorValueError, match=rf"expected\[1\].*: the tool .*{problem}"):
        to_abs([call("a"), call(name)])


@pytest.mark.parametrize(
    "value",
    ["\ud800", ["x\udfff"], {"\ud800": 1}, 10**5000, [-(10**100)]],
    ids=["half", "in a list", "in a key", "huge", "long"],
)
def test_values_no_file_can_hold(value: Any) -> None:
    for matching in ("partial", "exact"):
        with pytest.raises(ValidatorValueError, match="cannot be written in ABS"):
            to_abs([call("a", x=value)], argument_matching=matching)
    with pytest.raises(ValidatorValueError, match="cannot be written in ABS"):
        to_abs([call("a", **{"$is": value, "y": "string"})])


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


BEYOND: list[tuple[list[Any], dict[str, Any], str]] = [
    ([call("b", x=nested(70))], {}, r"expected\[1\] b: .*more than 64 levels"),
    ([call("b", x="x" * 70_000)], {}, r"expected\[1\] b: .*at most 65,536"),
    ([call("b" * 70_000)], {}, r"expected\[1\] b{80}: .*at most 65,536"),
    ([call("b", **{"k" * 70_000: 1})], {}, r"expected\[1\] b: .*at most 65,536"),
    ([call("b"), call("c", x=list(range(100_000)))], {}, r"expected\[2\] c: .*more than 100,000 values"),
    ([call("b", **{f"x{n}": "y" * 1000 for n in range(1200)})], {}, "larger than 1,048,576 bytes"),
    ([call("b", **{"$is": "string", "x": "y" * 3000})], {}, r"expected\[1\] b: .*longer than 2,000 characters"),
    ([], {"max_extra_tool_calls": 1_000_000_001}, "`extras` is too large .above 1,000,000,000"),
    ([], {"session": ""}, "`session` is empty"),
    ([], {"session": "x" * 70_000}, "at most 65,536"),
    ([], {"session": "{{a}}"}, "`session` cannot hold a"),
]


@pytest.mark.parametrize(("more", "options", "message"), BEYOND, ids=[message[-24:] for _, _, message in BEYOND])
def test_nothing_is_printed_that_absc_refuses(more: list[Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidatorValueError, match="no ABS session can hold this: .*" + message) as caught:
        to_abs([call("a"), *more], **options)
    assert len(str(caught.value)) < 300


def test_the_most_a_session_holds() -> None:
    arguments = {"x": nested(55), "y": "y" * 60_000}
    text = to_abs([call("a", **arguments)], max_extra_tool_calls=1_000_000_000, session="x" * 60_000)
    assert passes(text, [call("a", **arguments)])


@pytest.mark.parametrize("session", [5, None, b"x", ["x"]])
def test_a_session_that_is_no_text(session: Any) -> None:
    for ask in (lambda: to_abs([call("a")], session=session), lambda: compile_expected([]).to_abs(session)):
        with pytest.raises(ValidatorTypeError, match="session is a text, the name of the session, not "):
            ask()


ACTORS = [("assistant", "calls"), ("assistant", "submits"), ("assistant", "stores"), ("worker", "calls")]


@pytest.mark.parametrize(("actor", "action"), ACTORS)
def test_a_session_says_one_actor_and_action(actor: str, action: str) -> None:
    """Where every call is made by `assistant` with `calls` the session agrees; any other call is an extra one there."""
    here = [{"actor": actor, "action": action, "target": "a"}]
    assert evaluate_tool_calls([call("a")], here)
    same = (actor, action) == ACTORS[0]
    assert (matcher(to_abs([call("a")])).match(here).status == "passed") is same
    beside = [{"actor": "assistant", "action": "calls", "target": "a"}, {**here[0], "target": "b"}]
    for limit, status in ((0, "failed"), (1, "passed")):
        assert evaluate_tool_calls([call("a")], beside, max_extra_tool_calls=limit).passed is (status == "passed")
        assert matcher(to_abs([call("a")], max_extra_tool_calls=limit)).match(beside).status == status
    assert not evaluate_tool_calls([], here, is_negative_test=True)
    assert matcher(to_abs([], is_negative_test=True)).match(here).status == "failed"


WORDS = [
    "yes",
    "no",
    "on",
    "null",
    "~",
    "true",
    "012",
    "1e3",
    "2026-01-01",
    "- a",
    "a: b",
    "#",
    "'",
    '"',
    "\\",
    "{{x}}",
]
ODD = [
    "",
    " ",
    "<<",
    "=",
    "$is",
    "$literal",
    "$from",
    "\x00",
    "\x85",
    "\u2028",
    "\ufeff",
    "\n",
    "\U0001f600",
    "{",
    "}}",
]
texts = st.one_of(st.sampled_from([*WORDS, *ODD]), st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)


@given(
    arguments=st.dictionaries(texts, values, min_size=1, max_size=3),
    tool=texts.filter(lambda text: text and "{{" not in text),
    matching=st.sampled_from(["partial", "exact"]),
)
@example(arguments={"$is": "string", "{{a}}": '{{b}} \\ " {'}, tool="t", matching="partial")
@example(arguments={"$literal": {"$is": "x"}, "k": {"$from": 1}}, tool="t", matching="exact")
def test_any_text_anywhere(arguments: dict[str, Any], tool: str, matching: str) -> None:
    text = to_abs([call(tool) | {"arguments": arguments}], argument_matching=matching)
    key = next(iter(arguments))
    runs = [
        arguments,
        {**arguments, "one more": 1},
        {**arguments, key: [arguments[key]]},
        {other: value for other, value in arguments.items() if other != key},
    ]
    for run in runs:
        actual = [{"toolName": tool, "arguments": run}]
        expected = [{"toolName": tool, "arguments": arguments}]
        assert passes(text, actual) == evaluate_tool_calls(expected, actual, argument_matching=matching).passed


def test_nothing_to_complain_about() -> None:
    expected = [call("a", x="any"), call("a", x=1), call("b", y="string", z=["{{x}}"])]
    for order in ("ignore", "strict"):
        assert absc.check_text(to_abs(expected, tool_call_order=order)) == []
