"""README.md is executed: its files are written, its commands and programs run, and what they print is compared.

A block `yaml NAME`, `json NAME` or `python NAME` is a file; an `sh` block is a command line; a `text` block is what
the block before it prints, standard error last. With UPDATE_README=1 in the environment the texts are written anew
instead, to be read before they are committed. The two blocks that install something run in `.ci/run`; of the first, the
command after the installation runs here too.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.readme import Block, blocks
from tests.support.absc import ROOT, environment, run_absc

BLOCKS = blocks()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with README's files and the examples."""
    shutil.copytree(ROOT / "specs" / "examples", tmp_path / "specs" / "examples")
    for block in BLOCKS:
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    return tmp_path


def _printed(block: Block, folder: Path) -> str | None:
    """What a block prints, or None for one that prints nothing anybody shows."""
    if block.language == "python":
        done = subprocess.run(
            [sys.executable, block.file],
            cwd=folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout
    if block.language != "sh":
        return None
    command = block.text.strip().split(" && ")[-1]
    program, *arguments = shlex.split(command)
    if Path(program).name != "absc":
        assert command == ".venv/bin/python -m pytest -n 2"
        return None
    outcome = run_absc(arguments, folder)
    return outcome.stdout + outcome.stderr


@pytest.mark.parametrize("index", range(len(BLOCKS)), ids=lambda index: f"line{BLOCKS[index].line}")
def test_block(index: int, folder: Path) -> None:
    block = BLOCKS[index]
    shown = BLOCKS[index + 1].text if index + 1 < len(BLOCKS) and BLOCKS[index + 1].language == "text" else None
    printed = _printed(block, folder)
    if shown is not None and os.environ.get("UPDATE_README"):
        readme = ROOT / "README.md"
        text = readme.read_text(encoding="utf-8").replace(f"```text\n{shown}```\n", f"```text\n{printed}```\n", 1)
        readme.write_text(text, encoding="utf-8", newline="\n")
    elif shown is not None:
        assert printed == shown


def test_two_set_up_commands_come_first() -> None:
    commands = [block.text for block in BLOCKS if block.language == "sh"]
    assert ["pip install" in command for command in commands] == [True, True] + [False] * (len(commands) - 2)
    assert all("\n" not in command.strip() for command in commands)


def test_every_printed_text_is_checked() -> None:
    for before, block in itertools.pairwise(BLOCKS):
        if block.language == "text":
            assert before.language in ("sh", "python"), f"README.md:{block.line}: nothing prints this"


def test_links_lead_somewhere() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", readme)
    assert targets
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target
