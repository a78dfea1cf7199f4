"""Entries of the cache: an artifact and what the compiler had to say about its spec, in one file.

    absc-cache KEY SHA256
    [WARNING, ...]
    ARTIFACT

KEY is the key of the compilation, SHA256 the checksum of all that follows; the warnings (see `warnings`) are one line
of canonical JSON. An entry under another key's name, cut short or damaged in any byte is no entry.
"""

from __future__ import annotations

import json

from abs_compiler.runtime.canonical import canonical, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAGIC = b"absc-cache"


class DamagedEntryError(ValueError):
    """Bytes that are not the entry of the key."""


def encode_entry(key: str, warnings: list[Any], artifact: bytes) -> bytes:
    """The bytes of an entry."""
    rest = canonical(warnings) + b"\n" + artifact
    return b"%s %s %s\n%s" % (_MAGIC, key.encode(), sha256(rest), rest)


def decode_entry(key: str, data: bytes) -> tuple[list[Any], bytes]:
    """The warnings and the artifact of an entry. Raises DamagedEntryError."""
    head, _, rest = data.partition(b"\n")
    if head != b"%s %s %s" % (_MAGIC, key.encode(), sha256(rest)):
        raise DamagedEntryError(key)
    warnings, _, artifact = rest.partition(b"\n")
    found: list[Any] = [] if warnings == b"[]" else json.loads(warnings)
    return found, artifact
