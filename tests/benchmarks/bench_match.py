"""What matching costs, beside reading the run's JSON alone.

    python -m tests.benchmarks.bench_match

Every workload is matched with many runs in turn; a run is a list of events, so reading it is not part of matching.
Explaining a failure includes the text of the report.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable

import abs_compiler as absc
from tests.benchmarks.runs import Event, failing, few_in_order, order_and_group, overlapping_group
from tests.benchmarks.support import Ratio, interleaved, report

_RUNS = 12
_FLOOR = "json.loads of the run"


def measure(rounds: int = 25) -> list[Ratio]:
    """The ratios."""
    return [
        _matching("5 calls in order, 50 events", *few_in_order(), 0.25, rounds),
        _matching("order and a group of 8, 200 events", *order_and_group(), 0.25, rounds),
        _matching("a group of 20 that overlap, 500 events", *overlapping_group(), 0.35, rounds),
        _explaining("a failure explained, 50 events", *few_in_order(), rounds),
        _explaining("a failure explained, 500 events", *overlapping_group(), rounds),
        _large_group(rounds),
    ]


def _matching(name: str, text: str, run: Callable[[random.Random], list[Event]], bar: float, rounds: int) -> Ratio:
    (matcher,) = absc.compile_text(text)
    runs = _runs(run)
    assert all(matcher.match(one).status == "passed" for one in runs)
    return _beside_json(name, lambda: [matcher.match(one).status for one in runs], runs, bar, rounds)


def _explaining(name: str, text: str, run: Callable[[random.Random], list[Event]], rounds: int) -> Ratio:
    (matcher,) = absc.compile_text(text)
    runs = _runs(failing(run))
    assert all(matcher.match(one).status == "failed" for one in runs)
    return _beside_json(name, lambda: [matcher.match(one).explain() for one in runs], runs, 5, rounds)


def _large_group(rounds: int) -> Ratio:
    """One run with a matcher that has seen none, so that nothing is remembered."""
    text, run = overlapping_group(200, 1000)
    (matcher,) = absc.compile_text(text)
    data = matcher.to_bytes()
    runs = _runs(run)[:1]

    def fresh() -> str:
        (new,) = absc.load(data)
        return new.match(runs[0]).status

    assert fresh() == "passed"
    return _beside_json("a group of 200, loaded and matched once", fresh, runs, float("inf"), rounds)


def _runs(run: Callable[[random.Random], list[Event]]) -> list[list[Event]]:
    source = random.Random(7)
    return [run(source) for _ in range(_RUNS)]


def _beside_json(name: str, match: Callable[[], object], runs: list[list[Event]], bar: float, rounds: int) -> Ratio:
    texts = [json.dumps(one) for one in runs]
    costs = interleaved({"match": match, "json": lambda: [json.loads(text) for text in texts]}, rounds)
    return Ratio(name, _FLOOR, costs["match"] / len(runs), costs["json"] / len(runs), bar=bar)


if __name__ == "__main__":
    sys.exit(report(measure()))
