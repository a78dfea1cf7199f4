"""Names on a command line that fit nothing: targets that no spec uses, artifacts where a spec is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.absc import run_absc

SPEC = """\
session: look up, then say
abs_version: "0.2"
match: {extras: forbid, ignore: [Clock]}
behaviors:
  - {actor: assistant, action: calls, target: Order MCP, with: {target: Written}}
evaluations:
  - {type: never, match: {actor: assistant, action: calls, target: Refund MCP}}
"""
RUN = json.dumps([{"actor": "assistant", "action": "calls", "target": "Order MCP", "with": {"target": "Written"}}])
COMMANDS = (
    "check s.abs.yaml",
    "dump s.abs.yaml --stage ir",
    "compile s.abs.yaml --no-cache",
    "match s.abs.yaml run.json --no-cache",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.abs.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "run.json").write_text(RUN, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_target_that_no_spec_uses_is_refused(command: str, folder: Path) -> None:
    near = run_absc([*command.split(), "--target", "Oder MCP=get_order"], folder)
    assert (near.status, near.stdout) == (2, "")
    assert near.stderr == "absc: `--target`: no spec uses a target `Oder MCP`; there is `Order MCP`\n"
    far = run_absc([*command.split(), "--target", "Written=x"], folder)
    assert far.stderr == (
        "absc: `--target`: no spec uses a target `Written`; there are `Clock`, `Order MCP`, `Refund MCP`\n"
    )
    assert not (folder / "s.absc").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_targets_of_steps_evaluations_and_ignored_names_are_used(command: str, folder: Path) -> None:
    given = [f"--target={name}=other" for name in ("Order MCP", "Refund MCP", "Clock")]
    assert run_absc([*command.split(), *given], folder).status == 0


def test_a_target_of_a_spec_with_errors_is_not_called_unknown(folder: Path) -> None:
    (folder / "s.abs.yaml").write_text(SPEC.replace("actor", "acter"), encoding="utf-8")
    outcome = run_absc(["check", "s.abs.yaml", "--target", "Oder MCP=get_order"], folder)
    assert (outcome.status, "--target" in outcome.stderr) == (1, False)


@pytest.mark.parametrize(
    ("command", "verb"), [("check", "check"), ("lint --no-cache", "lint"), ("dump --stage ir", "dump")]
)
def test_an_artifact_where_a_spec_is_wanted(command: str, verb: str, folder: Path) -> None:
    assert run_absc(["compile", "s.abs.yaml", "--no-cache"], folder).status == 0
    outcome = run_absc([*command.split(), "s.absc"], folder)
    assert (outcome.status, outcome.stdout) == (2, "")
    assert outcome.stderr == (
        f"absc: `s.absc` is an artifact, a spec compiled already: {verb} the spec that it was made of\n"
    )


def test_an_artifact_that_cannot_be_read_has_a_code_of_its_own(folder: Path) -> None:
    (folder / "broken.absc").write_bytes(b"absc-artifact 1 0.1 0\n{}\n")
    outcome = run_absc(["match", "broken.absc", "missing.absc", "run.json"], folder)
    assert outcome.status == 2
    assert "error[ABS906]: the artifact is corrupt" in outcome.stdout
    assert "error[ABS001]: cannot read the file: no such file or directory" in outcome.stdout
