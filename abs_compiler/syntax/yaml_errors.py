"""Where YAML cannot be read: one plain-worded problem for each way in which libyaml refuses a text."""

from __future__ import annotations

import attrs

from abs_compiler.diagnostics import Help, Label
from abs_compiler.source import Span


@attrs.frozen(slots=True)
class SyntaxProblem:
    """A syntax problem, ready to be reported."""

    message: str
    span: Span
    label: str = ""
    also: tuple[Label, ...] = ()
    helps: tuple[str | Help, ...] = ()
    name: str = "yaml-syntax"


def syntax_error(text: str, context: str | None, problem: str | None, context_at: int | None, at: int) -> SyntaxProblem:
    """The problem that libyaml's error text and offsets stand for."""
    return SyntaxProblem(problem or "this is not YAML", Span(min(at, len(text)), min(at + 1, len(text))))
