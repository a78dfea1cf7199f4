"""Suppression comments: `# abs: ignore[ABS102, near-miss-names] -- reason` and `# abs: file-ignore[...]`.

`ignore` at the end of a line is for the findings that begin in that line; alone in its line, for the next line that
holds more than a comment. `file-ignore` is for the whole file, wherever it stands. Codes and names both count; there is
no form without them.

Takes the text and the trees of a file; gives its suppressions, and reports those that say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from abs_compiler.diagnostics import Sink, registry
from abs_compiler.diagnostics.explain import find_code
from abs_compiler.lint.places import scalars
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.suggest import nearest
from abs_compiler.syntax import Document

_COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))#[ \t]*abs[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"([A-Za-z_-]+)[ \t]*(?:\[([^\]]*)\])?[ \t]*(.*?)[ \t]*")
_KINDS = ("ignore", "file-ignore")
_FOREIGN = {"disable": "ignore", "noqa": "ignore", "suppress": "ignore", "disable-file": "file-ignore"}
_SHAPE = "write `# abs: ignore[ABS102]`, or `# abs: file-ignore[ABS102]` for the whole file"


@attrs.frozen(slots=False, repr=False)
class Suppression(ReprMixin):
    """One comment. `line` is the line whose findings it suppresses, None for all of the file; `codes` are the codes it
    names (`ABS102`), each with its place; `alone` says that nothing else stands in the comment's line."""

    span: Span
    line: int | None
    codes: tuple[tuple[str, Span], ...]
    reason: str
    alone: bool


def read_suppressions(source: SourceFile, documents: Iterable[Document], sink: Sink) -> tuple[Suppression, ...]:
    """The suppressions of a file in the order of its text."""
    comments = list(_COMMENT.finditer(source.text))
    if not comments or source.name.endswith(".json"):
        return ()
    texts = [node.span for node, _ in scalars(documents)]
    found = []
    for comment in comments:
        start = comment.start()
        if not any(span.start <= start < span.end for span in texts):
            suppression = _read(source, comment, sink)
            if suppression is not None:
                found.append(suppression)
    return tuple(found)


def _read(source: SourceFile, comment: re.Match[str], sink: Sink) -> Suppression | None:
    directive = _DIRECTIVE.fullmatch(comment[1])
    word = "" if directive is None else directive[1].lower()
    span = Span(comment.start(), comment.start() + len(comment[0].rstrip()))
    if word not in _KINDS:
        meant = _FOREIGN.get(word) or nearest(word, _KINDS)
        if directive is not None and (meant is not None or directive[2] is not None):
            place = Span(comment.start(1), comment.start(1) + len(directive[1]))
            help_ = _SHAPE if meant is None else f"the word is `{meant}`: {_SHAPE}"
            _bad(sink, f"`{directive[1]}` says nothing about findings", place, "not understood", help_)
        return None
    assert directive is not None
    codes = None if directive[2] is None else _codes(directive, comment.start(1), sink)
    if codes is None:
        _bad(sink, f"`{word}` must name what to ignore", span, "no codes in brackets", _SHAPE)
        return None
    rest = directive[3]
    if rest and not rest.startswith("--"):
        place = Span(comment.start(1) + directive.start(3), span.end)
        _bad(sink, "only a reason may follow the codes", place, "not read", "write `--` before a reason")
    alone = not source.text[: comment.start()].rpartition("\n")[2].strip()
    line = None if word == "file-ignore" else _line(source, comment.start(), alone)
    return Suppression(span, line, codes, rest.removeprefix("--").strip(), alone)


def _codes(directive: re.Match[str], at: int, sink: Sink) -> tuple[tuple[str, Span], ...] | None:
    """The codes in brackets; None where there are none. Unknown ones are reported and left out."""
    found = []
    items = list(re.finditer(r"[^,\s][^,]*", directive[2]))
    for item in items:
        written = item[0].rstrip()
        start = at + directive.start(2) + item.start()
        span = Span(start, start + len(written))
        code = find_code(written)
        if code is None:
            near = nearest(written, [row.name for row in registry()])
            helps = ("see `absc rules` for all codes",) if near is None else (f"one close to it is `{near}`",)
            sink.report(
                "unknown-suppression-code", f"there is no code `{written}`", span, "suppresses nothing", helps=helps
            )
        else:
            found.append((code.code, span))
    return tuple(found) if items else None


def _bad(sink: Sink, message: str, span: Span, label: str, help_: str) -> None:
    sink.report("bad-suppression", message, span, label, helps=(help_,))


def _line(source: SourceFile, start: int, alone: bool) -> int:
    """The line that a comment is about."""
    line, _ = source.position(start)
    if not alone:
        return line
    for following in range(line + 1, source.line_count + 1):
        text = source.line_text(following).strip()
        if text and not text.startswith("#"):
            return following
    return line
