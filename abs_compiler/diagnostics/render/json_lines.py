"""Diagnostics as JSON Lines: one object a line, each complete in itself, for tools that read as it is written."""

from __future__ import annotations

import json
from collections.abc import Iterable

from abs_compiler.diagnostics.record import Diagnostic
from abs_compiler.diagnostics.render.json import VERSION, diagnostic_data
from abs_compiler.diagnostics.render.order import ordered


def render_json_lines(diagnostics: Iterable[Diagnostic]) -> str:
    """One line a diagnostic: the version of the form, then the fields that the `json` form has."""
    lines = ({"version": VERSION, **diagnostic_data(item)} for item in ordered(diagnostics))
    return "".join(json.dumps(line) + "\n" for line in lines)
