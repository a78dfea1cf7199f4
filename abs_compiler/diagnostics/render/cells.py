"""A source line as a terminal shows it: what each character becomes and in which cells it stands."""

from __future__ import annotations

import bisect
import functools
import unicodedata
from collections.abc import Sequence

import attrs

from abs_compiler.diagnostics.render.order import visible_char
from abs_compiler.repr_mixin import ReprMixin

TAB_STOP = 4


@attrs.frozen(slots=False, repr=False)
class Cells(ReprMixin):
    """A shown line: for each character its shown text, and the cell where it starts; one more cell for the end."""

    shown: Sequence[str]
    starts: Sequence[int]

    @property
    def width(self) -> int:
        """How many cells the line takes."""
        return self.starts[-1]

    def cut(self, first: int, last: int) -> str:
        """The characters that lie wholly within the cells [first, last)."""
        start = bisect.bisect_left(self.starts, first)
        end = bisect.bisect_right(self.starts, last) - 1
        return "".join(self.shown[start:end])


@functools.lru_cache(maxsize=4)
def lay_out(line: str) -> Cells:
    """The cells of one line: tabs up to the next stop, wide characters two cells, combining ones none."""
    if line.isascii() and line.isprintable():
        return Cells(line, range(len(line) + 1))
    shown: list[str] = []
    starts = [0]
    for char in line:
        at = starts[-1]
        if char == "\t":
            text = " " * (TAB_STOP - at % TAB_STOP)
            width = len(text)
        else:
            text = visible_char(char)
            width = display_width(text)
        shown.append(text)
        starts.append(at + width)
    return Cells(shown, starts)


def display_width(char: str) -> int:
    """How many terminal cells a visible character takes: 0, 1 or 2."""
    if char < "\u0300":
        return 0 if char == "\xad" else 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
