"""Chat messages to events: each thing that producers do differently."""

from __future__ import annotations

import json
from typing import Any

import pytest

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace
from abs_compiler.traces import read_text

ABSENT = object()


def read(*messages: Any) -> Trace:
    return read_text(json.dumps(messages), format="openai-chat")


def call(name: str = "t", arguments: Any = "{}", id: Any = "c1") -> dict[str, Any]:
    function = {"name": name} if arguments is ABSENT else {"name": name, "arguments": arguments}
    return {"type": "function", "function": function} | ({} if id is ABSENT else {"id": id})


def calls(*listed: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(listed), **more}


def result(content: Any = "done", id: Any = "c1", **more: Any) -> dict[str, Any]:
    message = {"role": "tool", "tool_call_id": id, "content": content, **more}
    return {key: value for key, value in message.items() if value is not ABSENT}


def shape(trace: Trace) -> list[tuple[Any, ...]]:
    """Actor, action or category, and what was said, called with, or answered."""
    return [
        (
            event.actor,
            event.action or event.category,
            event.target,
            event.arguments if event.action == "calls" else event.content,
        )
        for event in trace
    ]


def answers(trace: Trace) -> list[tuple[Any, Any]]:
    """Each result's content with the arguments of the call it was joined to."""
    by_id = {event.call_id: event for event in trace if event.action == "calls"}
    found = []
    for event in trace:
        if event.action == "responds":
            answered = by_id.get(event.call_id)
            found.append((event.content, answered and answered.arguments))
            assert answered is None or (event.target, event.turn) == (answered.target, answered.turn)
    return found


def test_a_whole_conversation() -> None:
    trace = read(
        {"role": "system", "content": "Be kind."},
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": "Cancel order 7."},
        calls(call("get_order", '{"id": 7}', "a"), content="One moment."),
        result('{"id": 7, "open": true}', "a"),
        {"role": "assistant", "content": "Done."},
    )
    assert shape(trace) == [
        ("system", "communication", None, "Be kind."),
        ("system", "communication", None, "Be brief."),
        ("user", "communication", None, "Cancel order 7."),
        ("assistant", "communication", None, "One moment."),
        ("assistant", "calls", "get_order", {"id": 7}),
        ("tool", "responds", "get_order", {"id": 7, "open": True}),
        ("assistant", "communication", None, "Done."),
    ]
    assert [event.turn for event in trace] == [None, None, None, 0, 0, 0, 1]
    assert [event.call_id for event in trace] == [None, None, None, None, "a", "a", None]
    assert all(event.recorded for event in trace)
    assert trace.unread == {}


@pytest.mark.parametrize(
    ("recorded", "read_as"),
    [
        ('{"a": [1, 2.5, null, "\\u00e9"]}', {"a": [1, 2.5, None, "é"]}),
        ({"a": 1}, {"a": 1}),
        ("{}", {}),
        ("", None),
        (" \n", None),
        ('""', None),
        (None, None),
        ("null", None),
        (ABSENT, None),
        ("[1]", [1]),
        ("3", 3),
        ('"x"', "x"),
        ([1], [1]),
        ('{"a": "1"}', {"a": "1"}),
        (f'{{"big": {10**30}}}', {"big": 10**30}),
    ],
)
def test_arguments(recorded: Any, read_as: Any) -> None:
    trace = read(calls(call(arguments=recorded)))
    assert trace[0].arguments == read_as
    assert trace.unread == {}


@pytest.mark.parametrize("recorded", ['{"a": ', "{'a': 1}", '{"a": NaN}', '{"a": 1e999}', "[" * 1000, "a=1"])
def test_arguments_that_are_not_json_stay_text_and_are_counted(recorded: str) -> None:
    trace = read(calls(call(arguments=recorded), call(arguments="{}")))
    assert [event.arguments for event in trace] == [recorded, {}]
    assert trace.unread == {"arguments that are not JSON": 1}


@pytest.mark.parametrize(
    ("recorded", "content", "raw"),
    [
        ("plain", "plain", None),
        ("", "", None),
        (None, "", None),
        (ABSENT, "", None),
        (' {"a": 1}\n', {"a": 1}, ' {"a": 1}\n'),
        ("[]", [], "[]"),
        ("12", "12", None),
        ("null", "null", None),
        ('"text"', '"text"', None),
        ('{"a": 1} and more', '{"a": 1} and more', None),
        ('{"a": NaN}', '{"a": NaN}', None),
        ("[" * 300 + "]" * 300, "[" * 300 + "]" * 300, None),
        ([{"type": "text", "text": '{"a":'}, {"type": "text", "text": "1}"}], {"a": 1}, '{"a":\n1}'),
        ([{"type": "text", "text": "one", "cache_control": {}}], "one", None),
        ({"a": 1}, {"a": 1}, None),
        ([{"a": 1}], [{"a": 1}], None),
        ([{"type": "room", "beds": 2}], [{"type": "room", "beds": 2}], None),
        (7, 7, None),
    ],
)
def test_results(recorded: Any, content: Any, raw: str | None) -> None:
    trace = read(calls(call()), result(recorded))
    assert (trace[1].content, trace[1].raw, trace[1].has_content) == (content, raw, True)
    assert trace.unread == {}


@pytest.mark.parametrize("nothing", [None, [], ABSENT])
@pytest.mark.parametrize(
    "content", ["hi", [{"type": "text", "text": "hi"}], [{"type": "text", "text": "hi", "image_url": None}]]
)
def test_no_tool_calls_in_every_spelling(nothing: Any, content: Any) -> None:
    message = {"role": "assistant", "content": content, "tool_calls": nothing}
    trace = read({key: value for key, value in message.items() if value is not ABSENT})
    assert shape(trace) == [("assistant", "communication", None, "hi")]
    assert trace.unread == {}


@pytest.mark.parametrize("content", [None, "", " \n", [], [{"type": "text", "text": ""}], ABSENT])
def test_messages_without_text_are_no_event(content: Any) -> None:
    message = {"role": "assistant", "content": content, "tool_calls": [call()]}
    trace = read({key: value for key, value in message.items() if value is not ABSENT})
    assert [event.action for event in trace] == ["calls"]
    assert trace.unread == {}


def test_parts_of_a_message() -> None:
    trace = read(
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "look"},
                {"type": "image_url", "image_url": {"url": "x"}},
                {"type": "input_audio", "input_audio": {}},
                {"type": ["odd"]},
                "and tell",
                5,
            ],
        },
        {"role": "assistant", "content": [{"type": "thinking", "thinking": []}, {"type": "refusal", "refusal": "No."}]},
        {"role": "user", "content": {"type": "text", "text": "why"}},
        {"role": "user", "content": 3},
        {"role": "user", "content": [{"type": "text", "text": 3}]},
    )
    assert [event.content for event in trace] == ["look\nand tell", "No.", "why"]
    assert trace.unread == {
        "image_url parts": 1,
        "input_audio parts": 1,
        "parts of no known type": 2,
        "message content that is no text": 1,
        "text parts without a text": 1,
    }


def test_refusals_audio_and_reasoning() -> None:
    trace = read(
        {"role": "assistant", "content": None, "refusal": "I cannot."},
        {"role": "assistant", "content": "", "refusal": ""},
        {"role": "assistant", "content": None, "audio": {"id": "a", "data": "UklG", "transcript": "Good day."}},
        {"role": "assistant", "content": "", "audio": {"id": "", "data": "", "transcript": ""}},
        {"role": "assistant", "content": None, "audio": {"id": "a", "data": "UklG"}},
        {"role": "assistant", "content": "Yes.", "reasoning_content": "hm", "reasoning": "hm"},
    )
    assert [event.content for event in trace] == ["I cannot.", "Good day.", "Yes."]
    assert trace.unread == {"audio parts": 1}


def test_the_older_function_call() -> None:
    trace = read(
        {"role": "assistant", "content": None, "function_call": {"name": "t", "arguments": '{"a": 1}'}},
        {"role": "function", "name": "t", "content": "one"},
        {"role": "assistant", "content": "ok", "function_call": {"name": "", "arguments": ""}, "tool_calls": None},
        {"role": "assistant", "content": None, "function_call": None, "tool_calls": [call("u")]},
        {"role": "assistant", "content": None, "function_call": "t"},
    )
    assert [event.target for event in trace] == ["t", "t", None, "u"]
    assert answers(trace) == [("one", {"a": 1})]
    assert trace.unread == {"calls of no known kind": 1}


def test_free_text_calls_and_calls_of_other_shapes() -> None:
    trace = read(
        calls({"id": "a", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}),
        calls({"id": "b", "custom": {"name": "", "input": ""}, "function": {"name": "t", "arguments": "{}"}}),
        calls({"id": "c", "function": "flat", "arguments": {"a": 1}}),
        calls({"id": "d", "name": "flat2", "arguments": {"a": 2}, "requestor": "assistant"}),
        calls({"id": "e", "function": {"arguments": "{}"}}, "odd", None),
        {"role": "assistant", "content": None, "tool_calls": {"name": "t"}},
    )
    assert [(event.target, event.arguments) for event in trace] == [
        ("sql", "select 1"),
        ("t", {}),
        ("flat", {"a": 1}),
        ("flat2", {"a": 2}),
    ]
    assert trace.unread == {"calls without a name": 1, "calls of no known kind": 3}


def test_calls_by_the_user_are_the_users() -> None:
    flat = {"id": "x", "name": "toggle", "arguments": {"on": True}, "requestor": "user"}
    trace = read(
        {"role": "user", "content": "I do it", "tool_calls": [flat]},
        {"role": "tool", "id": "x", "content": "on", "requestor": "user", "error": False},
    )
    assert shape(trace) == [
        ("user", "communication", None, "I do it"),
        ("user", "calls", "toggle", {"on": True}),
        ("tool", "responds", "toggle", "on"),
    ]
    assert [event.status for event in trace] == [None, "ok", "ok"]


@pytest.mark.parametrize(
    ("flag", "status"),
    [
        ({}, None),
        ({"error": True}, "error"),
        ({"error": False}, "ok"),
        ({"is_error": True}, "error"),
        ({"error": {"type": "timeout"}}, "error"),
        ({"error": None}, None),
    ],
)
def test_the_outcome_is_the_results_and_the_calls(flag: dict[str, Any], status: str | None) -> None:
    trace = read(calls(call()), result("Error: no such user", **flag))
    assert [event.status for event in trace] == [status, status]


def test_a_call_without_a_result_has_no_outcome() -> None:
    trace = read(calls(call(id="a"), call(id="b")), result(id="a", error=False))
    assert [event.status for event in trace] == ["ok", None, "ok"]


def test_parallel_calls_answered_in_another_order() -> None:
    trace = read(
        calls(call(arguments='{"n": 1}', id="a"), call(arguments='{"n": 2}', id="b")),
        result("two", "b"),
        result("one", "a"),
    )
    assert answers(trace) == [("two", {"n": 2}), ("one", {"n": 1})]
    assert [event.turn for event in trace] == [0, 0, 0, 0]


def test_an_id_used_again_is_joined_inside_its_step() -> None:
    trace = read(
        calls(call(arguments='{"n": 1}')),
        result("one"),
        calls(call(arguments='{"n": 2}')),
        result("two"),
        calls(call(arguments='{"n": 3}'), call(arguments='{"n": 4}')),
        result("three"),
        result("four"),
    )
    assert answers(trace) == [("one", {"n": 1}), ("two", {"n": 2}), ("three", {"n": 3}), ("four", {"n": 4})]
    assert [event.call_id for event in trace if event.action == "calls"] == ["c1", "c1#2", "c1#3", "c1#4"]


def test_made_up_ids_never_meet_recorded_ones() -> None:
    trace = read(calls(call(id="a#2"), call(id="a"), call(id="a"), call(id="call#1"), call(id="")))
    assert [event.call_id for event in trace] == ["a#2", "a", "a#3", "call#1", "call#2"]


@pytest.mark.parametrize("empty", [None, "", ABSENT])
def test_without_ids_results_are_joined_by_position(empty: Any) -> None:
    trace = read(
        calls(call("t", '{"n": 1}', empty), call("u", '{"n": 2}', empty)),
        result("one", empty),
        result("two", empty),
        {"role": "user", "content": "again"},
        calls(call("t", '{"n": 3}', empty)),
        result("three", empty),
    )
    assert answers(trace) == [("one", {"n": 1}), ("two", {"n": 2}), ("three", {"n": 3})]
    assert trace.unread == {}


def test_without_ids_a_name_goes_before_the_position() -> None:
    trace = read(
        calls(call("t", '{"n": 1}', ""), call("u", '{"n": 2}', "")),
        result("two", "", name="u"),
        result("one", "", name="t"),
    )
    assert answers(trace) == [("two", {"n": 2}), ("one", {"n": 1})]


def test_a_result_with_an_id_answers_a_call_that_has_none() -> None:
    trace = read(calls(call(arguments='{"n": 1}', id="")), result("one", "made_up"))
    assert answers(trace) == [("one", {"n": 1})]


def test_a_late_result_finds_its_call() -> None:
    trace = read(
        calls(call(arguments='{"n": 1}', id="a")),
        {"role": "user", "content": "hurry"},
        calls(call(arguments='{"n": 2}', id="b")),
        result("two", "b"),
        result("one", "a"),
        result("one again", "a"),
    )
    assert answers(trace) == [("two", {"n": 2}), ("one", {"n": 1}), ("one again", {"n": 1})]


def test_a_result_recorded_before_its_call() -> None:
    trace = read(result("one", "a"), calls(call(arguments='{"n": 1}', id="a")))
    assert answers(trace) == [("one", {"n": 1})]
    assert trace.unread == {}


def test_results_without_a_call_are_counted() -> None:
    trace = read(
        result("one", "a", name="t"), calls(call(id="b")), result("two", "b"), result("x", "zzz"), result("y", "")
    )
    assert [(event.target, event.call_id) for event in trace if event.action == "responds"] == [
        ("t", "a"),
        ("t", "b"),
        (None, "zzz"),
        (None, None),
    ]
    assert trace.unread == {"tool results without a call": 3}


def test_roles_and_items_that_are_not_known_are_counted() -> None:
    trace = read({"role": "user", "content": "hi"}, {"role": "critic", "content": "x"}, {"role": 3}, "text", None)
    assert len(trace) == 1
    assert trace.unread == {"messages of the role 'critic'": 1, "items that are no messages": 3}


def test_nothing_but_unknown_items_is_an_error() -> None:
    with pytest.raises(TraceError, match=r"holds no chat messages \(not understood: messages of the role 'critic'\)"):
        read({"role": "critic", "content": "x"})


# --- requests and responses


def exchange(messages: list[Any], response: Any) -> dict[str, Any]:
    return {"request": {"model": "m", "messages": messages}, "response": response}


def completion(*messages: Any) -> dict[str, Any]:
    return {"choices": [{"index": number, "message": message} for number, message in enumerate(messages)]}


USER = {"role": "user", "content": "hi"}


def test_a_request_with_its_response() -> None:
    answer = {"content": "hello"}  # a role is not needed here
    for row in (exchange([USER], completion(answer)), {"messages": [USER], **completion(answer)}):
        assert [event.content for event in read_text(json.dumps(row))] == ["hi", "hello"]
    row = {"request": None, "response": completion(answer)}
    assert [event.content for event in read_text(json.dumps(row))] == ["hello"]


@pytest.mark.parametrize("nothing", [None, "", []])
def test_a_request_without_a_response(nothing: Any) -> None:
    trace = read_text(json.dumps(exchange([USER], nothing)))
    assert (len(trace), trace.unread) == (1, {})


def test_alternatives_errors_and_responses_of_other_kinds_are_counted() -> None:
    two = completion({"content": "one"}, {"content": "other"})
    for response, unread in (
        (two, {"alternative choices": 1}),
        ({"error": {"message": "overloaded"}}, {"error responses": 1}),
        ({"error": "overloaded"}, {"error responses": 1}),
        ({"choices": []}, {"responses of no known kind": 1}),
        ({"choices": [{"text": "old"}]}, {"choices without a message": 1}),
        ("<html>", {"responses of no known kind": 1}),
        ([1], {"responses of no known kind": 1}),
    ):
        trace = read_text(json.dumps(exchange([USER], response)), format="openai-chat")
        assert trace.unread == unread
        assert [event.content for event in trace] == ["hi", "one"][: 1 + (response is two)]


@pytest.mark.parametrize("error", [{"message": "too\x1b[1m many"}, "too many", {"code": 3}])
def test_nothing_but_an_error_is_an_error(error: Any) -> None:
    for row in ({"error": error}, {"request": None, "response": {"error": error}}):
        with pytest.raises(
            TraceError, match=r"holds an error response instead of messages: (too|no message given)"
        ) as caught:
            read_text(json.dumps(row))
        assert "\x1b" not in str(caught.value)


def test_several_exchanges_are_one_run_read_once() -> None:
    first = calls(call(id="chatcmpl-1"))
    again = [USER, calls(call(id="renamed")), result("one", "renamed")]
    rows = [
        exchange([USER], {"error": {"message": "try again"}}),
        exchange([USER], completion(first)),
        exchange(again, completion({"content": "done"})),
    ]
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        trace = read_text(text)
        assert [event.actor for event in trace] == ["user", "assistant", "tool", "assistant"]
        assert trace.unread == {}  # the retry answered


def test_exchanges_of_two_runs_are_an_error() -> None:
    rows = [exchange([USER], completion({"content": "hello"})), exchange([USER], completion({"content": "hello"}))]
    with pytest.raises(TraceError, match=r"^line 2 does not continue line 1: a trace is one run"):
        read_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(TraceError, match=r"^item 2 does not continue item 1"):
        read_text(json.dumps(rows))


def test_messages_then_a_response() -> None:
    trace = read_text(json.dumps([USER, completion({"content": "hello"})]))
    assert [event.content for event in trace] == ["hi", "hello"]


def test_message_ids_are_kept() -> None:
    trace = read({"role": "user", "content": "hi", "id": "m1"}, {"role": "assistant", "content": "ho", "id": ""})
    assert [event.id for event in trace] == ["m1", None]


def test_events_are_events() -> None:
    assert all(isinstance(event, Event) for event in read(USER))
