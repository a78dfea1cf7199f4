"""Which format is read, how that is said, and when it is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from abs_compiler.runtime.errors import TraceError
from abs_compiler.traces import FORMATS, read_text

EVENT = {"actor": "assistant", "action": "calls", "target": "t", "with": {"a": 1}}
CALL = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": '{"a": 1}'}}]}
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}}
FRAME = {"t": 0.5, "dir": "c2s", "msg": REQUEST}
COMPLETION = {"object": "chat.completion", "choices": [{"index": 0, "message": CALL}]}
CHUNK = {"choices": [{"index": 0, "delta": CALL, "finish_reason": "stop"}]}


def lines(*values: Any) -> str:
    return "\n".join(map(json.dumps, values))


@pytest.mark.parametrize(
    ("text", "format", "note"),
    [
        (lines([EVENT]), "abs", "1 ABS event"),
        (lines(EVENT), "abs", "1 ABS event"),
        (lines(EVENT, EVENT), "abs", "2 ABS events"),
        (lines({"events": [EVENT]}), "abs", "1 ABS event in an object"),
        (lines({"complete": False, "events": []}), "abs", "0 ABS events in an object"),
        (lines([]), "abs", "an empty list"),
        (lines([CALL]), "openai-chat", "1 chat message"),
        (lines(CALL, CALL), "openai-chat", "2 chat messages"),
        (lines({"messages": [CALL, CALL], "reward": 1}), "openai-chat", "2 chat messages"),
        (lines({"messages": []}), "openai-chat", "0 chat messages"),
        (lines({"request": {"messages": []}, "response": COMPLETION}), "openai-chat", "1 chat exchange"),
        (lines(COMPLETION), "openai-chat", "1 chat exchange"),
        (lines(CHUNK, CHUNK), "openai-chat", "2 chat completion chunks"),
        (f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n", "openai-chat", "1 chat completion chunk"),
        (lines({"messages": [], "response": f"data: {json.dumps(CHUNK)}\n\n"}), "openai-chat", "1 chat exchange"),
        (lines({"messages": [], "response": [CHUNK]}), "openai-chat", "1 chat exchange"),
        (lines(REQUEST), "mcp-jsonrpc", "1 JSON-RPC message"),
        (lines(REQUEST, [REQUEST]), "mcp-jsonrpc", "1 JSON-RPC message and 1 JSON-RPC message list"),
        (lines([REQUEST]), "mcp-jsonrpc", "1 JSON-RPC message"),
        (lines(FRAME, FRAME), "mcp-jsonrpc", "2 JSON-RPC frames"),
        (lines({"frames": [FRAME, FRAME]}), "mcp-jsonrpc", "2 JSON-RPC frames"),
        (lines({"request": REQUEST, "response": ""}), "mcp-jsonrpc", "1 JSON-RPC exchange"),
        (f"event: message\r\ndata: {json.dumps(REQUEST)}\r\n\r\n", "mcp-jsonrpc", "1 JSON-RPC message"),
    ],
)
def test_auto_decides_by_content_and_says_so(text: str, format: str, note: str) -> None:
    trace = read_text(text)
    assert (trace.format, trace.note) == (format, f"read as {format}: it holds {note}")
    named = read_text(text, format=format)
    assert [event.to_dict() for event in named] == [event.to_dict() for event in trace]
    assert (named.format, named.note) == (format, None)


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "parts": [{"text": "hi"}]},
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]}],
        [{"role": "assistant", "content": [{"type": "tool-call", "toolName": "t", "input": {}}]}],
        [{"role": "assistant", "content": [{"toolUse": {"name": "t", "input": {}}}]}],
        [{"role": "user", "content": "hi"}, {"type": "function_call", "name": "t", "arguments": "{}"}],
        [{"role": "ai", "content": "hi"}],
        [{"role": "user", "text": "hi"}],
        {"request": {"messages": [{"role": "user", "content": "hi"}]}, "response": {"output": {"message": {}}}},
        {"request": {"input": "hi"}, "response": {"error": {"message": "no"}}},
        {"messages": [{"role": "user", "content": "hi"}], "response": "some text"},
        {"jsonrpc": "1.0", "method": "tools/call"},
        {"msg": "tools/call"},
        {"events": [{"author": "user", "content": {}}]},
        [{"events": []}],
        [[]],
    ],
)
def test_what_no_reader_knows_is_an_error(value: Any) -> None:
    with pytest.raises(TraceError) as caught:
        read_text(json.dumps(value))
    assert "no reader understands it" in str(caught.value)
    assert ", ".join(FORMATS) in str(caught.value)


def test_two_formats_with_different_events_are_an_error_that_names_them() -> None:
    both = json.dumps({"messages": [{"role": "user", "content": "hi"}], "frames": [FRAME]})
    with pytest.raises(TraceError) as caught:
        read_text(both)
    assert str(caught.value) == (
        "it reads as openai-chat and mcp-jsonrpc with different events; "
        "name the format with read_trace(..., format=...)"
    )
    assert read_text(both, format="openai-chat")[0].content == "hi"
    assert read_text(both, format="mcp-jsonrpc")[0].target == "t"


@pytest.mark.parametrize(
    "both",
    [
        {**REQUEST, "messages": [{"role": "user", "content": "hi"}]},
        {"request": {**REQUEST, "messages": [{"role": "user", "content": "hi"}]}},
        [{**REQUEST, "messages": [{"role": "user", "content": "hi"}]}],
    ],
)
def test_a_protocol_message_that_holds_chat_messages_is_neither(both: Any) -> None:
    with pytest.raises(TraceError, match="as openai-chat and mcp-jsonrpc with different events"):
        read_text(json.dumps(both))
    assert read_text(json.dumps(both), format="openai-chat").unread == {"JSON-RPC messages": 1}
    assert read_text(json.dumps(both), format="mcp-jsonrpc").unread == {"'messages' in JSON-RPC messages": 1}


def test_what_no_protocol_message_holds_is_counted_where_it_could_be_a_part_of_the_run() -> None:
    trace = read_text(json.dumps({**REQUEST, "time": "12:00", "events": [EVENT], "children": [REQUEST]}))
    assert (trace.format, len(trace)) == ("mcp-jsonrpc", 1)
    assert trace.unread == {"'events' in JSON-RPC messages": 1, "'children' in JSON-RPC messages": 1}
    assert read_text(json.dumps({**REQUEST, "time": "12:00"})).unread == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"actor": "user", "actor": "assistant", "action": "says"}]', "line 1, column 20: the key 'actor' stands"),
        ('{"events": [],\n "events": []}', "line 2, column 2: the key 'events' stands twice in one object"),
        (lines(EVENT) + '\n{"actor": "a", "\\u0061ctor": "b"}', "line 2, column 16: the key 'actor' stands twice"),
        ('{"a": {"b": [{"c": ":{", "d": "\\"c", "c": 2}]}, "a": 1}', "line 1, column 38: the key 'c' stands twice"),
    ],
)
def test_a_key_that_stands_twice_is_an_error_with_its_place(text: str, message: str) -> None:
    with pytest.raises(TraceError) as caught:
        read_text(text)
    assert message in str(caught.value)


def test_arguments_with_a_key_that_stands_twice_stay_text_and_are_counted() -> None:
    call = {
        "role": "assistant",
        "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": '{"a": 1, "a": 2}'}}],
    }
    trace = read_text(lines([call]))
    assert trace[0].arguments == '{"a": 1, "a": 2}'
    assert trace.unread == {"arguments that are not JSON": 1}


def test_of_two_formats_the_one_that_reads_everything_is_taken() -> None:
    strange = {"role": "user", "content": [{"type": "image_url", "image_url": {}}]}
    trace = read_text(json.dumps({"messages": [strange], "frames": [FRAME]}))
    assert trace.format == "mcp-jsonrpc"
    refused = {"messages": [{"role": "user", "content": "hi"}], "events": [EVENT]}  # a key beside `events`
    assert read_text(json.dumps(refused)).format == "openai-chat"


def test_a_named_format_that_does_not_fit_is_an_error() -> None:
    for text, format, words in (
        (lines([EVENT]), "openai-chat", "holds no chat messages (not understood: items that are no messages)"),
        (lines([EVENT]), "mcp-jsonrpc", "holds no JSON-RPC messages (not understood: items that are no JSON-RPC"),
        (lines([CALL]), "abs", "events[0]: unknown key 'role' (did you mean 'actor'?)"),
        (lines(EVENT, CALL), "abs", "line 2: unknown key 'role'"),
        (lines(3), "abs", "must be a list of events, not a number"),
    ):
        with pytest.raises(TraceError) as caught:
            read_text(text, format=format)
        assert words in str(caught.value)


def test_a_mistake_in_a_native_file_keeps_its_place() -> None:
    with pytest.raises(TraceError, match=r"^line 3: 'actor' must be a non-empty text"):
        read_text(lines(EVENT) + "\n\n" + lines({**EVENT, "actor": 1}))
    with pytest.raises(TraceError, match=r"^events\[1\]: unknown key 'wiht' \(did you mean 'with'\?\)"):
        read_text(lines([EVENT, {"actor": "a", "action": "calls", "wiht": {}}]))


def test_native_events_may_say_that_they_are_a_part() -> None:
    assert read_text(lines({"complete": False, "events": [EVENT]})).complete is False
    assert read_text(lines([EVENT])).complete is True


def test_an_unknown_format_name() -> None:
    with pytest.raises(TraceError) as caught:
        read_text("[]", format="openai_chat")
    assert "unknown trace format 'openai_chat' (did you mean 'openai-chat'?); it is one of auto, abs" in str(
        caught.value
    )
