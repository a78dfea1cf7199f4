"""How diagnostics look: each case is rendered and compared with `render/<case>.txt` (or `.json`).

With UPDATE_GOLDEN=1 in the environment the files are written anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.diagnostics import (
    Applicability,
    Diagnostic,
    Edit,
    Fix,
    Help,
    Label,
    Severity,
    Sink,
)
from abs_compiler.diagnostics.render import render, render_concise, render_full, render_json
from abs_compiler.source import SourceFile, Span

FOLDER = Path(__file__).parent / "render"
REFUND = "\n" * 11 + "  - actor: assistant\n    with:\n      amount: {$is: 'integer > 5 and < 3'}\n"
LONG = "key: " + "x" * 200 + " HERE " + "y" * 200 + " THERE " + "z" * 100 + "\nnext: 1\n"
WIDE = "k:\n\té: 日本語 '😀x' e\u0301 | z\n"
NESTED = "a: {x: [1,\n   2,\n   3], y: 2}\n"
LIST = "a:\n" + "".join(f" - item {number}\n" for number in range(12)) + "b: 1\n"


def at(text: str, marked: str, occurrence: int = 0) -> Span:
    """The span of an occurrence of a text."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(marked, start + 1)
    return Span(start, start + len(marked))


def found(
    text: str, *labels: tuple[str | Span, str], name: str = "unsatisfiable-predicates", **more: Any
) -> Diagnostic:
    source = SourceFile("specs/refund.abs.yaml", text)
    sink = Sink(source, source.name)
    spans = [(at(text, place) if isinstance(place, str) else place, caption) for place, caption in labels]
    span, caption = spans[0] if spans else (None, "")
    message = more.pop("message", "no value can satisfy this predicate")
    sink.report(name, message, span, caption, also=[Label(*label) for label in spans[1:]], **more)
    (item,) = sink.diagnostics()
    return item


def unreadable(path: str, **more: Any) -> Diagnostic:
    return Diagnostic("ABS001", "unreadable-file", Severity.ERROR, "cannot read the file: no such file", path, **more)


def fix(text: str, replacement: str, *spans: Span) -> Help:
    return Help(text, Fix(f"write {replacement}", tuple(Edit(span, replacement) for span in spans), Applicability.SAFE))


CASES: dict[str, tuple[list[Diagnostic], dict[str, Any]]] = {
    "two labels, notes and helps": (
        [
            found(
                REFUND,
                ("< 3", "nothing above 5 is also below 3"),
                ("> 5", "this part already requires more than 5"),
                notes=["the call can never match, so behavior `refund_call` is unreachable"],
                helps=["to accept either side, write `integer (< 3 or > 5)`"],
            )
        ],
        {},
    ),
    "four labels on a line": (
        [
            found(
                REFUND,
                ("> 5", "first"),
                ("< 3", "second"),
                ("amount", "third"),
                ("integer", "fourth"),
                ("and", ""),
            )
        ],
        {},
    ),
    "labels one within the other": (
        [found(REFUND, ("5", "the bound"), ("integer > 5", "the whole part"), ("'integer > 5 and < 3'", ""))],
        {},
    ),
    "labels at one place": ([found(REFUND, ("integer", "one"), ("integer > 5", "two"), ("integer", "three"))], {}),
    "labels on several lines": (
        [found(LIST, ("item 11", "the last"), ("item 0", "the first"), ("item 2", "the third"), ("a", "the list"))],
        {},
    ),
    "wide and combining characters and tabs": (
        [found(WIDE, ("'😀x'", "here"), ("本", "wide"), ("\u0301", "accent"), ("|", "bar"))],
        {},
    ),
    "a span over lines from the start of a line": ([found(LIST, (" - item 1\n - item 2\n", "these two"))], {}),
    "a span over lines from within a line": (
        [found(NESTED, ("[1,\n   2,\n   3]", "a list"), (Span(3, len(NESTED) - 1), "in this"))],
        {},
    ),
    "a span over many lines": ([found(LIST, (Span(0, len(LIST)), "all of it"), ("item 10", "this"))], {}),
    "a long line": ([found(LONG, ("HERE", "here"))], {"width": 60}),
    "a long line with labels far apart": ([found(LONG, ("HERE", "here"), ("THERE", "there"))], {"width": 60}),
    "a label longer than the width": ([found(LONG, ("y" * 200, "all of it"), ("next", "the next key"))], {"width": 60}),
    "a long context line": ([found(LONG, ("next", "here"))], {"width": 60}),
    "the end of a text": ([found("a: [1\n", (Span(6, 6), "expected `]`"), ("[", "opened here"))], {}),
    "the end of a line": ([found("a: \nb: 1\n", (Span(3, 3), "nothing here"))], {}),
    "the empty text": ([found("", (Span(0, 0), "nothing here"))], {}),
    "windows line ends": ([found("a: 1\r\nb: 2\r\nc: 3\r\n", ("b: 2\r\n", "this line"), ("a", ""))], {}),
    "characters that would act on a terminal": (
        [found("a: \x1b[31mred\u202e \u200b\x7f\n", ("red", "coloured"), message="with \x1b[0m and\na line break")],
        {},
    ),
    "short replacements are shown": (
        [
            found(
                "a: yes\n",
                ("yes", ""),
                helps=[
                    fix("quote it", '"yes"', Span(3, 6)),
                    fix("to write it plainly, write", '"yes"', Span(3, 6)),
                    fix('the text "yes" is there already', '"yes"', Span(3, 6)),
                    fix("remove it", "", Span(3, 6)),
                    fix("put a comma before it", ",", Span(2, 2)),
                    fix("several edits", "x", Span(0, 1), Span(3, 6)),
                    fix("a long replacement", "x" * 61, Span(3, 6)),
                ],
            )
        ],
        {},
    ),
    "severities": (
        [
            found("a: 1\n", ("1", "")),
            found("a: 1\n", ("a", ""), name="ambiguous-scalars"),
            found("a: 1\n", (Span(1, 2), ""), severity=Severity.INFO),
        ],
        {},
    ),
    "no place": (
        [
            unreadable("a.yaml", helps=(Help("check the path\nor the folder"),)),
            unreadable("b.yaml"),
        ],
        {},
    ),
    "where to read more": (
        [found("a: yes\n", ("yes", "read as text"), name="ambiguous-scalars"), unreadable("b.yaml")],
        {"explain": True},
    ),
    "colour": (
        [
            found(REFUND, ("< 3", "primary"), ("> 5", "secondary"), notes=["a note"]),
            found(LIST, (" - item 1\n - item 2\n", "a bar"), name="ambiguous-scalars"),
        ],
        {"color": True},
    ),
}  # fmt: skip


def golden(path: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    with path.open(encoding="utf-8", newline="") as file:
        assert text == file.read()


@pytest.mark.parametrize("case", CASES)
def test_full(case: str) -> None:
    diagnostics, options = CASES[case]
    golden(FOLDER / f"{case}.txt", render_full(diagnostics, **options))


def test_concise_and_json() -> None:
    several = [item for case in ("severities", "no place", "short replacements are shown") for item in CASES[case][0]]
    golden(FOLDER / "concise.txt", render_concise(several))
    golden(FOLDER / "data.json", render(several, "json"))
    assert json.loads(render(several, "json")) == render_json(several)


def test_order_is_by_path_offset_and_code_whatever_comes_first() -> None:
    cases = ("severities", "no place", "short replacements are shown", "labels at one place", "four labels on a line")
    items = [item for case in cases for item in CASES[case][0]]
    for form in ("full", "concise", "json"):
        assert render(items, form) == render(list(reversed(items)), form)


def test_nothing_gives_nothing() -> None:
    assert render([], "full") == render([], "concise") == ""
    assert render_json([]) == {"version": 1, "diagnostics": [], "summary": {"error": 0, "warning": 0, "info": 0}}
    with pytest.raises(ValueError, match="unknown format"):
        render([], "yaml")


TEXTS = st.text(st.sampled_from("ab \t\n日\u0301é:\r😀"), max_size=30)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4), st.integers(20, 60))
def test_carets_stand_below_what_they_mark(text: str, places: list[tuple[int, int]], width: int) -> None:
    spans = [Span(min(a, b, len(text)), min(max(a, b), len(text))) for a, b in places]
    full = render_full([found(text, *((span, f"label {number}") for number, span in enumerate(spans)))], width=width)
    assert full == render_full(
        [found(text, *((span, f"label {number}") for number, span in enumerate(spans)))], width=width
    )
    for number in range(len(spans)):
        assert full.count(f"label {number}") >= 1
    lines = full.splitlines()
    assert all("\t" not in line and "\r" not in line for line in lines)
    first = spans[0]
    marked = text[first.start : first.end]
    if (
        len(spans) == 1
        and marked
        and not set(marked) & set("\n\r\t\u0301")
        and text[first.end : first.end + 1] != "\u0301"
    ):
        (under,) = (index for index, line in enumerate(lines) if "^" in line)
        start, end = lines[under].index("^"), lines[under].rindex("^") + 1
        assert cells(lines[under - 1] + " " * 40, start, end) == marked  # blanks at the end of a line are not shown


def cells(line: str, first: int, last: int) -> str:
    """The characters in the cells [first, last) of a line."""
    at, out = 0, ""
    for char in line:
        width = 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if first <= at and at + width <= last and width:
            out += char
        at += width
    return out
