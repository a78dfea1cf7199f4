"""Keys of a list item that are not indented like its first one, or not below the key they belong to."""

from __future__ import annotations

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import shown
from abs_compiler.syntax.yaml_failure import SyntaxProblem
from abs_compiler.syntax.yaml_lines import Line, line_at, line_before

_MOST_LINES = 200


def lost_indentation(text: str, line: Line, above: Line, dash: int) -> SyntaxProblem:
    """A key in the column of the dashes, behind an item of the list; `dash` is that column."""
    name = shown(line.key or "")
    if not text[above.value : above.end].strip() and above.indent > dash:
        return SyntaxProblem(
            f"{name} is not indented deeper than {shown(above.key or '')}, which has no value",
            line.key_span,
            f"indented by {line.indent}",
            also=(Label(above.key_span, f"indented by {_column(above)}"),),
            helps=(f"indent what belongs to {shown(above.key or '')} deeper than it",),
        )
    item = _item(text, above, dash)
    if item is None:
        item = above
    help_ = f"indent it like {shown(item.key or '')}, or begin a new item with `- `"
    return SyntaxProblem(
        f"{name} is not indented like the keys of the list item above it",
        line.key_span,
        f"indented by {line.indent}",
        also=(Label(item.key_span, f"indented by {_column(item)}"),),
        helps=(Help(help_, _shifted(text, line, _column(item) - line.indent)),),
    )


def _item(text: str, line: Line, dash: int) -> Line | None:
    """The line that begins the list item, at or above a line."""
    at: Line | None = line
    for _ in range(_MOST_LINES):
        if at is None or at.indent < dash:
            return None
        if at.indent == dash and at.key is not None and text.startswith("-", at.first):
            return at
        at = line_before(text, at)
    return None


def _column(line: Line) -> int:
    return line.key_span.start - line.start


def _shifted(text: str, line: Line, by: int) -> Fix | None:
    """The line and those below it that are indented at least as deep, up to the next item, moved to the right."""
    edits: list[Edit] = []
    at = line
    while by > 0 and len(edits) < _MOST_LINES:
        blank = at.first >= at.end
        if not blank and (at.indent < line.indent or (at.indent == line.indent and text.startswith("-", at.first))):
            break
        if not blank:
            edits.append(Edit(Span(at.start, at.start), " " * by))
        if at.end >= len(text):
            break
        at = line_at(text, at.end + (2 if text.startswith("\r\n", at.end) else 1))
    return Fix("indent it", tuple(edits), Applicability.UNSAFE) if edits else None
