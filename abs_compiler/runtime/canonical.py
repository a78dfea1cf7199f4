"""What artifacts and caches are known by: JSON in one form, and checksums. Imports next to nothing."""

from __future__ import annotations

import json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The version of the format of artifacts; entries of the cache hang on it too.
FORMAT_VERSION = 1

_MUCH_TO_HASH = 1 << 18


def canonical(value: Any) -> bytes:
    """Canonical JSON: keys sorted by code point, no spaces, ASCII with escapes. ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def sha256(data: bytes) -> bytes:
    """The SHA-256 of data in hexadecimal.

    OpenSSL's is the faster one, but loading it takes longer than all the rest of loading an artifact. So as long as
    nobody else has loaded it, the interpreter's own does, where there is one."""
    if "hashlib" not in sys.modules and len(data) < _MUCH_TO_HASH:
        for name in ("_sha2", "_sha256"):
            try:
                own: bytes = __import__(name).sha256(data).hexdigest().encode()
                return own
            except ImportError:  # the name depends on the version
                continue
    import hashlib

    return hashlib.sha256(data).hexdigest().encode()
