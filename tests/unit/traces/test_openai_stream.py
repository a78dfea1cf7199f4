"""Streamed chat completions: chunks to one message."""

from __future__ import annotations

import json
from typing import Any

import pytest

from abs_compiler.runtime.events import Trace
from abs_compiler.traces import read_text
from abs_compiler.traces.sse import is_stream, payloads


def chunk(delta: Any, finish: str | None = None, index: Any = 0) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": index, "delta": delta, "finish_reason": finish}]}


def part(index: int | None, id: str | None = None, name: str | None = None, arguments: Any = None) -> dict[str, Any]:
    call: dict[str, Any] = {"function": {}}
    if index is not None:
        call["index"] = index
    if id is not None:
        call["id"] = id
    if name is not None:
        call["function"]["name"] = name
    if arguments is not None:
        call["function"]["arguments"] = arguments
    return call


END = chunk({}, "tool_calls")


def read(*chunks: Any) -> Trace:
    return read_text("".join(f"data: {json.dumps(value)}\n\n" for value in chunks) + "data: [DONE]\n\n")


def stream(*calls: Any) -> list[tuple[Any, Any, Any]]:
    trace = read(*(chunk({"tool_calls": [call]}) for call in calls), END)
    assert trace.unread == {}
    return [(event.target, event.arguments, event.call_id) for event in trace]


def test_text_and_interleaved_calls() -> None:
    trace = read(
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "One "}),
        chunk({"content": "moment."}),
        chunk({"tool_calls": [part(0, "a", "get", "")]}),
        chunk({"tool_calls": [part(1, "b", "put", "")]}),
        chunk({"tool_calls": [part(0, arguments='{"n"'), part(1, arguments='{"m"')]}),
        chunk({"tool_calls": [part(1, arguments=": 2}"), part(0, arguments=": 1}")]}),
        END,
        {"object": "chat.completion.chunk", "choices": [], "usage": {}},
    )
    assert [(event.target, event.arguments, event.content) for event in trace] == [
        (None, None, "One moment."),
        ("get", {"n": 1}, None),
        ("put", {"m": 2}, None),
    ]
    assert {event.turn for event in trace} == {0}
    assert trace.unread == {}


def test_servers_that_repeat_ids_and_names() -> None:
    assert stream(part(0, "a", "get", '{"n"'), part(0, "a", "get", ": 1}")) == [("get", {"n": 1}, "a")]
    assert stream(part(0, "a", "get", '{"n"'), part(0, "", "", ": 1}")) == [("get", {"n": 1}, "a")]


def test_names_in_pieces() -> None:
    assert stream(part(0, "a", "get_"), part(0, None, "order", "{}")) == [("get_order", {}, "a")]


def test_servers_that_give_no_index_or_always_the_same() -> None:
    for index in (None, 0):
        assert stream(part(index, "a", "get", '{"n": 1}'), part(index, "b", "put", "{}")) == [
            ("get", {"n": 1}, "a"),
            ("put", {}, "b"),
        ]
    assert stream(part(None, "a", "get", '{"n"'), part(None, None, None, ": 1}")) == [("get", {"n": 1}, "a")]


def test_whole_arguments_as_an_object() -> None:
    assert stream(part(0, "a", "get", {"n": 1})) == [("get", {"n": 1}, "a")]


def test_the_older_function_call_and_refusals() -> None:
    trace = read(
        chunk({"function_call": {"name": "get", "arguments": ""}}),
        chunk({"function_call": {"arguments": '{"n": 1}'}}),
        chunk({"refusal": "But "}),
        chunk({"refusal": "no."}, "stop"),
    )
    assert [(event.target, event.arguments, event.content) for event in trace] == [
        (None, None, "But no."),
        ("get", {"n": 1}, None),
    ]


def test_a_stream_that_ends_early_is_counted() -> None:
    trace = read(chunk({"tool_calls": [part(0, "a", "get", '{"n": ')]}))
    assert trace[0].arguments == '{"n": '
    assert trace.unread == {"streams that end early": 1, "arguments that are not JSON": 1}


def test_what_a_stream_may_hold_beside_chunks_is_counted() -> None:
    rows = [
        chunk({"content": "a"}, index=1),
        chunk({"content": "a"}),
        chunk({"content": [{"type": "text", "text": "b"}, {"type": "image_url"}]}),
        chunk({"content": 5}),
        chunk({"tool_calls": [7]}),
        {"error": {"message": "broken"}},
        {"choices": [3], "object": "chat.completion.chunk"},
        4,
        chunk({}, "stop"),
    ]
    trace = read_text(json.dumps({"messages": [], "response": rows}))
    assert [event.content for event in trace] == ["a\nb"]
    assert trace.unread == {
        "alternative choices": 1,
        "image_url parts": 1,
        "message content that is no text": 1,
        "calls of no known kind": 1,
        "error responses": 1,
        "stream chunks of no known kind": 2,
    }


def test_payloads_that_are_not_json_are_counted() -> None:
    text = f": ping\n\nevent: x\nid: 3\ndata: {json.dumps(chunk({'content': 'a'}, 'stop'))}\n\ndata: {{cut\n\n"
    for source in (text, json.dumps({"messages": [], "response": text})):
        trace = read_text(source)
        assert [event.content for event in trace] == ["a"]
        assert trace.unread == {"stream payloads that are not JSON": 1}


@pytest.mark.parametrize(
    ("text", "values", "bad"),
    [
        ("data: 1\n\ndata: 2\n\n", [1, 2], 0),
        ("data: 1\r\n\r\ndata:2", [1, 2], 0),
        ("data: 1\r\rdata: 2\r\r", [1, 2], 0),
        ('data: {"a":\ndata: 1}\n\n', [{"a": 1}], 0),
        ("data: 1\ndata: 2\ndata: [DONE]\n", [1, 2], 0),
        ("data: 1\ndata: x\ndata: 3\n", [1, 3], 1),
        ("event: e\ndata: x\n\n: comment\n\ndata:\n\n", [], 1),
        ('data: "a\u2028b"\n\n', ["a\u2028b"], 0),
    ],
)
def test_server_sent_events(text: str, values: list[Any], bad: int) -> None:
    assert is_stream(text)
    assert payloads(text) == (values, bad)


@pytest.mark.parametrize("text", ["", "{}", "event: x\n\n", '{"data:": 1}', "database: x"])
def test_what_is_no_stream(text: str) -> None:
    assert not is_stream(text)
