"""`"\\bword\\b"` in double quotes: `\\b` is a backspace there, so the pattern never sees its word boundary."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import walk_documents
from abs_compiler.source import Span
from abs_compiler.syntax import Scalar
from abs_compiler.syntax.offsets import scalar_offset

_PATTERN_KEYS = ("pattern", "$is")


def check(context: FileContext) -> Iterator[Report]:
    """Report every `\\b` of a pattern that quotes have turned into a backspace."""
    text = context.source.text
    for place in walk_documents(context.documents):
        node = place.node
        if place.key not in _PATTERN_KEYS or not isinstance(node, Scalar) or "\b" not in node.text:
            continue
        spans = [scalar_offset(context.source, node, at) for at, char in enumerate(node.text) if char == "\b"]
        escapes = [span for span in spans if span is not None and text[span.start : span.end] == "\\b"]
        if escapes:
            yield _report(text, node, escapes)


def _report(text: str, node: Scalar, escapes: list[Span]) -> Report:
    doubled = Fix("write `\\\\b`", tuple(Edit(span, "\\\\b") for span in escapes))
    written = text[node.span.start : node.span.end]
    single = "" if node.style == "json" or "'" in written else ", or put the pattern in single quotes"
    return Report(
        "eaten-backslashes",
        "`\\b` in double quotes is a backspace, not a word boundary",
        escapes[0],
        "read as the character U+0008",
        helps=(Help(f"for a word boundary, write `\\\\b`{single}", doubled),),
    )
