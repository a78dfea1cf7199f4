"""What a command line does to the files around it: where the report goes, and what in a folder is no recorded run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.absc import COMMAND, Outcome, environment, run_absc

PAY = """\
session: pay once
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: pay}
"""
NEEDS = PAY.replace("target: pay", 'target: pay, with: {id: "{{uid}}"}')
RUN = json.dumps([{"actor": "assistant", "action": "calls", "target": "pay", "with": {}}])

Absc = Callable[..., Outcome]


@pytest.fixture
def absc_in(tmp_path: Path) -> Absc:
    """Runs a command line in a folder with a spec and a run that matches it."""
    (tmp_path / "pay.abs.yaml").write_text(PAY, encoding="utf-8")
    (tmp_path / "pay.json").write_text(RUN, encoding="utf-8")
    (tmp_path / "rows.json").write_text("[{}]", encoding="utf-8")

    def run(*arguments: str, **more: object) -> Outcome:
        return run_absc(arguments, tmp_path, **more)

    return run


@pytest.mark.parametrize(
    "command",
    [
        "check pay.abs.yaml --output pay.abs.yaml",
        "lint pay.abs.yaml --no-cache --output pay.abs.yaml",
        "lint . --no-cache --fix --output ./pay.abs.yaml",
        "compile pay.abs.yaml --no-cache --output pay.abs.yaml",
        "compile pay.abs.yaml --no-cache --output pay.absc",
        "dump pay.abs.yaml --stage ir --output pay.abs.yaml",
        "match pay.abs.yaml pay.json --no-cache --output pay.json",
        "match pay.abs.yaml pay.json --no-cache --output pay.abs.yaml",
        "match pay.abs.yaml pay.json --no-cache --dataset rows.json --output rows.json",
    ],
)
def test_a_report_never_replaces_an_input(command: str, absc_in: Absc, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    outcome = absc_in(*command.split())
    assert (outcome.status, outcome.stdout) == (2, "")
    assert "`--output " in outcome.stderr
    assert "which this command reads or makes: name another file" in outcome.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_same_command_line_again_gives_the_same_report(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "rows.json").unlink()
    command = ("match", ".", "--no-cache", "--format", "json", "--output", "report.json")
    assert [absc_in(*command).status for _ in range(2)] == [0, 0]
    report = json.loads((tmp_path / "report.json").read_text())
    assert [run["trace"] for run in report["runs"]] == ["pay.json"]


def test_a_report_that_the_shell_redirects_into_the_folder(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "rows.json").unlink()
    with (tmp_path / "report.json").open("wb") as out:
        command = [*COMMAND, "match", ".", "--no-cache", "--format", "json"]
        done = subprocess.run(command, cwd=tmp_path, env=environment(), stdout=out, check=False, timeout=20)
    assert done.returncode == 0
    assert len(json.loads((tmp_path / "report.json").read_text())["runs"]) == 1


def test_other_json_of_a_folder_is_passed_over_where_names_pair(absc_in: Absc) -> None:
    outcome = absc_in("match", ".", "--pair", "stem", "--no-cache")
    assert outcome.status == 0
    assert outcome.stderr == "absc: passed over, since no spec goes by the name: `rows.json`\n1 passed\n"
    named = absc_in("match", ".", "rows.json", "--pair", "stem", "--no-cache")
    assert (named.status, named.stderr) == (
        2,
        "absc: no spec goes by the name of `rows.json` (with `--pair stem`)\n",
    )


def test_a_part_of_a_run_is_no_reason_not_to_match_the_others(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "part.json").write_text(json.dumps({"complete": False, "events": json.loads(RUN)}))
    outcome = absc_in("match", "pay.abs.yaml", "part.json", "pay.json", "--no-cache")
    assert outcome.status == 2
    assert outcome.stdout.startswith("pay.abs.yaml · pay.json (abs, 1 event)\npassed: pay once\n")
    first, summary = outcome.stderr.splitlines()
    assert first.startswith("absc: part.json: traces that say they are not complete cannot be matched")
    assert summary == "1 passed, 1 recorded run unreadable"


@pytest.mark.parametrize("form", ["full", "json", "junit"])
def test_a_spec_without_its_values_does_not_hide_the_others(form: str, absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "needs.abs.yaml").write_text(NEEDS, encoding="utf-8")
    outcome = absc_in("match", "needs.abs.yaml", "pay.abs.yaml", "pay.json", "--no-cache", "--format", form)
    assert outcome.status == 2
    assert outcome.stderr == (
        "absc: needs.abs.yaml: no value for `uid`: give it with `--var uid=TEXT` or `--var-json`\n"
        "1 passed, 1 spec without all values\n"
    )
    match form:
        case "json":
            report = json.loads(outcome.stdout)
            assert [run["verdict"]["status"] for run in report["runs"]] == ["passed"]
            assert [item["spec"] for item in report["unreadable"]] == ["needs.abs.yaml"]
            assert report["exit_status"] == 2
        case "junit":
            assert 'tests="2"' in outcome.stdout
            assert 'errors="1"' in outcome.stdout
        case _:
            assert "passed: pay once" in outcome.stdout
