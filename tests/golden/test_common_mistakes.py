"""The commonest mistakes that people make in specs, each judged by its message alone.

`common_mistakes.txt` lists them: a title, what `absc lint` says (`! CODE | message | help | ...`), the document with
the wrong part between « and », and behind `=== mended` the document after its help was followed. The first finding must
point at the wrong part, the mended document must have none, and where a finding has a fix that says the same as its
help, applying it must give the mended document. With UPDATE_GOLDEN=1 what is said is written anew, to be read before it
is committed: is the cause right, would the help have been enough?
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import attrs
import pytest

from abs_compiler.diagnostics import Diagnostic
from abs_compiler.diagnostics.render.text import help_text
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.fixes import best_fix, fix_text
from abs_compiler.options import CompileOptions

PATH = Path(__file__).parent / "common_mistakes.txt"


@attrs.frozen
class Mistake:
    title: str
    said: tuple[str, ...]
    marked: str
    mended: str

    @property
    def name(self) -> str:
        return "spec.abs.json" if self.title.endswith("(json)") else "spec.abs.yaml"

    @property
    def wrong(self) -> str:
        return self.marked.replace("«", "").replace("»", "")

    @property
    def place(self) -> tuple[int, int]:
        start = self.marked.index("«")
        return start, self.marked.index("»") - 1

    def findings(self, text: str) -> tuple[Diagnostic, ...]:
        return analyse_bytes(text.encode(), self.name, CompileOptions()).diagnostics


def read() -> list[Mistake]:
    mistakes = []
    for block in re.split(r"(?m)^### ", PATH.read_text(encoding="utf-8"))[1:]:
        title, _, rest = block.partition("\n")
        said = tuple(re.findall(r"(?m)^! .*$", rest))
        marked, _, mended = re.sub(r"(?m)^! .*\n", "", rest).partition("=== mended\n")
        mistakes.append(Mistake(title, said, marked, mended))
    return mistakes


def said_of(mistake: Mistake) -> tuple[str, ...]:
    rows = []
    for item in mistake.findings(mistake.wrong):
        label = item.labels[0].text if item.labels else ""
        rows.append(" | ".join([f"! {item.code} {item.message}", label, *item.notes, *map(help_text, item.helps)]))
    return tuple(rows)


def update() -> None:
    blocks = []
    for item in read():
        said = "".join(f"{row}\n" for row in said_of(item))
        blocks.append(f"### {item.title}\n{said}{item.marked}=== mended\n{item.mended}")
    PATH.write_text("".join(blocks), encoding="utf-8")


if os.environ.get("UPDATE_GOLDEN"):
    update()
MISTAKES = read()
each = pytest.mark.parametrize("mistake", MISTAKES, ids=lambda item: item.title)


@each
def test_what_is_said(mistake: Mistake) -> None:
    assert said_of(mistake) == mistake.said
    assert mistake.said


@each
def test_the_place_is_right(mistake: Mistake) -> None:
    spans = [(item.labels[0].span.start, item.labels[0].span.end) for item in mistake.findings(mistake.wrong)]
    assert mistake.place in spans


@each
def test_one_cause_gives_one_finding(mistake: Mistake) -> None:
    assert len(mistake.said) == 1


@each
def test_following_the_help_mends_it(mistake: Mistake) -> None:
    assert mistake.findings(mistake.mended) == ()
    (finding,) = mistake.findings(mistake.wrong)
    assert finding.helps
    if best_fix(finding, unsafe=True) is not None:
        fixed = fix_text(mistake.wrong, mistake.findings, unsafe=True).text
        assert mistake.findings(fixed) == ()


def test_there_are_thirty_of_them_at_least() -> None:
    assert len({item.title for item in MISTAKES}) == len(MISTAKES) >= 30
