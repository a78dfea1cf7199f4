"""What libyaml tells when it refuses a text, and what is made of it: the two ends of `yaml_errors`."""

from __future__ import annotations

import re

import attrs

from abs_compiler.diagnostics import Applicability, Help, Label
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.syntax.findings import replace_help
from abs_compiler.syntax.yaml_lines import Line, block_value, flow_value, line_at, quoted

_WORD = re.compile(r"[%!&*]?[\w$.-]+|'[^'\r\n]*'|\"[^\"\r\n]*\"|\t+|[^\r\n]?")


@attrs.frozen(slots=False, repr=False)
class SyntaxProblem(ReprMixin):
    """A syntax problem, ready to be reported."""

    message: str
    span: Span
    label: str = ""
    also: tuple[Label, ...] = ()
    helps: tuple[str | Help, ...] = ()
    name: str = "yaml-syntax"


@attrs.frozen(slots=False, repr=False)
class Failure(ReprMixin):
    """Where libyaml stopped: what it was doing since `context_at`, what it missed at `at`, the last thing that it had
    read, and where the innermost bracket around it opened."""

    text: str
    context: str
    problem: str
    context_at: int
    at: int
    previous: Span | None
    opened: int | None

    @property
    def in_brackets(self) -> bool:
        """Whether it stopped within brackets."""
        return self.opened is not None

    @property
    def line(self) -> Line:
        """The line where it stopped."""
        return line_at(self.text, self.at)

    @property
    def char(self) -> str:
        """The character where it stopped; empty at the end."""
        return self.text[self.at : self.at + 1]

    @property
    def here(self) -> Span:
        """The word or sign where it stopped."""
        found = _WORD.match(self.text, self.at)
        return Span(self.at, self.at if found is None else found.end())

    def value(self) -> Span:
        """The value that should perhaps have been quoted."""
        return flow_value(self.text, self.at, self.line) if self.in_brackets else block_value(self.text, self.line)


def guess(text: str, replacement: str, span: Span) -> Help:
    """A help with a fix that is likely but not certain to be what was meant."""
    return replace_help(text, replacement, span, Applicability.UNSAFE)


def quote_guess(failure: Failure, text: str = "quote the whole text", span: Span | None = None) -> Help | str:
    """The help to quote the value at a failure (or at `span`); without a fix where it starts with quotes already."""
    span = span or failure.value()
    written = failure.text[span.start : span.end]
    if not written or written[0] in "\"'":
        return text
    return guess(text, quoted(written), span)
