"""One file through the compiler and the rules, and its findings between plain data and diagnostics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from abs_compiler.artifact.warnings import plain, restored
from abs_compiler.diagnostics import Diagnostic, Sink
from abs_compiler.lint.suppressions import Suppression
from abs_compiler.lint.work import Findings, Job
from abs_compiler.plain_options import full_options
from abs_compiler.source import SourceError, SourceFile, Span, decode

if TYPE_CHECKING:
    from abs_compiler.lint.tools import Tools


class Restored:
    """The findings of a file as diagnostics again; `source` is None where its bytes are no text."""

    __slots__ = ("diagnostics", "source", "suppressions")

    def __init__(
        self,
        source: SourceFile | None,
        diagnostics: tuple[Diagnostic, ...],
        suppressions: tuple[Suppression, ...],
    ) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.suppressions = suppressions


def lint_one(job: Job) -> tuple[Findings, bool]:
    """The findings of a file, and whether they may be kept."""
    if job.data is None:
        return Findings([], []), False
    from abs_compiler.lint.analysis import analyse_bytes

    try:
        found = analyse_bytes(
            job.data,
            job.name,
            full_options(job.options),
            job.options.get("extra", ()),
            _tools(job.options.get("tools")),
        )
    except Exception as error:  # one file must not spoil the report on the others
        if os.environ.get("ABSC_DEBUG"):
            raise
        sink = Sink(None, job.name)
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        sink.report(
            "internal-error",
            f"the compiler broke on this file: {what}",
            helps=("this is a bug; ABSC_DEBUG=1 shows where",),
        )
        return Findings(plain(sink.diagnostics()), []), False
    return Findings(plain(found.diagnostics), [_plain(item) for item in found.suppressions]), True


_latest: list[tuple[list[Any], Tools]] = []


def _tools(data: list[Any] | None) -> Tools | None:
    """The tools that plain data stands for: for the same data the same, with which what is known of them is kept."""
    if data is None:
        return None
    from abs_compiler.lint.tools import Tools

    if not _latest or _latest[0][0] is not data:
        _latest[:] = [(data, Tools.from_plain(data))]
    return _latest[0][1]


def restore(findings: Findings, job: Job) -> Restored:
    """The findings of a file as diagnostics."""
    if job.data is None:
        sink = Sink(None, job.name)
        sink.report("unreadable-file", job.problem)
        return Restored(None, tuple(sink.diagnostics()), ())
    try:
        source = decode(job.data, job.name)
    except SourceError:
        from abs_compiler.pipeline import compile_source  # says why, and where

        _, diagnostics = compile_source(job.data, job.name, full_options(job.options))
        return Restored(None, tuple(diagnostics), ())
    suppressions = tuple(_suppression(item) for item in findings.suppressions)
    return Restored(source, restored(findings.diagnostics, job.data, job.name), suppressions)


def _plain(item: Suppression) -> list[Any]:
    codes = [[code, span.start, span.end] for code, span in item.codes]
    return [item.span.start, item.span.end, item.line, codes, item.reason, item.alone]


def _suppression(data: list[Any]) -> Suppression:
    start, end, line, codes, reason, alone = data
    named = tuple((code, Span(first, last)) for code, first, last in codes)
    return Suppression(Span(start, end), line, named, reason, alone)
