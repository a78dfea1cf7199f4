"""Artifacts and the cache of compiled specs: what a compilation is known by, where it is kept, how it is found again.

The format itself, both ways, is `abs_compiler.runtime.artifact`, so that the runtime stands alone; `encode` is it.
Nothing here imports more than the standard library, so that a cache hit stays as quick as it looks.
"""

from abs_compiler.runtime.artifact import encode

__all__ = ["encode"]
