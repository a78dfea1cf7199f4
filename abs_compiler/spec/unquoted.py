"""Predicates written without quotes that YAML reads as something else: the quoted line as a fix.

What YAML cannot read at all was reported before; here are the forms that it reads without a complaint: a word that is
no text, a comma that begins another key, a `#` that begins a comment.
"""

from __future__ import annotations

import re

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax import Entry, Mapping, Scalar

# A `#` with text right behind it, up to the next ` #`; and one inside a text whose quote is still open.
_GOES_ON = re.compile(r"[ \t]+#[^\s#](?:[^ \t\r\n]|[ \t]+[^#\s])*")
_OPEN_TEXT = re.compile(r"[ \t]+#[^\r\n\"]*\"(?:[^ \t\r\n]|[ \t]+[^#\s])*")


def quote_word(value: Scalar) -> Help:
    """Quotes for a plain word that is no text, such as `null`."""
    return _quote(f"quote the whole predicate: `{{$is: '{value.text}'}}`", value.text, value.span)


def quote_to_end(source: SourceFile, mapping: Mapping, entry: Entry) -> Help | None:
    """Quotes for a plain text with commas that became further keys; None where the other keys are real ones."""
    value = entry.value
    others = [other for other in mapping.entries if other.key_span.start > entry.key_span.start]
    empty = all(other.value.span.start == other.value.span.end for other in others)
    if not _is_plain(value) or not empty or len(others) + 1 < len(mapping.entries):
        return None
    span = Span(value.span.start, others[-1].key_span.end)
    return _quote(
        "quote the whole of it, if the comma belongs to the predicate", source.text[span.start : span.end], span
    )


def quote_with_comment(source: SourceFile, value: Scalar) -> Help | None:
    """Quotes for a plain text of which YAML took the end for a comment; None where none follows, or a real one."""
    pattern = _OPEN_TEXT if value.text.count('"') % 2 else _GOES_ON
    comment = pattern.match(source.text, value.span.end)
    if comment is None or not _is_plain(value):
        return None
    span = Span(value.span.start, value.span.start + len(source.text[value.span.start : comment.end()].rstrip()))
    text = source.text[span.start : span.end]
    return _quote("in YAML a space and `#` begin a comment; if they belong to the predicate, quote it", text, span)


def _is_plain(value: object) -> bool:
    return isinstance(value, Scalar) and value.style == "plain" and value.alias_of is None


def _quote(advice: str, written: str, span: Span) -> Help:
    right = "'" + written.replace("'", "''") + "'"
    return Help(advice, Fix(f"write {right}", (Edit(span, right),)))
