"""The excerpt of a diagnostic: source lines with their numbers, the labels drawn below and beside them.

Labels within one line are underlined; the rightmost has its text beside the marks, the others below theirs.
Labels over several lines get a bar at the left. Lines too long for the width are cropped around their labels; where
two labels of one line lie too far apart for that, the line is shown once for each.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence

import attrs

from abs_compiler.diagnostics.record import Label
from abs_compiler.diagnostics.render.cells import Cells, lay_out
from abs_compiler.diagnostics.render.order import one_line
from abs_compiler.diagnostics.render.paint import Paint, Style
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile

_MOST_LINES_OF_BAR = 6
_SMALLEST_WIDTH = 20
_CONTEXT_CELLS = 12
_ELLIPSIS = "…"


@attrs.frozen(slots=False, repr=False)
class _Mark(ReprMixin):
    """A label within the one line it stands in: its cells and how it is drawn."""

    start: int
    end: int
    text: str
    char: str
    style: Style


@attrs.frozen(slots=False, repr=False)
class _Bar(ReprMixin):
    """A label over several lines: its first and last line, the cells it starts and ends at, its place at the left."""

    first: int
    last: int
    start: int
    end: int
    text: str
    char: str
    style: Style
    opens_line: bool
    margin: int


@attrs.frozen(slots=False, repr=False)
class _Window(ReprMixin):
    """The cells [first, last) of a line that are shown, and the cell at which they are shown."""

    first: int
    last: int
    shift: int

    def place(self, cell: int) -> int:
        """Where a cell of the line is shown."""
        return min(max(cell, self.first), self.last) - self.first + self.shift


class _Row:
    """A row being drawn: one character and style a cell."""

    def __init__(self) -> None:
        self._chars: list[str] = []
        self._styles: list[Style | None] = []

    def put(self, cell: int, text: Iterable[str], style: Style | None) -> None:
        for offset, char in enumerate(text):
            while len(self._chars) <= cell + offset:
                self._chars.append(" ")
                self._styles.append(None)
            self._chars[cell + offset] = char
            self._styles[cell + offset] = style

    def painted(self, paint: Paint) -> str:
        out = []
        start = 0
        for at in range(1, len(self._chars) + 1):
            if at == len(self._chars) or self._styles[at] is not self._styles[start]:
                style = self._styles[start]
                run = "".join(self._chars[start:at])
                out.append(run if style is None else paint(style, run))
                start = at
        return "".join(out)


def excerpt(
    source: SourceFile, labels: Sequence[Label], primary: Style, paint: Paint, width: int
) -> tuple[int, list[str]]:
    """The width of the line numbers and the painted lines of the excerpt."""
    drawing = _Drawing(source, labels, primary)
    number_width = len(str(drawing.lines[-1]))
    head = number_width + 3
    room = max(_SMALLEST_WIDTH, width - head - drawing.margin)
    out = [" " * number_width + " " + paint(Style.GUTTER, "|")]
    previous = drawing.lines[0]
    for line in drawing.lines:
        if line > previous + 1:
            out.append(drawing.gap(head).painted(paint))
        previous = line
        for number, row in drawing.rows(line, room):
            gutter = paint(Style.GUTTER, f"{number or '':>{number_width}} |")
            out.append(f"{gutter} {row.painted(paint)}")
    return number_width, out


class _Drawing:
    """The labels laid out, and the bars that are open while lines are drawn from top to bottom."""

    def __init__(self, source: SourceFile, labels: Sequence[Label], primary: Style) -> None:
        self._source = source
        self._marks: dict[int, list[_Mark]] = {}
        self._bars: list[_Bar] = []
        self._open: list[_Bar] = []
        for number, label in enumerate(labels):
            char, style = ("^", primary) if number == 0 else ("-", Style.GUTTER)
            self._lay(label, char, style)
        self.margin = 2 * len(self._bars)
        self.lines = self._shown_lines(source.position(min(labels[0].span.start, len(source.text)))[0])

    def _lay(self, label: Label, char: str, style: Style) -> None:
        text = self._source.text
        start = min(label.span.start, len(text))
        end = min(max(label.span.end, start), len(text))
        while end > start + 1 and text[end - 1] in "\r\n":
            end -= 1
        first, first_column = self._source.position(start)
        last, last_column = self._source.position(max(start, end - 1))
        caption = one_line(label.text)
        cells = self._cells(first)
        start_cell = cells.starts[min(first_column - 1, len(cells.shown))]
        if first == last:
            end_cell = cells.starts[min(last_column if end > start else first_column - 1, len(cells.shown))]
            if end > start and end_cell == start_cell and 0 < start_cell < cells.width:
                start_cell -= 1  # a combining character is drawn over the one before it
            mark = _Mark(start_cell, max(end_cell, start_cell + 1), caption, char, style)
            self._marks.setdefault(first, []).append(mark)
            return
        below = self._cells(last)
        end_cell = max(1, below.starts[min(last_column, len(below.shown))])
        opens_line = not text[self._source.line_start(first) : start].strip()
        self._bars.append(
            _Bar(first, last, start_cell, end_cell, caption, char, style, opens_line, 2 * len(self._bars))
        )

    def _cells(self, line: int) -> Cells:
        return lay_out(self._source.line_text(line))

    def _shown_lines(self, first: int) -> list[int]:
        lines = set(self._marks)
        if first > 1 and self._source.line_text(first - 1).strip():
            lines.add(first - 1)
        for bar in self._bars:
            if bar.last - bar.first < _MOST_LINES_OF_BAR:
                lines.update(range(bar.first, bar.last + 1))
            else:
                lines.update((bar.first, bar.first + 1, bar.last))
        lines.update([line + 1 for line in lines if line + 2 in lines])
        return sorted(lines)

    def gap(self, head: int) -> _Row:
        """The row that stands for lines left out."""
        row = _Row()
        row.put(0, "...", Style.GUTTER)
        for bar in self._open:
            row.put(head + bar.margin, "|", bar.style)
        return row

    def rows(self, line: int, room: int) -> list[tuple[int | None, _Row]]:
        """The rows of one line, the source rows with their line number."""
        cells = self._cells(line)
        anchors: list[tuple[int, int, _Mark | _Bar]] = []
        anchors += [(mark.start, mark.end, mark) for mark in self._marks.get(line, [])]
        anchors += [(bar.start, bar.start + 1, bar) for bar in self._bars if bar.first == line and not bar.opens_line]
        anchors += [(bar.end - 1, bar.end, bar) for bar in self._bars if bar.last == line]
        anchors.sort(key=lambda anchor: anchor[:2])
        rows: list[tuple[int | None, _Row]] = []
        for window, anchored in _windows(cells, anchors, room):
            rows.append((line, self._source_row(line, cells, window)))
            for bar in (item for item in anchored if isinstance(item, _Bar) and item.first == line):
                rows.append((None, self._opening(bar, window)))
            rows += [(None, row) for row in self._mark_rows([x for x in anchored if isinstance(x, _Mark)], window)]
            for bar in (item for item in anchored if isinstance(item, _Bar) and item.last == line):
                rows.append((None, self._closing(bar, window)))
        return rows

    def _below(self) -> _Row:
        """An empty row with the bars that are open."""
        row = _Row()
        for bar in self._open:
            row.put(bar.margin, "|", bar.style)
        return row

    def _source_row(self, line: int, cells: Cells, window: _Window) -> _Row:
        row = self._below()
        for bar in self._bars:
            if bar.first == line and bar.opens_line and bar not in self._open:
                row.put(bar.margin, "/", bar.style)
                self._open.append(bar)
        text = cells.cut(window.first, window.last)
        before = _ELLIPSIS if window.first > 0 else ""
        after = _ELLIPSIS if window.last < cells.width else ""
        row.put(self.margin, [before + text + after], None)
        return row

    def _opening(self, bar: _Bar, window: _Window) -> _Row:
        row = self._below()
        end = self.margin + window.place(bar.start)
        row.put(bar.margin + 1, "_" * (end - bar.margin - 1), bar.style)
        row.put(end, bar.char, bar.style)
        self._open.append(bar)
        return row

    def _closing(self, bar: _Bar, window: _Window) -> _Row:
        end = self.margin + window.place(bar.end - 1)
        row = _Row()
        row.put(bar.margin + 1, "_" * (end - bar.margin - 1), bar.style)
        for other in self._open:
            row.put(other.margin, "|", other.style)
        row.put(end, bar.char + (f" {bar.text}" if bar.text else ""), bar.style)
        self._open.remove(bar)
        return row

    def _mark_rows(self, marks: list[_Mark], window: _Window) -> list[_Row]:
        if not marks:
            return []
        # The primary label is drawn over the others, and speaks first where two start in one place.
        marks = sorted(marks, key=lambda mark: (mark.start, mark.char == "^"))
        under = self._below()
        for mark in sorted(marks, key=lambda mark: mark.char == "^"):
            start = window.place(mark.start)
            length = max(1, window.place(mark.end) - start)
            under.put(self.margin + start, mark.char * length, mark.style)
        rows = [under]
        end = max(mark.end for mark in marks)
        hanging = [mark for mark in reversed(marks) if mark.text]
        if hanging and hanging[0] is marks[-1] and hanging[0].end == end:
            beside = hanging.pop(0)
            under.put(self.margin + window.place(end) + 1, beside.text, beside.style)
        for number, mark in enumerate(hanging):
            if number == 0:
                rows.append(self._connectors(hanging, window))
            row = self._connectors(hanging[number + 1 :], window)
            row.put(self.margin + window.place(mark.start), mark.text, mark.style)
            rows.append(row)
        return rows

    def _connectors(self, marks: Sequence[_Mark], window: _Window) -> _Row:
        row = self._below()
        for mark in marks:
            row.put(self.margin + window.place(mark.start), "|", mark.style)
        return row


def _windows(
    cells: Cells, anchors: Sequence[tuple[int, int, _Mark | _Bar]], room: int
) -> list[tuple[_Window, list[_Mark | _Bar]]]:
    """The parts of a line to show, each with the labels in it: the whole line where it fits."""
    behind = cells.width + 1  # a label may stand behind the end of the line
    if cells.width <= room or not anchors:
        last = behind if cells.width <= room else room - 1
        return [(_Window(0, last, 0), [item for _, _, item in anchors])]
    room -= 2  # an ellipsis at either end
    groups: list[list[tuple[int, int, _Mark | _Bar]]] = []
    for anchor in anchors:
        if groups and anchor[1] - groups[-1][0][0] <= room - _CONTEXT_CELLS // 2:
            groups[-1].append(anchor)
        else:
            groups.append([anchor])
    windows = []
    for group in groups:
        start, end = group[0][0], max(anchor[1] for anchor in group)
        first = max(0, min(start - _CONTEXT_CELLS, cells.width - room))
        first = min(start, max(first, min(end, start + room) - room))
        first = cells.starts[bisect.bisect_right(cells.starts, first) - 1]
        last = first + room if first + room < cells.width else behind
        windows.append((_Window(first, last, 1 if first > 0 else 0), [item for _, _, item in group]))
    return windows
