"""Small machines over event classes, and what several of them can reach together.

A machine reads classes of events one by one: `start`, `step(state, class)`, `result(state)`. The machine of required
behaviors says PASSED once all are matched; the machine of a chain evaluation says what the evaluation would say if the
run ended there, as the runtime's does; the machine of a limit on extras counts calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import attrs

from abs_compiler.automaton.alphabet import EventClass
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.automaton import Automaton, Segment, State
from abs_compiler.runtime.chain import YES
from abs_compiler.runtime.outcome import FAILED, INCONCLUSIVE, PASSED, Outcome, compose

MOST_STATES = 3_000

_State: TypeAlias = Hashable


class Machine(Protocol):
    @property
    def start(self) -> Any: ...
    def step(self, state: Any, event: EventClass) -> Any: ...
    def result(self, state: Any) -> str: ...


class TooManyStatesError(Exception):
    """More states than are looked at."""


@attrs.frozen(slots=False, repr=False, eq=False)
class Reached(ReprMixin):
    """What can be reached: for every combination of results, in the order of the machines, the shortest run of
    classes that leads there."""

    runs: dict[tuple[str, ...], tuple[EventClass, ...]]


def reach(
    machines: Sequence[Machine],
    classes: Iterable[EventClass],
    limit: int = MOST_STATES,
    spend: Callable[[int], None] = lambda steps: None,
    stop: Callable[[tuple[str, ...]], bool] | None = None,
) -> Reached:
    """All combinations of results that runs over some classes lead to; no more are looked for once one is found that
    says `stop`. Steps of machines are counted with `spend`, which may raise. TooManyStatesError."""
    alphabet = tuple(classes)
    start = tuple(machine.start for machine in machines)
    found: list[tuple[Any, ...]] = [start]
    came: dict[tuple[Any, ...], tuple[tuple[Any, ...], EventClass] | None] = {start: None}
    first: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for state in found:  # grows while it is walked
        results = tuple(m.result(s) for m, s in zip(machines, state, strict=True))
        if results not in first:
            first[results] = state
            if stop is not None and stop(results):
                break
        spend(len(alphabet) * len(machines))
        for event in alphabet:
            following = tuple(m.step(s, event) for m, s in zip(machines, state, strict=True))
            if following not in came:
                if len(found) >= limit:
                    raise TooManyStatesError
                came[following] = (state, event)
                found.append(following)
    return Reached({results: _run(came, state) for results, state in first.items()})


def _run(came: dict[Any, Any], state: Any) -> tuple[EventClass, ...]:
    run: list[EventClass] = []
    while (step := came[state]) is not None:
        state, event = step
        run.append(event)
    return tuple(reversed(run))


# --- behaviors ------------------------------------------------------------------------------------------------------


class Steps:
    """Required behaviors, as segments: ordered behaviors alone, the members of a group together."""

    def __init__(self, segments: Iterable[Sequence[int]]) -> None:
        self._automaton = Automaton(tuple(Segment({1 << i: (1 << i,) for i in run}) for run in segments), 1 << 60)

    @property
    def start(self) -> State:
        return self._automaton.start

    def step(self, state: State, event: EventClass) -> State:
        return self._automaton.advance(state, event.satisfied) if event.satisfied & state.open else state

    def result(self, state: State) -> str:
        return PASSED if state.done else FAILED


@attrs.frozen(slots=False, repr=False, eq=False)
class CountedCalls(ReprMixin):
    """A limit on counted calls: on all of them, extras and matched ones together, and on those that no behavior could
    match, which are extras for sure. `among` is the mask of the behaviors that could."""

    most: int
    most_unmatched: int
    among: int

    @property
    def start(self) -> tuple[int, int]:
        return 0, 0

    def step(self, state: tuple[int, int], event: EventClass) -> tuple[int, int]:
        every, unmatched = state
        if not event.counted:
            return state
        unmatched += int(not event.satisfied & self.among)
        return min(every + 1, self.most + 1), min(unmatched, self.most_unmatched + 1)

    def result(self, state: tuple[int, int]) -> str:
        every, unmatched = state
        return PASSED if every <= self.most and unmatched <= self.most_unmatched else FAILED


# --- chain evaluations ----------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class Count(ReprMixin):
    """eventually, never, count and the session's tool_call: `selector` is the number of theirs among the classes'
    selections. A state is how many events were selected, surely and perhaps, up to what can matter."""

    selector: int
    least: int | None
    most: int | None
    negated: bool = False

    @property
    def start(self) -> tuple[int, int]:
        return 0, 0

    def step(self, state: tuple[int, int], event: EventClass) -> tuple[int, int]:
        answer = event.selected[self.selector]
        if not answer:
            return state
        enough = max(self.least or 0, 0 if self.most is None else self.most + 1)
        sure, perhaps = state
        return (min(sure + 1, enough), perhaps) if answer == YES else (sure, min(perhaps + 1, enough))

    def result(self, state: tuple[int, int]) -> str:
        results = []
        sure, perhaps = state
        if self.least is not None:
            counted_in, counted_out = sure + perhaps >= self.least, sure >= self.least
            open_ = self.negated and counted_in != counted_out
            results.append(INCONCLUSIVE if open_ else PASSED if counted_in else FAILED)
        if self.most is not None:
            results.append(FAILED if sure > self.most else INCONCLUSIVE if sure + perhaps > self.most else PASSED)
        return next((each for each in (FAILED, INCONCLUSIVE) if each in results), PASSED)


@attrs.frozen(slots=False, repr=False, eq=False)
class InOrder(ReprMixin):
    """sequence: how many of the selectors were met in order, with doubtful events counted in and counted out."""

    selectors: tuple[int, ...]
    negated: bool = False

    @property
    def start(self) -> tuple[int, int]:
        return 0, 0

    def step(self, state: tuple[int, int], event: EventClass) -> tuple[int, int]:
        counted_in, counted_out = state
        size = len(self.selectors)
        if counted_in < size and event.selected[self.selectors[counted_in]]:
            counted_in += 1
        if counted_out < size and event.selected[self.selectors[counted_out]] == YES:
            counted_out += 1
        return counted_in, counted_out

    def result(self, state: tuple[int, int]) -> str:
        counted_in, counted_out = (each == len(self.selectors) for each in state)
        if counted_in != counted_out and self.negated:
            return INCONCLUSIVE
        return PASSED if counted_in else FAILED


@attrs.frozen(slots=False, repr=False, eq=False)
class Within(ReprMixin):
    """within: how long ago `after` was last met, and whether `match` was met in time; counted in and counted out."""

    after: int
    match: int
    steps: int
    negated: bool = False

    @property
    def start(self) -> tuple[int | None, int | None, bool, bool]:
        return None, None, False, False

    def step(
        self, state: tuple[int | None, int | None, bool, bool], event: EventClass
    ) -> tuple[int | None, int | None, bool, bool]:
        ago_in, ago_out, hit_in, hit_out = state
        after, match = event.selected[self.after], event.selected[self.match]
        ago_in, ago_out = self._later(ago_in), self._later(ago_out)
        hit_in |= bool(match) and ago_in is not None
        hit_out |= match == YES and ago_out is not None
        if after:
            ago_in = 0
            if after == YES:
                ago_out = 0
        return ago_in, ago_out, hit_in, hit_out

    def _later(self, ago: int | None) -> int | None:
        return None if ago is None or ago >= self.steps else ago + 1

    def result(self, state: tuple[int | None, int | None, bool, bool]) -> str:
        _, _, hit_in, hit_out = state
        if hit_in != hit_out and self.negated:
            return INCONCLUSIVE
        return PASSED if hit_in else FAILED


@attrs.frozen(slots=False, repr=False, eq=False)
class Composed(ReprMixin):
    """all_of, any_of and none_of over the machines of their parts."""

    kind: str
    threshold: float | None
    parts: tuple[Machine, ...]

    @property
    def start(self) -> tuple[Any, ...]:
        return tuple(part.start for part in self.parts)

    def step(self, state: tuple[Any, ...], event: EventClass) -> tuple[Any, ...]:
        return tuple(part.step(each, event) for part, each in zip(self.parts, state, strict=True))

    def result(self, state: tuple[Any, ...]) -> str:
        outcomes = [Outcome(part.result(each)) for part, each in zip(self.parts, state, strict=True)]
        found: str = compose(self.kind, self.threshold, outcomes).state
        return found
