"""What can be said about all runs of a session: its IR and its program in, answers about behaviors and evaluations out.

Every answer is either certain or not given: classes cover every event there is (`alphabet`), and where there are more
classes or states than are looked at, nothing is said.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from abs_compiler.automaton.alphabet import (
    CallTest,
    EventClass,
    Selecting,
    TooManyClassesError,
    event_classes,
    ignored_set,
    is_call_of_people,
    target_set,
)
from abs_compiler.automaton.checks import ChainCheck, Selectors, chain_checks
from abs_compiler.automaton.machines import CountedCalls, Machine, Steps, TooManyStatesError, reach
from abs_compiler.automaton.step_sets import StepSet, step_sets
from abs_compiler.automaton.value_sets import is_empty
from abs_compiler.ir import Ir
from abs_compiler.ir.targets import Overlap, overlap
from abs_compiler.predicate.domains import intersection
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.checks import Selector
from abs_compiler.runtime.classify import is_call
from abs_compiler.runtime.outcome import FAILED, PASSED
from abs_compiler.runtime.program import Program, decode_program
from abs_compiler.runtime.roles import Roles
from abs_compiler.runtime.targets import TargetNames
from abs_compiler.runtime.vocabulary import CATEGORY_OF, PEOPLE

MOST_CHECKS = 120
_MOST_RELEVANT = 10
# Steps of machines and looks at kinds of events for all questions about one session; then nothing more is said.
_MOST_WORK = 250_000


class OutOfWorkError(Exception):
    """The questions about a session took more work than they are allowed."""


@attrs.frozen(slots=False, repr=False, eq=False)
class Ground(ReprMixin):
    """Why something is so: the required behaviors it follows from, whether the limit on extras is needed too, and
    whether that holds only as long as people make no calls, which the limit does not count."""

    steps: tuple[int, ...]
    extras: bool = False
    people_call_nothing: bool = False


class SessionModel:
    """A session for analysis; what is worked out once is kept."""

    def __init__(self, ir: Ir, program: Program) -> None:
        self.ir = ir
        self.program = program
        self._left = _MOST_WORK

    @functools.cached_property
    def roles(self) -> Roles:
        return Roles(self.program, tools_only=self.program.observe == "tools")

    @functools.cached_property
    def names(self) -> TargetNames:
        return TargetNames(self.program.targets, self.program.ignore)

    @functools.cached_property
    def steps(self) -> tuple[StepSet, ...]:
        """The sets of the behaviors."""
        return step_sets(self.ir)

    @functools.cached_property
    def checks(self) -> tuple[ChainCheck, ...]:
        """The session's evaluations that can be analysed, the first of many."""
        return tuple(self._analysable[:MOST_CHECKS])

    @property
    def has_more_checks(self) -> bool:
        """Whether there are evaluations that could be analysed beside these."""
        return len(self._analysable) > MOST_CHECKS

    @property
    def is_out_of_work(self) -> bool:
        """Whether questions were left without an answer, because all of them together took too much work."""
        return self._left <= 0

    @functools.cached_property
    def _analysable(self) -> list[ChainCheck]:
        found = chain_checks(self.ir.session.evaluations, self.program.checks)
        if self.program.observe == "tools":
            found = [check for check in found if check.is_decided_by_tools]
        return found

    def runs_of(self, steps: Iterable[int]) -> list[list[int]]:
        """Behaviors in listing order, members of one group together."""
        runs: list[list[int]] = []
        last: int | None = None
        for i in sorted(steps):
            group = self.roles.group_of.get(i)
            if group is not None and group == last:
                runs[-1].append(i)
            else:
                runs.append([i])
            last = group
        return runs

    def relevant(self, selecting: Sequence[Selecting], among: Iterable[int]) -> list[int]:
        """The behaviors whose events some selector could select."""
        return [i for i in sorted(among) if any(self._may_select(item, self.steps[i]) for item in selecting)]

    def _may_select(self, selecting: Selecting, step: StepSet) -> bool:
        if step.open_text:
            alike = True
        elif isinstance(selecting, CallTest) or selecting.action is None:
            alike = isinstance(selecting, Selector) or CATEGORY_OF.get(step.action) == "execution"
        else:
            category = CATEGORY_OF.get(step.action)
            same = category is not None and CATEGORY_OF.get(selecting.action) == category
            alike = same or selecting.action == step.action
        if isinstance(selecting, Selector) and selecting.actor not in (None, step.actor):
            return False
        return alike and self.may_share_target(selecting.target, step.target)

    def may_select_alike(self, first: Selecting, second: Selecting) -> bool:
        """Whether two selectors might select one event."""
        if isinstance(first, Selector) and isinstance(second, Selector):
            if first.actor != second.actor and None not in (first.actor, second.actor):
                return False
            if first.action != second.action and None not in (first.action, second.action):
                return False
        return self.may_share_target(first.target, second.target)

    def may_share_target(self, first: str | None, second: str | None) -> bool:
        """Whether one recorded name may stand for two targets (None: any), judged roughly: never a wrong no."""
        if first is None or second is None or first == second:
            return True
        return overlap(first, second, self.program.targets) is not Overlap.NONE

    # --- all runs ---------------------------------------------------------------------------------------------------

    def results(
        self,
        steps: Sequence[int],
        checks: Sequence[ChainCheck],
        *,
        extras: bool = False,
        people_call: bool = True,
        stop: Callable[[tuple[str, ...]], bool] | None = None,
    ) -> dict[tuple[str, ...], tuple[EventClass, ...]] | None:
        """The combinations of results that the checks can have where these behaviors are all matched (and with
        `extras`, no more calls are left over than is allowed), each with a run, up to one that says `stop`; None where
        there is too much to look at."""
        if self._left <= 0:
            return None
        into = Selectors()
        machines: list[Machine] = [Steps(self.runs_of(steps))]
        machines += [check.machine(into) for check in checks]
        among = self.takers if extras else ()
        if extras:
            limit = self.program.extras or 0
            machines.append(CountedCalls(len(among) + limit, limit, sum(self.steps[i].bit for i in among)))

        def counts(results: tuple[str, ...]) -> bool:
            return results[0] == PASSED and (not extras or results[-1] == PASSED)

        def ends(results: tuple[str, ...]) -> bool:
            return stop is not None and counts(results) and stop(results[1 : len(checks) + 1])

        try:
            classes = event_classes(
                [self.steps[i] for i in sorted({*steps, *among})],
                into.found,
                self.names,
                self.program.ignore if extras else (),
                people_call=people_call,
                spend=self._spend,
            )
            found = reach(machines, classes, spend=self._spend, stop=ends).runs
        except (TooManyClassesError, TooManyStatesError, OutOfWorkError):
            return None
        return {results[1 : len(checks) + 1]: run for results, run in found.items() if counts(results)}

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise OutOfWorkError

    def ground(
        self, checks: Sequence[ChainCheck], wrong: Callable[[tuple[str, ...]], bool], *, limited: bool
    ) -> Ground | None:
        """Few required behaviors because of which no run has results that are `wrong`; None where some run may.
        `limited` says whether it is worth asking what the limit on extras leaves."""

        def holds(steps: Sequence[int], *, extras: bool = False, people_call: bool = True) -> bool | None:
            found = self.results(steps, checks, extras=extras, people_call=people_call, stop=wrong)
            return None if found is None else bool(found) and not any(map(wrong, found))

        selecting = [item for check in checks for item in check.selectors()]
        self._left -= len(selecting) * len(self.roles.required) // 4
        if self._left <= 0:
            return None
        relevant = self.relevant(selecting, self.roles.required)[:_MOST_RELEVANT]
        all_of_them = holds(relevant)
        if all_of_them is False:
            # Every behavior may take one of the calls that are allowed, so all that do are looked at.
            steps = sorted(self.roles.required & {*self.takers, *relevant})
            few = len({*steps, *self.takers}) <= _MOST_RELEVANT
            if not limited or not few:
                return None
            if holds(steps, extras=True):
                return Ground(tuple(relevant), True)
            untold = not self._tells_of_calls_of_people(selecting)
            if untold and holds(steps, extras=True, people_call=False):
                return Ground(tuple(relevant), True, True)
            return None
        if holds(()):
            return Ground(())
        for i in relevant:
            if holds((i,)):
                return Ground((i,))
        return Ground(self._fewest(relevant, holds)) if all_of_them else None

    @staticmethod
    def _fewest(steps: Sequence[int], holds: Callable[..., bool | None]) -> tuple[int, ...]:
        """As many behaviors as can be left out one by one are left out."""
        kept = list(steps)
        for i in reversed(steps):
            fewer = [other for other in kept if other != i]
            if holds(fewer):
                kept = fewer
        return tuple(kept)

    @functools.cached_property
    def extras_are_counted(self) -> bool:
        """Whether extras are limited and are simply the counted calls beyond one for each required behavior."""
        if self.program.extras is None or not self.roles.plain:
            return False
        return all(self._surely_counted(self.steps[i]) for i in self.roles.required)

    @functools.cached_property
    def takers(self) -> tuple[int, ...]:
        """The behaviors that may match a counted call, required or not."""
        found = []
        for i in self.roles.observed:
            step = self.steps[i]
            if is_call(step.actor, "calls" if step.open_text else step.action, None):
                found.append(i)
        return tuple(found)

    def _tells_of_calls_of_people(self, selecting: Iterable[Selecting]) -> bool:
        """Whether a behavior is a call by a user or a human, or a selector is about what they do."""
        return any(is_call_of_people(step.actor, step.action) for step in self.steps) or any(
            isinstance(item, Selector) and item.actor in PEOPLE for item in selecting
        )

    def _surely_counted(self, step: StepSet) -> bool:
        if step.open_text or not is_call(step.actor, step.action, None) or step.target is None:
            return False
        mine = target_set(step.target, self.names)
        return all(is_empty(intersection(mine, ignored_set(entry, self.names))) for entry in self.program.ignore)

    def can_never_hold(self, check: ChainCheck) -> Ground | None:
        """Why no run that has the required behaviors satisfies an evaluation."""
        limited = self.program.extras is not None
        return self.ground((check,), lambda results: results[0] == PASSED, limited=limited)

    def can_never_fail(self, check: ChainCheck) -> Ground | None:
        """Why every run that has the required behaviors satisfies an evaluation."""
        return self.ground((check,), lambda results: results[0] == FAILED, limited=self.extras_are_counted)

    def can_never_both_hold(self, first: ChainCheck, second: ChainCheck) -> Ground | None:
        """Why no run that has the required behaviors satisfies both of two evaluations."""
        limited = self.extras_are_counted
        return self.ground((first, second), lambda results: results == (PASSED, PASSED), limited=limited)

    def excluded_by(self, check: ChainCheck, step: int) -> bool:
        """Whether an evaluation never holds where a behavior is matched."""
        if self._left <= 0:
            return False
        if not self.relevant(check.selectors(), (step,)):
            return False
        found = self.results((step,), (check,))
        return bool(found) and all(results != (PASSED,) for results in found or ())


def session_model(ir: Ir, program: dict[str, Any]) -> SessionModel:
    """The model of a session."""
    return SessionModel(ir, decode_program(program))
