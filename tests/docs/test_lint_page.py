"""The page on lint is executed: its files are written, its commands run, its configuration read.

With UPDATE_README=1 in the environment the printed texts are written anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

import jsonschema
import pytest
import yaml

from abs_compiler.diagnostics import registry
from abs_compiler.lint.config import LIMITS, read_config
from abs_compiler.lint.config_schema import config_schema
from abs_compiler.syntax import Limits
from tests.docs.readme import ROOT
from tests.support.absc import run_absc

PAGE = ROOT / "specs" / "lint.md"
BLOCKS = [
    (match[1], match[2].strip(), match[3])
    for match in re.finditer(r"(?ms)^```(\w+)([^\n]*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
]
COMMANDS = [index for index, (language, _, _) in enumerate(BLOCKS) if language == "sh"]


def write(folder: Path) -> None:
    for language, name, text in BLOCKS:
        if name and language != "toml" and not name.startswith("."):
            (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("index", COMMANDS)
def test_a_command(index: int, tmp_path: Path) -> None:
    write(tmp_path)
    program, *arguments = shlex.split(BLOCKS[index][2])
    assert program == "absc"
    outcome = run_absc(arguments, tmp_path)
    printed = outcome.stdout + outcome.stderr
    language, _, shown = BLOCKS[index + 1]
    assert language == "text"
    if os.environ.get("UPDATE_README"):
        page = PAGE.read_text(encoding="utf-8").replace(f"```text\n{shown}```\n", f"```text\n{printed}```\n", 1)
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    else:
        assert printed == shown


def test_the_configuration(tmp_path: Path) -> None:
    import tomllib

    (text,) = (text for language, _, text in BLOCKS if language == "toml")
    (tmp_path / "abs-compiler.toml").write_text(text, encoding="utf-8")
    config, problems = read_config(str(tmp_path / "abs-compiler.toml"))
    assert problems == ()
    data = tomllib.loads(text)
    jsonschema.Draft7Validator(config_schema()).validate(data)
    assert set(data) == set(config_schema()["properties"])
    assert Limits(**config.limits) == Limits()
    assert set(data["limits"]) == set(LIMITS)


def test_the_hooks_are_those_of_the_page() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (page,) = (yaml.safe_load(text) for _, name, text in BLOCKS if name == ".pre-commit-config.yaml")
    (used,) = page["repos"][0]["hooks"]  # two would report everything twice
    assert used["id"] in {hook["id"] for hook in hooks}
    assert all(hook["id"] in PAGE.read_text(encoding="utf-8") for hook in hooks)
    for hook in hooks:
        assert hook["entry"].startswith("absc lint --force-exclude")
        assert re.search(hook["files"], "specs/a.abs.yaml")
        assert not re.search(hook["files"], "specs/a.yaml")


def test_the_workflow_runs_what_there_is(tmp_path: Path) -> None:
    (page,) = (yaml.safe_load(text) for _, name, text in BLOCKS if name.endswith("specs.yml"))
    steps = page["jobs"]["lint"]["steps"]
    (command,) = (step["run"] for step in steps if step.get("run", "").startswith("absc"))
    write(tmp_path)
    assert run_absc(shlex.split(command)[1:], tmp_path).status == 0
    (upload,) = (step["with"]["sarif_file"] for step in steps if "sarif_file" in step.get("with", {}))
    assert json.loads((tmp_path / upload).read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_codes_on_the_page_exist() -> None:
    known = {row.code for row in registry()}
    assert set(re.findall(r"ABS\d{3}", PAGE.read_text(encoding="utf-8"))) <= known
