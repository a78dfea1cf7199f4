"""Native ABS events: a JSON array, JSON Lines, or `{complete: ..., events: [...]}`.

The events are taken as they are written: nothing is decoded, and a mistake in one is an error, never a count.
"""

from __future__ import annotations

from abs_compiler.runtime.errors import TraceError
from abs_compiler.runtime.events import Event, Trace, as_trace

from .reader import Reader, count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .recording import Recording

NAME = "abs"


def sniff(recording: Recording) -> str | None:
    """An object with `events`, or items that say who acted."""
    if recording.kind == "json":
        value = recording.values[0]
        if value == []:
            return "an empty list"
        if isinstance(value, dict) and isinstance(value.get("events"), list):
            events = value["events"]
            return f"{count(len(events), 'ABS event')} in an object" if not events or _any_event(events) else None
    return count(len(recording.items), "ABS event") if _any_event(recording.items) else None


def read(recording: Recording) -> Trace:
    """The trace the events are."""
    value = recording.values[0] if recording.values else []
    if recording.kind == "json":
        trace = as_trace([value] if isinstance(value, dict) and "events" not in value else value)
    elif len(recording.values) == 1 and isinstance(value, dict) and "events" in value:
        trace = as_trace(value)
    else:
        trace = Trace(_event(recording, index) for index in range(len(recording.values)))
    trace.format = NAME
    return trace


def _event(recording: Recording, index: int) -> Event:
    try:
        return Event.from_dict(recording.values[index])
    except TraceError as error:
        raise TraceError(f"{recording.where(index)}: {error}") from None


def _any_event(items: list[Any]) -> bool:
    return any(isinstance(item, dict) and ("actor" in item or {"action", "target"} <= item.keys()) for item in items)


READER = Reader(NAME, sniff, read)
