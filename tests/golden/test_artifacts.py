"""The same spec gives the same bytes: whatever the hash seed, the working directory, the order of files, the Python.

`artifact/payloads.sha256` holds the checksums of what the specs beside it compile to, without the header, which names
the version of the compiler (`tail -n +2 FILE | sha256sum`). Where one differs, either the format of programs changed (a
release that reads old artifacts differently has to count up FORMAT_VERSION) or something made it depend on the machine.
With UPDATE_GOLDEN=1 in the environment the file is written anew.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
from pathlib import Path

import pytest

import abs_compiler as absc
from abs_compiler.artifact import encode
from tests.support.absc import run_absc
from tests.support.artifacts import SPECS

CHECKSUMS = Path(__file__).parent / "artifact" / "payloads.sha256"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own, so that names do not depend on where this repository lies."""
    root = tmp_path / "project"
    (root / "specs").mkdir(parents=True)
    (root / "abs-compiler.toml").touch()
    for path in SPECS:
        shutil.copy(path, root / "specs")
    return root


def artifacts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.absc"))}


def compiled(cwd: Path, *specs: str, seed: str = "0") -> dict[str, bytes]:
    """What a process of its own makes of the specs; `cwd` gets a folder `out` for it."""
    environment = {"PYTHONHASHSEED": seed, "ABS_CACHE_DIR": str(cwd / "no-such-cache")}
    outcome = run_absc(["compile", "--no-cache", *specs, "-o", "out"], cwd, env=environment)
    assert outcome.status == 0, outcome
    found = artifacts(cwd / "out")
    shutil.rmtree(cwd / "out")
    return found


def test_the_golden_checksums(project: Path) -> None:
    found = compiled(project, "specs")
    sums = {name: hashlib.sha256(data.partition(b"\n")[2]).hexdigest() for name, data in found.items()}
    if os.environ.get("UPDATE_GOLDEN"):
        CHECKSUMS.write_text("".join(f"{value}  {name}\n" for name, value in sums.items()), encoding="utf-8")
    kept = dict(reversed(line.split("  ")) for line in CHECKSUMS.read_text(encoding="utf-8").splitlines())
    assert sums == kept
    assert len(kept) == 3


def test_hash_seeds_folders_and_the_order_of_files(project: Path, tmp_path: Path) -> None:
    wanted = compiled(project, "specs")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    names = [path.name for path in SPECS]
    for number, seed in enumerate(("1", "4242", "random")):
        shuffled = random.Random(number).sample(names, len(names))
        assert compiled(project / "specs", *shuffled, seed=seed) == wanted
        assert compiled(elsewhere, *(str(project / "specs" / name) for name in shuffled), seed=seed) == wanted
        assert compiled(elsewhere, *(f"../project/specs/../specs/{name}" for name in shuffled), seed=seed) == wanted


def test_the_library_gives_the_same_bytes(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = compiled(project, "specs")
    monkeypatch.chdir(project / "specs")
    for spec, data in zip(sorted((project / "specs").iterdir()), wanted.values(), strict=True):
        by_name = absc.compile_file(spec.name)
        by_path = absc.compile_file(spec)
        assert encode([matcher.program for matcher in by_name]) == data
        assert encode([matcher.program for matcher in by_path]) == data
        assert [matcher.to_bytes() for matcher in absc.load(data)] == [matcher.to_bytes() for matcher in by_path]


def test_a_project_that_moved_gives_the_same_bytes(project: Path, tmp_path: Path) -> None:
    wanted = compiled(project, "specs")
    moved = tmp_path / "another machine" / "checkout"
    shutil.copytree(project, moved)
    assert compiled(moved, "specs") == wanted


def test_line_ends_are_no_content_of_an_artifact_but_of_its_fingerprint(project: Path) -> None:
    spec = project / "specs" / "two-sessions.abs.yaml"
    (before,) = compiled(project, str(spec)).values()
    spec.write_bytes(spec.read_bytes().replace(b"\n", b"\r\n"))
    (after,) = compiled(project, str(spec)).values()
    first, second = absc.load(before), absc.load(after)
    for one, other in zip(first, second, strict=True):
        assert one.program.pop("source") != other.program.pop("source")
        assert one.program == other.program
