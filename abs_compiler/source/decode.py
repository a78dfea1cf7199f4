"""Decoding: the bytes of a file in, a SourceFile out.

Only UTF-8 is read, with or without a byte order mark. Anything else raises SourceError, which says what kind
of bytes they are and at which byte offset that shows.
"""

from __future__ import annotations

import codecs
import re

from abs_compiler.source.text import SourceFile

_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
_BINARY_SAMPLE = 1024


class SourceError(Exception):
    """Bytes that are no readable source text.

    `problem` is one of "too-large", "utf-16", "utf-32", "binary", "not-utf8"; `offset` is the byte offset of the
    first byte that shows it; `data` holds the bytes.
    """

    def __init__(self, problem: str, offset: int, name: str, data: bytes) -> None:
        super().__init__(f"{name}: {problem} at byte {offset}")
        self.problem = problem
        self.offset = offset
        self.name = name
        self.data = data


def decode(data: bytes, name: str, *, limit: int | None = None) -> SourceFile:
    """The text of UTF-8 bytes without its byte order mark; SourceError for any other encoding, for binary data
    and for more than `limit` bytes."""
    if limit is not None and len(data) > limit:
        raise SourceError("too-large", limit, name, data)
    wide = _wide_encoding(data)
    if wide is not None:
        raise SourceError(wide, 0, name, data)
    nul = data.find(b"\0")
    if nul >= 0:
        raise SourceError("binary", nul, name, data)
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        around = data[max(0, offset - _BINARY_SAMPLE) : offset + _BINARY_SAMPLE]
        problem = "binary" if _CONTROL.search(around) else "not-utf8"
        raise SourceError(problem, offset, name, data) from None
    return SourceFile(name, text)


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 by byte order mark, or by where the zero bytes of a first ASCII character lie."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    zeros = tuple(byte == 0 for byte in data[:4])
    first = next((byte for byte in data[:4] if byte), 0)
    if not (first in b"\t\n\r" or 0x20 <= first < 0x7F):
        return None
    match zeros:
        case (False, True, True, True) | (True, True, True, False):
            return "utf-32"
        case (False, True, False, _) | (True, False, True, _) | (False, True) | (True, False):
            return "utf-16"
        case (False, True, True, False) | (True, False, False, True):
            # An ASCII character and one whose low or high byte is zero too.
            return "utf-16"
        case _:
            return None
