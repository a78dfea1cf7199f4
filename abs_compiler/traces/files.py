"""Paths and bytes to text: everything that can be wrong with a file before its content is looked at.

Takes a path or bytes and gives the decoded text without its byte order mark, or raises TraceError in plain words.
"""

from __future__ import annotations

import os
from pathlib import Path

from abs_compiler.runtime.errors import TraceError

MAX_BYTES = 64 * 1024 * 1024

_UTF8_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_JSON_STARTS = tuple(bytes((byte,)) for byte in b'{["-0123456789tfn \t\r\n')


def read_file(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a file (or pipe), never more than `max_bytes`."""
    if not os.fspath(path):  # which `Path` takes for the working directory
        raise TraceError("the path of a recorded run is empty")
    try:
        with Path(path).open("rb") as file:
            data = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise TraceError("no such file") from None
    except IsADirectoryError:
        raise TraceError("is a directory, not a recorded run") from None
    except PermissionError:
        raise TraceError("no permission to read it") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise TraceError(f"cannot be read: {error}") from None
    check_size(data, max_bytes)
    return data


def check_size(data: bytes | bytearray | memoryview, max_bytes: int) -> None:
    """Refuse what is larger than allowed."""
    if len(data) > max_bytes:
        raise TraceError(f"larger than {max_bytes:,} bytes, the limit for a recorded run")


def decode(data: bytes) -> str:
    """UTF-8 text, with or without a byte order mark."""
    if data.startswith(b"\x1f\x8b"):
        raise TraceError("is compressed (gzip); decompress it first")
    for mark, name in _OTHER_MARKS:
        if data.startswith(mark):
            raise TraceError(f"is {name} text; save it as UTF-8")
    data = data.removeprefix(_UTF8_MARK)
    zero = data.find(0)
    if zero >= 0:
        # JSON in UTF-16 begins with an ASCII character, so one of its first two bytes is zero.
        if (
            zero < 2
            and data[1 - zero : 2 - zero] in _JSON_STARTS
            and data[:4].count(0) in (1, 2)
            and len(data) % 2 == 0
        ):
            raise TraceError("is UTF-16 text; save it as UTF-8")
        raise TraceError(f"is binary: a zero byte at offset {zero}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TraceError(
            f"line {line}: not UTF-8 text (byte 0x{data[error.start]:02x} at offset {error.start})"
        ) from None
