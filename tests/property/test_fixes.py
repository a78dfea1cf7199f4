"""Fixes on random specs: a mended file has nothing left to mend, keeps its comments and its lines, and after safe fixes
compiles to the same program."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.diagnostics import Applicability, Diagnostic, Severity
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.fixes import best_fix, fix_text
from abs_compiler.lint.selection import Selection, choose
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import compile_source
from tests.support.mutations import mutated, valid_specs

OPTIONS = CompileOptions()
# Values that invite findings with fixes, safe and unsafe ones.
VALUES = (
    "no", "2026-07-30", "012", "1e3", "0x1f", "text", '"text"', "order #12 is late", "", "|\n          a block\n",
    "{$is: 'string or string'}", "{$is: 'matches /\\d{4}/'}", "{$is: 'integer and number'}", "&unused a", "*missing",
    "{{x}}", '"{{x}}"', "yes  # abs: ignore[ABS102]", "plain  # abs: ignore[ABS102, ABS111] -- a reason", "~", "12:30",
    "{$is: > 5}", "[on, off]", "{a: , b: y}", '"\\bword\\b"', "1.0e+300",
)  # fmt: skip
HEADS = ('session: t\nabs_version: "0.2"\n', "session: t\nabs_version: 0.2\n", "session: t\n", "# first\nsession: t\n")


@st.composite
def specs(draw: st.DrawFn) -> str:
    lines = [draw(st.sampled_from(HEADS)) + "behaviors:  # the list\n"]
    for number in range(draw(st.integers(1, 3))):
        target = draw(st.sampled_from(("Order MCP", "order-mcp", "Mail")))
        lines.append(f"  - actor: assistant  # step {number}\n    action: calls\n    target: {target}\n    with:\n")
        for index in range(draw(st.integers(1, 3))):
            value = draw(st.sampled_from(VALUES))
            lines.append(f"      a{index}: {value}".rstrip() + ("" if value.endswith("\n") else "\n"))
    text = "".join(lines)
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def findings(text: str) -> tuple[Diagnostic, ...]:
    found = analyse_bytes(text.encode("utf-8", "surrogatepass"), "spec.abs.yaml", OPTIONS)
    return choose(found.source, found.diagnostics, found.suppressions, Selection()).diagnostics


def program(text: str) -> Any:
    """What a spec compiles to, without the places of its parts and its own checksum; None where it does not."""
    programs, _ = compile_source(text, "spec.abs.yaml", OPTIONS)
    return [without_places(item) for item in programs] or None


def without_places(value: Any) -> Any:
    match value:
        case dict():
            return {key: without_places(item) for key, item in value.items() if key not in ("at", "source")}
        case list():
            return [without_places(item) for item in value]
        case _:
            return value


def comments(text: str) -> list[str]:
    return [line.partition(" # ")[2].strip() for line in text.splitlines() if " # " in line and "abs:" not in line]


def check(text: str) -> None:
    before = program(text)
    safe = fix_text(text, findings).text
    left = findings(safe)
    assert not any(best_fix(item, unsafe=False) for item in left if item.severity is not Severity.ERROR)
    if before is not None:
        assert program(safe) == before
    assert fix_text(safe, findings).text == safe
    mended = fix_text(text, findings, unsafe=True).text
    if before is not None:
        assert program(mended) is not None


@given(specs())
def test_specs_with_what_can_be_mended(text: str) -> None:
    check(text)
    mended = fix_text(text, findings, unsafe=True).text
    assert comments(mended) == comments(text)
    assert ("\r\n" in mended) == ("\r\n" in text)
    assert "\r\n" not in text or "\n" not in mended.replace("\r\n", "")
    assert len(mended.splitlines()) - len(text.splitlines()) in (0, 1)  # the version may be a line more


@given(st.integers(0, 1_000_000))
def test_random_changes_to_specs(number: int) -> None:
    random_ = random.Random(number)
    check(mutated(random_.choice(valid_specs()), random_).encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


def test_every_applicability_is_met() -> None:
    kinds = set()
    for value in VALUES:
        call = "{actor: assistant, action: calls, target: Order MCP}"
        text = f"session: t\nbehaviors:\n  - <<: {call}\n    with:\n      a: {value}\n"
        kinds |= {help_.fix.applicability for item in findings(text) for help_ in item.helps if help_.fix is not None}
    assert kinds >= {Applicability.SAFE, Applicability.UNSAFE}
