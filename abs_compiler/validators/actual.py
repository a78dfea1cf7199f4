"""Reading what an agent did: from lists of calls, and from everything the trace readers understand.

Takes a list of calls or of ABS events, a `Trace`, decoded messages of a format the readers know, a path, or bytes;
gives `Calls`. Of a trace, the calls are the invocations made by anybody but a user or a human.
"""

from __future__ import annotations

import json
import os

from abs_compiler.runtime.classify import is_call
from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace, as_trace

from .calls import ToolCall, read_call
from .errors import UnreadableCallsError, ValidatorTypeError, hidden_in_tests, kind
from .values import SCALARS, as_json

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .values import Place

# What tells a decoded recording from a list of calls: the keys of one of its messages.
_MESSAGE_KEYS = frozenset(("role", "jsonrpc", "actor"))
_NAME_KEYS = frozenset(("toolName", "tool_name"))


class Calls:
    """The calls of a run, in order: names and arguments side by side, and where each came from.

    `doubt` says why there may have been more calls than could be read, or is None.
    """

    __slots__ = ("_sources", "arguments", "doubt", "names")

    def __init__(self, names: list[str], arguments: list[Any], sources: Sequence[Any], doubt: str | None) -> None:
        self.names = names
        self.arguments = arguments
        self._sources = sources
        self.doubt = doubt

    def __len__(self) -> int:
        return len(self.names)

    def call(self, index: int) -> ToolCall:
        """One call as a value."""
        return ToolCall.observed(self.names[index], self.arguments[index], self._sources[index])

    def to_dict(self, index: int) -> dict[str, Any]:
        """One call as an object."""
        source = self._sources[index]
        if source.__class__ is dict and "toolName" in source and self.arguments[index] is source.get("arguments"):
            return dict(source)
        return self.call(index).to_dict()


def certain(passed: bool, doubt: str | None) -> bool:
    """The answer; an error where it is a pass that one more call would undo and some could not be read."""
    if passed and doubt is not None:
        raise UnreadableCallsError(f"this passes only if no other tool was called, and {doubt}")
    return passed


def read_calls(actual: Any, place: str = "actual") -> Calls:
    """The calls of a run."""
    items = _items(actual, place)
    if isinstance(items, Trace):
        return _from_trace(items, place)
    names: list[str] = []
    arguments: list[Any] = []
    for index, item in enumerate(items):
        # The usual call first: this loop is most of the cost of a match.
        if item.__class__ is dict:
            name = item.get("toolName")
            values = item.get("arguments")
            if (
                name.__class__ is not str
                or (values.__class__ is not dict and not (values is None and len(item) == 1))
                or "tool_name" in item
            ):
                name, values = read_call(item, (place, index))
        else:
            name, values = read_call(item, (place, index))
        if values:
            for key, value in values.items():
                kind_of_value = value.__class__
                if (
                    kind_of_value not in SCALARS
                    and (kind_of_value is not float or value - value != 0.0)  # not for infinity and NaN
                ) or key.__class__ is not str:
                    values = as_json(values, ((place, index), "arguments"))
                    break
        names.append(name)
        arguments.append(values)
    return Calls(names, arguments, items, None)


def read_names(actual: Any, place: str = "actual") -> tuple[list[str], str | None]:
    """The names of the tools called in a run, and the doubt (see `Calls`)."""
    items = _items(actual, place)
    if isinstance(items, Trace):
        calls = _from_trace(items, place)
        return calls.names, calls.doubt
    return [
        item if item.__class__ is str else str(item) if isinstance(item, str) else read_call(item, (place, index))[0]
        for index, item in enumerate(items)
    ], None


def _items(actual: Any, place: str) -> Sequence[Any] | Trace:
    """The items of a list of calls or names, or a trace."""
    match actual:
        case list() | tuple():
            items: Sequence[Any] = tuple(actual)
        case Trace():
            return actual
        case dict() if not _NAME_KEYS.isdisjoint(actual):
            raise ValidatorTypeError(f"{place}: the calls of a run are a list, not one call; put it in a list")
        case str() | os.PathLike() | bytes() | bytearray() | memoryview() | dict():
            return _read_trace(actual, place)
        case None | set() | frozenset():
            raise _not_a_list(actual, place)
        case _:
            try:
                items = tuple(actual)
            except TypeError:
                raise _not_a_list(actual, place) from None
    if items:
        first = items[0]
        if isinstance(first, Event) or (
            isinstance(first, dict) and not _MESSAGE_KEYS.isdisjoint(first) and _NAME_KEYS.isdisjoint(first)
        ):
            return _read_trace(items, place)
    return items


def _not_a_list(actual: Any, place: str) -> ValidatorTypeError:
    return ValidatorTypeError(
        f"{place}: the calls of a run are a list, a trace, or the path of one, not {kind(actual)}"
    )


def _read_trace(source: Any, place: str) -> Trace:
    """A trace from events, decoded messages, a path or bytes."""
    try:
        match source:
            case tuple() if isinstance(source[0], Event) or "actor" in source[0]:
                return as_trace(source)
            case tuple() | dict():
                try:
                    source = json.dumps(source).encode()
                except (TypeError, ValueError, RecursionError) as error:
                    raise UnreadableCallsError(f"{place}: not the messages of a recorded run: {error}") from None
        from abs_compiler import read_trace

        return read_trace(source)
    except UnreadableCallsError:
        raise
    except TraceError as error:
        raise UnreadableCallsError(f"{place}: {error}") from None


def _from_trace(trace: Trace, place: str) -> Calls:
    names: list[str] = []
    arguments: list[Any] = []
    sources: list[Event] = []
    for index, event in enumerate(trace):
        if not is_call(event.actor, event.action, event.category):
            continue
        if event.target is None:
            raise UnreadableCallsError(f"{place}: event {index} is a call without a target, the name of the tool")
        event_place: Place = (f"{place}: event {index}", "with")
        names.append(event.target)
        arguments.append(None if event.arguments is None else as_json(event.arguments, event_place))
        sources.append(event)
    return Calls(names, arguments, sources, _doubt(trace))


def _doubt(trace: Trace) -> str | None:
    if trace.unread:
        parts = ", ".join(f"{name} ({count})" for name, count in trace.unread.items())
        return f"parts of the trace could not be read: {parts}"
    if not trace.complete:
        return "the trace says that it is not complete"
    if not trace.events:
        return "the trace holds no events at all"
    return None
