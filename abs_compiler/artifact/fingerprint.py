"""What a compilation is known by: a key over everything that its result depends on.

The key covers the source's bytes, the name the spec goes by, the options, the version of the format, and the compiler:
its version and, so that a compiler under development never answers with what it compiled yesterday, the sizes and
times of its own files.
"""

from __future__ import annotations

import functools
import os

from abs_compiler import __version__
from abs_compiler.runtime.canonical import FORMAT_VERSION, canonical, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def cache_key(source: bytes, path: str, options: Mapping[str, Any]) -> str:
    """The key of a compilation: 64 hexadecimal digits. `path` is the name the artifact knows the spec by, `options`
    the compile options as plain JSON data."""
    parts = (b"%d" % FORMAT_VERSION, compiler_identity(), canonical([path, options]), source)
    return sha256(b"".join(b"%d:%s" % (len(part), part) for part in parts)).decode()


@functools.cache
def compiler_identity() -> bytes:
    """The compiler that is running: its version, and a checksum over the names, sizes and times of its files."""
    import abs_compiler

    seen: list[str] = []
    package = os.path.dirname(abs_compiler.__file__)
    pending = [package, os.path.join(os.path.dirname(package), "grammar")]
    while pending:
        folder = pending.pop()
        try:
            found = sorted(os.scandir(folder), key=lambda item: item.name)
        except OSError:  # no such folder, or one inside an archive: the version must do
            continue
        for item in found:
            if item.name.endswith((".py", ".lark")):
                status = item.stat()
                seen.append(f"{item.path}\0{status.st_size}\0{status.st_mtime_ns}\n")
            elif "." not in item.name and item.name != "__pycache__" and item.is_dir():
                pending.append(item.path)
    return b"%s %s" % (__version__.encode(), sha256("".join(seen).encode("utf-8", "surrogatepass")))
