"""Measuring: what something costs as a ratio to a floor measured in the same run.

Candidates take turns, a few milliseconds each, for many rounds; the median of each counts. Times are those of the
processor, so that a busy machine changes little. A bar is what must hold, a goal what would be better still.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.absc import environment

TURN_SECONDS = 0.004


@dataclass(frozen=True)
class Ratio:
    """One measure: what it costs, what the floor costs (both in seconds), and what their ratio must not exceed."""

    name: str
    floor: str
    cost: float
    floor_cost: float
    bar: float
    goal: float | None = None

    @property
    def value(self) -> float:
        """The cost in units of the floor."""
        return self.cost / self.floor_cost

    @property
    def holds(self) -> bool:
        """Whether the bar holds."""
        return self.value <= self.bar

    def __str__(self) -> str:
        goal = "" if self.goal is None else f", goal {self.goal:g}"
        met = "" if self.goal is None or self.value > self.goal else ", goal met"
        return (
            f"{self.name:<38}{self.value:8.3f} x {self.floor:<34} (bar {self.bar:g}{goal}; "
            f"{_time(self.cost)} / {_time(self.floor_cost)}){met if self.holds else '  ABOVE THE BAR'}"
        )


def interleaved(candidates: Mapping[str, Callable[[], object]], rounds: int = 25) -> dict[str, float]:
    """The median processor time of one call of each candidate, in seconds."""
    calls = {name: _calls_a_turn(candidate) for name, candidate in candidates.items()}
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, candidate in candidates.items():
            count = calls[name]
            started = time.process_time()
            for _ in range(count):
                candidate()
            times[name].append((time.process_time() - started) / count)
    return {name: statistics.median(found) for name, found in times.items()}


def interleaved_processes(commands: Mapping[str, Sequence[str]], folder: Path, rounds: int = 15) -> dict[str, float]:
    """The median processor time of a process of each command (arguments of this Python), in seconds. What is compiled
    when modules are imported is kept in `folder`, as it is where a package is installed."""
    settings = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, arguments in commands.items():
            before = _children()
            subprocess.run(
                [sys.executable, *arguments],
                cwd=folder,
                env=environment(settings),
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if number:  # the first time fills the folder
                times[name].append(_children() - before)
    return {name: statistics.median(found) for name, found in times.items()}


def report(ratios: Iterable[Ratio]) -> int:
    """Print the ratios; the exit status, 1 where a bar does not hold."""
    found = list(ratios)
    for ratio in found:
        print(ratio)
    return int(not all(ratio.holds for ratio in found))


def _calls_a_turn(candidate: Callable[[], object]) -> int:
    candidate()
    started = time.process_time()
    candidate()
    return max(1, int(TURN_SECONDS / max(time.process_time() - started, 1e-7)))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"


assert os.name == "posix", "benchmarks measure processes in a way that only POSIX systems have"
