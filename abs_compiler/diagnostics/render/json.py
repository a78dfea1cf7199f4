"""Diagnostics as plain JSON data: a versioned envelope for tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from abs_compiler.diagnostics.record import Diagnostic, Fix, Severity
from abs_compiler.diagnostics.render.order import ordered
from abs_compiler.source import SourceFile, Span

VERSION = 1


def render_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """The envelope: its version, the findings in their stable order, and how many there are of each severity.

    Offsets are 0-based, lines and columns 1-based; all count code points of the decoded text without byte order
    mark. `labels[0]` is the primary one. A finding without a place has no labels.
    """
    items = ordered(diagnostics)
    counts = Counter(item.severity for item in items)
    return {
        "version": VERSION,
        "diagnostics": [diagnostic_data(item) for item in items],
        "summary": {severity.value: counts[severity] for severity in Severity},
    }


def diagnostic_data(item: Diagnostic) -> dict[str, Any]:
    """One diagnostic as plain data."""
    source = item.source
    return {
        "code": item.code,
        "name": item.name,
        "severity": item.severity.value,
        "message": item.message,
        "path": item.path,
        "labels": []
        if source is None
        else [{**_range(source, label.span), "text": label.text} for label in item.labels],
        "notes": list(item.notes),
        "helps": [
            {"text": help_.text, "fix": None if help_.fix is None or source is None else _fix(source, help_.fix)}
            for help_ in item.helps
        ],
    }


def _fix(source: SourceFile, fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [{**_range(source, edit.span), "text": edit.text} for edit in fix.edits],
    }


def _range(source: SourceFile, span: Span) -> dict[str, Any]:
    return {"start": _position(source, span.start), "end": _position(source, span.end)}


def _position(source: SourceFile, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"offset": offset, "line": line, "column": column}
