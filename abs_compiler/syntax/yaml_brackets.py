"""Brackets that do not hold together: one that is never closed, one that closes nothing, a comma that is missing.

Each function takes a failure, and the place that is to blame where there may be several, and gives the problem.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import shown
from abs_compiler.syntax.yaml_closers import closed_later
from abs_compiler.syntax.yaml_failure import Failure, SyntaxProblem, guess
from abs_compiler.syntax.yaml_lines import Line, block_value, line_at, line_before, name_span

CLOSERS = {"[": "]", "{": "}"}


def another_below(failure: Failure, line: Line, opened: Span) -> SyntaxProblem:
    """Another key or item in a line below an open bracket: where the closing bracket follows, a comma is missing. It
    may also stand in the wrong place, so nothing is mended then."""
    opening, first = failure.text[opened.start : opened.end], line_at(failure.text, opened.start)
    closer = closed_later(failure.text, line.first, first)
    if closer is None:
        return never_closed(failure, opened.start)
    if closer != CLOSERS.get(opening):
        return never_closed(failure, opened.start, guessing=False)
    name = Span(line.first, line.first + 1) if line.key is None else line.key_span
    return SyntaxProblem(
        f"a comma is missing before {shown(failure.text[name.start : name.end])}",
        name,
        f"still within `{opening}`, which is closed further on",
        also=(Label(opened, "opened here"),),
        helps=(
            "put a comma at the end of what stands before it",
            f"or put the `{closer}` before this, if it does not belong to the {_what(opening)}",
        ),
    )


def _what(opening: str) -> str:
    return "list" if opening == "[" else "mapping"


def ends_here(failure: Failure) -> bool:
    """Whether the document ends where libyaml stopped."""
    rest = failure.text[failure.at :]
    return not rest.strip() or (failure.at == failure.line.start and rest.startswith(("---", "...")))


def never_closed(failure: Failure, at: int, *, guessing: bool = True) -> SyntaxProblem:
    opening = failure.text[at : at + 1]
    closing = CLOSERS.get(opening, "]")
    at_end = not failure.text[failure.at :].strip()
    line, first = failure.line, line_at(failure.text, at)
    advice: str | Help = f"put `{closing}` at the end of the {_what(opening)}"
    if guessing and not at_end and line.indent <= first.indent:
        # the first line that is not indented deeper is no part of it
        above = line_before(failure.text, line) or first
        end = block_value(failure.text, above).end
        advice = guess(str(advice), closing, Span(end, end))
    return SyntaxProblem(
        f"this `{opening}` is never closed",
        Span(at, at + 1),
        "opened here",
        also=() if at_end else (Label(name_span(failure.line), f"`{closing}` must come before this"),),
        helps=(advice,),
    )


def missing_comma(failure: Failure, span: Span) -> SyntaxProblem:
    end = len(failure.text[: span.start].rstrip())
    if failure.text[end - 1 : end] == ";":
        return SyntaxProblem(
            "in brackets, a comma stands between two values, no `;`",
            Span(end - 1, end),
            "YAML takes this for a part of the text",
            helps=(guess("write a comma", ",", Span(end - 1, end)),),
        )
    if failure.previous is not None and "#" in failure.text[failure.previous.end : end]:
        end = failure.previous.end  # in the comment between them it would be no comma
    return SyntaxProblem(
        f"a comma is missing before {shown(failure.text[span.start : span.end])}",
        span,
        "this starts another value",
        helps=(guess("put a comma before it", ",", Span(end, end)), "if both are one text, quote the whole text"),
    )


def closes_nothing(failure: Failure) -> SyntaxProblem:
    return SyntaxProblem(
        f"`{failure.char}` closes nothing",
        Span(failure.at, failure.at + 1),
        "no open bracket fits it",
        helps=("remove it, or quote the text it belongs to",),
    )
