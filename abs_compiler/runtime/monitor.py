"""The monitor: events one at a time, a running verdict after each.

Sessions of required behaviors advance their automaton, one look-up an event; with optionals, or where a judge says
what matches, the decision is made anew. Chain checks run along; the evaluations of the steps are kept until the
decision changes. `finish` gives the same verdict as matching the whole trace.
"""

from __future__ import annotations

from .decision import Decision, Trail, decide, settle
from .errors import TraceError
from .events import Event
from .outcome import FAILED, INCONCLUSIVE, PASSED
from .sequence import Sequence
from .verdict import conclude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .chain_runner import ChainRunner
    from .classify import Handler
    from .evaluate import Evaluator
    from .judging import Judge
    from .plan import Plan
    from .verdict import Verdict


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
        "_evaluator",
        "_events",
        "_finished",
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
        self._finished = False
        self._counted: list[int] = []
        self._used_counted = 0
        self._from_counted = self._from_others = 0
        roles = plan.roles
        self._classifier = plan.classifier(frozenset())
        simple = roles.plain and not plan.program.judged
        self._automaton = plan.automaton(roles.required, frozenset()) if simple else None
        self._trail = Trail(self._automaton.start) if self._automaton is not None else None
        self._evaluator: Evaluator | None = None
        self._runner: ChainRunner | None = None
        if plan.program.has_checks:
            from .chain_runner import ChainRunner

            self._runner = ChainRunner(plan)
        self._running = self._look()

    def feed(self, event: Any) -> Running:
        """Take one event (a dictionary or an Event). TraceError where it is malformed, or after
        `finish`; the state is then unchanged."""
        if self._finished:
            raise TraceError("the monitor is finished: make a new one for another run")
        index = len(self._events)
        seen = event if isinstance(event, Event) else Event.from_dict(event, index)
        self._events.append(seen)
        if self._runner is not None:
            self._runner.feed(index, seen)
        handler = self._classifier.handler(seen.actor, seen.action, seen.category, seen.recorded, seen.target)
        if handler is None and self._trail is not None and self._runner is None:
            return self._running
        changed = self._take(index, seen, handler) if handler is not None else False
        if changed or self._trail is None:
            self._evaluator = None
        if not self._running.final:
            self._running = self._look()
        return self._running

    def finish(self, *, judge: Judge | None = None) -> Verdict:
        """The verdict on all events fed; `judge` decides deferred evaluations. TraceError for values that are not JSON
        unless the session passes without them."""
        self._finished = True
        verdict = self._verdict(judge)
        if verdict.status != PASSED:
            Sequence(self._events).refuse_other_than_json(self._plan.looked_at)
        return verdict

    def _verdict(self, judge: Judge | None) -> Verdict:
        if self._plan.program.judged:
            from .judged_texts import verdict_of

            return verdict_of(self._plan, Sequence(self._events), judge)
        return conclude(self._decide(), judge, runner=self._runner)

    def _take(self, index: int, seen: Event, handler: Handler) -> bool:
        """Take an event that concerns some step or count; whether the decision may have changed."""
        if handler.counted:
            self._counted.append(index)
            self._from_counted |= handler.bits
        else:
            self._from_others |= handler.bits
        if self._trail is None or self._automaton is None or not handler.bits:
            return handler.counted
        mask = handler.mask(seen)
        advanced = self._trail.feed(self._automaton, index, mask)
        if advanced and handler.counted:
            self._used_counted += 1
        return advanced or handler.counted

    def _decide(self) -> Decision:
        sequence = Sequence(self._events)
        if self._trail is None or self._automaton is None:
            return decide(self._plan, sequence)
        return settle(self._plan, sequence, self._automaton, self._trail, self._classifier, tuple(self._counted))

    def _look(self) -> Running:
        """The running verdict after the last event."""
        if self._plan.program.judged:
            return self._look_at_texts()
        running = self._look_at_steps()
        if self._runner is None:
            return running
        if running.status == FAILED:
            return Running(FAILED, running.final or self._runner.broken, running.open)
        if self._evaluator is None:
            from .evaluate import Evaluator

            self._evaluator = Evaluator(self._decide(), None, self._runner)
        results = self._evaluator.run()
        states = {running.status, *(result.state for result in results)}
        status = FAILED if FAILED in states else INCONCLUSIVE if INCONCLUSIVE in states else PASSED
        # Steps that are final keep their events, so what their evaluations say is final too.
        lost = running.final and any(result.behavior is not None and result.state == FAILED for result in results)
        return Running(status, lost or self._runner.broken, running.open)

    def _look_at_texts(self) -> Running:
        """The running verdict where a judge would say what matches: nobody is asked before the end."""
        from .judged_texts import verdict_of

        verdict = verdict_of(self._plan, Sequence(self._events), None)
        waiting = tuple(step.index for step in verdict.steps if step.state in ("unmatched", "skipped"))
        broken = self._runner is not None and self._runner.broken
        return Running(verdict.status, broken or self._hopeless(exact=False), waiting)

    def _look_at_steps(self) -> Running:
        limit = self._plan.program.extras
        if self._trail is None or self._automaton is None:
            decision = decide(self._plan, Sequence(self._events))
            failed = not decision.complete or decision.over_limit
            waiting = tuple(i for i in self._plan.roles.observed if i not in decision.assigned)
            return Running(self._status(failed, decision.chosen), failed and self._hopeless(exact=False), waiting)
        open_steps = tuple(_indices(self._trail.state.open, self._automaton, self._trail))
        done = self._trail.state.done
        if limit is None:
            return Running(self._status(not done), done, open_steps)
        mixed = bool(self._from_counted & self._from_others)
        hopeless = self._hopeless(exact=not mixed)
        over = hopeless if not (done and mixed) else self._decide().over_limit
        return Running(self._status(not done or over), hopeless, open_steps)

    def _status(self, failed: bool, chosen: frozenset[int] = frozenset()) -> str:
        """The status of the steps, given whether they fail and which optional ones are matched."""
        if failed:
            return FAILED
        return INCONCLUSIVE if self._plan.roles.unseen(chosen) else PASSED

    def _hopeless(self, *, exact: bool) -> bool:
        """Whether more counted calls are already unmatched than the limit allows, whatever follows. Exact where no
        step takes both counted calls and others; else every behavior is granted one of the calls seen."""
        limit = self._plan.program.extras
        if limit is None:
            return False
        usable = self._used_counted if exact else len(self._plan.roles.observed)
        return len(self._counted) - usable > limit


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
