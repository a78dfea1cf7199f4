"""Anything may be thrown at the compiler and at lint: random changes to valid specs, 20,000 in all.

No exception, no hang; whatever is not compiled has a diagnostic with a place in the text; fixes leave no mess. The
n-th change is the same in every run. As many are tried as fit into a budget of time; with ABSC_MUTATIONS=20000 in the
environment, or any other number, that many, however long it takes.
"""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

from abs_compiler.diagnostics import Diagnostic, Severity
from abs_compiler.diagnostics.render import render
from abs_compiler.lint.analysis import lint_compilation
from abs_compiler.lint.fixes import fix_text
from abs_compiler.lint.selection import OPT_IN, Selection, choose
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import Compilation, analyse
from abs_compiler.runtime import load_programs
from tests.support.absc import run_absc
from tests.support.mutations import mutated, valid_specs

ALL = 20_000
BUDGET = 60.0  # seconds; all of them take about that long
SLOWEST = 5.0  # seconds for one text; most take some milliseconds
PARTS = 4
OPTIONS = CompileOptions()
_EVERYTHING = Selection(select=("all",))


def text_of(number: int) -> str:
    random_ = random.Random(number)
    specs = valid_specs()
    text = mutated(specs[random_.randrange(len(specs))], random_)
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@pytest.mark.parametrize("part", range(PARTS))
def test_changed_specs(part: int) -> None:
    ends = time.process_time() + BUDGET / PARTS
    wanted = os.environ.get("ABSC_MUTATIONS")
    tried = refused = 0
    for number in range(part, int(wanted or ALL), PARTS):
        if time.process_time() > ends and not wanted:
            break
        text = text_of(number)
        started = time.process_time()
        found = analyse(text, "spec.abs.yaml", OPTIONS)
        diagnostics = everything(found)
        assert time.process_time() - started < SLOWEST, number
        check(number, text, found, diagnostics)
        tried += 1
        refused += not found.programs
        if number % 10 == 0:
            check_fixes(number, text, diagnostics)
    assert tried > 50
    assert 0.2 * tried < refused < tried


def test_changed_specs_on_the_command_line(tmp_path: Path) -> None:
    for number in range(150):
        text = text_of(number).replace("\0", "")  # what is no text at all ends in status 2
        (tmp_path / f"{number:03}.abs.yaml").write_text(text, encoding="utf-8", newline="")
    linted = run_absc(["lint", "--format", "json-lines", "."], tmp_path, timeout=60)
    compiled = run_absc(["compile", "--format", "json", "-o", "out", "."], tmp_path, timeout=60)
    found = [json.loads(line) for line in linted.stdout.splitlines()]
    assert linted.status == compiled.status == 1
    for outcome in (linted, compiled):
        assert "Traceback" not in outcome.stderr
        assert "internal error" not in outcome.stderr
    assert not any(item["name"] == "internal-error" for item in found)
    assert all(item["labels"] for item in found if item["severity"] == "error")
    wrong = {item["path"] for item in found if item["severity"] == "error"}
    assert {path.stem for path in (tmp_path / "out").iterdir()} == {
        path.name.removesuffix(".abs.yaml") for path in tmp_path.glob("*.abs.yaml") if path.name not in wrong
    }


def everything(found: Compilation) -> tuple[Diagnostic, ...]:
    """All findings, those that must be asked for too."""
    linted = lint_compilation(found, OPTIONS, _EVERYTHING.extra)
    assert len(OPT_IN) == len(_EVERYTHING.extra)
    return choose(linted.source, linted.diagnostics, linted.suppressions, _EVERYTHING).diagnostics


def check(number: int, text: str, found: Compilation, diagnostics: tuple[Diagnostic, ...]) -> None:
    """What was said of a text is fit to be shown, and it compiled where nothing was said against it."""
    errors = [item for item in diagnostics if item.severity is Severity.ERROR]
    assert bool(found.programs) == (not errors), number
    for item in diagnostics:
        assert "\n" not in item.message, (number, item.code)
        if item.source is not None:
            assert item.labels, (number, item.code)
            for label in item.labels:
                assert 0 <= label.span.start <= label.span.end <= len(item.source.text), (number, item.code)
            for help_ in item.helps:
                for edit in () if help_.fix is None else help_.fix.edits:
                    assert 0 <= edit.span.start <= edit.span.end <= len(item.source.text), (number, item.code)
    if found.programs:
        load_programs(list(found.programs))
    render(diagnostics, "full", explain=True)


def check_fixes(number: int, text: str, diagnostics: tuple[Diagnostic, ...]) -> None:
    """Mending ends, and brings no errors where there were none."""

    def findings(other: str) -> tuple[Diagnostic, ...]:
        return everything(analyse(other, "spec.abs.yaml", OPTIONS))

    fixed = findings(fix_text(text, findings, unsafe=True).text)
    if not any(item.severity is Severity.ERROR for item in diagnostics):
        assert not any(item.severity is Severity.ERROR for item in fixed), number
