"""Files as users name them: reading no more than needed, writing whole, names for messages, what the system said."""

from __future__ import annotations

import contextlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

UNFINISHED = ".part"


def read_at_most(path: str | Path, limit: int) -> bytes:
    """The first `limit` bytes of a file, and one more to tell that there are more. Raises OSError."""
    with open(path, "rb") as file:
        # Asking for the limit at once would make room for it, and that costs more than all the rest.
        expected = min(os.fstat(file.fileno()).st_size, limit) + 1
        data = file.read(expected)
        return data if len(data) < expected else data + file.read(limit + 1 - len(data))


def replace_file(path: str, data: bytes) -> None:
    """Write a file so that readers see the old content or the new, never a part of it, whoever is killed when.

    The new content is written to a file beside it, `*.part`, which is renamed. Raises OSError; the file is then as it
    was."""
    unfinished = unfinished_name(path)
    try:
        with open(unfinished, "xb") as file:
            file.write(data)
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def unfinished_name(path: str) -> str:
    """The name, nobody else's, of a file beside this one for what will replace it."""
    return f"{path}.{os.getpid()}.{os.urandom(4).hex()}{UNFINISHED}"


def display_name(path: str | Path) -> str:
    """How messages call a file: relative to the working directory where it lies below it, with forward slashes."""
    text = os.fspath(path)
    if text and os.sep == "/" and not text.startswith("/") and not any(odd in f"{text}/" for odd in ("//", "./")):
        return text
    from pathlib import Path  # takes longer to import than most names are worth

    path = Path(text)
    if path.is_absolute():
        try:
            return path.relative_to(Path.cwd()).as_posix()
        except (ValueError, OSError):  # elsewhere, or the working directory is gone
            return path.as_posix()
    return path.as_posix()


def reason(error: OSError) -> str:
    """What the operating system said, in lower case."""
    text = error.strerror or type(error).__name__
    return text[:1].lower() + text[1:]
