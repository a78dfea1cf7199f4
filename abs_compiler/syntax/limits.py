"""The bounds within which text is read: beyond them there is a clean error, never a hang."""

from __future__ import annotations

import attrs

from abs_compiler.repr_mixin import ReprMixin


@attrs.frozen(slots=False, repr=False)
class Limits(ReprMixin):
    """Every bound with its default; all are configurable."""

    file_bytes: int = 1024 * 1024
    depth: int = 64
    nodes: int = 100_000
    scalar_bytes: int = 64 * 1024
    number_chars: int = 100
    predicate_chars: int = 2000
    predicate_depth: int = 32
    regex_chars: int = 1000
