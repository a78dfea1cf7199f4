"""ABS event dictionaries to events, and what is accepted as a trace."""

from __future__ import annotations

from typing import Any

import pytest

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace, as_trace

FULL = {
    "actor": "assistant",
    "action": "calls",
    "target": "Order MCP",
    "with": {"orderId": "1"},
    "content": "looking",
    "status": "ok",
    "call_id": "c1",
    "turn": 3,
    "id": "e7",
}


def test_every_key_survives_the_way_there_and_back() -> None:
    assert Event.from_dict(FULL).to_dict() == FULL


def test_a_category_in_place_of_an_action() -> None:
    event = Event.from_dict({"actor": "user", "category": "communication", "content": "hello"})
    assert (event.action, event.category) == (None, "communication")
    assert event.to_dict() == {"actor": "user", "category": "communication", "content": "hello"}


@pytest.mark.parametrize("nothing", [None, "", "  \n"])
def test_absent_null_and_empty_text_are_no_arguments(nothing: Any) -> None:
    assert Event.from_dict({"actor": "a", "action": "calls", "with": nothing}).arguments is None
    assert Event.from_dict({"actor": "a", "action": "calls"}).arguments is None


@pytest.mark.parametrize("kept", [{}, [], 0, False, "x", {"a": None}])
def test_other_arguments_are_kept_as_they_are(kept: Any) -> None:
    assert Event.from_dict({"actor": "a", "action": "calls", "with": kept}).arguments == kept


@pytest.mark.parametrize(
    ("actor", "action", "has_content"),
    [
        ("tool", "responds", True),
        ("external", "responds", True),
        ("assistant", "responds", False),
        ("tool", "informs", False),
        ("assistant", "calls", False),
        ("user", "says", False),
    ],
)
def test_null_content_is_a_value_only_in_a_tools_answer(actor: str, action: str, has_content: bool) -> None:
    event = Event.from_dict({"actor": actor, "action": action, "content": None})
    assert event.has_content is has_content
    assert ("content" in event.to_dict()) is has_content
    assert Event.from_dict({"actor": actor, "action": action}).has_content is False


def test_ids_may_be_numbers_and_empty_ones_are_none() -> None:
    event = Event.from_dict({"actor": "a", "action": "calls", "call_id": 0, "id": ""})
    assert (event.call_id, event.id) == ("0", None)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (7, "an event must be an object, not a number"),
        (["actor"], "an event must be an object, not a list"),
        ({}, "the key 'actor' is missing"),
        ({"actor": "", "action": "calls"}, "'actor' must be a non-empty text, not an empty text"),
        ({"actor": None, "action": "calls"}, "'actor' must be a non-empty text, not null"),
        ({"actor": "user"}, "an event needs an action, or a category in place of it"),
        ({"actor": "user", "action": 1}, "'action' must be a non-empty text, not a number"),
        ({"actor": "user", "action": "says", "category": "communication"}, "an action or a category, not both"),
        (
            {"actor": "user", "category": "comunication"},
            "unknown category 'comunication' (did you mean 'communication'?)",
        ),
        ({"actor": "user", "category": 1}, "'category' must be a text, not a number"),
        ({"actor": "a", "action": "calls", "target": ["x"]}, "'target' must be a text, not a list"),
        (
            {"actor": "a", "action": "calls", "status": "okay"},
            "unknown status 'okay' (did you mean 'ok'?); it is one of",
        ),
        ({"actor": "a", "action": "calls", "status": True}, "'status' must be a text, not a boolean"),
        ({"actor": "a", "action": "calls", "turn": True}, "'turn' must be an integer, not a boolean"),
        ({"actor": "a", "action": "calls", "turn": 1.5}, "'turn' must be an integer, not a number"),
        ({"actor": "a", "action": "calls", "call_id": {}}, "'call_id' must be a text or an integer, not an object"),
        ({"actor": "a", "action": "calls", "call_id": 10**5000}, "'call_id' is too long"),
        ({"actor": "a", "action": "calls", "arguments": {}}, "unknown key 'arguments' (did you mean 'with'?)"),
        ({"actor": "a", "action": "calls", "tool_name": "x"}, "unknown key 'tool_name' (did you mean 'target'?)"),
        ({"role": "a", "action": "calls"}, "unknown key 'role' (did you mean 'actor'?)"),
        ({"actor": "a", "action": "calls", "Target": "x"}, "unknown key 'Target' (did you mean 'target'?)"),
        ({"actor": "a", "action": "calls", 3: "x"}, "the keys of an event must be texts, not a number"),
    ],
)
def test_a_mistake_in_an_event_names_its_index(event: Any, message: str) -> None:
    good = {"actor": "user", "action": "says"}
    with pytest.raises(TraceError) as caught:
        as_trace([good, good, event])
    assert str(caught.value).startswith("events[2]: ")
    assert message in str(caught.value)


def test_what_is_a_trace() -> None:
    one = {"actor": "user", "action": "says"}
    event = Event("assistant", "calls", target="t")
    for source in ([one, event], (one, event), iter([one, event]), {"events": [one, event]}):
        trace = as_trace(source)
        assert [item.actor for item in trace] == ["user", "assistant"]
        assert (len(trace), trace[1], trace.complete) == (2, event, True)
    assert as_trace(trace) is trace
    assert as_trace({"complete": False, "events": ()}).complete is False
    assert list(as_trace([])) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "must be a list of events, not null"),
        (3, "must be a list of events, not a number"),
        ("run.json", "not a text; read a file with read_trace()"),
        (b"[]", "not a value of type bytes; read a file with read_trace()"),
        ({"actor": "user", "action": "says"}, "not one event; put it in a list"),
        ({}, "or an object with the key 'events'"),
        ({"events": [], "compleat": False}, "unknown key 'compleat' beside 'events' (did you mean 'complete'?)"),
        ({"events": [], "complete": 1}, "'complete' must be true or false, not a number"),
        ({"events": {}}, "'events' must be a list, not an object"),
    ],
)
def test_what_is_no_trace(source: Any, message: str) -> None:
    with pytest.raises(TraceError) as caught:
        as_trace(source)
    assert message in str(caught.value)


def test_values_of_any_depth_pass_untouched() -> None:
    deep: Any = "end"
    for _ in range(100_000):
        deep = [deep]
    trace = as_trace([{"actor": "tool", "action": "responds", "content": deep, "with": {"x": deep}}])
    assert trace[0].content is deep
    assert trace[0].to_dict()["with"] == {"x": deep}
    assert repr(trace[0]) == "<Event tool responds>"
    while isinstance(deep, list):  # take it apart: freeing it whole would recurse
        deep = deep.pop()


def test_a_trace_shows_what_it_is() -> None:
    assert repr(Trace([Event("user", "says")], format="abs")) == "<Trace abs: 1 events>"
