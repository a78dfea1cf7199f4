"""A `#` within brackets that begins a comment and takes the rest of the line with it, the closing bracket too:
`[order #5 shipped]`.
"""

from __future__ import annotations

import re

from abs_compiler.diagnostics import Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import shown
from abs_compiler.syntax.yaml_failure import Failure, SyntaxProblem, guess
from abs_compiler.syntax.yaml_lines import Line, flow_value, line_at, quoted

_TOKEN = re.compile(r""""(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|(?<=[ \t])(?P<comment>\#(?=[^\s#])[^\r\n]*)""")
_SWALLOWED = re.compile(r"[^,\[\]{}\r\n]*[,\]}]")
_LONGEST = 20_000  # characters behind an open bracket that are looked at


def swallowed_bracket(failure: Failure) -> SyntaxProblem | None:
    """The comment that holds what the brackets around a failure lack; None where there is none."""
    if failure.opened is None or failure.opened >= failure.at:
        return None
    for found in _TOKEN.finditer(failure.text, failure.opened, min(failure.at, failure.opened + _LONGEST)):
        start = found.start("comment")
        if start >= 0 and (lost := _SWALLOWED.match(failure.text, start)) is not None:
            return _problem(failure, Span(start, found.end()), lost.end() - 1)
    return None


def _problem(failure: Failure, comment: Span, text_end: int) -> SyntaxProblem:
    text = failure.text
    opened = failure.opened if failure.opened is not None else comment.start
    return SyntaxProblem(
        f"{shown(text[comment.start : comment.end].rstrip())} is a comment here, and takes `{text[text_end]}` with it",
        comment,
        "behind a space, `#` begins a comment",
        also=(Label(Span(opened, opened + 1), "opened here"),),
        helps=(
            _quote(text, line_at(text, comment.start), comment.start, text_end),
            "for a comment, write it on a line of its own",
        ),
    )


def _quote(text: str, line: Line, hash_at: int, text_end: int) -> Help | str:
    before = flow_value(text, hash_at - 1, line)
    written = text[before.start : text_end].rstrip()
    if written[:1] in "\"'&*!" or before.start > hash_at:
        return "for a part of the text, quote the whole text"
    span = Span(before.start, before.start + len(written))
    return guess("for a part of the text, quote the whole text", quoted(written), span)
