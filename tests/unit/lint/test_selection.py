"""Selection by code, beginning, name and `all`; severities."""

from __future__ import annotations

import pytest

from abs_compiler.diagnostics import Severity
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.config import code_problem
from abs_compiler.lint.selection import OPT_IN, Selection, Shown, choose
from abs_compiler.lint.tools import Tool, Tools
from abs_compiler.options import CompileOptions
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


# What rules find can be configured, also where it is an error; the tools refuse both arguments, and know no `fnd`.
_SCHEMA = {"properties": {"a": {"type": "integer"}}, "required": ["b"], "additionalProperties": False}
_OF_TOOLS = {
    "ABS621": "unknown-tools", "ABS622": "unknown-arguments",
    "ABS623": "missing-arguments", "ABS624": "impossible-arguments",
}  # fmt: skip


def _spec(comment: str = "") -> str:
    call = "  - {{actor: assistant, action: calls, target: {}{}}}{}\n"
    return HEAD + "behaviors:\n" + "".join(
        call.format(target, arguments, comment)
        for target, arguments in (
            ("fnd", ""), ("find", ", with: {b: 1, cc: 1}"), ("find", ", with_only: {a: 1}"), ("find", ", with: {a: x}"),
        )
    )  # fmt: skip


def _with_tools(text: str, selection: Selection = Selection()) -> Shown:  # noqa: B008 - frozen
    tools = Tools((Tool("find", _SCHEMA),))
    found = analyse_bytes(text.encode(), "t.abs.yaml", CompileOptions(), selection.extra, tools)
    return choose(found.source, found.diagnostics, found.suppressions, selection)


def test_errors_that_rules_find_can_be_ignored() -> None:
    all_of_them = {item.code: item.severity.value for item in _with_tools(_spec()).diagnostics}
    assert all_of_them == dict.fromkeys(_OF_TOOLS, "error")
    for selection in (Selection(ignore=("ABS62",)), Selection(ignore=("all",)), Selection(select=("ABS1",))):
        assert _with_tools(_spec(), selection).diagnostics == ()
    for code, name in _OF_TOOLS.items():
        for word in (code, name):
            left = {item.code for item in _with_tools(_spec(), Selection(ignore=(word,))).diagnostics}
            assert left == _OF_TOOLS.keys() - {code}
            assert code_problem(word, ignored=True) == ("", "")


def test_errors_that_rules_find_can_be_lowered_and_suppressed() -> None:
    lowered = _with_tools(_spec(), Selection(severities={"ABS62": Severity.INFO})).diagnostics
    assert {item.severity for item in lowered} == {Severity.INFO}
    found = _with_tools("# abs: file-ignore[ABS621, unknown-arguments, ABS623, ABS624]\n" + _spec())
    assert (found.diagnostics, {item.diagnostic.code for item in found.suppressed}) == ((), set(_OF_TOOLS))
    idle = _with_tools(_spec("  # abs: ignore[ABS621]")).diagnostics
    assert [item.name for item in idle].count("unused-suppression") == 3


def test_a_comment_about_what_is_raised_to_an_error_elsewhere_is_idle() -> None:
    text = HEAD + CALL + "    with:\n      a:\n      b: 1  # abs: ignore[ABS111]\n"
    found = shown(text, Selection(severities={"ABS111": Severity.ERROR})).diagnostics
    assert [item.name for item in found] == ["empty-values", "unused-suppression"]
