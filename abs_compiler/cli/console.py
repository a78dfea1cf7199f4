"""Where a command's report goes: standard output or a file, in colour or not, also when the reader goes away."""

from __future__ import annotations

import contextlib
import os
import sys

from abs_compiler.cli.failure import CommandError
from abs_compiler.files import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


class Report:
    """The text of a report on its way out.

    A reader that stops reading (`absc match ... | head`) is no error: the rest is dropped, and the exit status still
    says what was found. Characters that the stream cannot express are written as escapes.
    """

    def __init__(self, stream: TextIO | None, name: str, color: str) -> None:
        self._stream = stream
        self._name = name
        self.color = stream is not None and _wants_color(color, stream)

    def write(self, text: str) -> None:
        """Write text as it is, line ends included. Raises CommandError when the system refuses it (a full disk)."""
        if self._stream is not None:
            with self._writing(self._stream) as stream:
                stream.write(text)

    def flush(self) -> None:
        """Hand over what is buffered. Raises CommandError like `write`."""
        if self._stream is not None:
            with self._writing(self._stream) as stream:
                stream.flush()

    @contextlib.contextmanager
    def _writing(self, stream: TextIO) -> Iterator[TextIO]:
        try:
            yield stream
        except OSError as error:
            self._stream = None
            # What is still buffered would be written once more, with a complaint, when the interpreter exits.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            if not isinstance(error, BrokenPipeError):
                raise CommandError(f"cannot write {self._name}: {reason(error)}") from None


@contextlib.contextmanager
def report(path: str | None = None, color: str = "auto") -> Iterator[Report]:
    """The report of one command: to a file, or to standard output. Raises CommandError when it cannot be written."""
    if path is None:
        out = Report(_standard_output(), "the report", color)
        yield out
        out.flush()
        return
    try:
        file = open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise CommandError(f"cannot write `{path}`: {reason(error)}") from None
    with file:
        out = Report(file, f"`{path}`", color)
        yield out
        out.flush()


def note(text: str) -> None:
    """Write one line to standard error: summaries and complaints, never part of the report."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):  # nobody is listening
        sys.stderr.write(text.encode(sys.stderr.encoding or "utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()


def _standard_output() -> TextIO | None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return sys.stdout  # None where the caller closed it: `>&-`


def _wants_color(choice: str, stream: TextIO) -> bool:
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
