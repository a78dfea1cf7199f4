"""Brackets further down: a guess for hints, from the text alone."""

from __future__ import annotations

import re

from abs_compiler.syntax.yaml_lines import Line

_TOKEN = re.compile(
    r"""(?<![^\s\[\]{},:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<!\S)\#[^\r\n]*|[\[\]{}]"""
    r"""|[\r\n](?P<indent>[ ]*)(?=[^ \r\n])""",
    re.DOTALL,
)
_FARTHEST = 20_000


def closed_later(text: str, at: int, first: Line) -> str | None:
    """The bracket that closes one which is open at an offset, and was opened in `first`; None where none follows before
    a line that is indented less, a new document or the end."""
    depth = 0
    for found in _TOKEN.finditer(text, at, at + _FARTHEST):
        if found["indent"] is not None:
            closes = text.startswith(("]", "}"), found.end())
            if (len(found["indent"]) < first.indent and not closes) or text.startswith(("---", "..."), found.end()):
                return None
        elif found.group() in ("[", "{"):
            depth += 1
        elif found.group() in ("]", "}"):
            if depth == 0:
                return found.group()
            depth -= 1
    return None


def bracket_at_level(text: str, at: int, level: int) -> int | None:
    """Where the first bracket stands that is opened within `level` others, all of them opened behind an offset."""
    depth = 0
    for found in _TOKEN.finditer(text, at, at + _FARTHEST):
        if found.group() in ("[", "{"):
            if depth == level:
                return found.start()
            depth += 1
        elif found.group() in ("]", "}"):
            depth -= 1
    return None
