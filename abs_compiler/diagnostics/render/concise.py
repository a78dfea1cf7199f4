"""One line a diagnostic: `path:line:column: CODE message`."""

from __future__ import annotations

from collections.abc import Iterable

from abs_compiler.diagnostics.record import Diagnostic, Severity
from abs_compiler.diagnostics.render.order import one_line, ordered


def render_concise(diagnostics: Iterable[Diagnostic]) -> str:
    """A line for each diagnostic; warnings and infos say so after the code."""
    lines = []
    for item in ordered(diagnostics):
        place = item.path
        if item.source is not None and item.labels:
            line, column = item.source.position(item.labels[0].span.start)
            place = f"{place}:{line}:{column}"
        severity = "" if item.severity is Severity.ERROR else f" {item.severity.value}:"
        lines.append(f"{one_line(place)}: {item.code}{severity} {one_line(item.message)}\n")
    return "".join(lines)
