"""Server-sent events: the text of an HTTP stream to the JSON values it carries.

Used for whole files and for a response that was recorded as text. Comments, event names and `[DONE]` are dropped.
"""

from __future__ import annotations

import re

from .jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Not str.splitlines(): a payload may hold other characters that it takes for line ends.
_LINE_END = re.compile(r"\r\n|\n|\r")
_STREAM = re.compile(r"\s*(?:data:|event:|:)")
_DATA = re.compile(r"(?:^|[\r\n])data:")


def is_stream(text: str) -> bool:
    """Whether a text is a stream of server-sent events with data in it."""
    return _STREAM.match(text) is not None and _DATA.search(text) is not None


def payloads(text: str) -> tuple[list[Any], int]:
    """The JSON values of a stream, and how many payloads were not JSON."""
    values: list[Any] = []
    bad = 0
    data: list[str] = []
    for line in [*_LINE_END.split(text), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            found, failed = _values(data)
            values += found
            bad += failed
            data = []
    return values, bad


def _values(data: list[str]) -> tuple[list[Any], int]:
    """One event's values: its data lines are one text; logs that lost the blank lines have a value on each."""
    data = [line for line in data if line.strip() not in ("", "[DONE]")]
    try:
        return [loads("\n".join(data))] if data else [], 0
    except JsonError:
        if len(data) == 1:
            return [], 1
    values: list[Any] = []
    bad = 0
    for line in data:
        try:
            values.append(loads(line))
        except JsonError:
            bad += 1
    return values, bad
