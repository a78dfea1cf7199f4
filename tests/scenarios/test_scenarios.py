"""Whole command lines, as data: every folder of `cases/` is one.

`run.toml` holds `command` (without `absc`) and `status`, and may hold `stdin`, `env` and `copies` (files of the
repository to put beside the case's own). The case's other files lie in the working directory when the command runs.
`stdout.txt` and `stderr.txt` are what it prints, to the letter; where one is missing, nothing is printed there.
With UPDATE_SCENARIOS=1 in the environment the two are written anew instead, to be read before they are committed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from abs_compiler import __version__
from tests.support.absc import ROOT, run_absc

CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").glob("*/run.toml"))
_OWN = {"run.toml", "stdout.txt", "stderr.txt"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_command_line(case: Path, tmp_path: Path) -> None:
    run = tomllib.loads((case / "run.toml").read_text(encoding="utf-8"))
    assert run.keys() <= {"command", "status", "stdin", "env", "copies"}
    for path in case.iterdir():
        if path.name not in _OWN:
            copy = shutil.copytree if path.is_dir() else shutil.copyfile
            copy(path, tmp_path / path.name)
    for name in run.get("copies", []):
        shutil.copyfile(ROOT / name, tmp_path / Path(name).name)

    outcome = run_absc(
        shlex.split(run["command"]), tmp_path, stdin=run.get("stdin", "").encode(), env=run.get("env"), timeout=20
    )

    printed = {
        "stdout.txt": outcome.stdout.replace(__version__, "VERSION"),
        "stderr.txt": outcome.stderr.replace(__version__, "VERSION"),
    }
    if os.environ.get("UPDATE_SCENARIOS"):
        for name, text in printed.items():
            (case / name).unlink(missing_ok=True)
            if text:
                (case / name).write_text(text, encoding="utf-8", newline="\n")
    expected = {name: (case / name).read_text("utf-8") if (case / name).exists() else "" for name in printed}
    assert printed == expected
    assert outcome.status == run["status"]
