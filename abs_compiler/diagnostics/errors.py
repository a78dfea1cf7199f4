"""The error that a failed compilation raises: it holds every diagnostic."""

from __future__ import annotations

from collections.abc import Sequence

from abs_compiler.diagnostics.record import Diagnostic, Severity
from abs_compiler.runtime.errors import AbsError


class CompileError(AbsError):
    """A spec was refused. `diagnostics` holds all findings, warnings included."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [item for item in self.diagnostics if item.severity is Severity.ERROR]
        lines = []
        for item in errors:
            where = item.path
            if item.source is not None and item.labels:
                line, column = item.source.position(item.labels[0].span.start)
                where = f"{where}:{line}:{column}"
            lines.append(f"{where}: {item.code} {item.message}")
        super().__init__("\n".join(lines))
