"""MCP logs to events: frames, batches, directions, and everything a result may look like."""

from __future__ import annotations

import json
from typing import Any

import pytest

from abs_compiler.runtime.events import Trace
from abs_compiler.traces import read_text


def read(*messages: Any) -> Trace:
    return read_text("\n".join(map(json.dumps, messages)), format="mcp-jsonrpc")


def call(id: Any = 1, name: Any = "t", arguments: Any = None, **more: Any) -> dict[str, Any]:
    parameters = {"name": name} | ({} if arguments is None else {"arguments": arguments})
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {**parameters, **more}}


def request(method: str, id: Any = None, **parameters: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": parameters} | ({} if id is None else {"id": id})


def answer(result: Any, id: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def text(*texts: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": item} for item in texts], **more}


def up(message: Any) -> dict[str, Any]:
    return {"t": 0.1, "dir": "c2s", "msg": message}


def down(message: Any) -> dict[str, Any]:
    return {"t": 0.2, "dir": "s2c", "msg": message}


def joined(trace: Trace) -> list[tuple[Any, Any]]:
    """Each result's content with the arguments of the call it was joined to."""
    calls = {event.call_id: event.arguments for event in trace if event.action == "calls"}
    return [(event.content, calls.get(event.call_id)) for event in trace if event.action == "responds"]


@pytest.mark.parametrize("first_id", [0, 1, "a"])
def test_a_session(first_id: Any) -> None:
    trace = read(
        up(request("initialize", 7)),
        down(answer({"capabilities": {}}, 7)),
        up(request("notifications/initialized")),
        up(request("tools/list", 8)),
        down(answer({"tools": []}, 8)),
        up(call(first_id, "get_order", {"id": 7}, _meta={"progressToken": 1})),
        down(request("notifications/progress", progress=1)),
        down(answer(text('{"open": true}', isError=False, _meta={}), first_id)),
    )
    assert [event.to_dict() for event in trace] == [
        {
            "actor": "assistant",
            "action": "calls",
            "target": "get_order",
            "with": {"id": 7},
            "status": "ok",
            "call_id": str(first_id),
        },
        {
            "actor": "tool",
            "action": "responds",
            "target": "get_order",
            "content": {"open": True},
            "status": "ok",
            "call_id": str(first_id),
        },
    ]
    assert trace[1].raw == '{"open": true}'
    assert all(event.recorded and event.turn is None for event in trace)
    assert trace.unread == {}


def test_responses_come_in_any_order_and_ids_are_told_apart_by_type() -> None:
    trace = read(
        call(1, arguments={"n": 1}), call("1", arguments={"n": 2}), answer(text("two"), "1"), answer(text("one"), 1)
    )
    assert joined(trace) == [("two", {"n": 2}), ("one", {"n": 1})]
    assert [event.call_id for event in trace] == ["1", "1#2", "1#2", "1"]


def test_ids_used_again_after_the_answer() -> None:
    trace = read(call(1, arguments={"n": 1}), answer(text("one")), call(1, arguments={"n": 2}), answer(text("two")))
    assert joined(trace) == [("one", {"n": 1}), ("two", {"n": 2})]


def test_a_new_session_forgets_who_waited() -> None:
    trace = read(
        call(0, arguments={"n": 1}),
        request("initialize", 0),
        answer({"capabilities": {}}, 0),
        call(1),
        answer(text("x"), 1),
    )
    assert joined(trace) == [("x", None)]
    assert trace.unread == {}


@pytest.mark.parametrize(
    ("result", "content", "raw", "status"),
    [
        (text("plain"), "plain", None, "ok"),
        (text(""), "", None, "ok"),
        ({"content": []}, "", None, "ok"),
        ({}, "", None, "ok"),
        (text("a", "b"), "a\nb", None, "ok"),
        (text("[1,", "2]"), [1, 2], "[1,\n2]", "ok"),
        (text("12"), "12", None, "ok"),
        (text("Error: no", isError=True), "Error: no", None, "error"),
        (text("Found 2", structuredContent=[1, 2]), [1, 2], "Found 2", "ok"),
        (text('{"a": 1}', structuredContent={"a": 1}), {"a": 1}, '{"a": 1}', "ok"),
        ({"content": [], "structuredContent": {"a": 1}}, {"a": 1}, None, "ok"),
        ({"structuredContent": {"a": 1}, "isError": True}, {"a": 1}, None, "error"),
        (text("x", structuredContent=None, resultType="complete"), "x", None, "ok"),
        ({"content": [{"type": "resource", "resource": {"uri": "u", "text": "inside"}}]}, "inside", None, "ok"),
        ({"content": "bare"}, "bare", None, "ok"),
        ("bare", "bare", None, "ok"),
        (None, None, None, "ok"),
        ([1], [1], None, "ok"),
    ],
)
def test_results(result: Any, content: Any, raw: str | None, status: str) -> None:
    trace = read(call(), answer(result))
    assert (trace[1].content, trace[1].raw, trace[1].has_content) == (content, raw, True)
    assert [event.status for event in trace] == [status, status]
    assert trace.unread == {}


@pytest.mark.parametrize(
    ("error", "content"),
    [({"code": -32602, "message": "Unknown tool"}, "Unknown tool"), ("broken", "broken"), ({"code": 1}, {"code": 1})],
)
def test_error_responses(error: Any, content: Any) -> None:
    trace = read(call(), {"jsonrpc": "2.0", "id": 1, "error": error})
    assert (trace[1].content, trace[0].status, trace[1].status) == (content, "error", "error")


def test_what_a_result_holds_beside_text_is_counted() -> None:
    parts = [
        {"type": "text", "text": "see"},
        {"type": "image", "data": "x"},
        {"type": "resource_link", "uri": "u"},
        {"type": "resource", "resource": {"blob": "x"}},
        {"type": "text"},
        3,
    ]
    trace = read(call(1), answer({"content": parts}, 1), call(2), answer({"content": 4}, 2))
    assert [event.content for event in trace if event.action == "responds"] == ["see", ""]
    assert trace.unread == {
        "image parts": 1,
        "resource_link parts": 1,
        "resource parts": 1,
        "text parts": 1,
        "parts of no known type": 1,
        "results of no known kind": 1,
    }


def test_arguments() -> None:
    trace = read(
        call(1), call(2, arguments={}), call(3, arguments='{"a": 1}'), call(4, arguments="{a"), call(5, arguments=[1])
    )
    assert [event.arguments for event in trace] == [None, {}, {"a": 1}, "{a", [1]]
    assert trace.unread == {"arguments that are not JSON": 1}


def test_batches_lists_and_stored_text() -> None:
    batch = [call(1, arguments={"n": 1}), call(2, arguments={"n": 2}), request("notifications/cancelled")]
    replies = [answer(text("two"), 2), answer(text("one"), 1)]
    for items in (
        [batch, replies],
        [up(batch), down(replies)],
        [up(json.dumps(batch)), down(json.dumps(replies))],
        [{"frames": [up(batch), down(replies)], "run": "x"}],
        [{"request": batch, "response": replies}],
        [{"request": json.dumps(batch), "response": f"event: message\ndata: {json.dumps(replies)}\n\n"}],
        [{"message": message} for message in (*batch, *replies)],
    ):
        for source in ("\n".join(map(json.dumps, items)), json.dumps(items)):
            trace = read_text(source)
            assert trace.format == "mcp-jsonrpc"
            if "event:" not in source:  # the stream holds a list, which is no message
                assert joined(trace) == [("two", {"n": 2}), ("one", {"n": 1})]
                assert trace.unread == {}


def test_a_request_answered_by_a_stream() -> None:
    stream = f": ping\r\n\r\nevent: message\r\ndata: {json.dumps(request('notifications/message'))}\r\n\r\n"
    stream += f"event: message\r\ndata: {json.dumps(answer(text('x')))}\r\n\r\ndata: {{cut\r\n\r\n"
    trace = read(
        {"request": call(arguments={"n": 1}), "response": stream}, {"request": request("ping", 2), "response": ""}
    )
    assert joined(trace) == [("x", {"n": 1})]
    assert trace.unread == {"stream payloads that are not JSON": 1}


def test_requests_of_the_server_have_ids_of_their_own() -> None:
    sampling = request("sampling/createMessage", 1, messages=[])
    sampled = answer({"role": "assistant", "model": "m", "content": {"type": "text", "text": "hm"}})
    done = answer(text("done"))
    for messages in (
        [up(call()), down(sampling), up(sampled), down(done)],
        [call(), sampling, sampled, done],
        [up(call()), down(request("ping", 1)), up(answer({})), down(done)],
        [call(), request("ping", 1), answer({}), done],
        [call(), request("roots/list", 1), answer({"roots": []}), done],
        [call(), request("elicitation/create", 1), answer({"action": "accept", "content": {"a": 1}}), done],
    ):
        trace = read(*messages)
        assert joined(trace) == [("done", None)], messages
        assert trace.unread == {}


def test_a_tool_call_sent_by_the_server_is_none() -> None:
    trace = read(down(call()), up(answer(text("x"))))
    assert len(trace) == 0


def test_a_call_that_runs_as_a_task_is_answered_by_the_tasks_result() -> None:
    trace = read(
        call(1, arguments={"n": 1}, task={"ttl": 60}),
        answer({"task": {"taskId": "k", "status": "working"}}, 1),
        request("tasks/get", 2, taskId="k"),
        answer({"taskId": "k", "status": "completed"}, 2),
        request("tasks/result", 3, taskId="k"),
        answer(text("done"), 3),
        request("tasks/result", 4, taskId="other"),
        answer(text("whose?"), 4),
    )
    assert joined(trace) == [("done", {"n": 1})]


def test_what_cannot_be_read_is_counted() -> None:
    trace = read(
        up(call(1, name=None)),
        down(answer(text("x"), 1)),
        up(request("resources/read", 2)),
        down(answer({"contents": []}, 2)),
        up(request("vendor/strange", 3)),
        down(answer(text("late"), 9)),
        down(answer({"tools": []}, 10)),
        up({"jsonrpc": "2.0", "id": 4}),
        up({"id": 5, "method": "tools/call"}),
        up("{cut"),
        up(call(6)),
        down(answer({"resultType": "input_required"}, 6)),
        3,
    )
    assert [(event.action, event.target, event.content) for event in trace] == [
        ("responds", None, "late"),
        ("calls", "t", None),
    ]
    assert trace.unread == {
        "calls without a name": 1,
        "requests of the method 'vendor/strange'": 1,
        "tool results without a call": 1,
        "JSON-RPC messages of no known kind": 1,
        "items that are no JSON-RPC messages": 2,
        "messages that are not JSON": 1,
        "results that are not complete": 1,
    }


def test_a_call_without_an_answer_has_no_outcome() -> None:
    assert [event.status for event in read(call())] == [None]
