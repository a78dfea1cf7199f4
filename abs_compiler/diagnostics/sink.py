"""The sink: stages report into it; it fills in code and severity from the registry and keeps a stable order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence, Set

import attrs

from abs_compiler.diagnostics.record import Diagnostic, Help, Label, Severity
from abs_compiler.diagnostics.registry import code_named
from abs_compiler.source import SourceFile, Span

_MOST_OF_ONE_CODE = 200


def _said_better(item: Diagnostic, wrong: Set[Span], no_tools: Set[Span]) -> bool:
    """Whether a finding has its cause in another one: it is how YAML reads a text that an error is about, or compares a
    name with others although it is known to be none of a tool. Once that is mended it says nothing."""
    if item.name == "near-miss-names":
        return any(label.span in no_tools for label in item.labels)
    return item.name == "ambiguous-scalars" and item.labels[0].span in wrong


class Sink:
    """Collects the diagnostics of one source file.

    Of one code it keeps the first 200 and counts the rest, so that a file of the same mistake over and over still
    gives a report that can be read. What `uncounted` holds for is kept beside them: it will not be part of the report.
    """

    def __init__(
        self, source: SourceFile | None, path: str, uncounted: Callable[[Diagnostic], bool] | None = None
    ) -> None:
        self.source = source
        self.path = path
        self.uncounted = uncounted
        self._found: list[Diagnostic] = []
        self._counts: Counter[str] = Counter()

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
        self.add(
            Diagnostic(
                code=code.code,
                name=code.name,
                severity=severity or code.severity,
                message=message.replace("\r", "\\r").replace("\n", "\\n"),  # it may name a text of several lines
                path=self.path,
                source=self.source,
                labels=labels,
                notes=tuple(notes),
                helps=tuple(Help(item) if isinstance(item, str) else item for item in helps),
            )
        )

    def add(self, item: Diagnostic) -> None:
        """Add a finished diagnostic."""
        if self.uncounted is not None and self.uncounted(item):
            self._found.append(item)
            return
        self._counts[item.code] += 1
        if self._counts[item.code] <= _MOST_OF_ONE_CODE:
            self._found.append(item)

    def extend(self, other: Sink) -> None:
        """Add everything that another sink holds."""
        for item in other._found:
            self.add(item)
        for code, count in other._counts.items():
            self._counts[code] += max(0, count - _MOST_OF_ONE_CODE)

    def is_full(self, name: str) -> bool:
        """Whether further diagnostics of the registered name are only counted: their texts are never seen."""
        return self._counts[code_named(name).code] >= _MOST_OF_ONE_CODE

    def has(self, name: str) -> bool:
        """Whether a diagnostic of the registered name was reported."""
        return any(item.name == name for item in self._found)

    @property
    def has_errors(self) -> bool:
        """Whether an error was reported."""
        return any(item.severity is Severity.ERROR for item in self._found)

    def diagnostics(self) -> list[Diagnostic]:
        """All findings, ordered by offset, then code, then message; exact repeats once."""

        def key(item: Diagnostic) -> tuple[int, str, str]:
            return (item.labels[0].span.start if item.labels else -1, item.code, item.message)

        wrong = {item.labels[0].span for item in self._found if item.labels and item.severity is Severity.ERROR}
        no_tools = {item.labels[0].span for item in self._found if item.name in ("unknown-tools", "unknown-arguments")}
        kept = (item for item in self._found if not _said_better(item, wrong, no_tools))
        unique = {(key(item), item.labels[:1]): item for item in kept}
        ordered = sorted(unique.values(), key=key)
        last = {item.code: index for index, item in enumerate(ordered)}
        for code, index in last.items():
            more = self._counts[code] - _MOST_OF_ONE_CODE
            if more > 0:
                item = ordered[index]
                note = f"{more:,} more of {code} in this file are not shown"
                ordered[index] = attrs.evolve(item, notes=(*item.notes, note))
        return ordered
