"""Events and traces: what a matcher looks at.

Takes ABS event dictionaries (`{actor, action, target, with, content}`, a `category` in place of the `action`,
`status`, `call_id`, `turn`, `id`) and gives `Event` objects in a `Trace`. The readers of recorded runs build the
same two classes. Values below `with` and `content` are kept as they are and never walked, so no input is too deep.
"""

from __future__ import annotations

from .errors import TraceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

KEYS = (
    "actor",
    "action",
    "category",
    "target",
    "with",
    "content",
    "status",
    "call_id",
    "turn",
    "id",
)
CATEGORIES = ("communication", "execution", "interaction", "delegation")
STATUSES = ("ok", "error")

_KEY_SET = frozenset(KEYS)
_EVENTS_KEYS = frozenset(("events", "complete"))
_RESPONDERS = ("tool", "external")

# What other formats call the same thing: the hint for a key that is not spelled alike.
_OTHER_NAMES = {
    "args": "with",
    "arguments": "with",
    "input": "with",
    "parameters": "with",
    "name": "target",
    "tool": "target",
    "tool_name": "target",
    "toolName": "target",
    "result": "content",
    "output": "content",
    "text": "content",
    "message": "content",
    "role": "actor",
    "type": "action",
    "tool_call_id": "call_id",
    "callId": "call_id",
    "step": "turn",
}


class Event:
    """One observed step. Treat it as immutable once it is in a trace.

    `arguments` is the event's `with` (None: no arguments), `raw` the undecoded text of a tool result that a reader
    decoded, `recorded` says that a reader made the event from a wire format.
    """

    __slots__ = (
        "action",
        "actor",
        "arguments",
        "call_id",
        "category",
        "content",
        "has_content",
        "id",
        "raw",
        "recorded",
        "status",
        "target",
        "turn",
    )

    def __init__(
        self,
        actor: str,
        action: str | None = None,
        *,
        category: str | None = None,
        target: str | None = None,
        arguments: Any = None,
        content: Any = None,
        has_content: bool | None = None,
        status: str | None = None,
        call_id: str | None = None,
        turn: int | None = None,
        id: str | None = None,
        raw: str | None = None,
        recorded: bool = False,
    ) -> None:
        self.actor = actor
        self.action = action
        self.category = category
        self.target = target
        self.arguments = arguments
        self.content = content
        self.has_content = content is not None if has_content is None else has_content
        self.status = status
        self.call_id = call_id
        self.turn = turn
        self.id = id
        self.raw = raw
        self.recorded = recorded

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], index: int | None = None) -> Event:
        """The event an ABS event dictionary describes; TraceError (naming `index`) when it does not describe one."""
        if not isinstance(data, dict):
            raise _error(index, f"an event must be an object, not {_kind(data)}")
        if not data.keys() <= _KEY_SET:
            raise _error(index, _unknown_key(data))
        get = data.get
        actor, action, category = get("actor"), get("action"), get("category")
        if not (isinstance(actor, str) and actor):
            raise _error(index, _wanted("actor", "a non-empty text", data))
        if action is None:
            if category is None:
                raise _error(index, "an event needs an action, or a category in place of it")
            if category not in CATEGORIES:
                raise _error(index, _one_of("category", category, CATEGORIES))
        elif not (isinstance(action, str) and action):
            raise _error(index, _wanted("action", "a non-empty text", data))
        elif category is not None:
            raise _error(index, "an event has an action or a category, not both")
        target, status = get("target"), get("status")
        if target is not None and not isinstance(target, str):
            raise _error(index, _wanted("target", "a text", data))
        if status is not None and status not in STATUSES:
            raise _error(index, _one_of("status", status, STATUSES))
        arguments, content = get("with"), get("content")
        if isinstance(arguments, str) and not arguments.strip():
            arguments = None
        # A null is the JSON value null in a tool's answer and no content anywhere else.
        has_content = content is not None or ("content" in data and action == "responds" and actor in _RESPONDERS)
        turn = get("turn")
        if turn is not None and (not isinstance(turn, int) or isinstance(turn, bool)):
            raise _error(index, _wanted("turn", "an integer", data))
        return cls(
            actor,
            action,
            category=category,
            target=target,
            arguments=arguments,
            content=content,
            has_content=has_content,
            status=status,
            call_id=_identity(data, "call_id", index),
            turn=turn,
            id=_identity(data, "id", index),
        )

    def to_dict(self) -> dict[str, Any]:
        """The ABS event dictionary; keys without a value are left out."""
        result: dict[str, Any] = {"actor": self.actor}
        if self.action is not None:
            result["action"] = self.action
        if self.category is not None:
            result["category"] = self.category
        if self.target is not None:
            result["target"] = self.target
        if self.arguments is not None:
            result["with"] = self.arguments
        if self.has_content:
            result["content"] = self.content
        for key, value in (
            ("status", self.status),
            ("call_id", self.call_id),
            ("turn", self.turn),
            ("id", self.id),
        ):
            if value is not None:
                result[key] = value
        return result

    def __repr__(self) -> str:
        target = "" if self.target is None else f" {self.target!r}"
        return f"<Event {self.actor} {self.action or self.category}{target}>"


class Trace:
    """A run: a sequence of events, and what its reader could say about them.

    `unread` counts, by name, the parts that were not understood; `format` names the reader, `note` what an automatic
    choice decided; `complete` is False when the events are only a part of the run.
    """

    __slots__ = ("complete", "events", "format", "note", "unread")

    def __init__(
        self,
        events: Iterable[Event],
        *,
        unread: dict[str, int] | None = None,
        format: str = "events",
        note: str | None = None,
        complete: bool = True,
    ) -> None:
        self.events: tuple[Event, ...] = tuple(events)
        self.unread: dict[str, int] = {} if unread is None else unread
        self.format = format
        self.note = note
        self.complete = complete

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __getitem__(self, index: int) -> Event:
        return self.events[index]

    def __repr__(self) -> str:
        return f"<Trace {self.format}: {len(self.events)} events>"


def as_trace(source: Any) -> Trace:
    """A trace from events (dictionaries or `Event`s, in any iterable), from `{complete, events}`, or a trace itself."""
    if isinstance(source, Trace):
        return source
    complete = True
    if isinstance(source, dict):
        source, complete = _unwrap(source)
    if isinstance(source, (str, bytes, bytearray)):
        raise TraceError(f"a trace must be a list of events, not {_kind(source)}; read a file with read_trace()")
    try:
        items = iter(source)
    except TypeError:
        raise TraceError(f"a trace must be a list of events, not {_kind(source)}") from None
    make = Event.from_dict
    events = [item if isinstance(item, Event) else make(item, index) for index, item in enumerate(items)]
    return Trace(events, complete=complete)


def _unwrap(source: dict[Any, Any]) -> tuple[Any, bool]:
    """The list in `{complete: ..., events: [...]}` and whether the run is complete."""
    if "events" not in source:
        if "actor" in source:
            raise TraceError("a trace must be a list of events, not one event; put it in a list")
        raise TraceError("a trace must be a list of events, or an object with the key 'events'")
    if not source.keys() <= _EVENTS_KEYS:
        unknown = next(key for key in source if key not in _EVENTS_KEYS)
        raise TraceError(f"unknown key {unknown!r} beside 'events'{_did_you_mean(unknown, ('complete', 'events'))}")
    events, complete = source["events"], source.get("complete", True)
    if not isinstance(complete, bool):
        raise TraceError(f"'complete' must be true or false, not {_kind(complete)}")
    if not isinstance(events, (list, tuple)):
        raise TraceError(f"'events' must be a list, not {_kind(events)}")
    return events, complete


def _identity(data: dict[str, Any], key: str, index: int | None) -> str | None:
    value = data.get(key)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return _integer_text(value, key, index)
    raise _error(index, _wanted(key, "a text or an integer", data))


def _integer_text(value: int, key: str, index: int | None) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        raise _error(index, f"'{key}' is too long") from None


def _error(index: int | None, message: str) -> TraceError:
    return TraceError(message if index is None else f"events[{index}]: {message}")


def _wanted(key: str, wanted: str, data: dict[str, Any]) -> str:
    if key not in data:
        return f"the key '{key}' is missing"
    value = data[key]
    return f"'{key}' must be {wanted}, not {'an empty text' if value == '' else _kind(value)}"


def _one_of(key: str, value: Any, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str):
        return f"'{key}' must be a text, not {_kind(value)}"
    return f"unknown {key} {value[:80]!r}{_did_you_mean(value, allowed)}; it is one of {', '.join(allowed)}"


def _unknown_key(data: dict[Any, Any]) -> str:
    unknown = next(key for key in data if key not in _KEY_SET)
    if not isinstance(unknown, str):
        return f"the keys of an event must be texts, not {_kind(unknown)}"
    return f"unknown key {unknown[:80]!r}{_did_you_mean(unknown, KEYS)}"


def _did_you_mean(text: Any, known: tuple[str, ...]) -> str:
    import difflib  # only on the way to an error

    if not isinstance(text, str):
        return ""
    other = _OTHER_NAMES.get(text)
    if other in known:
        return f" (did you mean {other!r}?)"
    near = difflib.get_close_matches(text[:80].lower(), known, 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON where it has one."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a value of type {type(value).__name__}"
