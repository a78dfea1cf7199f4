"""Which arguments are specs and which are recorded runs, and which run belongs to which spec.

A file is a spec when its name ends in `.abs.yaml`, `.abs.yml`, `.abs.json`, `.yaml` or `.yml`, a compiled spec when it
ends in `.absc`, and a recorded run when it ends in any other `.json` or in `.jsonl`. A folder stands for the
`*.abs.yaml`, `*.abs.yml`, `*.abs.json`, `*.json` and `*.jsonl` below it, hidden ones left out, and for every `*.absc`
that has no spec of its name beside it, but never for the file that the report goes to. `-` is a recorded run on
standard input. Specs that git ignores are left out of folders, as `absc lint` does; recorded runs and compiled specs,
which are often kept out of repositories, are not.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.options import ARTIFACT_ENDING
from abs_compiler.files import reason

STDIN = Path("-")

_ABS_ENDINGS = (".abs.yaml", ".abs.yml", ".abs.json")
_SPEC_ENDINGS = (*_ABS_ENDINGS, ".yaml", ".yml", ARTIFACT_ENDING)
_TRACE_ENDINGS = (".json", ".jsonl")


def specs_among(arguments: Iterable[str]) -> list[Path]:
    """The specs that arguments name: every file (whatever its name), and the `*.abs.*` files below every folder.

    Raises CommandError for a folder that holds none or cannot be read.
    """
    specs: list[Path] = []
    for argument in arguments:
        if not is_folder(Path(argument)):
            specs.append(Path(argument))
            continue
        found, why_none = _specs_below(argument)
        if not found:
            raise CommandError(f"no spec in `{argument}`: {why_none}")
        specs.extend(found)
    return _once(specs)


class Inputs:
    """The `specs` and recorded runs (`traces`) of a command line; `found` are the runs that only a folder gave."""

    __slots__ = ("found", "specs", "traces")

    def __init__(self, specs: list[Path], traces: list[Path], named: Iterable[Path]) -> None:
        self.specs = _once(specs)
        self.traces = _once(traces)
        places = {os.path.realpath(path) for path in named}
        self.found = frozenset(path for path in self.traces if os.path.realpath(path) not in places)


def specs_and_traces(arguments: Sequence[str], traces: Sequence[str] = (), output: str | None = None) -> Inputs:
    """The specs and the recorded runs that arguments name; `traces` are runs whatever their names, and `output` is
    where the report goes.

    Raises CommandError when there is no spec or no run, and for a name that says neither.
    """
    specs: list[Path] = []
    runs: list[Path] = []
    named: list[Path] = [Path(trace) for trace in traces]
    ignored: list[str] = []
    for argument in arguments:
        path = Path(argument)
        if argument == "-":
            runs.append(STDIN)
            named.append(STDIN)
        elif is_folder(path):
            inside = [item for item in _below(argument) if not _is_report(item, output)]
            present = [item for item in inside if _ends(item, _ABS_ENDINGS)]
            found = [item for item in _specs_below(argument)[0] if not _is_report(item, output)] if present else []
            if present and not found:
                ignored.append(argument)
            stems = {item.with_name(_stem(item, _ABS_ENDINGS)) for item in present}
            compiled = [item for item in inside if is_artifact_name(item)]
            found += [item for item in compiled if item.with_name(_stem(item, _SPEC_ENDINGS)) not in stems]
            recorded = [item for item in inside if _ends(item, _TRACE_ENDINGS) and not _ends(item, _ABS_ENDINGS)]
            if not present and not found and not recorded:
                raise CommandError(f"neither a spec nor a recorded run in `{argument}`")
            specs.extend(found)
            runs.extend(recorded)
        elif _ends(path, _SPEC_ENDINGS):
            specs.append(path)
        elif _ends(path, _TRACE_ENDINGS):
            runs.append(path)
            named.append(path)
        elif not _exists(path):
            raise CommandError(f"cannot read `{argument}`: no such file or directory")
        else:
            raise CommandError(
                f"`{argument}` is neither a spec ({', '.join(_SPEC_ENDINGS)}) nor a recorded run "
                f"({', '.join(_TRACE_ENDINGS)}) by its name; `--trace FILE` takes a run of any name"
            )
    runs.extend(Path(trace) for trace in traces)
    if not specs and ignored:
        raise CommandError(f"no spec given: git ignores all that are in {', '.join(f'`{item}`' for item in ignored)}")
    if not specs:
        raise CommandError(f"no spec given: names of specs end in {', '.join(_SPEC_ENDINGS)}")
    if not runs:
        raise CommandError("no recorded run given: name a .json or .jsonl file, or `-` for standard input")
    if runs.count(STDIN) > 1:
        raise CommandError("standard input (`-`) can be read once only")
    return Inputs(specs, runs, named)


def pair_by_stem(
    specs: Sequence[Path], traces: Sequence[Path], found: Container[Path] = ()
) -> tuple[dict[Path, list[Path]], list[Path]]:
    """For every run the spec of its name: `refund.json` and `refund.2.jsonl` go with `refund.abs.yaml`. And the runs
    among `found` that no spec goes by the name of: not every `.json` in a folder is a recorded run.

    Where names of several specs begin a run's name, the longest counts; where specs in several folders have it, those
    in the run's own folder if there is one. Raises CommandError for a spec without a run, and for any other run
    without a spec, since nothing may pass for lack of input.
    """
    specs_of: dict[Path, list[Path]] = {}
    strays: list[Path] = []
    for trace in traces:
        stem = _stem(trace, _TRACE_ENDINGS)
        fitting = [spec for spec in specs if f"{stem}.".startswith(_stem(spec, _SPEC_ENDINGS) + ".")]
        if not fitting and trace in found:
            strays.append(trace)
            continue
        if not fitting:
            raise CommandError(f"no spec goes by the name of `{trace.as_posix()}` (with `--pair stem`)")
        longest = max(len(_stem(spec, _SPEC_ENDINGS)) for spec in fitting)
        named = [spec for spec in fitting if len(_stem(spec, _SPEC_ENDINGS)) == longest]
        specs_of[trace] = [spec for spec in named if spec.parent == trace.parent] or named
    for spec in specs:
        if not any(spec in paired for paired in specs_of.values()):
            raise CommandError(f"no recorded run goes by the name of `{spec.as_posix()}` (with `--pair stem`)")
    return specs_of, strays


def read_standard_input(limit: int = -1) -> bytes:
    """Standard input, at most `limit` bytes of it where that is not negative. Raises CommandError."""
    try:
        if sys.stdin is not None:
            return sys.stdin.buffer.read(limit)
    except OSError as error:
        raise CommandError(f"cannot read standard input: {reason(error)}") from None
    raise CommandError("cannot read standard input: it is closed")


def is_artifact_name(path: Path) -> bool:
    """Whether a file is a compiled spec by its name."""
    return _ends(path, (ARTIFACT_ENDING,))


def artifact_name(spec: Path) -> str:
    """The name of the file that a spec compiles to: `refund.absc` for `refund.abs.yaml`."""
    return (_stem(spec, (*_SPEC_ENDINGS, ".json")) or spec.name) + ARTIFACT_ENDING


def _specs_below(folder: str) -> tuple[list[Path], str]:
    """The specs below a folder that git does not ignore; where there are none, why. Raises CommandError."""
    from abs_compiler.lint.discovery import UnreadableFolderError, find_specs  # only where a folder is named

    try:
        found, empty = find_specs([folder], lambda _: False)
    except UnreadableFolderError as error:
        raise CommandError(f"cannot read `{error.folder}`: {reason(error.error)}") from None
    return [Path(path) for path in found], empty.get(folder, "")


def _below(folder: str) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise CommandError(f"cannot read `{error.filename}`: {reason(error)}")

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(place, name)


def _is_report(path: Path, output: str | None) -> bool:
    """Whether a file is where the report goes: `--output`, or what standard output was redirected to."""
    try:
        if output is not None and Path(output).exists() and path.samefile(output):
            return True
        return sys.__stdout__ is not None and os.path.samestat(path.stat(), os.fstat(sys.__stdout__.fileno()))
    except (OSError, ValueError):  # no such file, or a standard output that is none
        return False


def is_folder(path: Path) -> bool:
    """Whether a path is a folder that can be seen."""
    try:
        return path.is_dir()
    except OSError:  # opening it will say why
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return True


def _ends(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(endings)


def _stem(path: Path, endings: tuple[str, ...]) -> str:
    name = path.name.lower()
    ending = next((ending for ending in endings if name.endswith(ending)), "")
    return path.name[: len(name) - len(ending)]


def _once(paths: list[Path]) -> list[Path]:
    seen: dict[str, Path] = {}
    for path in paths:
        seen.setdefault("-" if path == STDIN else os.path.realpath(path), path)
    return list(seen.values())
