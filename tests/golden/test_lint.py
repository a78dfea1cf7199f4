"""One bad file and one clean file for every code, and what `absc lint` says of them.

`lint/<name>/` holds `bad.abs.yaml` (or `.json`), in which the code is reported, `bad.txt`, the whole report, and
`clean.abs.yaml`, of which there is nothing to report. `run.toml` may hold further `arguments`, in which `{case}` stands
for `bad` or `clean`. With UPDATE_GOLDEN=1 in the environment the reports are written anew, to be read before they are
committed.
"""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import pytest

from abs_compiler.cli import main
from abs_compiler.diagnostics import code_named, registry
from abs_compiler.lint.selection import OPT_IN

FOLDER = Path(__file__).parent / "lint"
# These are no matter of what a spec holds; each has a test of its own, below or among those of artifacts.
WITHOUT_FILES = {"unreadable-file", "missing-yaml-parser", "internal-error", "unreadable-artifact"}
NAMES = [row.name for row in registry() if row.name not in WITHOUT_FILES]


def lint(case: Path, name: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    run = case.parent / "run.toml"
    arguments = tomllib.loads(run.read_text(encoding="utf-8"))["arguments"] if run.exists() else []
    arguments = [argument.replace("{case}", case.name.partition(".")[0]) for argument in arguments]
    if code_named(name).code in OPT_IN:
        more = (*more, "--extend-select", name)
    main(["lint", "--no-cache", *more, *arguments, case.name])
    return capsys.readouterr().out


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def compare(path: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    with path.open(encoding="utf-8", newline="") as file:
        assert text == file.read()


@pytest.mark.parametrize("name", NAMES)
def test_the_bad_file(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / name)
    case = only(FOLDER / name, "bad.abs.*")
    compare(case.parent / "bad.txt", lint(case, name, capsys, "--format", "full"))
    assert f"[{code_named(name).code}]" in (case.parent / "bad.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_clean_file(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / name)
    assert lint(only(FOLDER / name, "clean.abs.*"), name, capsys, "--format", "full") == ""


def test_every_folder_is_that_of_a_code() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(NAMES)


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert main(["lint", "--no-cache", "missing.abs.yaml"]) == 2
    out = capsys.readouterr().out
    assert out.startswith("error[ABS001]: cannot read the file: no such file or directory\n --> missing.abs.yaml\n")


def test_a_file_on_which_the_compiler_breaks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("abs_compiler.lint.analysis.run_rules", broken)
    for name in ("a.abs.yaml", "b.abs.yaml"):
        Path(name).write_bytes((FOLDER / "empty-values" / "clean.abs.yaml").read_bytes())
    Path("c.abs.yaml").write_text("- 1\n", encoding="utf-8")
    assert main(["lint", "--no-cache", "--format", "concise", "."]) == 2
    out = capsys.readouterr().out
    assert "a.abs.yaml: ABS901 the compiler broke on this file: KeyError: 'x'" in out
    assert "b.abs.yaml: ABS901 the compiler" in out


def test_without_the_parser_for_yaml(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    Path("a.abs.yaml").write_text("session: t\n", encoding="utf-8")
    assert main(["lint", "--no-cache", "a.abs.yaml"]) == 1
    assert "error[ABS012]: YAML cannot be read: PyYAML is installed without its C parser" in capsys.readouterr().out
