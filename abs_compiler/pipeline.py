"""The stages in a row: the bytes of a spec in, programs and diagnostics out.

Nothing here raises for a user's mistake: whatever is wrong with a file is a diagnostic, the file that cannot be
read included. A file with any error compiles to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from abs_compiler.diagnostics import Diagnostic, Sink
from abs_compiler.files import display_name, read_at_most, reason
from abs_compiler.ir import Ir, Program, build, lower_all
from abs_compiler.options import CompileOptions
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.canonical import sha256
from abs_compiler.source import SourceError, SourceFile, Span, decode
from abs_compiler.spec import Context, SpecFile, read_file
from abs_compiler.syntax import Document, parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_NO_OPTIONS = CompileOptions()


@attrs.frozen(slots=False, repr=False)
class Compilation(ReprMixin):
    """Every stage of one file, for whoever wants to look inside; later stages are empty where an earlier one failed."""

    source: SourceFile | None
    documents: tuple[Document, ...]
    spec: SpecFile | None
    irs: tuple[Ir, ...]
    programs: tuple[Program, ...]
    diagnostics: tuple[Diagnostic, ...]


def compile_source(
    source: str | bytes, name: str = "<text>", options: CompileOptions = _NO_OPTIONS
) -> tuple[tuple[Program, ...], list[Diagnostic]]:
    """The programs of a spec, none where anything is wrong, and all diagnostics in order."""
    found = analyse(source, name, options)
    return found.programs, list(found.diagnostics)


def compile_path(
    path: str | Path, options: CompileOptions = _NO_OPTIONS
) -> tuple[tuple[Program, ...], list[Diagnostic]]:
    """The programs of a spec file; a file that cannot be read is a diagnostic."""
    found = analyse_path(path, options)
    return found.programs, list(found.diagnostics)


def analyse_path(path: str | Path, options: CompileOptions = _NO_OPTIONS) -> Compilation:
    """All stages of a spec file."""
    name = display_name(path)
    try:
        data = read_at_most(path, options.limits.file_bytes)
    except OSError as error:
        return _unreadable(name, f"cannot read the file: {reason(error)}")
    except ValueError:  # a NUL in the name
        return _unreadable(name, "cannot read the file: not a file name")
    return analyse(data, name, options)


def analyse(
    source: str | bytes,
    name: str = "<text>",
    options: CompileOptions = _NO_OPTIONS,
    uncounted: Callable[[SourceFile], Callable[[Diagnostic], bool]] | None = None,
) -> Compilation:
    """All stages of a spec. `uncounted` says of its text which findings a report will leave out (see `Sink`)."""
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    try:
        text = decode(data, name, limit=options.limits.file_bytes)
    except SourceError as error:
        return _undecodable(error, options.limits.file_bytes)
    sink = Sink(text, name, None if uncounted is None else uncounted(text))
    documents = tuple(parse(text, sink, options.limits))
    ctx = Context(sink, options.limits)
    file = read_file(ctx, list(documents))
    irs = build(ctx, file, options)
    programs: tuple[Program, ...] = ()
    if not sink.has_errors:
        programs = lower_all(ctx, irs, file, options, text, sha256(data).decode())
    return Compilation(text, documents, file, irs, programs, tuple(sink.diagnostics()))


def _unreadable(name: str, message: str) -> Compilation:
    sink = Sink(None, name)
    sink.report("unreadable-file", message)
    return Compilation(None, (), None, (), (), tuple(sink.diagnostics()))


def _undecodable(error: SourceError, limit: int) -> Compilation:
    source: SourceFile | None = None
    span: Span | None = None
    label = ""
    match error.problem:
        case "too-large":
            code, message = "too-large", f"the file is larger than {limit:,} bytes"
            help_ = "split the file: sessions need not live in one"
        case "utf-16" | "utf-32":
            code, message = "not-utf8", f"the file is {error.problem.upper()}, only UTF-8 is read"
            help_ = "save the file as UTF-8"
        case "binary":
            code, message = "not-utf8", "the file is binary, not text"
            help_ = "give a YAML or JSON file"
        case _:
            code, message = "not-utf8", f"the file is not UTF-8: byte {error.offset:,} begins no valid character"
            help_ = "save the file as UTF-8"
            source = SourceFile(error.name, error.data.decode("utf-8", "replace").removeprefix("\ufeff"))
            start = len(error.data[: error.offset].decode("utf-8", "replace").removeprefix("\ufeff"))
            span = Span(start, start + 1)
            label = f"byte {error.data[error.offset]:#04x}"
    sink = Sink(source, error.name)
    sink.report(code, message, span, label, helps=(help_,))
    return Compilation(None, (), None, (), (), tuple(sink.diagnostics()))
