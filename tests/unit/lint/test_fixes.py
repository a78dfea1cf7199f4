"""Applying fixes: order, overlaps, fixes that would break the file, an end to it all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from abs_compiler.diagnostics import Applicability, Diagnostic, Edit, Fix, Help, Severity
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.fixes import apply_edits, best_fix, fix_text
from abs_compiler.options import CompileOptions
from abs_compiler.source import Span

SAFE, UNSAFE, DISPLAY = Applicability.SAFE, Applicability.UNSAFE, Applicability.DISPLAY


def edit(start: int, end: int, text: str) -> Edit:
    return Edit(Span(start, end), text)


def finding(*fixes: Fix, severity: Severity = Severity.WARNING) -> Diagnostic:
    helps = tuple(Help("help", fix) for fix in fixes)
    return Diagnostic("ABS102", "ambiguous-scalars", severity, "m", "p", helps=helps)


def replacing(
    rules: dict[str, str], *, errors: str = "", kind: Applicability = SAFE
) -> Callable[[str], Sequence[Diagnostic]]:
    """Findings whose fixes replace one text by another wherever it stands; an error where `errors` stands."""

    def findings(text: str) -> list[Diagnostic]:
        found = []
        for old, new in rules.items():
            at = text.find(old)
            while at >= 0:
                found.append(finding(Fix(f"{old} -> {new}", (edit(at, at + len(old), new),), kind)))
                at = text.find(old, at + 1)
        if errors and errors in text:
            found.append(finding(severity=Severity.ERROR))
        return found

    return findings


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        ([edit(0, 1, "X")], "Xbc\nd"),
        ([edit(3, 3, "!"), edit(0, 0, "!")], "!abc!\nd"),
        ([edit(1, 2, "")], "ac\nd"),
        ([edit(4, 5, "e\n")], "abc\ne\n"),
    ],
)
def test_edits(edits: list[Edit], text: str) -> None:
    assert apply_edits("abc\nd", edits) == text


def test_line_ends_follow_the_text() -> None:
    assert apply_edits("a\r\nb\r\n", [edit(0, 0, "x\ny\r\n")]) == "x\r\ny\r\na\r\nb\r\n"


def test_the_fix_that_is_taken() -> None:
    safe, unsafe, display = (Fix("f", (edit(0, 1, "x"),), kind) for kind in (SAFE, UNSAFE, DISPLAY))
    assert best_fix(finding(display, unsafe, safe), unsafe=False) is safe
    assert best_fix(finding(unsafe, safe), unsafe=True) is safe
    assert best_fix(finding(display, unsafe), unsafe=True) is unsafe
    assert best_fix(finding(display, unsafe), unsafe=False) is None
    assert best_fix(finding(display), unsafe=True) is None
    assert best_fix(finding(Fix("nothing", (), SAFE)), unsafe=True) is None


@pytest.mark.parametrize(
    ("text", "rules", "mended", "count"),
    [
        ("a b a", {"a": "x"}, "x b x", 2),
        ("ab", {"a": "x", "b": "y"}, "xy", 2),  # they touch: one after the other
        ("aab", {"aa": "x", "ab": "y"}, "xb", 1),
        ("a", {"a": "b", "b": "c", "c": "d"}, "d", 3),
        ("none", {}, "none", 0),
    ],
)
def test_rounds(text: str, rules: dict[str, str], mended: str, count: int) -> None:
    fixed = fix_text(text, replacing(rules))
    assert (fixed.text, fixed.count) == (mended, count)


def test_fixes_that_undo_each_other_end() -> None:
    assert fix_text("a", replacing({"a": "b", "b": "a"})).text in ("a", "b")


def test_a_fix_that_brings_an_error_is_left_out() -> None:
    fixed = fix_text("a b c", replacing({"a": "x", "b": "BAD", "c": "z"}, errors="BAD"))
    assert (fixed.text, fixed.count) == ("x b z", 2)


def test_a_file_with_errors_may_be_mended_in_part() -> None:
    fixed = fix_text("a BAD", replacing({"a": "x"}, errors="BAD"))
    assert fixed.text == "x BAD"


def test_unsafe_ones_only_when_asked_for() -> None:
    findings = replacing({"a": "x"}, kind=UNSAFE)
    assert fix_text("a", findings).text == "a"
    assert fix_text("a", findings, unsafe=True).text == "x"


@pytest.mark.parametrize(
    ("written", "safe", "unsafe"),
    [
        ("01234", "01234", '"01234"'),
        ("-007.5e2", "-007.5e2", '"-007.5e2"'),
        ("12e4", "12e4", "12e4"),
        ("1_000", "1_000", "1000"),
        ("0b11", "0b11", "3"),
        ("1.5e3", "1500", "1500"),
        ("0o14", "12", "12"),
        ("12:30", '"12:30"', '"12:30"'),
    ],
)
def test_no_safe_fix_loses_what_was_typed(written: str, safe: str, unsafe: str) -> None:
    head = 'session: t\nabs_version: "0.2"\nbehaviors:\n  - {actor: assistant, action: calls, target: a, with: {zip: '

    def mended(*, unsafe: bool) -> str:
        found = fix_text(
            f"{head}{written}}}}}\n",
            lambda text: analyse_bytes(text.encode(), "t.abs.yaml", CompileOptions()).diagnostics,
            unsafe=unsafe,
        )
        return found.text.removeprefix(head).removesuffix("}}\n")

    assert (mended(unsafe=False), mended(unsafe=True)) == (safe, unsafe)
