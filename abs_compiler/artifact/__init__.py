"""Artifacts and the cache of compiled specs: what a compilation is known by, where it is kept, how it is found again.

The format itself, both ways, is `abs_compiler.runtime.artifact`, so that the runtime stands alone; `encode` is it.
Nothing here imports more than the standard library, so that a cache hit stays as quick as it looks.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abs_compiler.runtime.artifact import encode

__all__ = ["encode"]


def __getattr__(name: str) -> object:
    if name != "encode":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from abs_compiler.runtime import artifact

    return artifact.encode
