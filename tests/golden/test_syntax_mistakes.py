"""Texts that cannot be read, or that surprise: for each, the whole report as a user sees it.

The rows are in `syntax/*.txt`: a title (`### title`), the text, `>>>`, the report (none for a sound text). The rows of
`json.txt` are read as JSON, the others as YAML. With UPDATE_GOLDEN=1 in the environment the reports are written anew,
to be read before they are committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import attrs
import pytest

import abs_compiler
from abs_compiler.diagnostics import Diagnostic, Sink, registry
from abs_compiler.diagnostics.render import render_full
from abs_compiler.source import SourceFile
from abs_compiler.syntax import parse

FILES = sorted((Path(__file__).parent / "syntax").glob("*.txt"))


@attrs.frozen(slots=True)
class Row:
    kind: str
    title: str
    text: str
    expected: str

    def diagnostics(self) -> list[Diagnostic]:
        source = SourceFile("spec.abs.json" if self.kind == "json" else "spec.abs.yaml", self.text)
        sink = Sink(source, source.name)
        parse(source, sink)
        return sink.diagnostics()


def read_rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        blocks = re.split(r"(?m)^### ", file.read())[1:]
    rows = []
    for block in blocks:
        title, _, rest = block.partition("\n")
        text, _, expected = rest.partition(">>>\n")
        rows.append(Row(path.stem, title, text, expected.strip("\n") + "\n" if expected.strip() else ""))
    return rows


def update() -> None:
    for path in FILES:
        rows = [f"### {row.title}\n{row.text}>>>\n{render_full(row.diagnostics())}\n" for row in read_rows(path)]
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(rows)


if os.environ.get("UPDATE_GOLDEN"):
    update()

ROWS = [pytest.param(row, id=f"{path.stem}/{row.title}") for path in FILES for row in read_rows(path)]


@pytest.mark.parametrize("row", ROWS)
def test_reports(row: Row) -> None:
    assert render_full(row.diagnostics()) == row.expected


@pytest.mark.parametrize("row", ROWS)
def test_wording(row: Row) -> None:
    """Lower case, no final stop, nothing of libyaml's own words."""
    for item in row.diagnostics():
        texts = [
            item.message,
            *(label.text for label in item.labels),
            *item.notes,
            *(help_.text for help_ in item.helps),
        ]
        for text in texts:
            assert not text.endswith("."), text
            assert not re.search(r"while (scanning|parsing)|did not find|simple key|token|stream", text), text
        assert re.match(r"[`a-z]|YAML|JSON|Markdown", item.message), item.message


@pytest.mark.parametrize("row", ROWS)
def test_each_fix_settles_its_finding(row: Row) -> None:
    for item in row.diagnostics():
        for help_ in item.helps:
            if help_.fix is None:
                continue
            text = row.text
            for edit in sorted(help_.fix.edits, key=lambda edit: edit.span.start, reverse=True):
                text = text[: edit.span.start] + edit.text + text[edit.span.end :]
            start = item.labels[0].span.start
            left = [(other.name, other.labels[0].span.start) for other in attrs.evolve(row, text=text).diagnostics()]
            assert (item.name, start) not in left, text


def test_every_code_of_the_readers_fires() -> None:
    package = Path(abs_compiler.__file__).parent / "syntax"
    sources = "".join(path.read_text(encoding="utf-8") for path in package.glob("*.py"))
    reported = {row.name for row in registry() if f'"{row.name}"' in sources}
    fired = {item.name for parameters in ROWS for item in parameters.values[0].diagnostics()}
    tested_apart = {"too-large", "too-deep", "too-many-nodes", "scalar-too-long", "alias-expansion-limit", "empty-file"}
    assert reported - fired - tested_apart == {"missing-yaml-parser"}
