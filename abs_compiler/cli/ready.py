"""Specs and artifacts ready to be matched: compiled, taken from the cache, or loaded.

Imports nothing of the compiler, so that a cached result or an artifact needs none of it.
"""

from __future__ import annotations

from abs_compiler.artifact.cache import Cache
from abs_compiler.artifact.project import cache_folder
from abs_compiler.cached import Compiled, compile_spec_file
from abs_compiler.cli.configured import configured
from abs_compiler.cli.console import note
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import is_artifact_name
from abs_compiler.files import display_name, reason
from abs_compiler.runtime.artifact import load
from abs_compiler.runtime.errors import ArtifactError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import Any

    from abs_compiler.diagnostics import Diagnostic
    from abs_compiler.plain_options import PlainOptions
    from abs_compiler.runtime import Matcher

# Findings that say: this is no text at all, or too much of it. They end a command like a file that is not there.
_UNREADABLE = ("unreadable-file", "unreadable-artifact", "not-utf8", "too-large")


class ReadySpec:
    """One spec or artifact: its matchers (none where it holds an error) and everything there is to say about it.
    `observe` is what its matchings must be told, because the artifact was not compiled with it."""

    __slots__ = ("artifact", "diagnostics", "matchers", "name", "observe", "path")

    def __init__(self, path: Path, compiled: Compiled, observe: str | None = None) -> None:
        self.path = path
        self.name = display_name(path)
        self.artifact = compiled.artifact
        self.matchers: tuple[Matcher, ...] = compiled.matchers
        self.diagnostics: tuple[Diagnostic, ...] = compiled.diagnostics
        self.observe = observe

    @property
    def status(self) -> int:
        """The exit status this file alone gives: 2 where it cannot be read, 1 where it holds an error, else 0."""
        if any(item.name in _UNREADABLE for item in self.diagnostics):
            return 2
        return int(any(item.severity.value == "error" for item in self.diagnostics))


def ready_specs(paths: Iterable[Path], options: PlainOptions, *, use_cache: bool) -> list[ReadySpec]:
    """Every spec compiled and every artifact loaded. What there is to tell of the cache goes to standard error.

    Raises CommandError for `--target` with an artifact."""
    cache = Cache(cache_folder()) if use_cache else None
    specs = [
        _loaded(path, options)
        if is_artifact_name(path)
        else ReadySpec(path, compile_spec_file(path, configured(path, options), cache=cache))
        for path in paths
    ]
    for text in cache.notes if cache else ():
        note(f"absc: {text}")
    return specs


def diagnostics_text(diagnostics: Sequence[Diagnostic], *, color: bool) -> str:
    """Diagnostics as the full text for people."""
    if not diagnostics:
        return ""
    from abs_compiler.diagnostics.render import render

    return render(diagnostics, "full", color=color, explain=True)


def diagnostic_dicts(diagnostics: Sequence[Diagnostic]) -> list[Any]:
    """Diagnostics as JSON data, in their stable order."""
    if not diagnostics:
        return []
    from abs_compiler.diagnostics.render import render_json

    found: list[Any] = render_json(diagnostics)["diagnostics"]
    return found


def _loaded(path: Path, options: PlainOptions) -> ReadySpec:
    if options["targets"]:
        raise CommandError(
            f"`{display_name(path)}` is compiled already, and `--target` says how to compile: give it to `absc compile`"
        )
    try:
        return ReadySpec(path, Compiled(None, load(path), ()), options["observe"])
    except OSError as error:
        code, problem = "unreadable-file", f"cannot read the file: {reason(error)}"
    except ArtifactError as error:
        code, problem = "unreadable-artifact", str(error).removeprefix(f"{path}: ")
    from abs_compiler.diagnostics import Sink

    sink = Sink(None, display_name(path))
    sink.report(code, problem)
    return ReadySpec(path, Compiled(None, (), tuple(sink.diagnostics())))
