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
_OWN = "_sha2" if sys.version_info >= (3, 12) else "_sha256"  # the interpreter's own module
_hashed = 0  # bytes, in this process


def canonical(value: Any) -> bytes:
    """Canonical JSON: keys sorted by code point, no spaces, ASCII with escapes. ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def sha256(data: bytes) -> bytes:
    """The SHA-256 of data in hexadecimal.

    OpenSSL's is the faster one, but loading it takes longer than all the rest of loading an artifact. So as long as
    nobody else has loaded it, and little was hashed yet, the interpreter's own does, where there is one."""
    global _hashed
    _hashed += len(data)
    if _hashed < _MUCH_TO_HASH and "hashlib" not in sys.modules:
        try:
            own: bytes = __import__(_OWN).sha256(data).hexdigest().encode()
            return own
        except ImportError:  # an interpreter built without it
            pass
    import hashlib

    return hashlib.sha256(data).hexdigest().encode()
