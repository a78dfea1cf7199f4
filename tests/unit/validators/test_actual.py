"""What `actual` may be: calls, events, traces, messages, files; and what must not pass for lack of input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abs_compiler import Event, Trace, read_trace
from abs_compiler.runtime.errors import AbsError
from abs_compiler.validators import (
    ToolCall,
    UnreadableCallsError,
    compile_expected,
    evaluate_tool_calls,
    match_no_tool_calls,
    match_tool_argument,
    match_tool_call_count,
    match_tool_calls,
    match_tool_calls_subset,
)

ABS_EVENTS: list[dict[str, Any]] = [
    {"actor": "user", "action": "says", "content": "Add 2 and 3, then multiply by 4"},
    {"actor": "assistant", "action": "calls", "target": "add", "with": {"a": 2, "b": 3}},
    {"actor": "tool", "action": "responds", "target": "add", "content": 5},
    {"actor": "assistant", "action": "calls", "target": "multiply", "with": {"a": 5, "b": 4}},
    {"actor": "tool", "action": "responds", "target": "multiply", "content": 20},
    {"actor": "assistant", "action": "says", "content": "20"},
]


def chat_call(number: int, name: str, arguments: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        ],
    }


MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "Add 2 and 3, then multiply by 4"},
    chat_call(1, "add", '{"a": 2, "b": 3}'),
    {"role": "tool", "tool_call_id": "call_1", "content": "5"},
    chat_call(2, "multiply", '{"a": 5, "b": 4}'),
    {"role": "tool", "tool_call_id": "call_2", "content": "20"},
    {"role": "assistant", "content": "20"},
]
EXPECTED = [
    {"toolName": "add", "arguments": {"a": 2, "b": "number"}},
    {"toolName": "multiply", "arguments": {"a": 5}},
]


def forms(folder: Path) -> dict[str, Any]:
    path = folder / "run.json"
    path.write_text(json.dumps(MESSAGES), encoding="utf-8")
    return {
        "calls": [{"toolName": "add", "arguments": {"a": 2, "b": 3}}, ToolCall("multiply", {"a": 5, "b": 4})],
        "event dictionaries": ABS_EVENTS,
        "events": [Event.from_dict(item) for item in ABS_EVENTS],
        "an object of events": {"complete": True, "events": ABS_EVENTS},
        "a trace": read_trace(path),
        "a path": path,
        "a path as text": str(path),
        "bytes": json.dumps(ABS_EVENTS).encode(),
        "messages": MESSAGES,
        "an object of messages": {"messages": MESSAGES},
        "a generator": (item for item in ABS_EVENTS),
    }


FORMS = [
    "calls",
    "event dictionaries",
    "events",
    "an object of events",
    "a trace",
    "a path",
    "a path as text",
    "bytes",
    "messages",
    "an object of messages",
    "a generator",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_calls(form: str, tmp_path: Path) -> None:
    result = evaluate_tool_calls(EXPECTED, forms(tmp_path)[form], tool_call_order="strict", max_extra_tool_calls=0)
    assert result.passed
    assert [(call.tool_name, call.arguments) for call in result.actual] == [
        ("add", {"a": 2, "b": 3}),
        ("multiply", {"a": 5, "b": 4}),
    ]
    assert match_tool_calls(["add", "multiply"], forms(tmp_path)[form])
    assert match_tool_argument("multiply", "a", 5, forms(tmp_path)[form])


def test_calls_of_people_are_no_tool_calls() -> None:
    events = [
        {"actor": "user", "action": "submits", "target": "form"},
        {"actor": "human", "action": "calls", "target": "phone"},
        {"actor": "assistant", "category": "execution", "target": "add"},
    ]
    assert match_tool_calls(["add"], events)


def test_arguments_of_an_event_that_are_no_object_match_only_where_none_are_looked_at() -> None:
    events = [{"actor": "assistant", "action": "calls", "target": "t", "with": '{"a": 1'}]
    assert evaluate_tool_calls([{"toolName": "t"}], events)
    assert evaluate_tool_calls([{"toolName": "t", "arguments": {"a": 1}}], events, argument_matching="ignore")
    for matching in ("partial", "exact"):
        result = evaluate_tool_calls([{"toolName": "t", "arguments": {"a": 1}}], events, argument_matching=matching)
        (row,) = result.argument_mismatches
        assert row.actual_args == '{"a": 1'
        assert "expected an object" in result.explain()
    assert not evaluate_tool_calls([{"toolName": "t"}], events, argument_matching="exact")
    assert not match_tool_argument("t", "a", 1, events)


class TestDoubt:
    """Where a call may have gone unread, no pass may rest on its absence."""

    unread = Trace([Event("user", category="communication", content="hi")], unread={"message of an unknown role": 1})
    partial = Trace([Event("assistant", "calls", target="add")], complete=False)

    @pytest.mark.parametrize("trace", [unread, Trace([]), b"[]", {"complete": False, "events": ABS_EVENTS[:1]}])
    def test_a_negative_test_does_not_pass(self, trace: Any) -> None:
        for ask in (
            lambda: match_no_tool_calls(trace),
            lambda: match_tool_calls([], trace),
            lambda: match_tool_call_count("add", trace, 0),
            lambda: evaluate_tool_calls([], trace, is_negative_test=True),
        ):
            with pytest.raises(UnreadableCallsError, match="passes only if no other tool was called"):
                ask()

    def test_nor_does_a_limit_of_extra_calls(self) -> None:
        for options in ({"maxExtraToolCalls": 5}, {"allowExtraToolCalls": False}, {"toolCallOrder": "positional"}):
            with pytest.raises(UnreadableCallsError, match="says that it is not complete"):
                evaluate_tool_calls([{"toolName": "add"}], self.partial, options)
        with pytest.raises(UnreadableCallsError, match="not complete"):
            match_tool_calls(["add"], self.partial)

    def test_other_passes_and_all_failures_stand(self) -> None:
        assert match_tool_calls_subset(["add"], self.partial)
        assert evaluate_tool_calls([{"toolName": "add"}], self.partial, tool_call_order="strict")
        assert not match_tool_calls(["add"], self.unread)
        assert not evaluate_tool_calls([{"toolName": "add"}], self.unread)
        assert not evaluate_tool_calls([], self.partial, is_negative_test=True)


UNREADABLE: dict[str, Any] = {
    "no such file": "/no/such/file.json",
    "an empty path": "",
    "empty bytes": b"",
    "a spec": b"session: s\nbehaviors: []\n",
    "binary": b"\x00\xff\xfe",
    "no run at all": b'{"hello": 1}',
    "an object": {"hello": 1},
    "an empty object": {},
    "messages of a set": [{"role": "user", "content": {1, 2}}],
    "a broken event": [{"actor": "assistant"}],
    "calls after events": [*ABS_EVENTS, {"toolName": "add"}],
    "a call without a target": [{"actor": "assistant", "action": "calls"}],
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_never_passes(name: str) -> None:
    actual = UNREADABLE[name]
    negative = compile_expected([], is_negative_test=True)
    for ask in (lambda: match_no_tool_calls(actual), lambda: negative.evaluate(actual)):
        with pytest.raises(UnreadableCallsError, match="actual: ") as caught:
            ask()
        assert isinstance(caught.value, AbsError)
        assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("actual", [None, 5, True, {"a"}, frozenset(), object()])
def test_what_is_no_list_is_a_type_error(actual: Any) -> None:
    for ask in (
        lambda: match_no_tool_calls(actual),
        lambda: evaluate_tool_calls([], actual, is_negative_test=True),
        lambda: match_tool_argument("t", "x", 1, actual),
    ):
        with pytest.raises(TypeError, match="the calls of a run are a list, a trace, or the path of one") as caught:
            ask()
        assert isinstance(caught.value, AbsError)


def test_one_call_is_no_list() -> None:
    with pytest.raises(TypeError, match="not one call; put it in a list"):
        evaluate_tool_calls([{"toolName": "add"}], {"toolName": "add"})
