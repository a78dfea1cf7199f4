"""The names that artifacts know specs by, and the folder of the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from abs_compiler.artifact.project import cache_folder, configuration_file, project_path


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`a/b/c/x.abs.yaml` below a folder, and no cache named by the environment."""
    monkeypatch.delenv("ABS_CACHE_DIR", raising=False)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c" / "x.abs.yaml").touch()
    return tmp_path / "a"


def spec(tree: Path) -> Path:
    return tree / "b" / "c" / "x.abs.yaml"


def test_without_a_project_a_spec_goes_by_its_name(tree: Path) -> None:
    assert project_path(spec(tree)) == "x.abs.yaml"


@pytest.mark.parametrize("working", ["", "b", "b/c", ".."])
def test_the_repository_is_the_project_from_everywhere(
    tree: Path, working: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / ".git").mkdir()
    assert project_path(spec(tree)) == "b/c/x.abs.yaml"
    monkeypatch.chdir(tree / working)
    below = {"": "b/c", "b": "c", "b/c": ".", "..": "a/b/c"}[working]
    assert project_path(f"{below}/x.abs.yaml") == "b/c/x.abs.yaml"
    assert project_path(Path(below) / ".." / "c" / "x.abs.yaml") == "b/c/x.abs.yaml"


def test_a_configuration_file_wins_over_the_repository_and_the_nearest_wins(tree: Path) -> None:
    (tree / "b" / "c" / ".git").touch()  # as in a working tree of git
    (tree / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert project_path(spec(tree)) == "x.abs.yaml"
    (tree / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.abs-compiler]\n')
    assert project_path(spec(tree)) == "b/c/x.abs.yaml"
    (tree / "b" / "abs-compiler.toml").touch()
    assert project_path(spec(tree)) == "c/x.abs.yaml"


def test_a_configuration_that_cannot_be_read_is_none(tree: Path) -> None:
    (tree / "pyproject.toml").mkdir()
    assert project_path(spec(tree)) == "x.abs.yaml"


def test_the_cache_lies_beside_the_configuration(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "b" / "c")
    assert cache_folder() == ".abs_cache"
    (tree / "abs-compiler.toml").touch()
    assert cache_folder() == str(tree / ".abs_cache")
    (tree / "b" / "pyproject.toml").write_text("[tool.abs-compiler.limits]\n")
    assert cache_folder() == str(tree / "b" / ".abs_cache")


def test_the_environment_says_where_the_cache_lies(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    (tree / "abs-compiler.toml").touch()
    monkeypatch.setenv("ABS_CACHE_DIR", "elsewhere")
    assert cache_folder() == "elsewhere"
    monkeypatch.setenv("ABS_CACHE_DIR", "")
    assert cache_folder() == str(tree / ".abs_cache")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("abs-compiler.toml", 'cache-dir = "kept/here"\n', "kept/here"),
        ("pyproject.toml", '[tool.abs-compiler]\ncache-dir = "kept"\n', "kept"),
        ("abs-compiler.toml", "cache-dir = 5\n", ".abs_cache"),
        ("abs-compiler.toml", "cache-dir = [\n", ".abs_cache"),
        ("abs-compiler.toml", 'exclude = ["a"]\n', ".abs_cache"),
        ("pyproject.toml", '[tool.abs-compiler]\n[tool.other]\ncache-dir = "other"\n', ".abs_cache"),
    ],
)
def test_the_configuration_may_name_the_cache(tmp_path, monkeypatch, name, text, expected):
    monkeypatch.delenv("ABS_CACHE_DIR", raising=False)
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    assert Path(cache_folder()) == tmp_path / expected


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[tool.abs-compiler]\n", True),
        ("[tool.'abs-compiler']\n", True),
        ('[tool."abs-compiler".limits]\n', True),
        ("[ tool . abs-compiler ]\n", True),
        ("[tool]\nabs-compiler = {}\n", True),
        ("tool.abs-compiler.fail-on = 'warning'\n", True),
        ("[tool]\nabs_compiler = {}\n", True),
        ("[project]\nname = 'abs-compiler'\n", False),
        ("[project]\ndependencies = ['abs-compiler']\n[tool.other]\n", False),
        ("[tool.'abs-compiler'\n", False),
        ("", False),
    ],
)
def test_a_table_counts_however_it_is_written(tmp_path: Path, text: str, counts: bool) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert configuration_file(str(tmp_path)) == (str(tmp_path / "pyproject.toml") if counts else None)
