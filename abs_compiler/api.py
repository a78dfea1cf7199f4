"""The functions of the public surface: a file or a text in, matchers or diagnostics out."""

from __future__ import annotations

from pathlib import Path

from abs_compiler.diagnostics import CompileError, Diagnostic, Severity
from abs_compiler.ir import Program
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import compile_path, compile_source
from abs_compiler.runtime import Matcher, load_programs


def compile_file(path: str | Path, *, options: CompileOptions | None = None) -> tuple[Matcher, ...]:
    """Compile an ABS file: one matcher for every session it holds, in the file's order.

    Raises CompileError when the file holds a mistake or cannot be read; `error.diagnostics` has every finding, warnings
    included.
    """
    return _load(compile_path(path, options or CompileOptions()))


def compile_text(
    text: str | bytes, *, name: str = "<text>", options: CompileOptions | None = None
) -> tuple[Matcher, ...]:
    """Compile ABS text: one matcher for every session it holds, in the text's order. `name` stands for it in messages;
    one that ends in `.json` makes it JSON only.

    Raises CompileError when the text holds a mistake; `error.diagnostics` has every finding, warnings included.
    """
    return _load(compile_source(text, name, options or CompileOptions()))


def check_file(path: str | Path, *, options: CompileOptions | None = None) -> list[Diagnostic]:
    """Everything there is to say about an ABS file, in the file's order; that it cannot be read is a diagnostic too.
    Raises nothing for a user's mistake."""
    return compile_path(path, options or CompileOptions())[1]


def check_text(text: str | bytes, *, name: str = "<text>", options: CompileOptions | None = None) -> list[Diagnostic]:
    """Everything there is to say about ABS text, in the text's order. Raises nothing for a user's mistake."""
    return compile_source(text, name, options or CompileOptions())[1]


def _load(compiled: tuple[tuple[Program, ...], list[Diagnostic]]) -> tuple[Matcher, ...]:
    programs, diagnostics = compiled
    if any(item.severity is Severity.ERROR for item in diagnostics):
        raise CompileError(diagnostics)
    return load_programs(programs)
