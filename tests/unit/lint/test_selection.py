"""Selection by code, beginning, name and `all`; severities."""

from __future__ import annotations

import pytest

from abs_compiler.diagnostics import Severity
from abs_compiler.lint.selection import OPT_IN, Selection
from tests.unit.lint.linting import CALL, HEAD, names, shown

TEXT = HEAD + CALL + "    id: x\n    with:\n      country: no\n      coupon:\n"


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), ["ambiguous-scalars", "empty-values"]),
        (Selection(select=("ABS102",)), ["ambiguous-scalars"]),
        (Selection(select=("empty-values",)), ["empty-values"]),
        (Selection(select=("ABS1",)), ["ambiguous-scalars", "empty-values"]),
        (Selection(select=("ABS3",)), ["unused-id"]),
        (Selection(select=("all",)), ["unused-id", "ambiguous-scalars", "empty-values"]),
        (Selection(select=()), []),
        (Selection(extend=("unused-id",)), ["unused-id", "ambiguous-scalars", "empty-values"]),
        (Selection(ignore=("ABS1",)), []),
        (Selection(ignore=("all",)), []),
        (Selection(ignore=("ABS10",)), ["empty-values"]),
        (Selection(select=("ABS1",), ignore=("ABS11",)), ["ambiguous-scalars"]),
        (Selection(select=("ABS111",), ignore=("ABS1",)), ["empty-values"]),
        (Selection(select=("ABS111",), ignore=("empty-values",)), []),
        (Selection(select=("all",), ignore=("ABS3",)), ["ambiguous-scalars", "empty-values"]),
    ],
)
def test_the_longest_word_decides(selection: Selection, expected: list[str]) -> None:
    assert names(TEXT, selection) == expected


def test_errors_stay() -> None:
    assert names("- 1\n", Selection(select=(), ignore=("all",))) == ["wrong-kind"]


def test_severities() -> None:
    severities = {"ABS1": Severity.INFO, "ABS111": Severity.ERROR, "unused-id": Severity.WARNING}
    found = shown(TEXT, Selection(select=("all",), severities=severities)).diagnostics
    assert [(item.name, item.severity.value) for item in found] == [
        ("unused-id", "warning"), ("ambiguous-scalars", "info"), ("empty-values", "error")
    ]  # fmt: skip
    assert [item.severity for item in shown("- 1\n", Selection(severities={"all": Severity.INFO})).diagnostics] == [
        Severity.ERROR
    ]


def test_what_must_be_asked_for() -> None:
    assert {"ABS315", "ABS703"} <= OPT_IN
    assert Selection().extra == ()
    assert Selection(extend=("ABS703",)).extra == ("extension-not-portable",)
    assert set(Selection(select=("all",)).extra) >= {"extension-not-portable", "unused-id"}
