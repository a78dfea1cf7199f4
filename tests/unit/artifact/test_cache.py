"""The cache: what is found again, what damage does, what happens where nothing can be written, what goes when full."""

from __future__ import annotations

import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import abs_compiler as absc
from abs_compiler.artifact.cache import Cache
from abs_compiler.artifact.entry import DamagedEntryError, decode_entry, encode_entry
from abs_compiler.cached import compile_spec_file
from abs_compiler.options import CompileOptions
from abs_compiler.syntax import Limits
from tests.support.absc import run_absc
from tests.support.permissions import needs_file_modes, obeying_file_modes

SPEC = """\
session: pay once
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: pay, with: {amount: 20}}
"""
PAID: list[dict[str, Any]] = [{"actor": "assistant", "action": "calls", "target": "pay", "with": {"amount": 20}}]


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec, and an empty cache of its own."""
    monkeypatch.setenv("ABS_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "pay.abs.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path


@pytest.fixture
def folder(spec: Path) -> Path:
    return spec.parent / "cache"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.entry"))


def works(spec: Path, options: CompileOptions | None = None) -> bool:
    """Whether what comes of compiling with the cache is right."""
    (matcher,) = absc.compile_file(spec, options=options, cache=True)
    return bool(matcher.match(PAID)) and not matcher.match([])


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever compiles from here on fails."""

    def fail(*_: object) -> None:
        raise AssertionError("compiled although the result was kept")

    monkeypatch.setattr("abs_compiler.pipeline.compile_source", fail)


def test_the_second_time_nothing_is_compiled(spec: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = absc.compile_file(spec, cache=True)
    assert len(entries(folder)) == 1
    no_compiler(monkeypatch)
    (second,) = absc.compile_file(spec, cache=True)
    assert second.to_bytes() == first.to_bytes()
    assert (second.path, second.match(PAID).to_dict()) == (first.path, first.match(PAID).to_dict())


def test_off_by_default(spec: Path, folder: Path) -> None:
    absc.compile_file(spec)
    assert not folder.exists()


def test_everything_the_result_depends_on_makes_another_entry(spec: Path, folder: Path) -> None:
    assert works(spec)
    assert works(spec, CompileOptions(observe="tools"))
    assert works(spec, CompileOptions(targets={"pay": ("checkout",)}))
    assert works(spec, CompileOptions(limits=Limits(depth=32)))
    assert works(spec, CompileOptions())
    assert len(entries(folder)) == 4
    spec.write_text(SPEC + "# a comment\n", encoding="utf-8")
    assert works(spec)
    assert len(entries(folder)) == 5


def test_a_changed_spec_is_never_answered_with_the_old_one(spec: Path) -> None:
    before = spec.stat()
    assert works(spec)
    spec.write_text(SPEC.replace("20", "30"), encoding="utf-8")
    os.utime(spec, ns=(before.st_atime_ns, before.st_mtime_ns))
    (matcher,) = absc.compile_file(spec, cache=True)
    assert not matcher.match(PAID)


def test_a_spec_with_an_error_is_not_kept(spec: Path, folder: Path) -> None:
    spec.write_text("session: x\n", encoding="utf-8")
    found = []
    for _ in range(2):
        with pytest.raises(absc.CompileError) as caught:
            absc.compile_file(spec, cache=True)
        found.append(str(caught.value))
    assert found[0] == found[1]
    assert entries(folder) == []


def damage_of(entry: bytes) -> dict[str, bytes]:
    found = {f"byte {index}": entry[:index] + b"?" + entry[index + 1 :] for index in range(0, len(entry), 11)}
    found |= {f"length {length}": entry[:length] for length in range(0, len(entry), 97)}
    return {**found, "more": entry + b"\n"}


def test_a_damaged_entry_is_made_anew_and_reported(spec: Path, folder: Path) -> None:
    assert works(spec)
    (path,) = entries(folder)
    whole = path.read_bytes()
    for name, damaged in damage_of(whole).items():
        path.write_bytes(damaged)
        with pytest.warns(
            RuntimeWarning, match=r"the cached result of `.*pay\.abs\.yaml` was damaged; it was made anew"
        ):
            assert works(spec), name
        assert path.read_bytes() == whole, name
        assert works(spec)


def test_the_entry_of_another_spec_is_damage(spec: Path, folder: Path) -> None:
    other = spec.with_name("other.abs.yaml")
    other.write_text(SPEC.replace("20", "30"), encoding="utf-8")
    assert works(spec)
    (path,) = entries(folder)
    absc.compile_file(other, cache=True)
    (wrong,) = (item for item in entries(folder) if item != path)
    path.write_bytes(wrong.read_bytes())
    with pytest.warns(RuntimeWarning, match="was damaged"):
        assert works(spec)


def test_a_whole_entry_that_holds_no_artifact_is_damage(spec: Path, folder: Path) -> None:
    assert works(spec)
    (path,) = entries(folder)
    key = path.name.partition(".")[0]
    _, artifact = decode_entry(key, path.read_bytes())
    for entry in (
        encode_entry(key, [], b"session: x"),
        encode_entry(key, [], artifact[:-9]),
        encode_entry(key, [{}], artifact),
        encode_entry(key, [{"code": "ABS206", "severity": "loud"}], artifact),
    ):
        path.write_bytes(entry)
        with pytest.warns(RuntimeWarning, match="was damaged"):
            assert works(spec)


def test_an_entry_that_is_a_folder_costs_a_warning(spec: Path, folder: Path) -> None:
    assert works(spec)
    (path,) = entries(folder)
    path.unlink()
    path.mkdir()
    with pytest.warns(RuntimeWarning, match="cannot be written"):
        assert works(spec)


def test_a_folder_that_is_a_file_costs_a_warning(spec: Path, folder: Path) -> None:
    folder.write_text("", encoding="utf-8")
    with pytest.warns(RuntimeWarning, match=r"the cache in `.*cache` cannot be written \(.+\); nothing is kept there"):
        assert works(spec)


def test_one_warning_for_many_specs(spec: Path, folder: Path) -> None:
    folder.write_text("", encoding="utf-8")
    cache = Cache(str(folder))
    for number in range(3):
        path = spec.with_name(f"{number}.abs.yaml")
        path.write_text(SPEC, encoding="utf-8")
        assert compile_spec_file(path, cache=cache).artifact is not None
    assert len(cache.notes) == 1


@needs_file_modes
def test_a_folder_without_permission(spec: Path, folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o500)
    (spec.parent / "run.json").write_text('[{"actor": "assistant", "action": "calls", "target": "pay"}]')
    try:
        environment = {"ABS_CACHE_DIR": str(folder)}
        command = ["match", "pay.abs.yaml", "run.json"]
        outcome = run_absc(command, spec.parent, env=environment, prefix=obeying_file_modes())
    finally:
        folder.chmod(0o700)
    assert outcome.status == 1
    assert "failed: pay once" in outcome.stdout
    assert f"warning: the cache in `{folder}` cannot be written (permission denied)" in outcome.stderr
    assert entries(folder) == []


# Writing beyond this many bytes fails for the command, as on a disk that is full.
_FULL_DISK = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files are of POSIX systems")
def test_a_full_disk(spec: Path, folder: Path) -> None:
    (spec.parent / "run.json").write_text('[{"actor": "assistant", "action": "calls", "target": "pay"}]')
    command = ["match", "pay.abs.yaml", "run.json"]
    limited = (sys.executable, "-c", _FULL_DISK)
    outcome = run_absc(command, spec.parent, env={"ABS_CACHE_DIR": str(folder)}, prefix=limited)
    assert outcome.status == 1
    assert "failed: pay once" in outcome.stdout
    assert f"warning: the cache in `{folder}` cannot be written (file too large)" in outcome.stderr
    assert not list(folder.glob("*.*.part"))
    assert entries(folder) == []


def test_a_new_folder_says_what_it_is(spec: Path, folder: Path) -> None:
    assert works(spec)
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


def test_a_folder_that_was_there_is_left_as_it_is(spec: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").touch()
    assert works(spec)
    assert sorted(item.name for item in folder.iterdir()) == sorted(["notes.txt", entries(folder)[0].name])
    cache = Cache(str(folder))
    assert [item.is_entry for item in cache.files()] == [True]
    cache.remove(cache.files())
    assert [item.name for item in folder.iterdir()] == ["notes.txt"]


def key(number: int) -> str:
    return f"{number:064x}"


def put(cache: Cache, number: int, size: int = 1000) -> None:
    cache.put(key(number), b"x" * size, f"{number}.abs.yaml")


def test_beyond_the_limit_the_oldest_go_first(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    filled = Cache(str(folder))
    for number in range(10):
        put(filled, number)
        os.utime(folder / f"{key(number)}.entry", ns=(number, (10 - number) * 1_000_000_000))
    cache = Cache(str(folder), limit=8_000)
    put(cache, 10)
    left = {int(path.stem, 16) for path in entries(folder)}
    assert left == {10, 0, 1, 2, 3, 4, 5}  # the newest files: number 9 is the oldest
    assert sum(path.stat().st_size for path in entries(folder)) <= 8_000


def test_the_limit_holds_while_one_process_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    cache = Cache(str(folder), limit=8_000)
    for number in range(100):
        put(cache, number)
        assert sum(path.stat().st_size for path in entries(folder)) <= 8_000
    assert key(99) in {path.stem for path in entries(folder)}
    assert cache.notes == []


def test_what_writers_left_behind_goes_in_time(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    for name, age in (("old", 4000), ("new", 0)):
        path = folder / f"{key(1)}.entry.{name}.part"
        path.write_bytes(b"half an entry")
        when = time.time() - age
        os.utime(path, (when, when))
    assert Cache(str(folder)).get(key(1)) is None
    put(Cache(str(folder)), 2)
    assert [path.name.split(".")[2] for path in folder.glob("*.part")] == ["new"]


def test_entries_and_their_bytes() -> None:
    entry = encode_entry(key(7), [{"a": 1}], b"artifact\nof two lines")
    assert decode_entry(key(7), entry) == ([{"a": 1}], b"artifact\nof two lines")
    with pytest.raises(DamagedEntryError):
        decode_entry(key(8), entry)


def test_no_warning_where_there_is_nothing_to_say(spec: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert works(spec)
        assert works(spec)


def test_the_limit_of_a_file_is_that_of_the_compiler() -> None:
    from abs_compiler import cached

    assert Limits().file_bytes == cached._FILE_BYTES
