"""Patterns of `.gitignore`, held against git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abs_compiler.lint.discovery import find_specs
from abs_compiler.lint.globs import Globs

FILES = ("a", "b.abs.yaml", "d/a", "d/b.abs.yaml", "d/e/a", "d/e/b.abs.yaml", "x y", "[z]", "d/f/g/a")
PATTERNS = st.lists(
    st.sampled_from(
        ["a", "/a", "d", "d/", "/d/", "d/*", "d/**", "**/a", "**/e/", "d/**/a", "*.yaml", "*.abs.*", "!a", "!d/a",
         "!d/", "?", "[ab]", "[!a]", "d/e", "e/", "x y", "x\\ y", "\\[z\\]", "[[]z]", "#a", "\\#a", "", "  ", "a  ",
         "/*", "!/d", "d/[a-f]/*", "**", "*", "d/e/**/a", "**/f/**"]
    ),
    max_size=4,
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PATTERNS)
def test_git_agrees(tmp_path: Path, patterns: list[str]) -> None:
    if not (tmp_path / ".git").exists():
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
        for name in FILES:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("\n".join(patterns) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["git", "-C", str(tmp_path), "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(FILES), capture_output=True, text=True, check=False,
    )  # fmt: skip
    globs = Globs(patterns)
    assert {name for name in FILES if globs.hold(name)} == set(done.stdout.split("\0")) - {""}


def tree(folder: Path, *names: str, **texts: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def found(*paths: str, named_too: bool = False, without: str = "") -> list[str]:
    return find_specs(paths, lambda path: bool(without) and without in path, named_too=named_too)[0]


def none_in(folder: str, without: str = "nothing") -> str:
    """Why there is nothing to lint in a folder."""
    specs, why = find_specs([folder], lambda path: without in path)
    assert specs == []
    return why[folder]


def test_specs_below_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "b.abs.yaml", "a.abs.yml", "c.ABS.JSON", "d/e.abs.yaml", "no.yaml", ".h.abs.yaml", ".g/i.abs.yaml",
         "run.json")  # fmt: skip
    (tmp_path / "folder.abs.yaml").mkdir()
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    assert found(".") == ["a.abs.yml", "b.abs.yaml", "c.ABS.JSON", "d/e.abs.yaml"]
    assert found("d", ".") == ["d/e.abs.yaml", "a.abs.yml", "b.abs.yaml", "c.ABS.JSON"]
    assert found("no.yaml", "./b.abs.yaml", "b.abs.yaml", "missing") == ["no.yaml", "./b.abs.yaml", "missing"]
    assert none_in("folder.abs.yaml") == "names of specs end in .abs.yaml, .abs.yml, .abs.json"


def test_what_git_ignores_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    tree(
        tmp_path, "a.abs.yaml", "out/b.abs.yaml", "d/c.abs.yaml", "d/keep.abs.yaml", "d/out/e.abs.yaml", "x/f.abs.yaml"
    )
    (tmp_path / ".gitignore").write_text("out/\n/a.*\n", encoding="utf-8")
    (tmp_path / "d" / ".gitignore").write_text("*.abs.yaml\n!keep*\n", encoding="utf-8")
    (tmp_path / ".git" / "info" / "exclude").write_text("f.abs.yaml\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert found(".") == ["d/keep.abs.yaml"]
    assert found("d") == ["d/keep.abs.yaml"]
    assert found("a.abs.yaml", "out/b.abs.yaml") == ["a.abs.yaml", "out/b.abs.yaml"]
    assert none_in("x") == "git ignores all that are there"


def test_what_the_configuration_leaves_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.abs.yaml", "d/b.abs.yaml")
    monkeypatch.chdir(tmp_path)
    assert found(".", without="d/") == ["a.abs.yaml"]
    assert found(".", "d/b.abs.yaml", without="d/") == ["a.abs.yaml", "d/b.abs.yaml"]
    assert found(".", "d/b.abs.yaml", without="d/", named_too=True) == ["a.abs.yaml"]
    assert none_in("d", without="d/") == "`exclude` or `--exclude` leaves out all that are there"
