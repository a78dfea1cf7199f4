"""Diagnostics to plain JSON data and back, so that a cached result says what its compilation said.

Only places, texts and codes are kept; the source they point into is read again, as its bytes are part of the key.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from abs_compiler.diagnostics import Diagnostic, Fix


def plain(diagnostics: Iterable[Diagnostic]) -> list[Any]:
    """The diagnostics of one source as JSON data."""
    return [
        {
            "code": item.code,
            "name": item.name,
            "severity": item.severity.value,
            "message": item.message,
            "labels": [[label.span.start, label.span.end, label.text] for label in item.labels],
            "notes": list(item.notes),
            "helps": [[help.text, None if help.fix is None else _plain_fix(help.fix)] for help in item.helps],
        }
        for item in diagnostics
    ]


def restored(data: list[Any], source: bytes, name: str) -> tuple[Diagnostic, ...]:
    """The diagnostics again, for the same source; messages call it `name`."""
    if not data:
        return ()
    from abs_compiler.diagnostics import Diagnostic, Help, Label, Severity
    from abs_compiler.source import Span, decode

    text = decode(source, name)
    return tuple(
        Diagnostic(
            code=item["code"],
            name=item["name"],
            severity=Severity(item["severity"]),
            message=item["message"],
            path=name,
            source=text,
            labels=tuple(Label(Span(start, end), label) for start, end, label in item["labels"]),
            notes=tuple(item["notes"]),
            helps=tuple(Help(help, None if fix is None else _fix(fix)) for help, fix in item["helps"]),
        )
        for item in data
    )


def _plain_fix(fix: Fix) -> dict[str, Any]:
    edits = [[edit.span.start, edit.span.end, edit.text] for edit in fix.edits]
    return {"title": fix.title, "edits": edits, "applicability": fix.applicability.value}


def _fix(data: dict[str, Any]) -> Fix:
    from abs_compiler.diagnostics import Applicability, Edit, Fix
    from abs_compiler.source import Span

    edits = tuple(Edit(Span(start, end), text) for start, end, text in data["edits"])
    return Fix(data["title"], edits, Applicability(data["applicability"]))
