"""Which reader reads a recording.

Takes a recording and the name of a format. A named format is that reader's; `auto` decides by content, and the trace
says in its note what was decided. Two formats that read everything in it and see different events are an error.
"""

from __future__ import annotations

from abs_compiler.runtime.errors import TraceError

from . import mcp_jsonrpc, native, openai_chat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abs_compiler.runtime.events import Trace

    from .reader import Reader
    from .recording import Recording

AUTO = "auto"

# The order decides nothing but which name an input gets that several formats read alike.
READERS: tuple[Reader, ...] = (native.READER, openai_chat.READER, mcp_jsonrpc.READER)
FORMATS: tuple[str, ...] = tuple(reader.name for reader in READERS)
# Of these, the formats whose recordings never hold conversation.
TOOLS_ONLY: frozenset[str] = frozenset((mcp_jsonrpc.READER.name,))


class UnclearFormatError(TraceError):
    """A recording whose format has to be named. `problem` says why; how to name it depends on where the user is."""

    @property
    def problem(self) -> str:
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{self.problem}; name the format with read_trace(..., format=...)"


def check_format(name: str) -> None:
    """Refuse a name that is no format."""
    if name == AUTO or name in FORMATS:
        return
    import difflib  # only on the way to an error

    near = difflib.get_close_matches(name, (AUTO, *FORMATS), 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise TraceError(f"unknown trace format {name!r}{hint}; it is one of {', '.join((AUTO, *FORMATS))}")


def read(recording: Recording, format: str = AUTO) -> Trace:
    """The trace of a recording."""
    check_format(format)
    if format != AUTO:
        return next(reader for reader in READERS if reader.name == format).read(recording)
    reasons = {reader: reason for reader in READERS if (reason := reader.sniff(recording))}
    if not reasons:
        raise UnclearFormatError(
            f"no reader understands it: it is {recording.describe()}; the known formats are {', '.join(FORMATS)}"
        )
    if len(reasons) == 1:
        reader = next(iter(reasons))
        trace = reader.read(recording)
    else:
        reader, trace = _choose(recording, list(reasons))
    trace.note = f"read as {reader.name}: it holds {reasons[reader]}"
    return trace


def _choose(recording: Recording, readers: list[Reader]) -> tuple[Reader, Trace]:
    """Of several readers the one that understands everything; all that do must see the same events."""
    read: list[tuple[Reader, Trace]] = []
    errors: list[str] = []
    for reader in readers:
        try:
            read.append((reader, reader.read(recording)))
        except TraceError as error:
            errors.append(f"as {reader.name}: {error}")
    if not read:
        raise TraceError(f"no reader understands it ({'; '.join(errors)})")
    whole = [(reader, trace) for reader, trace in read if not trace.unread] or read
    first = [event.to_dict() for event in whole[0][1]]
    different = [reader for reader, trace in whole[1:] if [event.to_dict() for event in trace] != first]
    if different:
        names = " and ".join(reader.name for reader in (whole[0][0], *different))
        raise UnclearFormatError(f"it reads as {names} with different events")
    return whole[0]
