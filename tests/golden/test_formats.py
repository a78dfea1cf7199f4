"""Every format of `absc lint` on the same findings, to the letter; and whether those who read the formats could.

With UPDATE_GOLDEN=1 in the environment the reports are written anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler import __version__
from abs_compiler.cli import main
from abs_compiler.diagnostics import Diagnostic, Help, Label, Severity
from abs_compiler.diagnostics.render import FORMATS, render
from abs_compiler.diagnostics.render.junit import Case, junit_document
from abs_compiler.source import SourceFile, Span
from tests.support.absc import ROOT

FOLDER = Path(__file__).parent / "formats"
ENDINGS = {"full": "txt", "concise": "txt", "json": "json", "json-lines": "jsonl", "sarif": "sarif.json",
           "github": "txt", "junit": "xml"}  # fmt: skip
SARIF = jsonschema.Draft4Validator(
    json.loads((ROOT / "tests" / "support" / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
)
TEXTS = st.text(st.sampled_from("ab:%,\n\r\t\x00\x1b\ufffe\ud800<&\"'é😀]]>"), max_size=12)


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(FOLDER)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def run(*arguments: str) -> str:
        main(["lint", "--no-cache", *arguments])
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_a_format(form: str, report) -> None:
    path = FOLDER / f"{form}.{ENDINGS[form]}"
    text = report("--format", form, "specs", "missing.abs.yaml").replace(__version__, "VERSION")
    if form == "sarif":  # the pages are no matter of the format: their titles will do
        text = re.sub(r'("(?:text|markdown)": "# ABS\d+ [a-z0-9-]+)\\n.*"', r'\1"', text)
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    with path.open(encoding="utf-8", newline="") as file:
        assert text == file.read()


def test_the_order_of_arguments_changes_nothing_but_their_own(report) -> None:
    for form in FORMATS:
        one = report("--format", form, "specs", "missing.abs.yaml")
        other = report("--format", form, "missing.abs.yaml", "specs")
        assert sorted(one) == sorted(other) if form == "junit" else one == other


def test_sarif_is_sarif(report) -> None:
    data = json.loads(report("--format", "sarif", "specs", "missing.abs.yaml"))
    SARIF.validate(data)
    (run,) = data["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert len({json.dumps(result["partialFingerprints"]) for result in run["results"]}) == len(run["results"])
    (hidden,) = (result for result in run["results"] if "suppressions" in result)
    assert hidden["suppressions"] == [{"kind": "inSource", "justification": "null, on purpose: 100% sure"}]
    uris = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]}
    assert "specs/sp%C3%A4te%20Zeichen%2C%20%E6%97%A5%E6%9C%AC.abs.yaml" in uris
    assert any("markdown" in rule["help"] for rule in rules)


def test_fingerprints_outlive_lines_above(report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def prints() -> set[str]:
        data = json.loads(report("--format", "sarif", "refund.abs.yaml"))
        return {result["partialFingerprints"]["absFinding/v1"] for result in data["runs"][0]["results"]}

    text = (FOLDER / "specs" / "refund.abs.yaml").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    Path("refund.abs.yaml").write_text(text, encoding="utf-8")
    before = prints()
    Path("refund.abs.yaml").write_text(f"# one\n# two\n{text}", encoding="utf-8")
    assert prints() == before


def test_junit_is_xml_with_a_case_for_every_file(report) -> None:
    root = ET.fromstring(report("--format", "junit", "specs"))
    cases = root.findall("./testsuite/testcase")
    assert {case.get("classname") for case in cases} == {f"specs/{path.name}" for path in (FOLDER / "specs").iterdir()}
    assert int(root.get("failures", "")) == sum(case.find("failure") is not None for case in cases) > 0


def test_github_commands_are_lines(report) -> None:
    for line in report("--format", "github", "specs").splitlines():
        assert re.fullmatch(r"::(error|warning|notice) (\w+=[^,:]*)(,\w+=[^,:]*)*::[^\r\n]+", line)


def test_inside_github_actions_its_format_is_the_default(report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert report("specs") == report("--format", "github", "specs")
    assert report("--format", "concise", "specs") != report("specs")


def diagnostic(text: str, start: int, end: int, words: str) -> Diagnostic:
    source = SourceFile(words or "x", text)
    span = Span(min(start, end, len(text)), min(max(start, end), len(text)))
    labels = (Label(span, words), Label(span, ""))
    return Diagnostic(
        "ABS102", "ambiguous-scalars", Severity.WARNING, words, words or "x", source, labels, (words,), (Help(words),)
    )


@given(TEXTS, st.integers(0, 12), st.integers(0, 12), TEXTS)
def test_any_text_gives_what_can_be_read_again(text: str, start: int, end: int, words: str) -> None:
    item = diagnostic(text, start, end, words)
    ET.fromstring(render([item], "junit"))
    SARIF.validate(json.loads(render([item], "sarif", suppressed=[(item, words)])))
    assert json.loads(render([item], "json-lines"))["message"] == words
    assert render([item], "github").count("\n") == render([item], "concise").count("\n") == 1


def test_outcomes_of_cases() -> None:
    cases = [
        Case("g", "a"),
        Case("g", "b", "failed", "m", "t"),
        Case("g", "c", "error"),
        Case("g", "d", "skipped", "why"),
    ]
    root = ET.fromstring(junit_document("name", cases))
    assert [root.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["4", "1", "1", "1"]
    assert [child.tag for case in root.iter("testcase") for child in case] == ["failure", "error", "skipped"]
