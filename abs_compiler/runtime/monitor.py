"""The monitor: events one at a time, a running verdict after each.

Sessions of required behaviors advance their automaton, one look-up an event; with optionals the decision is made
anew where an event concerns some step. `finish` gives the same verdict as matching the whole trace.
"""

from __future__ import annotations

from .decision import Decision, Trail, decide, settle
from .events import Event
from .outcome import FAILED, INCONCLUSIVE, PASSED
from .sequence import Sequence
from .verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .chain_runner import ChainRunner
    from .classify import Handler
    from .evaluate import CheckResult
    from .judging import Judge
    from .plan import Plan


class Running:
    """A running verdict. `status`: the verdict if the trace ended here (empty traces counted as allowed); `final`:
    no further event can change it; `open`: indices of the behaviors that may come next."""

    __slots__ = ("final", "open", "status")

    def __init__(self, status: str, final: bool, open_steps: tuple[int, ...]) -> None:
        self.status = status
        self.final = final
        self.open = open_steps

    def __repr__(self) -> str:
        return f"<Running {self.status}{' for good' if self.final else ''}>"


class Monitor:
    """Made by `Matcher.monitor()`; not shared between threads."""

    __slots__ = (
        "_automaton",
        "_classifier",
        "_counted",
        "_events",
        "_from_counted",
        "_from_others",
        "_plan",
        "_runner",
        "_running",
        "_trail",
        "_used_counted",
    )

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._events: list[Event] = []
        self._counted: list[int] = []
        self._used_counted = 0
        self._from_counted = self._from_others = 0
        roles = plan.roles
        self._classifier = plan.classifier(frozenset())
        self._automaton = plan.automaton(roles.required, frozenset()) if roles.plain else None
        self._trail = Trail(self._automaton.start) if self._automaton is not None else None
        self._runner: ChainRunner | None = None
        if plan.program.has_checks:
            from .chain_runner import ChainRunner

            self._runner = ChainRunner(plan)
        self._running = self._look()

    def feed(self, event: Any) -> Running:
        """Take one event (a dictionary or an Event). TraceError where it is malformed; the state is then unchanged."""
        index = len(self._events)
        seen = event if isinstance(event, Event) else Event.from_dict(event, index)
        self._events.append(seen)
        if self._runner is not None:
            self._runner.feed(index, seen)
        handler = self._classifier.handler(seen.actor, seen.action, seen.category, seen.recorded, seen.target)
        if handler is None and self._trail is not None and self._runner is None:
            return self._running
        if handler is not None:
            self._take(index, seen, handler)
        if not self._running.final:
            self._running = self._look()
        return self._running

    def finish(self, *, judge: Judge | None = None) -> Verdict:
        """The verdict on all events fed; `judge` decides deferred evaluations."""
        decision = self._decide()
        if self._runner is None:
            return Verdict(decision)
        return Verdict(decision, evaluate(decision, judge, self._runner))

    def _take(self, index: int, seen: Event, handler: Handler) -> None:
        if handler.counted:
            self._counted.append(index)
            self._from_counted |= handler.bits
        else:
            self._from_others |= handler.bits
        if self._trail is None or self._automaton is None or not handler.bits:
            return
        mask = handler.mask(seen)
        if self._trail.feed(self._automaton, index, mask) and handler.counted:
            self._used_counted += 1

    def _decide(self) -> Decision:
        sequence = Sequence(self._events)
        if self._trail is None or self._automaton is None:
            return decide(self._plan, sequence)
        return settle(self._plan, sequence, self._automaton, self._trail, self._classifier, tuple(self._counted))

    def _look(self) -> Running:
        """The running verdict after the last event."""
        running = self._look_at_steps()
        if self._runner is None:
            return running
        states = {result.state for result in evaluate(self._decide(), None, self._runner)}
        status = running.status
        if FAILED in states:
            status = FAILED
        elif INCONCLUSIVE in states and status == PASSED:
            status = INCONCLUSIVE
        broken = self._runner.broken or (running.final and running.status == FAILED)
        return Running(status, broken, running.open)

    def _look_at_steps(self) -> Running:
        limit = self._plan.program.extras
        if self._trail is None or self._automaton is None:
            decision = decide(self._plan, Sequence(self._events))
            failed = not decision.complete or decision.over_limit
            waiting = tuple(i for i in self._plan.roles.observed if i not in decision.assigned)
            return Running(FAILED if failed else PASSED, failed and self._hopeless(exact=False), waiting)
        open_steps = tuple(_indices(self._trail.state.open, self._automaton, self._trail))
        done = self._trail.state.done
        if limit is None:
            return Running(PASSED if done else FAILED, done, open_steps)
        mixed = bool(self._from_counted & self._from_others)
        hopeless = self._hopeless(exact=not mixed)
        over = hopeless if not (done and mixed) else self._decide().over_limit
        return Running(PASSED if done and not over else FAILED, hopeless, open_steps)

    def _hopeless(self, *, exact: bool) -> bool:
        """Whether more counted calls are already unmatched than the limit allows, whatever follows. Exact where no
        step takes both counted calls and others; else every behavior is granted one of the calls seen."""
        limit = self._plan.program.extras
        if limit is None:
            return False
        usable = self._used_counted if exact else len(self._plan.roles.observed)
        return len(self._counted) - usable > limit


def evaluate(decision: Decision, judge: Judge | None, runner: ChainRunner) -> tuple[CheckResult, ...]:
    """The results of all checks on a decision."""
    from .evaluate import Evaluator

    return Evaluator(decision, judge, runner).run()


def _indices(mask: int, automaton: Any, trail: Trail) -> list[int]:
    """The behaviors behind the open classes of a state."""
    if not mask:
        return []
    found = 0
    for bit, members in automaton.segments[trail.state.segment].classes.items():
        if bit & mask:
            for member in members:
                found |= member
    return [i for i in range(found.bit_length()) if found >> i & 1]
