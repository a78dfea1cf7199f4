"""The explain pages: one for each code of the readers at least, and what they show as wrong and right is so."""

from __future__ import annotations

import re

import pytest

from abs_compiler.diagnostics import registry
from abs_compiler.diagnostics.explain import find_code, has_page, page
from abs_compiler.pipeline import compile_source

PAGES = [row for row in registry() if has_page(row.code)]
# These cannot be shown as a short text.
WITHOUT_EXAMPLE = {
    "unreadable-file", "not-utf8", "too-large", "too-many-nodes", "scalar-too-long", "missing-yaml-parser"
}  # fmt: skip


def example(text: str, heading: str) -> tuple[str, str] | None:
    found = re.search(rf"^## {heading}\n\n```(\w+)\n(.*?)```$", text, re.MULTILINE | re.DOTALL)
    return None if found is None else (found[1], found[2])


@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.code)
def test_a_page(row) -> None:
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
    assert row.name in names(*wrong)
    assert row.name not in names(*right)


def names(language: str, text: str) -> set[str]:
    _, diagnostics = compile_source(text, f"spec.abs.{language}")
    return {item.name for item in diagnostics}


def test_every_code_of_the_readers_has_a_page() -> None:
    missing = [row.code for row in registry() if row.code < "ABS200" and not has_page(row.code)]
    assert missing == []


def test_codes_are_found_by_number_and_name() -> None:
    for word in ("ABS101", "abs101", "duplicate-keys", " Duplicate-Keys "):
        row = find_code(word)
        assert row is not None
        assert row.code == "ABS101"
    assert find_code("ABS999") is None
    assert page("ABS999") is None
