"""The text of a recorded run to JSON values, whatever the outer shape of the file.

A file is one JSON text, JSON Lines, or a stream of server-sent events; readers get a `Recording` and need not care
how the values were stored, except to name a line in a message.
"""

from __future__ import annotations

from abs_compiler.runtime.errors import TraceError

from . import sse
from .jsontext import JsonError, RepeatedKeyError, line_and_column, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Recording:
    """`values` as stored: exactly one for `json`, one a line for `jsonl`, one a payload for `stream`.

    `lines` holds the line numbers for `jsonl`; `bad_payloads` counts the payloads of a stream that were not JSON.
    """

    __slots__ = ("bad_payloads", "kind", "lines", "values")

    def __init__(self, kind: str, values: list[Any], lines: list[int] | None = None, bad_payloads: int = 0) -> None:
        self.kind = kind
        self.values = values
        self.lines = lines
        self.bad_payloads = bad_payloads

    @property
    def items(self) -> list[Any]:
        """The values of the run: the elements where the file is one JSON array, else the stored values."""
        if self.kind == "json" and isinstance(self.values[0], list):
            return self.values[0]
        return self.values

    def where(self, index: int) -> str:
        """The place of one of the items, in words."""
        return f"item {index + 1}" if self.lines is None else f"line {self.lines[index]}"

    def describe(self) -> str:
        """What the file holds, for a message that says it was not understood."""
        if self.kind == "stream":
            return f"a stream of {len(self.values)} server-sent events"
        if self.kind == "jsonl":
            return f"{len(self.values)} lines of JSON, the first {_kind(self.values[0])}"
        return f"JSON, {_kind(self.values[0])}"


def parse(text: str) -> Recording:
    """The recording a text holds."""
    if not text.strip():
        raise TraceError("is empty: it holds no recorded run")
    if sse.is_stream(text):
        values, bad = sse.payloads(text)
        return Recording("stream", values, bad_payloads=bad)
    try:
        return Recording("json", [loads(text)])
    except JsonError as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) == 1 or not _is_json(lines[0][1]):
            raise _error(error, text, 1) from None
    values = []
    for number, line in lines:
        try:
            values.append(loads(line))
        except JsonError as error:
            raise _error(error, line, number) from None
    return Recording("jsonl", values, [number for number, _ in lines])


def _is_json(text: str) -> bool:
    try:
        loads(text)
    except JsonError:
        return False
    return True


def _error(error: JsonError, text: str, first_line: int) -> TraceError:
    if error.position is None:
        place = f"line {first_line}: " if first_line > 1 else ""
        return TraceError(f"{place}not JSON this program can read: {error.message}")
    line, column = line_and_column(text, error.position)
    hint = ""
    if text.lstrip().startswith(("session:", "abs_version:", "---", "behaviors:", "fragments:")):
        hint = "; it looks like a spec in YAML, and a recorded run is JSON"
    plain = isinstance(error, RepeatedKeyError) or error.message.endswith("is not JSON")
    what = error.message if plain else f"not JSON: {error.message}"
    return TraceError(f"line {line + first_line - 1}, column {column}: {what}{hint}")


def _kind(value: Any) -> str:
    match value:
        case dict():
            if not value:
                return "an empty object"
            keys = ", ".join(repr(key[:40]) for key in list(value)[:6])
            return f"an object with the keys {keys}{', ...' if len(value) > 6 else ''}"
        case list():
            return f"a list of {len(value)}, the first {_kind(value[0])}" if value else "an empty list"
        case str():
            return "a text"
        case bool():
            return "a boolean"
        case None:
            return "null"
        case _:
            return "a number"
