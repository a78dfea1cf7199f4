"""The explain pages: one for each code, and what they show as wrong and right is so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abs_compiler.diagnostics import explain, registry
from abs_compiler.diagnostics.explain import find_code, has_page, page, summary
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.config import read_config
from abs_compiler.lint.selection import OPT_IN, Selection, choose
from abs_compiler.lint.tool_lists import tools_in
from abs_compiler.lint.tools import Tools
from abs_compiler.options import CompileOptions

PAGES = [row for row in registry() if has_page(row.code)]
# These cannot be shown as a short text.
WITHOUT_EXAMPLE = {
    "unreadable-file", "not-utf8", "too-large", "too-many-nodes", "scalar-too-long", "missing-yaml-parser",
    "too-complex", "internal-error", "unreadable-artifact", "unfinished-rules",
}  # fmt: skip


def example(text: str, heading: str) -> tuple[str, str] | None:
    found = re.search(rf"^## {heading}\n\n```(\w+)\n(.*?)```$", text, re.MULTILINE | re.DOTALL)
    return None if found is None else (found[1], found[2])


@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.code)
def test_a_page(row, tmp_path) -> None:
    text = page(row.code)
    assert text is not None
    title, _, rest = text.partition("\n\n")
    assert title == f"# {row.code} {row.name}"
    assert rest.startswith(f"{row.severity.value.capitalize()}: ")
    wrong, right = example(text, "Wrong"), example(text, "Right")
    if row.name in WITHOUT_EXAMPLE:
        assert wrong is right is None
        return
    assert wrong is not None
    assert right is not None
    assert row.name in names(*wrong, tmp_path, tools_of(text))
    assert row.name not in names(*right, tmp_path, tools_of(text))


def tools_of(text: str) -> Tools | None:
    """The tools that a page holds its examples against."""
    found = re.search(r"^```json\n(.*?)```$", text.partition("## Wrong")[0], re.MULTILINE | re.DOTALL)
    tools = None if found is None else tools_in(json.loads(found[1]))
    return None if tools is None else Tools(tuple(tools))


def names(language: str, text: str, folder: Path, tools: Tools | None) -> set[str]:
    if language == "toml":
        (folder / "abs-compiler.toml").write_text(text, encoding="utf-8")
        return {item.name for item in read_config(str(folder / "abs-compiler.toml"))[1]}
    extra = [row.name for row in registry() if row.code in OPT_IN]
    found = analyse_bytes(text.encode(), f"spec.abs.{language}", CompileOptions(), extra, tools)
    shown = choose(found.source, found.diagnostics, found.suppressions, Selection(extend=tuple(extra)))
    return {item.name for item in shown.diagnostics} | {item.diagnostic.name for item in shown.suppressed}


def test_every_code_has_a_page() -> None:
    assert [row.code for row in registry() if not has_page(row.code)] == []


def test_every_page_belongs_to_a_code() -> None:
    pages = {path.stem for path in Path(explain.__file__).parent.glob("*.md")}
    assert pages == {row.code for row in registry()}


def test_every_page_says_why_before_it_shows_how() -> None:
    for row in PAGES:
        text = (page(row.code) or "").partition("## Wrong")[0]
        assert len(text.split("\n\n")) >= 3, row.code
        assert summary(row.code).isprintable()


def test_codes_are_found_by_number_and_name() -> None:
    for word in ("ABS101", "abs101", "duplicate-keys", " Duplicate-Keys "):
        row = find_code(word)
        assert row is not None
        assert row.code == "ABS101"
    assert find_code("ABS999") is None
    assert page("ABS999") is None
