"""Renderers: diagnostics in, text (or plain JSON) out. They alone turn spans into lines and columns."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps

from abs_compiler.diagnostics.record import Diagnostic
from abs_compiler.diagnostics.render.concise import render_concise
from abs_compiler.diagnostics.render.full import render_full
from abs_compiler.diagnostics.render.json import render_json

__all__ = ["FORMATS", "render", "render_concise", "render_full", "render_json"]

FORMATS = ("full", "concise", "json")


def render(
    diagnostics: Iterable[Diagnostic], form: str, *, color: bool = False, width: int = 100, explain: bool = False
) -> str:
    """The diagnostics in one of the FORMATS; the options concern only the full one."""
    match form:
        case "full":
            return render_full(diagnostics, color=color, width=width, explain=explain)
        case "concise":
            return render_concise(diagnostics)
        case "json":
            return dumps(render_json(diagnostics), indent=2) + "\n"
        case _:
            raise ValueError(f"unknown format: {form!r}")
