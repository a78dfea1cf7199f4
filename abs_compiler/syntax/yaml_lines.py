"""A line that YAML refused, looked at as its author would: its indentation, its key, the value that needs quotes.

These are guesses for hints. They look at one line only and know nothing of the rest of the text.
"""

from __future__ import annotations

import json
import re

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span

_START = re.compile(r"(?P<indent>[ \t]*)(?P<dashes>(?:-[ \t]+)*)")
_QUOTED_KEY = re.compile(r"""(?P<key>"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*')[ \t]*:(?=[ \t\r\n]|\Z)[ \t]*""")
_COLON = re.compile(r":(?=[ \t\r\n]|\Z)[ \t]*")
_LINE = re.compile(r"[^\r\n]*")
_COMMENT = re.compile(r"[ \t]+\#[^\r\n]*\Z")
_IS = re.compile(r"\$is[\"']?:[ \t]*")
_REFERENCE = re.compile(r"\{\{[^{}\r\n]*\}\}")
_LONGEST_LINE = 2000
_MOST_LINES = 200
_OPENING = {"(": ")", "[": "]", "{": "}"}


@attrs.frozen(slots=False, repr=False)
class Line(ReprMixin):
    """One line: where it starts and ends, where its first character and its value stand, its key if it has one."""

    start: int
    end: int
    first: int
    value: int
    key: str | None
    key_span: Span

    @property
    def indent(self) -> int:
        """How many characters stand before the first one."""
        return self.first - self.start


def line_at(text: str, offset: int) -> Line:
    """The line that holds an offset; of a very long one only what lies around the offset."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset), offset - _LONGEST_LINE) + 1
    found = _LINE.match(text, start, offset + _LONGEST_LINE)
    end = start if found is None else found.end()
    begun = _START.match(text, start, end)
    first, value = (start, start) if begun is None else (begun.end("indent"), begun.end())
    if text[value : value + 1] in ('"', "'"):
        keyed = _QUOTED_KEY.match(text, value, end)
        key_span = Span(value, value) if keyed is None else Span(*keyed.span("key"))
    else:
        keyed = _COLON.search(text, value, end)
        key_span = Span(value, value if keyed is None else value + len(text[value : keyed.start()].rstrip()))
    key = text[key_span.start : key_span.end]
    if keyed is None or not key or key[0] in "[]{}#" or " #" in key:
        return Line(start, end, first, value, None, Span(first, first))
    return Line(start, end, first, keyed.end(), key, key_span)


def line_before(text: str, line: Line) -> Line | None:
    """The nearest line above that holds more than blanks and a comment; None where there is none nearby."""
    at = line.start
    for _ in range(_MOST_LINES):
        if at == 0:
            break
        above = line_at(text, at - (2 if text.startswith("\r\n", at - 2) else 1))
        content = text[above.first : above.end]
        if content and not content.startswith("#"):
            return above
        at = above.start
    return None


def block_value(text: str, line: Line) -> Span:
    """The value on a line outside brackets: up to the end of the line or a comment."""
    written = text[line.value : line.end]
    comment = _COMMENT.search(written)
    body = written if comment is None else written[: comment.start()]
    return Span(line.value, line.value + len(body.rstrip()))


def flow_value(text: str, at: int, line: Line) -> Span:
    """The value around an offset inside brackets: between the commas, colons and brackets next to it."""
    start = at
    while start > line.start and not (text[start - 1] in ",[{" or (text[start - 1] == ":" and text[start].isspace())):
        start -= 1
    end = at
    while end < line.end and text[end] not in ",]}":
        end += 1
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    return Span(start, start + len(body.strip()))


def bracketed_value(text: str, at: int, line: Line) -> Span:
    """Like `flow_value`, but brackets inside the value belong to it."""
    start = end = flow_value(text, at, line).start
    closers: list[str] = []
    while end < line.end and (closers or text[end] not in ",]}"):
        if text[end] in _OPENING:
            closers.append(_OPENING[text[end]])
        elif closers and text[end] == closers[-1]:
            closers.pop()
        end += 1
    return Span(start, start + len(text[start:end].rstrip()))


def predicate_at(text: str, offset: int, line: Line) -> Span | None:
    """The predicate written behind the last `$is:` before an offset: to the bracket that closes around it, or to the
    end of the line."""
    found = None
    for found in _IS.finditer(text, line.start, line.end):
        if found.start() > offset:
            break
    if found is None or found.end() > offset + 1:
        return None
    start = end = found.end()
    closers: list[str] = []
    inside_brackets = text[line.start : found.start()].rstrip(" \t\"'").endswith(("{", ","))
    while end < line.end:
        char = text[end]
        if char in _OPENING:
            closers.append(_OPENING[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif char == "}" and inside_brackets:
            break
        end += 1
    if not inside_brackets:
        end = block_value(text, attrs.evolve(line, value=start)).end
    written = text[start:end].rstrip()
    return Span(start, start + len(written)) if written else None


def reference_near(text: str, offset: int, line: Line) -> Span | None:
    """The last `{{name}}` that starts on the line at or before an offset."""
    nearest = None
    for found in _REFERENCE.finditer(text, line.start, line.end):
        if found.start() <= offset:
            nearest = Span(*found.span())
    return nearest


def quoted(text: str) -> str:
    """A text in the quotes that change it least."""
    return f"'{text}'" if "'" not in text else json.dumps(text, ensure_ascii=False)


def name_span(line: Line) -> Span:
    """The key of a line, or all of it where it has none."""
    return Span(line.first, line.end) if line.key is None else line.key_span
