"""Source files and spans.

Takes decoded text; gives spans (code point offsets) and their lines and columns (1-based, code points).
Only LF, CRLF and CR end a line; U+0085, U+2028 and U+2029 do not.
"""

from __future__ import annotations

import bisect
import re

import attrs

from abs_compiler.repr_mixin import ReprMixin

_LINE_END = re.compile(r"\r\n|\r|\n")


@attrs.frozen(slots=False, repr=False)
class Span(ReprMixin):
    """A half-open range of code point offsets in one source text."""

    start: int
    end: int


@attrs.frozen(slots=False, repr=False, eq=False)
class SourceFile(ReprMixin):
    """One decoded source: a display name (path relative to the project, POSIX) and its text without BOM."""

    name: str
    text: str
    _starts: list[int] | None = attrs.field(init=False, repr=False, default=None)

    @property
    def _line_starts(self) -> list[int]:
        """Where each line starts. Made when it is first needed: most texts give no diagnostics."""
        starts = self._starts
        if starts is None:
            starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
            object.__setattr__(self, "_starts", starts)
        return starts

    @property
    def line_count(self) -> int:
        """Number of lines; the empty text has one."""
        return len(self._line_starts)

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based (line, column) of a code point offset."""
        line = bisect.bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_start(self, line: int) -> int:
        """The offset at which a 1-based line starts."""
        return self._line_starts[line - 1]

    def line_text(self, line: int) -> str:
        """The text of a 1-based line without its line end."""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")
