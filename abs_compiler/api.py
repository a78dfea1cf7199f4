"""The functions of the public surface: a file or a text in, matchers or diagnostics out.

The compiler is imported when something is compiled, not before, so that a cached result is there at once.
"""

from __future__ import annotations

from abs_compiler.cached import compile_spec_file, compile_spec_text
from abs_compiler.plain_options import full_options, plain_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from abs_compiler.cached import Compiled
    from abs_compiler.diagnostics import Diagnostic
    from abs_compiler.options import CompileOptions
    from abs_compiler.runtime import Matcher


def compile_file(
    path: str | Path, *, options: CompileOptions | None = None, cache: bool = False
) -> tuple[Matcher, ...]:
    """Compile an ABS file: one matcher for every session it holds, in the file's order.

    With `cache`, a result kept earlier in the cache of the command line (`ABS_CACHE_DIR`, or `.abs_cache`) is taken and
    a new one kept; what the user should know of it (it cannot be written, an entry was damaged) is a RuntimeWarning.

    Raises CompileError when the file holds a mistake or cannot be read; `error.diagnostics` has every finding, warnings
    included.
    """
    plain = plain_options(options)
    if not cache:
        return _matchers(compile_spec_file(path, plain))
    from abs_compiler.artifact.cache import Cache
    from abs_compiler.artifact.project import cache_folder

    kept = Cache(cache_folder())
    compiled = compile_spec_file(path, plain, kept)
    if kept.notes:
        import warnings

        for note in kept.notes:
            warnings.warn(note, RuntimeWarning, stacklevel=2)
    return _matchers(compiled)


def compile_text(
    text: str | bytes, *, name: str = "<text>", options: CompileOptions | None = None
) -> tuple[Matcher, ...]:
    """Compile ABS text: one matcher for every session it holds, in the text's order. `name` stands for it in messages;
    one that ends in `.json` makes it JSON only.

    Raises CompileError when the text holds a mistake; `error.diagnostics` has every finding, warnings included.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _matchers(compile_spec_text(data, name, plain_options(options)))


def check_file(path: str | Path, *, options: CompileOptions | None = None) -> list[Diagnostic]:
    """Everything there is to say about an ABS file, in the file's order; that it cannot be read is a diagnostic too.
    Raises nothing for a user's mistake."""
    from abs_compiler.pipeline import compile_path

    return compile_path(path, options or full_options(plain_options(None)))[1]


def check_text(text: str | bytes, *, name: str = "<text>", options: CompileOptions | None = None) -> list[Diagnostic]:
    """Everything there is to say about ABS text, in the text's order. Raises nothing for a user's mistake."""
    from abs_compiler.pipeline import compile_source

    return compile_source(text, name, options or full_options(plain_options(None)))[1]


def _matchers(compiled: Compiled) -> tuple[Matcher, ...]:
    if compiled.artifact is None:
        from abs_compiler.diagnostics import CompileError

        raise CompileError(compiled.diagnostics)
    return compiled.matchers
