"""A spec in, its artifact and matchers out: from the cache where there is one, else through the compiler.

Whatever comes out went through the bytes of an artifact, so a spec compiled just now, one from the cache and one
loaded from a file are the same to the last key. A cached result imports neither the compiler nor what it needs.
"""

from __future__ import annotations

import os

from abs_compiler.files import display_name, read_at_most
from abs_compiler.plain_options import NO_OPTIONS, full_options
from abs_compiler.runtime.artifact import decode, encode
from abs_compiler.runtime.errors import ArtifactError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from abs_compiler.artifact.cache import Cache
    from abs_compiler.diagnostics import Diagnostic
    from abs_compiler.plain_options import PlainOptions
    from abs_compiler.runtime import Matcher

_FILE_BYTES = 1 << 20


class Compiled:
    """One spec compiled. `artifact` is None, and `matchers` empty, where the spec holds an error; `diagnostics` has
    everything there is to say about it."""

    __slots__ = ("artifact", "diagnostics", "matchers")

    def __init__(
        self, artifact: bytes | None, matchers: tuple[Matcher, ...], diagnostics: tuple[Diagnostic, ...]
    ) -> None:
        self.artifact = artifact
        self.matchers = matchers
        self.diagnostics = diagnostics


def compile_spec_file(
    path: str | os.PathLike[str], options: PlainOptions = NO_OPTIONS, cache: Cache | None = None
) -> Compiled:
    """Compile a spec file. One that cannot be read has a diagnostic that says so."""
    from abs_compiler.artifact.project import project_path

    limit = _FILE_BYTES if options["limits"] is None else options["limits"]["file_bytes"]
    try:
        data = read_at_most(os.fspath(path), limit)
    except (OSError, ValueError):
        from abs_compiler.pipeline import compile_path

        name = display_name(os.fspath(path))
        return _built(*compile_path(os.fspath(path), full_options(options)), name, name)
    return compile_spec_text(data, display_name(os.fspath(path)), options, path=project_path(path), cache=cache)


def compile_spec_text(
    data: bytes,
    name: str,
    options: PlainOptions = NO_OPTIONS,
    *,
    path: str | None = None,
    cache: Cache | None = None,
) -> Compiled:
    """Compile the text of a spec. Messages call it `name`, the artifact knows it by `path` (else by `name`)."""
    path = name if path is None else path
    if cache is None:
        return _compiled(data, name, options, path)
    from abs_compiler.artifact.fingerprint import cache_key

    key = cache_key(data, path, options)
    return _cached(cache, key, data, name) or _kept(cache, key, _compiled(data, name, options, path), name)


def _cached(cache: Cache, key: str, data: bytes, name: str) -> Compiled | None:
    entry = cache.get(key)
    if entry is None:
        return None
    from abs_compiler.artifact.warnings import restored

    warnings, artifact = entry
    try:
        return Compiled(artifact, decode(artifact, name), restored(warnings, data, name))
    except (ArtifactError, LookupError, TypeError, ValueError):  # whole, and yet not what this compiler keeps
        cache.refuse(key)
        return None


def _kept(cache: Cache, key: str, compiled: Compiled, name: str) -> Compiled:
    if compiled.artifact is not None:
        from abs_compiler.artifact.entry import encode_entry
        from abs_compiler.artifact.warnings import plain

        cache.put(key, encode_entry(key, plain(compiled.diagnostics), compiled.artifact), name)
    return compiled


def _compiled(data: bytes, name: str, options: PlainOptions, path: str) -> Compiled:
    from abs_compiler.pipeline import compile_source

    return _built(*compile_source(data, name, full_options(options)), name, path)


def _built(programs: Sequence[dict[str, Any]], diagnostics: Sequence[Diagnostic], name: str, path: str) -> Compiled:
    from abs_compiler.diagnostics import Severity

    if any(item.severity is Severity.ERROR for item in diagnostics):
        return Compiled(None, (), tuple(diagnostics))
    named = [{**program, "source": {**program["source"], "path": path}} for program in programs]
    artifact = encode(named)
    return Compiled(artifact, decode(artifact, name), tuple(diagnostics))
