"""Patterns written as JavaScript writes them: `/refund/i`. Here the slashes are part of the pattern."""

from __future__ import annotations

import re

_SLASHED = re.compile(r"/(?P<inner>(?:[^/\\]|\\.)+)/(?P<flags>[dgimsuvxy]*)", re.DOTALL)
_SIGNS = re.compile(r"[\\^$.*+?\[\](){}|]")
_KNOWN_FLAGS = "ims"


def without_slashes(pattern: str) -> tuple[str, str] | None:
    """What stands between the slashes of a JavaScript pattern, and its flags as RE2 writes them (`(?i)`); None for a
    pattern that may well mean its slashes, as `/orders/` does."""
    found = _SLASHED.fullmatch(pattern)
    if found is None or not (found["flags"] or _SIGNS.search(found["inner"])):
        return None
    flags = "".join(flag for flag in _KNOWN_FLAGS if flag in found["flags"])
    return found["inner"], f"(?{flags})" if flags else ""
