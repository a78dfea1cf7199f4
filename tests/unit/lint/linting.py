"""Short ways to lint a text, for the tests of this folder."""

from __future__ import annotations

from abs_compiler.diagnostics import Diagnostic
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.selection import OF_TOOLS, Selection, Shown, choose
from abs_compiler.options import CompileOptions

HEAD = 'session: t\nabs_version: "0.2"\n'
CALL = "behaviors:\n  - actor: assistant\n    action: calls\n    target: Order MCP\n"


def shown(text: str, selection: Selection = Selection(), name: str = "t.abs.yaml") -> Shown:  # noqa: B008 - frozen
    found = analyse_bytes(text.encode(), name, CompileOptions(), selection.extra)
    return choose(found.source, found.diagnostics, found.suppressions, selection, OF_TOOLS)


def names(text: str, selection: Selection = Selection()) -> list[str]:  # noqa: B008 - frozen
    return [item.name for item in shown(text, selection).diagnostics]


def named(text: str, name: str) -> list[Diagnostic]:
    return [item for item in shown(text).diagnostics if item.name == name]


def marked(item: Diagnostic) -> str:
    """The text at the primary label."""
    assert item.source is not None
    span = item.labels[0].span
    return item.source.text[span.start : span.end]
