"""One spec through the compiler and all rules: its bytes in, everything there is to say about it out.

What is selected, suppressed or raised to an error is decided later (`selection.py`), so that this can be kept in the
cache and shared by everybody who lints the same text.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import attrs

from abs_compiler.diagnostics import Diagnostic, Sink
from abs_compiler.lint.contract import FileContext
from abs_compiler.lint.run_rules import run_rules
from abs_compiler.lint.suppressions import MaybeSuppressed, Suppression, read_suppressions
from abs_compiler.lint.table import RULES, Rule
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import Compilation, analyse
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile

if TYPE_CHECKING:
    from abs_compiler.lint.tools import Tools


@attrs.frozen(slots=False, repr=False)
class Analysis(ReprMixin):
    """All findings of a file in order, errors of compilation among them, and its suppression comments."""

    source: SourceFile | None
    diagnostics: tuple[Diagnostic, ...]
    suppressions: tuple[Suppression, ...]


def analyse_bytes(
    data: bytes, name: str, options: CompileOptions, extra: Collection[str] = (), tools: Tools | None = None
) -> Analysis:
    """The findings of a spec. `extra` are the names of codes whose rules run only when selected; `tools` are those that
    calls are held against."""
    return lint_compilation(analyse(data, name, options, MaybeSuppressed), options, extra, tools)


def lint_compilation(
    found: Compilation, options: CompileOptions, extra: Collection[str] = (), tools: Tools | None = None
) -> Analysis:
    """The findings of a spec that went through the compiler."""
    if found.source is None or found.spec is None:
        return Analysis(found.source, found.diagnostics, ())
    sink = Sink(found.source, found.source.name, MaybeSuppressed(found.source))
    for item in found.diagnostics:
        sink.add(item)
    context = FileContext(found.source, found.documents, found.spec, found.irs, found.programs, options, tools)
    run_rules(context, sink, rules_for(extra))
    suppressions = read_suppressions(found.source, found.documents, sink)
    return Analysis(found.source, tuple(sink.diagnostics()), suppressions)


def rules_for(extra: Collection[str]) -> list[Rule]:
    """The rules that always run, and those that report one of the extra codes."""
    return [rule for rule in RULES if rule.default or any(name in extra for name in rule.codes)]
