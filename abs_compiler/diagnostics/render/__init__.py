"""Renderers: diagnostics in, text (or plain JSON) out. They alone turn spans into lines and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from abs_compiler.diagnostics.record import Diagnostic
from abs_compiler.diagnostics.render.concise import render_concise
from abs_compiler.diagnostics.render.full import render_full
from abs_compiler.diagnostics.render.json import render_json

__all__ = ["FORMATS", "render", "render_concise", "render_full", "render_json"]

FORMATS = ("full", "concise", "json", "json-lines", "sarif", "github", "junit")


def render(
    diagnostics: Iterable[Diagnostic],
    form: str,
    *,
    color: bool = False,
    width: int = 100,
    explain: bool = False,
    paths: Sequence[str] = (),
    suppressed: Iterable[tuple[Diagnostic, str]] = (),
    fails: Callable[[Diagnostic], bool] | None = None,
) -> str:
    """The diagnostics in one of the FORMATS. Colour, width and `explain` concern the full one only; `paths` (all files
    that were looked at) and `fails` (whether a finding makes the run fail) the junit one, `suppressed` (findings with
    the reasons not to show them) the sarif one."""
    match form:
        case "full":
            return render_full(diagnostics, color=color, width=width, explain=explain)
        case "concise":
            return render_concise(diagnostics)
        case "json":
            from json import dumps

            return dumps(render_json(diagnostics), indent=2) + "\n"
        case "json-lines":
            from abs_compiler.diagnostics.render.json_lines import render_json_lines

            return render_json_lines(diagnostics)
        case "sarif":
            from abs_compiler.diagnostics.render.sarif import render_sarif

            return render_sarif(diagnostics, suppressed)
        case "github":
            from abs_compiler.diagnostics.render.github import render_github

            return render_github(diagnostics)
        case "junit":
            from abs_compiler.diagnostics.render.junit import render_junit

            return render_junit(diagnostics, paths, fails)
        case _:
            raise ValueError(f"unknown format: {form!r}")
