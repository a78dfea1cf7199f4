"""Suppression comments: `# abs: ignore[ABS102, near-miss-names] -- reason` and `# abs: file-ignore[...]`.

`ignore` at the end of a line is for the findings that begin in that line; alone in its line, for the next line that
holds more than a comment. `file-ignore` is for the whole file, wherever it stands. Codes and names both count; there is
no form without them.

Takes the text and the trees of a file; gives its suppressions, and reports those that say nothing.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Iterable

import attrs

from abs_compiler.diagnostics import Diagnostic, Sink, registry
from abs_compiler.diagnostics.explain import find_code
from abs_compiler.lint.places import scalars
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.suggest import nearest
from abs_compiler.syntax import Document, Scalar

_COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))#[ \t]*abs[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"([A-Za-z_-]+)[ \t]*(?:\[([^\]]*)\])?(.*)")
_LINE_END = re.compile(r"[\r\n]")
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
    texts = sorted((_text_start(source, node), node.span.end) for node, _ in scalars(documents))
    lines = _Lines(source)
    found = []
    for comment in comments:
        start = comment.start()
        before = bisect.bisect_right(texts, (start, len(source.text)))
        if before and start < texts[before - 1][1]:
            continue  # inside a text
        suppression = _read(lines, comment, sink)
        if suppression is not None:
            found.append(suppression)
    return tuple(found)


class MaybeSuppressed:
    """Which findings comments suppress, as far as the text alone tells: what looks like a comment may be part of a
    text. True where there are any such comments. They are read when this is first asked for."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source

    @functools.cached_property
    def _places(self) -> frozenset[tuple[str, int | None]]:
        if "ignore" not in self._source.text.lower():
            return frozenset()
        found = read_suppressions(self._source, (), Sink(self._source, self._source.name))
        return frozenset((code, one.line) for one in found for code, _ in one.codes)

    def __bool__(self) -> bool:
        return bool(self._places)

    def __call__(self, item: Diagnostic) -> bool:
        """Whether a comment may suppress a finding."""
        if not self._places:
            return False
        line = self._source.position(item.labels[0].span.start)[0] if item.labels else None
        return (item.code, line) in self._places or (item.code, None) in self._places


def _text_start(source: SourceFile, scalar: Scalar) -> int:
    """Where the characters of a scalar are its own: behind the line of a block's header, which may hold a comment."""
    if scalar.style not in ("literal", "folded"):
        return scalar.span.start
    line_end = _LINE_END.search(source.text, scalar.span.start)
    return scalar.span.end if line_end is None else line_end.start()


def _read(lines: _Lines, comment: re.Match[str], sink: Sink) -> Suppression | None:
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
    rest = directive[3].strip(" \t")
    if rest and not rest.startswith("--"):
        place = Span(comment.start(1) + directive.end() - len(directive[3].lstrip(" \t")), span.end)
        _bad(sink, "only a reason may follow the codes", place, "not read", "write `--` before a reason")
    alone = lines.is_alone(comment.start())
    line = None if word == "file-ignore" else lines.about(comment.start(), alone)
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
            full = sink.is_full("unknown-suppression-code")
            near = None if full else nearest(written, [row.name for row in registry()])
            helps = ("see `absc rules` for all codes",) if near is None else (f"one close to it is `{near}`",)
            sink.report(
                "unknown-suppression-code", f"there is no code `{written}`", span, "suppresses nothing", helps=helps
            )
        else:
            found.append((code.code, span))
    return tuple(found) if items else None


def _bad(sink: Sink, message: str, span: Span, label: str, help_: str) -> None:
    sink.report("bad-suppression", message, span, label, helps=(help_,))


class _Lines:
    """Which line a comment is about. Comments are asked for in the order of the text, so what was found for one holds
    for those that follow it before the same line."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._asked = self._next = 0

    def is_alone(self, start: int) -> bool:
        """Whether nothing stands before a comment in its line."""
        line, column = self._source.position(start)
        return not self._source.line_text(line)[: column - 1].strip()

    def about(self, start: int, alone: bool) -> int:
        """The line that a comment is about."""
        line, _ = self._source.position(start)
        if not alone:
            return line
        if not self._asked <= line < self._next:
            self._asked = self._next = line
            last = self._source.line_count
            while self._next <= last and self._is_empty(self._next):
                self._next += 1
        return self._next if self._next <= self._source.line_count else line

    def _is_empty(self, line: int) -> bool:
        text = self._source.line_text(line).strip()
        return not text or text.startswith("#")
