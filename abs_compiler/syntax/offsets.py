"""From a character of a scalar's text back to the source: through quotes, escapes, folding and block indentation.

`scalar_offset` maps one character, `scalar_range` a range of them.
"""

from __future__ import annotations

import functools
import re

from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax.tree import Scalar

_BREAK = re.compile(r"\r\n|\r|\n")
# Blanks and line breaks that a flow scalar folds: at least one line break, with the blanks around it.
_FOLD = re.compile(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)+")
_LINE = re.compile(r"[^\r\n]*")
_VISIBLE = re.compile(r"(?: *(?:\r\n|\r|\n))*( *[^ \r\n])")
_HEADER = re.compile(r"[|>][^\r\n]*(?:\r\n|\r|\n)")
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}

# For each character of the text, where its source starts and ends.
_Map = tuple[list[int], list[int]]


def scalar_offset(source: SourceFile, scalar: Scalar, index: int) -> Span | None:
    """The source of the character at `index` of `scalar.text` (at its length: the empty span behind the last one).

    None where the source cannot be told. A scalar that came through an alias maps to the anchored scalar.
    """
    if not 0 <= index <= len(scalar.text):
        return None
    whole = scalar.alias_of or scalar.span
    start = _verbatim_start(source.text, whole, scalar)
    if start is not None:
        return Span(start + index, start + min(index + 1, len(scalar.text)))
    mapped = _mapped(source, scalar)
    if mapped is None:
        return None
    starts, ends = mapped
    if index < len(starts):
        return Span(starts[index], ends[index])
    return Span(ends[-1], ends[-1]) if ends else None


def scalar_range(source: SourceFile, scalar: Scalar, start: int, end: int) -> Span:
    """The source of `scalar.text[start:end]`; the whole scalar where it cannot be told."""
    first = scalar_offset(source, scalar, start)
    last = scalar_offset(source, scalar, max(start, end - 1)) if end > start else first
    if first is None or last is None:
        return scalar.alias_of or scalar.span
    return Span(first.start, last.end if end > start else first.start)


def _verbatim_start(text: str, whole: Span, scalar: Scalar) -> int | None:
    """Where the scalar's text starts when it stands in the source exactly as it reads."""
    quotes = scalar.style in ("single", "double") or (scalar.style == "json" and text.startswith('"', whole.start))
    start = whole.start + 1 if quotes else whole.start
    length = whole.end - whole.start - (2 if quotes else 0)
    if scalar.style in ("literal", "folded") or length != len(scalar.text):
        return None
    return start if text.startswith(scalar.text, start) else None


@functools.lru_cache(maxsize=8)
def _mapped(source: SourceFile, scalar: Scalar) -> _Map | None:
    whole = scalar.alias_of or scalar.span
    match scalar.style:
        case "plain":
            mapped = _flow(source.text, whole.start, whole.end)
        case "single":
            mapped = _flow(source.text, whole.start + 1, whole.end - 1, doubled_quotes=True)
        case "double":
            mapped = _flow(source.text, whole.start + 1, whole.end - 1, escapes=True)
        case "json":
            mapped = _json(source.text, whole.start + 1, whole.end - 1)
        case "literal" | "folded":
            return _block(source.text, whole.start, scalar.text)
        case _:
            return None
    return mapped if len(mapped[0]) == len(scalar.text) else None


def _flow(text: str, start: int, end: int, *, doubled_quotes: bool = False, escapes: bool = False) -> _Map:
    starts: list[int] = []
    ends: list[int] = []
    at = start
    while at < end:
        char = text[at]
        taken, made = 1, 1
        if char in " \t\r\n" and (fold := _FOLD.match(text, at, end)):
            taken = len(fold.group())
            made = max(1, len(_BREAK.findall(fold.group())) - 1)
        elif char == "'" and doubled_quotes:
            taken = 2
        elif char == "\\" and escapes:
            following = text[at + 1 : at + 2]
            if following in ("\r", "\n"):
                fold = _FOLD.match(text, at + 1, end)
                taken = 1 + (len(fold.group()) if fold else 1)
                made = 0 if fold is None else max(0, len(_BREAK.findall(fold.group())) - 1)
            else:
                taken = 2 + _HEX_LENGTH.get(following, 0)
        starts.extend([at] * made)
        ends.extend([at + taken] * made)
        at += taken
    return starts, ends


def _json(text: str, start: int, end: int) -> _Map:
    starts: list[int] = []
    ends: list[int] = []
    at = start
    while at < end:
        taken = 1
        if text[at] == "\\":
            taken = 6 if text[at + 1] == "u" else 2
            if _is_surrogate(text, at, "89aAbB") and _is_surrogate(text, at + 6, "cdefCDEF"):
                taken = 12
        starts.append(at)
        ends.append(at + taken)
        at += taken
    return starts, ends


def _is_surrogate(text: str, at: int, third: str) -> bool:
    return text.startswith("\\u", at) and text[at + 2 : at + 3] in ("d", "D") and text[at + 3 : at + 4] in tuple(third)


def _block(text: str, start: int, value: str) -> _Map | None:
    """Walk the source lines and the value together; any disagreement gives None."""
    header = _HEADER.match(text, start)
    if header is None or not value.strip(" \n"):
        return None
    starts: list[int] = []
    ends: list[int] = []
    at = break_from = header.end()
    indent = _leading(_first_visible(text, at)) - _leading(_first_visible(value, 0))
    last = len(value.rstrip("\n"))
    while len(starts) < last:
        line = _LINE.match(text, at)
        line_end = at if line is None else line.end()
        content_start = min(at + indent, line_end)
        content = text[content_start:line_end]
        if content:  # a blank line counts only as a break before the next line
            made = len(starts)
            while value.startswith("\n", made):
                made += 1
            if made == len(starts) and made > 0 and value.startswith(" ", made) and not content.startswith(" "):
                made += 1  # folded into one space
            if not value.startswith(content, made):
                return None
            gap = made - len(starts)
            starts.extend([break_from] * gap + list(range(content_start, line_end)))
            ends.extend([content_start] * gap + list(range(content_start + 1, line_end + 1)))
            break_from = line_end
        found = _BREAK.match(text, line_end)
        if found is None:
            break
        at = found.end()
    rest = len(value) - len(starts)
    after = _BREAK.match(text, break_from)
    starts.extend([break_from] * rest)
    ends.extend([break_from if after is None else after.end()] * rest)
    return (starts, ends) if len(starts) - rest >= last else None


def _first_visible(text: str, at: int) -> str:
    """The first line from `at` on that holds anything but spaces."""
    found = _VISIBLE.match(text, at)
    return "" if found is None else found[1]


def _leading(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
