"""Linting many files: paths in, their findings as plain data out, from the cache where the file is known.

Nothing of the compiler is imported for files that the cache knows. What it does not know is shared among the
processors. A file that breaks the compiler gives a finding that says so and spoils none of the others.
"""

from __future__ import annotations

import json
import marshal
import os
import sys

from abs_compiler.artifact.entry import encode_entry
from abs_compiler.artifact.fingerprint import cache_key
from abs_compiler.files import display_name, read_at_most, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from abs_compiler.artifact.cache import Cache

    PlainOptions = dict[str, Any]

FILE_BYTES = 1 << 20
_FEW = 12  # so many files are not worth another process
_MOST_PROCESSES = 8


class Job:
    """A file to lint: its path, how messages call it, its bytes (None where it cannot be read, `problem` says why), the
    options it is compiled and linted with, and whether it came from standard input, so that `path` is but a name."""

    __slots__ = ("data", "name", "options", "path", "problem", "stdin")

    def __init__(
        self,
        path: str,
        name: str,
        data: bytes | None,
        options: PlainOptions,
        problem: str = "",
        *,
        stdin: bool = False,
    ) -> None:
        self.path = path
        self.name = name
        self.data = data
        self.options = options
        self.problem = problem
        self.stdin = stdin

    def changed(self, data: bytes) -> Job:
        """The same file with other bytes."""
        return Job(self.path, self.name, data, self.options, stdin=self.stdin)


class Findings:
    """What was found in a file, as plain data (see `artifact.warnings` and `encode_suppressions`)."""

    __slots__ = ("diagnostics", "suppressions")

    def __init__(self, diagnostics: list[Any], suppressions: list[Any]) -> None:
        self.diagnostics = diagnostics
        self.suppressions = suppressions


def read_job(path: str, options: PlainOptions) -> Job:
    """The job of a file; that it cannot be read is found out here."""
    limits = options["limits"] or {}
    name = display_name(path)
    try:
        return Job(path, name, read_at_most(path, limits.get("file_bytes", FILE_BYTES)), options)
    except OSError as error:
        return Job(path, name, None, options, f"cannot read the file: {reason(error)}")
    except ValueError:  # a NUL in the name
        return Job(path, name, None, options, "cannot read the file: not a file name")


def lint_jobs(jobs: Sequence[Job], cache: Cache | None) -> list[Findings]:
    """The findings of every job, in their order."""
    found: list[Findings | None] = [None] * len(jobs)
    keys: list[str] = []
    for index, job in enumerate(jobs):
        key = ""
        if job.data is not None and cache is not None:
            key = cache_key(job.data, ".json" if job.name.endswith(".json") else "", job.options)
            found[index] = _kept(cache, key)
        keys.append(key)
    left = [index for index in range(len(jobs)) if found[index] is None]
    if left:
        _lint_left(jobs, keys, left, cache, found)
    return [item for item in found if item is not None]


def _kept(cache: Cache, key: str) -> Findings | None:
    entry = cache.get(key)
    if entry is None:
        return None
    diagnostics, rest = entry
    return Findings(diagnostics, [] if rest == b"[]" else json.loads(rest))


def _lint_left(
    jobs: Sequence[Job], keys: Sequence[str], left: list[int], cache: Cache | None, found: list[Findings | None]
) -> None:
    import gc

    from abs_compiler.lint.one_file import lint_one

    # Compiling makes many values and hardly any cycles: looking for those is a sixth of all the time.
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)

    def lint(indexes: Sequence[int]) -> list[tuple[int, list[Any], list[Any]]]:
        rows = []
        for index in indexes:
            findings, keep = lint_one(jobs[index])
            if keep and cache is not None:
                entry = encode_entry(keys[index], findings.diagnostics, json.dumps(findings.suppressions).encode())
                cache.put(keys[index], entry, jobs[index].name)
            rows.append((index, findings.diagnostics, findings.suppressions))
        return rows

    processes = min(_MOST_PROCESSES, _processors(), len(left) // _FEW)
    by_size = sorted(left, key=lambda index: -len(jobs[index].data or b""))
    rows = _shared_out(by_size, processes, lint, cache) if processes > 1 else lint(left)
    for index, diagnostics, suppressions in rows:
        found[index] = Findings(diagnostics, suppressions)


def _processors() -> int:
    if not hasattr(os, "fork"):
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):  # not on every system
        return os.cpu_count() or 1


def _shared_out(
    indexes: Sequence[int],
    processes: int,
    lint: Callable[[Sequence[int]], list[tuple[int, list[Any], list[Any]]]],
    cache: Cache | None,
) -> list[tuple[int, list[Any], list[Any]]]:
    """Lint in several processes, this one among them. What a process that died has left is done here."""
    sys.stdout.flush()
    sys.stderr.flush()
    children = [_child(indexes[number::processes], lint, cache) for number in range(1, processes)]
    rows = lint(indexes[::processes])
    for number, (process, pipe) in enumerate(children, start=1):
        with open(pipe, "rb") as answers:
            data = answers.read()
        os.waitpid(process, 0)
        try:
            more, notes = marshal.loads(data)
        except (EOFError, ValueError, TypeError):
            more, notes = lint(indexes[number::processes]), []
        rows.extend(more)
        if cache is not None:
            cache.notes.extend(note for note in notes if note not in cache.notes)
    return rows


def _child(
    indexes: Sequence[int], lint: Callable[[Sequence[int]], list[tuple[int, list[Any], list[Any]]]], cache: Cache | None
) -> tuple[int, int]:
    """A process that lints some of the files and writes what it found to the pipe that is given back."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    status = 1
    try:
        os.close(reading)
        before = len(cache.notes) if cache is not None else 0
        rows = lint(indexes)
        with open(writing, "wb") as answers:
            marshal.dump((rows, [] if cache is None else cache.notes[before:]), answers)
        status = 0
    finally:
        os._exit(status)  # nothing that belongs to the parent may run here, whatever happened
