"""What lint says of a text, for tests of single rules."""

from __future__ import annotations

from typing import Any

from abs_compiler.diagnostics import Diagnostic
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.tool_lists import tools_in
from abs_compiler.lint.tools import Tools
from abs_compiler.options import CompileOptions

HEAD = 'session: s\nabs_version: "0.2"\n'


def findings(text: str, tools: Any = None, name: str = "s.abs.yaml") -> list[Diagnostic]:
    """All findings of a document, held against tools as decoded JSON where some are given."""
    listed = None if tools is None else tools_in(tools)
    known = None if listed is None else Tools(tuple(listed))
    return list(analyse_bytes(text.encode(), name, CompileOptions(), tools=known).diagnostics)


def names(text: str, tools: Any = None) -> list[str]:
    """The names of the codes found, in order."""
    return [item.name for item in findings(text, tools)]
