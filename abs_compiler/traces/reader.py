"""What a reader of a format is: a name, a test of content, and the reading itself."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from abs_compiler.runtime.events import Trace

    from .recording import Recording


def count(number: int, noun: str) -> str:
    """A number of things, in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class Reader:
    """One format.

    `sniff` says in a few words what it recognises in a recording, or None when the recording is not of its format;
    `read` gives the trace or raises TraceError, and may be called for a recording that `sniff` did not recognise.
    """

    __slots__ = ("name", "read", "sniff")

    def __init__(self, name: str, sniff: Callable[[Recording], str | None], read: Callable[[Recording], Trace]) -> None:
        self.name = name
        self.sniff = sniff
        self.read = read
