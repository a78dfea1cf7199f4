"""Keys of the cache: equal for equal input, different for anything that changes the result."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import abs_compiler
from abs_compiler.artifact import fingerprint
from abs_compiler.artifact.fingerprint import cache_key, compiler_identity
from abs_compiler.options import CompileOptions
from abs_compiler.plain_options import NO_OPTIONS, full_options, plain_options
from abs_compiler.syntax import Limits


def test_every_part_counts_and_none_runs_into_the_next() -> None:
    keys = {
        cache_key(b"session: x", "x.abs.yaml", NO_OPTIONS),
        cache_key(b"session: y", "x.abs.yaml", NO_OPTIONS),
        cache_key(b"session: x", "y.abs.yaml", NO_OPTIONS),
        cache_key(b"session: x", "x.abs.json", NO_OPTIONS),
        cache_key(b"session: x", "x.abs.yaml", {**NO_OPTIONS, "observe": "tools"}),
        cache_key(b"session: x", "x.abs.yaml", {**NO_OPTIONS, "targets": {"a": ["b"]}}),
        cache_key(b"session: x", "x.abs.yaml", {**NO_OPTIONS, "targets": {"a": ["b", "c"]}}),
        cache_key(b"", "x.abs.yamlsession: x", NO_OPTIONS),
    }
    assert len(keys) == 8
    assert all(len(key) == 64 for key in keys)


def test_the_order_of_keys_plays_no_part() -> None:
    options = {"observe": "all", "targets": {"a": ["1"], "b": ["2"]}, "limits": None}
    turned = {"limits": None, "targets": {"b": ["2"], "a": ["1"]}, "observe": "all"}
    assert cache_key(b"x", "x", options) == cache_key(b"x", "x", turned)


def test_options_as_plain_data_and_back() -> None:
    assert plain_options(None) == plain_options(CompileOptions()) == NO_OPTIONS
    for options in (
        CompileOptions(),
        CompileOptions(observe="tools", targets={"a": ("b", "c*")}),
        CompileOptions(limits=Limits(depth=7, nodes=9)),
    ):
        assert full_options(plain_options(options)) == options
        assert plain_options(full_options(plain_options(options))) == plain_options(options)


@pytest.fixture
def copied_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small package that passes for this one."""
    package = tmp_path / "abs_compiler"
    (package / "ir").mkdir(parents=True)
    for name in ("__init__.py", "ir/build.py", "ir/notes.txt"):
        (package / name).write_text("")
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar" / "predicate.lark").write_text("start:")
    monkeypatch.setattr(abs_compiler, "__file__", str(package / "__init__.py"))
    compiler_identity.cache_clear()
    yield package
    compiler_identity.cache_clear()


def identity() -> bytes:
    compiler_identity.cache_clear()
    return compiler_identity()


def test_the_compiler_is_known_by_its_version_and_its_files(
    copied_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [identity()]
    assert identity() == seen[0]
    (copied_package / "ir" / "notes.txt").write_text("not part of the compiler")
    assert identity() == seen[0]
    source = copied_package / "ir" / "build.py"
    source.write_text("x = 1")
    seen.append(identity())
    status = source.stat()
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    seen.append(identity())
    (copied_package / "ir" / "more.py").touch()
    seen.append(identity())
    (copied_package.parent / "grammar" / "predicate.lark").write_text("start: x")
    seen.append(identity())
    monkeypatch.setattr(fingerprint, "__version__", "9.9.9")
    seen.append(identity())
    assert len(set(seen)) == len(seen)


def test_a_compiler_without_files_is_known_by_its_version(copied_package: Path) -> None:
    shutil.rmtree(copied_package.parent)
    assert identity().startswith(abs_compiler.__version__.encode() + b" ")
