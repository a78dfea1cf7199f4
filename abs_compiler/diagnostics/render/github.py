"""Diagnostics as workflow commands of GitHub Actions, which shows them beside the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable

from abs_compiler.diagnostics.record import Diagnostic, Severity
from abs_compiler.diagnostics.render.order import ordered
from abs_compiler.diagnostics.render.text import help_text

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One command a diagnostic."""
    return "".join(_command(item) for item in ordered(diagnostics))


def _command(item: Diagnostic) -> str:
    properties = {"title": f"{item.code} {item.name}", "file": item.path}
    if item.source is not None and item.labels:
        span = item.labels[0].span
        line, column = item.source.position(span.start)
        end_line, end_column = item.source.position(span.end)
        properties |= {"line": str(line), "col": str(column), "endLine": str(end_line)}
        if line == end_line and end_column > column:
            properties["endColumn"] = str(end_column)
    label = item.labels[0].text if item.labels else ""
    lines = [item.message, *([label] if label else []), *item.notes, *map(help_text, item.helps)]
    written = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[item.severity]} {written}::{_data(chr(10).join(lines))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
