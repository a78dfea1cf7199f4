"""Many files: the same findings from one process, from several, from the cache, and after a process died."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from abs_compiler.artifact.cache import Cache
from abs_compiler.lint import one_file, work
from abs_compiler.lint.one_file import restore
from abs_compiler.lint.work import Findings, Job, lint_jobs, read_job
from tests.unit.lint.linting import CALL, HEAD

OPTIONS: dict[str, Any] = {"observe": None, "targets": {}, "limits": None, "extra": []}


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for number in range(60):
        value = ("no", "x", "", "yes  # abs: ignore[ABS102] -- ok")[number % 4]
        text = HEAD + CALL + f"    with:\n      a{number}: {value}\n" + "      # filler\n" * (number % 7)
        Path(f"{number:02}.abs.yaml").write_text(text, encoding="utf-8")
    Path("10.abs.yaml").write_bytes(b"\xff\xfe\x00")
    Path("11.abs.yaml").write_text("- [\n", encoding="utf-8")
    return [f"{number:02}.abs.yaml" for number in range(60)] + ["missing.abs.yaml"]


def lint(paths: list[str], cache: Cache | None = None) -> list[Any]:
    jobs = [read_job(path, OPTIONS) for path in paths]
    found = lint_jobs(jobs, cache)
    rows = []
    for job, item in zip(jobs, found, strict=True):
        again = restore(item, job)
        rows.append((job.name, again.diagnostics, again.suppressions))
    return [(name, [plain(item) for item in diagnostics], suppressions) for name, diagnostics, suppressions in rows]


def plain(item: Any) -> Any:
    labels = [(label.span.start, label.span.end, label.text) for label in item.labels]
    return (item.code, item.message, item.path, labels, item.notes, item.helps)


@pytest.fixture
def alone(paths: list[str], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    with monkeypatch.context() as patch:
        patch.setattr(work, "_processors", lambda: 1)
        return lint(paths)


def test_what_is_found(alone: list[Any]) -> None:
    codes = {name: [row[0] for row in rows] for name, rows, _ in alone}
    assert codes["00.abs.yaml"] == ["ABS102"]
    assert codes["01.abs.yaml"] == []
    assert codes["02.abs.yaml"] == ["ABS111"]
    assert (codes["10.abs.yaml"], codes["11.abs.yaml"], codes["missing.abs.yaml"]) == (
        ["ABS002"],
        ["ABS004"],
        ["ABS001"],
    )
    assert [item.reason for item in alone[3][2]] == ["ok"]


@pytest.mark.parametrize("processors", [2, 3, 64])
def test_several_processes(
    processors: int, paths: list[str], alone: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(work, "_processors", lambda: processors)
    assert lint(paths) == alone
    cache = Cache(str(tmp_path / "cache"))
    assert lint(paths, cache) == alone
    assert len(cache.files()) == len({Path(path).read_bytes() for path in paths[:-1]})


def test_from_the_cache(paths: list[str], alone: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    assert lint(paths, cache) == alone

    def refuse(_: Job) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(one_file, "lint_one", refuse)
    assert lint(paths[:-1], cache) == alone[:-1]
    Path("20.abs.yaml").write_text("# changed\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="compiled again"):
        lint(paths, cache)


def test_other_options_are_another_result(paths: list[str], tmp_path: Path) -> None:
    cache = Cache(str(tmp_path / "cache"))
    job = read_job(paths[0], OPTIONS)
    lint_jobs([job], cache)
    (found,) = lint_jobs([Job(job.path, job.name, job.data, {**OPTIONS, "extra": ["extension-not-portable"]})], cache)
    assert len(cache.files()) == 2
    assert [item["name"] for item in found.diagnostics] == ["ambiguous-scalars"]


def test_a_process_that_dies_is_made_up_for(
    paths: list[str], alone: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = os.getpid()
    real = one_file.lint_one

    def dying(job: Job) -> tuple[Findings, bool]:
        if os.getpid() != parent:
            os._exit(3)
        return real(job)

    monkeypatch.setattr(work, "_processors", lambda: 2)
    monkeypatch.setattr(one_file, "lint_one", dying)
    assert lint(paths) == alone


def test_notes_of_the_cache_come_back(paths: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, not a folder", encoding="utf-8")
    monkeypatch.setattr(work, "_processors", lambda: 2)
    cache = Cache(str(tmp_path / "cache"))
    lint(paths, cache)
    assert len(cache.notes) == 1
    assert "cannot be written" in cache.notes[0]
