"""Mistakes in documents: for each, every diagnostic with its place, its message and its first help.

The rows are in `spec/*.txt`. A row is a title (`### title`), its expectations (`! CODE name LINE:COLUMN severity |
message | help`, in order, none for a sound document) and the document; `%head` stands for a name and a version.
With UPDATE_GOLDEN=1 in the environment the expectations are written anew, to be read before they are committed.
"""

import os
import re
from pathlib import Path

import attrs
import pytest

import abs_compiler
from abs_compiler.diagnostics import registry
from abs_compiler.pipeline import compile_source

FILES = sorted((Path(__file__).parent / "spec").glob("*.txt"))
HEAD = 'session: t\nabs_version: "0.2"\n'


@attrs.frozen(slots=True)
class Row:
    title: str
    expected: list[str]
    document: str


def read_rows(path):
    blocks = re.split(r"(?m)^### ", path.read_text(encoding="utf-8"))[1:]
    rows = []
    for block in blocks:
        title, _, rest = block.partition("\n")
        lines = rest.splitlines(keepends=True)
        expected = [line.rstrip("\n") for line in lines if line.startswith("! ")]
        rows.append(Row(title, expected, "".join(line for line in lines if not line.startswith("! "))))
    return rows


def findings(row):
    _, diagnostics = compile_source(row.document.replace("%head\n", HEAD), "t.abs.yaml")
    found = []
    for item in diagnostics:
        line, column = item.source.position(item.labels[0].span.start)
        help_ = item.helps[0].text if item.helps else ""
        where = f"{item.code} {item.name} {line}:{column} {item.severity.value}"
        found.append(f"! {where} | {item.message} | {help_}")
    return found


def update():
    for path in FILES:
        blocks = [
            [f"### {row.title}\n", *(f"{line}\n" for line in findings(row)), row.document] for row in read_rows(path)
        ]
        path.write_text("".join(text for block in blocks for text in block), encoding="utf-8")


if os.environ.get("UPDATE_GOLDEN"):
    update()

ROWS = [pytest.param(row, id=f"{path.stem}/{row.title}") for path in FILES for row in read_rows(path)]


@pytest.mark.parametrize("row", ROWS)
def test_findings(row):
    assert findings(row) == row.expected


def test_every_finding_of_the_reader_has_a_help():
    for parameters in ROWS:
        for line in parameters.values[0].expected:
            assert not line.endswith("| "), line


def test_there_are_many_rows_with_titles_of_their_own():
    titles = [parameters.id for parameters in ROWS]
    assert len(titles) >= 150
    assert len(titles) == len(set(titles))


def test_every_code_that_the_reader_and_the_passes_report_fires():
    package = Path(abs_compiler.__file__).parent
    sources = "".join(
        path.read_text(encoding="utf-8") for stage in ("spec", "ir") for path in (package / stage).rglob("*.py")
    )
    reported = {row.name for row in registry() if f'"{row.name}"' in sources}
    fired = {line.split()[2] for parameters in ROWS for line in parameters.values[0].expected}
    assert reported - fired == {"too-complex", "too-many-nodes", "unfinished-rules"}, "these have tests of their own"
