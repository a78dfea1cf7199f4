"""No input, however wrong, does anything but give a trace or a TraceError."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace, as_trace
from abs_compiler.traces import FORMATS, read_text, read_trace

# Words that the readers look for, so that random values reach the code behind them.
_KEYS = (
    "action actor arguments audio batch call_id category choices content custom delta dir error events finish_reason "
    "frames function function_call id index input is_error isError jsonrpc messages method msg name params refusal "
    "request requestor resource response result resultType role structuredContent target task taskId text "
    "tool_call_id tool_calls turn type with complete transcript"
)
_TEXTS = (
    "|2.0|assistant|user|tool|system|function|text|refusal|custom|resource|image_url|tools/call|tasks/result|initialize"
    "|ping|sampling/createMessage|c2s|s2c|communication|calls|responds|ok|error|stop|1|{}|[1]|{cut|data: {}|data: x\n\n"
    '|data: {"choices": [{"delta": {"content": "a"}}]}\n\n|\ud800'
)
KEYS = st.sampled_from(_KEYS.split()) | st.text(max_size=3)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(_TEXTS.split("|"))
    | st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=25
)


def read_every_way(text: str) -> None:
    for format in ("auto", *FORMATS):
        with suppress(TraceError):
            check(read_text(text, format=format))


def check(trace: Trace) -> None:
    """What holds for every trace: it can be written as native events and read again."""
    assert trace.format in FORMATS
    assert all(count > 0 for count in trace.unread.values())
    calls = [event for event in trace if event.action == "calls" and event.recorded]
    assert len({event.call_id for event in calls}) == len(calls)
    for event in trace:
        assert isinstance(event, Event)
        assert event.turn is None or not event.recorded or event.turn >= 0
    written = [event.to_dict() for event in trace]
    assert [event.to_dict() for event in as_trace(written)] == written


@settings(max_examples=400)
@given(VALUES)
def test_random_json(value: Any) -> None:
    read_every_way(json.dumps(value))


@given(st.lists(VALUES, max_size=4))
def test_random_json_lines(values: list[Any]) -> None:
    read_every_way("\n".join(map(json.dumps, values)))


@given(st.lists(VALUES, max_size=3))
def test_random_streams(values: list[Any]) -> None:
    read_every_way("".join(f"data: {json.dumps(value)}\n\n" for value in values))


@given(st.binary(max_size=60) | st.text(alphabet='[]{}":,0123456789eE.-+ \n\\truefalsn', max_size=40).map(str.encode))
def test_random_bytes(data: bytes) -> None:
    with suppress(TraceError):
        check(read_trace(data))


MESSAGE = {
    "role": "assistant",
    "content": "x",
    "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": "{}"}}],
}
CHAT = [MESSAGE, {"role": "tool", "tool_call_id": "1", "content": "{}"}]
CHUNK = {"choices": [{"index": 0, "delta": MESSAGE, "finish_reason": "stop"}]}
SEEDS: list[Any] = [
    CHAT,
    {"request": {"messages": CHAT}, "response": {"choices": [{"message": MESSAGE}]}},
    [{"messages": [], "response": [CHUNK, CHUNK]}, {"messages": CHAT}],
    [
        {"dir": "c2s", "msg": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}}},
        {"dir": "s2c", "msg": {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "x"}]}}},
    ],
    [{"actor": "tool", "action": "responds", "content": None, "with": {"a": 1}, "status": "ok", "turn": 1, "id": 1}],
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in places(inner, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a value with another value at a path."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("seed", SEEDS)
@given(data=st.data())
def test_a_run_with_any_part_replaced(seed: Any, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        seed = changed(seed, data.draw(st.sampled_from(places(seed))), data.draw(VALUES))
    read_every_way(json.dumps(seed))
