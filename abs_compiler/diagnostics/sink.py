"""The sink: stages report into it; it fills in code and severity from the registry and keeps a stable order."""

from __future__ import annotations

from collections.abc import Sequence

from abs_compiler.diagnostics.record import Diagnostic, Help, Label, Severity
from abs_compiler.diagnostics.registry import code_named
from abs_compiler.source import SourceFile, Span


class Sink:
    """Collects the diagnostics of one source file."""

    def __init__(self, source: SourceFile | None, path: str) -> None:
        self.source = source
        self.path = path
        self._found: list[Diagnostic] = []

    def report(
        self,
        name: str,
        message: str,
        span: Span | None = None,
        label: str = "",
        *,
        also: Sequence[Label] = (),
        notes: Sequence[str] = (),
        helps: Sequence[str | Help] = (),
        severity: Severity | None = None,
    ) -> None:
        """Add a diagnostic of the registered name; `label` is the primary label's text."""
        code = code_named(name)
        labels = () if span is None else (Label(span, label), *also)
        self._found.append(
            Diagnostic(
                code=code.code,
                name=code.name,
                severity=severity or code.severity,
                message=message,
                path=self.path,
                source=self.source,
                labels=labels,
                notes=tuple(notes),
                helps=tuple(Help(item) if isinstance(item, str) else item for item in helps),
            )
        )

    @property
    def has_errors(self) -> bool:
        return any(item.severity is Severity.ERROR for item in self._found)

    def diagnostics(self) -> list[Diagnostic]:
        """All findings, ordered by offset, then code, then message; exact repeats once."""

        def key(item: Diagnostic) -> tuple[int, str, str]:
            return (item.labels[0].span.start if item.labels else -1, item.code, item.message)

        unique = {(key(item), item.labels[:1]): item for item in self._found}
        return sorted(unique.values(), key=key)
