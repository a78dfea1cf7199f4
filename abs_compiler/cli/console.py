"""Where a command's report goes: standard output or a file, in colour or not, also when the reader goes away.

A file gets the report when that is complete; until then, and where the command fails, it stays as it was.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

from abs_compiler.cli.failure import CommandError
from abs_compiler.files import display_name, reason, unfinished_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Literal, TextIO


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
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device
        with _opened(path, "w", path) as file:
            yield from _reporting(file, path, color)
        return
    target = os.path.realpath(path)  # a link keeps pointing where it does
    unfinished = unfinished_name(target)
    try:
        with _opened(unfinished, "x", path) as file:
            yield from _reporting(file, path, color)
        try:
            _put(unfinished, target)
        except OSError as error:
            raise CommandError(f"cannot write `{path}`: {reason(error)}") from None
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def refuse_output_over(output: str | None, files: Iterable[str | Path]) -> None:
    """Raise CommandError where the report would replace a file that the command reads or makes."""
    if output is None or (os.path.exists(output) and not os.path.isfile(output)):
        return
    for path in files:
        if _same_file(output, path):
            raise CommandError(
                f"`--output {output}` would replace `{display_name(path)}`, which this command reads or makes: "
                "name another file"
            )


def _same_file(one: str, other: str | Path) -> bool:
    try:
        return os.path.realpath(one) == os.path.realpath(other) or os.path.samefile(one, other)
    except OSError:  # one of the two does not exist
        return False


def note(text: str) -> None:
    """Write one line to standard error: summaries and complaints, never part of the report."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):  # nobody is listening
        sys.stderr.write(text.encode(sys.stderr.encoding or "utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()


def _opened(file: str, mode: Literal["w", "x"], path: str) -> TextIO:
    try:
        if os.path.isfile(path) and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return open(file, mode, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise CommandError(f"cannot write `{path}`: {reason(error)}") from None


def _reporting(file: TextIO, path: str, color: str) -> Iterator[Report]:
    out = Report(file, f"`{path}`", color)
    yield out
    out.flush()


def _put(unfinished: str, target: str) -> None:
    """Give a complete file its name, and the permissions of the file that it replaces."""
    with contextlib.suppress(FileNotFoundError):
        os.chmod(unfinished, os.stat(target).st_mode & 0o7777)
    os.replace(unfinished, target)


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
