"""`"\\bword\\b"` in double quotes: `\\b` is a backspace there, so a pattern never sees its word boundary. Paths of
Windows are eaten too: `"C:\\temp"` holds a tab.

A backspace or a bell is hardly ever meant; a tab or a line end often is, and counts only behind the letter of a drive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import scalars
from abs_compiler.source import Span
from abs_compiler.syntax import Scalar
from abs_compiler.syntax.offsets import scalar_offset

_PATTERN_KEYS = ("pattern", "$is")
_ESCAPES = {
    "\b": ("b", "a backspace"),
    "\a": ("a", "a bell"),
    "\t": ("t", "a tab"),
    "\n": ("n", "a line end"),
    "\f": ("f", "a form feed"),
    "\v": ("v", "a vertical tab"),
    "\x1b": ("e", "an escape"),
}
_NEVER_MEANT = re.compile(r"[\b\a]")
_EATEN = r"[\b\a\t\n\f\v\x1b]"
# A whole text that is a path (`Q:` and `A:` begin questions and answers), and a path within a longer text.
_PATH = re.compile(rf"[C-PR-Zc-pr-z]:{_EATEN}[A-Za-z_][\w .()-]*(?:(?:{_EATEN}|[\\/])[\w.()-][\w .()-]*)*[\\/]?")
_PATH_INSIDE = re.compile(rf"(?<![\w])[C-H]:{_EATEN}[A-Za-z_][\w.()-]*(?:(?:{_EATEN}|[\\/])[\w.()-]+)*")


def check(context: FileContext) -> Iterator[Report]:
    """Report every text in which quotes have turned backslashes into other characters."""
    for node, owner in scalars(context.documents):
        if node.alias_of is not None or node.style not in ("double", "json"):
            continue
        is_pattern = owner is not None and owner.key in _PATTERN_KEYS
        spans = [_written(context, node, at) for at in _eaten(node.text, is_pattern=is_pattern)]
        escapes = [span for span in spans if span is not None]
        if escapes:
            yield _report(context.source.text, node, escapes, is_pattern=is_pattern)


def _eaten(text: str, *, is_pattern: bool) -> list[int]:
    """Where the characters stand that were hardly meant."""
    if not _has_control(text):
        return []
    if is_pattern:
        return [at for at, char in enumerate(text) if char == "\b"]
    found = {match.start() for match in _NEVER_MEANT.finditer(text)} if len(text) > 1 else set()
    whole = _PATH.fullmatch(text)
    for path in (whole,) if whole is not None else _PATH_INSIDE.finditer(text):
        found.update(at for at in range(path.start(), path.end()) if text[at] in _ESCAPES)
    return sorted(found)


def _has_control(text: str) -> bool:
    return not text.isprintable() and any(char in text for char in _ESCAPES)


def _written(context: FileContext, node: Scalar, at: int) -> Span | None:
    """The escape that a character was written with; None where it was written in another way."""
    span = scalar_offset(context.source, node, at)
    if span is None or context.source.text[span.start : span.end] != f"\\{_ESCAPES[node.text[at]][0]}":
        return None
    return span


def _report(text: str, node: Scalar, escapes: list[Span], *, is_pattern: bool) -> Report:
    edits = tuple(Edit(Span(span.start, span.start), "\\") for span in escapes)
    first = text[escapes[0].start : escapes[0].end]
    char = next(char for char, (letter, _) in _ESCAPES.items() if letter == first[1])
    written = text[node.span.start : node.span.end]
    what = "pattern" if is_pattern else "text"
    others = written.count("\\") > len(escapes) or "'" in written
    single = "" if node.style == "json" or others else f", or put the {what} in single quotes"
    instead = "a word boundary" if is_pattern else "a backslash and a letter"
    return Report(
        "eaten-backslashes",
        f"`{first}` in double quotes is {_ESCAPES[char][1]}, not {instead}",
        escapes[0],
        f"read as the character U+{ord(char):04X}",
        helps=(Help(f"for {instead}, write `\\{first}`{single}", Fix(f"write `\\{first}`", edits)),),
    )
