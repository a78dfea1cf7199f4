"""One matcher used by many threads at once gives the verdicts of a single thread, however often its caches are flushed.

Interpreters switch threads thousands of times a second here, and the automata may keep one to three transitions only.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from abs_compiler.runtime import Matcher, load_programs
from abs_compiler.runtime.artifact import canonical, load
from tests.support.oracle.compare import runtime_event
from tests.support.oracle.generate import RandomCase, random_case

THREADS = 8
SECONDS = 3.0
TRACES = 12


@pytest.fixture(autouse=True)
def _hurried_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def has_group(case: RandomCase) -> bool:
    return any(end - start > 2 for start, end in case.program["groups"])


def wide_cases(wanted: int) -> list[RandomCase]:
    """Cases with a group of three or more, and among them some with optional behaviors and captures."""
    found = (random_case(Random(seed), behaviors=8, events=9) for seed in range(5_000_000, 5_100_000))
    return [case for case, _ in zip(filter(has_group, found), range(wanted), strict=False)]


def traces_for(case: RandomCase, random: Random) -> list[list[Any]]:
    """Traces made of the case's own events, shuffled and repeated."""
    events = [runtime_event(event) for event in case.events] or [{"actor": "user", "action": "says"}]
    return [[random.choice(events) for _ in range(random.randint(0, 14))] for _ in range(TRACES)]


def report(matcher: Matcher, trace: list[Any]) -> Any:
    verdict = matcher.match(trace)
    return verdict.to_dict(), verdict.explain()


def fed(matcher: Matcher, trace: list[Any]) -> Any:
    monitor = matcher.monitor()
    for event in trace:
        monitor.feed(event)
    verdict = monitor.finish()
    return verdict.to_dict(), verdict.explain()


class Job:
    """A matcher that all threads share, its traces, and the reports of a matcher that no thread shares."""

    def __init__(self, case: RandomCase, budget: int, seed: int) -> None:
        program = json.loads(canonical(case.program))  # reports list keys in the order of artifacts
        (shared,) = load_programs([program], budget=budget)
        self.unbound = shared
        self.bindings = case.bindings
        self.matcher = shared.bind(case.bindings)
        self.traces = traces_for(case, Random(seed))
        (alone,) = load_programs([program])
        self.wanted = [report(alone.bind(case.bindings), trace) for trace in self.traces]

    def run(self, random: Random) -> str | None:
        """Match one trace in one of the ways there are; what went wrong."""
        number = random.randrange(len(self.traces))
        trace, wanted = self.traces[number], self.wanted[number]
        match random.randrange(6):
            case 0:  # bound anew: the automata are shared all the same
                given = report(self.unbound.bind(self.bindings), trace)
            case 1:
                given = fed(self.matcher, trace)
            case 2:
                (copy,) = load(self.matcher.to_bytes())
                given = report(copy, trace)
            case _:
                given = report(self.matcher, trace)
        return None if given == wanted else f"trace {number} of {trace!r}"


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_shared_by_eight_threads(budget: int) -> None:
    jobs = [Job(case, budget, seed) for seed, case in enumerate(wide_cases(25))]
    wrong: list[str] = []
    rounds = [0] * THREADS
    start = threading.Barrier(THREADS)

    def work(number: int) -> None:
        random = Random(number)
        start.wait()
        deadline = time.monotonic() + SECONDS
        try:
            while time.monotonic() < deadline and not wrong:
                found = random.choice(jobs).run(random)
                rounds[number] += 1
                if found:
                    wrong.append(found)
        except Exception as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert min(rounds) > 10
    assert sum(flushes(job.matcher) for job in jobs) > sum(rounds) // 10


def flushes(matcher: Matcher) -> int:
    return sum(automaton.flushes for automaton in matcher._automata.values())
