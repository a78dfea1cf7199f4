"""The page about the validators: its examples run and give what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "specs" / "validators.md"


def test_the_examples_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=doctest.FAIL_FAST)
    assert result.failed == 0
    assert result.attempted > 30


def test_every_public_name_is_on_the_page() -> None:
    from abs_compiler import validators

    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in validators.__all__ if name not in text] == []
