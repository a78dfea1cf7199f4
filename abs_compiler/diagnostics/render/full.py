"""The full form: each diagnostic with its excerpt, carets, notes and helps, as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterable

from abs_compiler.diagnostics.explain import has_page
from abs_compiler.diagnostics.record import Diagnostic, Severity
from abs_compiler.diagnostics.render.excerpt import excerpt
from abs_compiler.diagnostics.render.order import one_line, ordered
from abs_compiler.diagnostics.render.paint import Paint, Style
from abs_compiler.diagnostics.render.text import help_text

_SEVERITY_STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING, Severity.INFO: Style.INFO}


def render_full(
    diagnostics: Iterable[Diagnostic], *, color: bool = False, width: int = 100, explain: bool = False
) -> str:
    """Every diagnostic in full, an empty line between them. Source lines are cropped to `width` cells.

    `explain` adds how to read the page of each code that has one; for callers beside an `absc explain` command.
    """
    paint = Paint(color)
    return "\n".join(_block(item, paint, width, explain) for item in ordered(diagnostics))


def _block(item: Diagnostic, paint: Paint, width: int, explain: bool) -> str:
    style = _SEVERITY_STYLES[item.severity]
    lines = [paint(style, f"{item.severity.value}[{item.code}]") + paint(Style.STRONG, f": {one_line(item.message)}")]
    place = one_line(item.path)
    if item.source is None or not item.labels:
        gutter = " "
        lines.append(f"{gutter}{paint(Style.GUTTER, '-->')} {place}")
    else:
        line, column = item.source.position(item.labels[0].span.start)
        number_width, body = excerpt(item.source, item.labels, style, paint, width)
        gutter = " " * number_width
        lines.append(f"{gutter}{paint(Style.GUTTER, '-->')} {place}:{line}:{column}")
        lines.extend(body)
    footer = [("note", note) for note in item.notes]
    footer += [("help", help_text(help_)) for help_ in item.helps]
    if explain and has_page(item.code):
        footer.append(("explain", f"absc explain {item.code}"))
    if footer and item.labels and item.source is not None:
        lines.append(f"{gutter} {paint(Style.GUTTER, '|')}")
    for word, text in footer:
        first, *others = text.split("\n")
        lines.append(f"{gutter} {paint(Style.GUTTER, '=')} {paint(Style.STRONG, word)}: {one_line(first)}")
        lines.extend(f"{gutter}   {' ' * len(word)}  {one_line(other)}" for other in others)
    return "".join(f"{line.rstrip()}\n" for line in lines)
