"""Recorded runs to traces: one reader for each format, and the choice between them.

Takes a file, bytes or text in one of `FORMATS` and gives a `Trace`; raises `TraceError`, and nothing else, for
whatever is wrong with it. Imports only the runtime.
"""

from __future__ import annotations

import os

from abs_compiler.runtime.errors import TraceError

from . import detect, files, recording
from .detect import FORMATS, TOOLS_ONLY, UnclearFormatError
from .files import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abs_compiler.runtime.events import Trace

__all__ = ["FORMATS", "MAX_BYTES", "TOOLS_ONLY", "UnclearFormatError", "read_text", "read_trace"]


def read_trace(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview,
    format: str = "auto",
    *,
    name: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> Trace:
    """The trace of a recorded run in a file (a path) or in memory (bytes).

    `format` is one of `FORMATS`, or "auto" to decide by content; the trace's `format` and `note` say what was decided.
    Messages begin with `name`, by default the path. More than `max_bytes` are refused.
    """
    try:
        if isinstance(source, (bytes, bytearray, memoryview)):
            files.check_size(source, max_bytes)
            data = bytes(source)
        else:
            data = files.read_file(source, max_bytes)
        return detect.read(recording.parse(files.decode(data)), format)
    except TraceError as error:
        if name is None and not isinstance(source, (bytes, bytearray, memoryview)):
            name = os.fsdecode(source)
        raise _named(error, name) from None


def read_text(text: str, name: str | None = None, format: str = "auto") -> Trace:
    """The trace of a recorded run that is already text."""
    try:
        return detect.read(recording.parse(text.removeprefix("\ufeff")), format)
    except TraceError as error:
        raise _named(error, name) from None


def _named(error: TraceError, name: str | None) -> TraceError:
    if not name:
        return error
    if isinstance(error, UnclearFormatError):
        return UnclearFormatError(f"{name}: {error.problem}")
    return TraceError(f"{name}: {error}")
