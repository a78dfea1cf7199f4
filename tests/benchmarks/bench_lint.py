"""What linting costs: many files at once, and one file from a cold start.

    python -m tests.benchmarks.bench_lint

Many files are 200 specs of 30 behaviors each, held against PyYAML's `safe_load` (its Python loader) reading the same
files in one process; both are whole processes, and their time is that on the clock, as linting uses several processors.
One file is held against `python3 -c pass`, in processor time.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.specs import spec_text
from tests.benchmarks.support import Ratio, interleaved_processes, report
from tests.support.absc import environment

BEHAVIORS = 30
FILES = 200
LINT = ("-m", "abs_compiler.cli", "lint")
_LOAD = """
import pathlib, yaml
for path in sorted(pathlib.Path("specs").iterdir()):
    yaml.safe_load(path.read_text(encoding="utf-8"))
"""


def measure(rounds: int = 15) -> list[Ratio]:
    """The ratios."""
    with tempfile.TemporaryDirectory() as place:
        return [*_many(Path(place, "many"), 3), *_one(Path(place, "one"), rounds)]


def _many(folder: Path, rounds: int) -> list[Ratio]:
    specs = folder / "specs"
    specs.mkdir(parents=True)
    for number in range(FILES):
        (specs / f"orders-{number:03}.abs.yaml").write_text(_spec(number), encoding="utf-8")
    commands = {
        "cold": [*LINT, "--no-cache", "specs"],
        "fill": [*LINT, "specs"],
        "cached": [*LINT, "specs"],
        "safe_load": ["-c", _LOAD],
    }
    costs = _on_the_clock(commands, folder, rounds)
    return [
        Ratio(f"lint, {FILES} files, cold", "yaml.safe_load of them", costs["cold"], costs["safe_load"], bar=1 / 3),
        Ratio(f"lint, {FILES} files, cached", "lint of them, cold", costs["cached"], costs["cold"], bar=0.2),
    ]


def _one(folder: Path, rounds: int) -> list[Ratio]:
    folder.mkdir()
    (folder / "plain.abs.yaml").write_text(_spec(0), encoding="utf-8")
    (folder / "predicates.abs.yaml").write_text(_spec(0, predicates=True), encoding="utf-8")
    costs = interleaved_processes(
        {
            "pass": ["-c", "pass"],
            "cached": [*LINT, "plain.abs.yaml"],
            "plain": [*LINT, "--no-cache", "plain.abs.yaml"],
            "predicates": [*LINT, "--no-cache", "predicates.abs.yaml"],
        },
        folder,
        rounds,
    )
    floor = "python3 -c pass"
    return [
        Ratio("lint, one file, cached", floor, costs["cached"], costs["pass"], bar=6),
        Ratio("lint, one file, without predicates", floor, costs["plain"], costs["pass"], bar=9),
        Ratio("lint, one file, with predicates", floor, costs["predicates"], costs["pass"], bar=14),
    ]


def _spec(number: int, *, predicates: bool = False) -> str:
    """A spec without findings; no two of a run are equal."""
    text = spec_text(BEHAVIORS).replace("questions about orders", f"questions about orders {number}")
    return re.sub(r"limit: \d+}", "limit: {$is: 'integer in 0..50'}}", text) if predicates else text


def _on_the_clock(commands: Mapping[str, Sequence[str]], folder: Path, rounds: int) -> dict[str, float]:
    """The median time on the clock of a process of each command. The cache is emptied before each round."""
    settings = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    settings["ABS_CACHE_DIR"] = str(folder / "cache")
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for kept in (folder / "cache").glob("*.entry"):
            kept.unlink()
        for name, arguments in commands.items():
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, *arguments],
                cwd=folder,
                env=environment(settings),
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if number:  # the first time fills the folder of bytecode
                times[name].append(time.perf_counter() - started)
    return {name: statistics.median(found) for name, found in times.items()}


if __name__ == "__main__":
    sys.exit(report(measure()))
