"""The verdict of one session on one trace, built lazily from a decision.

`status` is known at once; steps, extras, the blame and the report text are derived on demand.
"""

from __future__ import annotations

from .outcome import FAILED, INCONCLUSIVE, PASSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .chain_runner import ChainRunner
    from .decision import Decision
    from .evaluate import CheckResult
    from .explain import Blame
    from .judging import Judge, JudgeRequest

FORMAT_VERSION = 1


class StepResult:
    """One behavior: `state` is matched, unmatched (required, no event), skipped (optional, or its requirement is
    unmatched), undecided (whether it was required cannot be seen) or unobserved (this observation cannot show it);
    `event` the index of the event that matched it."""

    __slots__ = ("at", "event", "id", "index", "state", "title")

    def __init__(self, index: int, id: str | None, title: str, at: tuple[int, int], state: str, event: int | None):
        self.index = index
        self.id = id
        self.title = title
        self.at = at
        self.state = state
        self.event = event

    def to_dict(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "id": self.id,
            "behavior": self.title,
            "line": self.at[0],
            "column": self.at[1],
            "state": self.state,
            "event": self.event,
        }


class Verdict:
    """See the module's text. `bool(verdict)` is True when the session passed."""

    __slots__ = ("_asked", "_blame", "_blamed", "_checks", "_decision", "_doubt", "_evaluate", "_steps", "status")

    def __init__(
        self,
        decision: Decision,
        checks: tuple[CheckResult, ...] = (),
        doubt: str | None = None,
        asked: Sequence[JudgeRequest] = (),
        evaluate: Callable[[], tuple[CheckResult, ...]] | None = None,
    ) -> None:
        """`evaluate` gives the results in place of `checks` where none of them can change the status."""
        self._decision = decision
        self._doubt = doubt
        self._asked = tuple(asked)
        self._checks = checks
        self._evaluate = evaluate
        self._steps: tuple[StepResult, ...] | None = None
        self._blame: Blame | None = None
        self._blamed = False
        self.status = INCONCLUSIVE if doubt else _status(decision, checks)

    def __bool__(self) -> bool:
        return self.status == PASSED

    def __repr__(self) -> str:
        return f"<Verdict {self.status} {self.session!r}>"

    def doubted(self, doubt: str, asked: Sequence[JudgeRequest]) -> Verdict:
        """The same verdict, inconclusive for a reason, with what a judge was or would have been asked about texts."""
        return Verdict(self._decision, self.checks, doubt, asked)

    def asked(self, asked: Sequence[JudgeRequest]) -> Verdict:
        """The same verdict with what a judge was or would have been asked about texts."""
        return Verdict(self._decision, self.checks, self._doubt, asked)

    @property
    def lacks_required(self) -> bool:
        """Whether the behaviors that are required in any case cannot all be matched."""
        return not self._decision.complete and self._decision.required == self._decision.plan.roles.required

    @property
    def session(self) -> str:
        """The session's name."""
        return self._decision.plan.program.session

    @property
    def path(self) -> str:
        """The spec file, as it was named at compile time."""
        return self._decision.plan.program.path

    @property
    def checks(self) -> tuple[CheckResult, ...]:
        """The results of all evaluations: behaviors in listing order, then the session's."""
        if self._evaluate is not None:
            self._checks = self._evaluate()
            self._evaluate = None
        return self._checks

    @property
    def steps(self) -> tuple[StepResult, ...]:
        """Every behavior in listing order."""
        if self._steps is None:
            self._steps = tuple(self._step(i) for i in range(len(self._decision.plan.program.behaviors)))
        return self._steps

    def _step(self, index: int) -> StepResult:
        decision = self._decision
        behavior = decision.plan.program.behaviors[index]
        roles = decision.plan.roles
        event = None
        if index in roles.skipped:
            state = "unobserved"
        elif index in decision.assigned:
            state, event = "matched", decision.assigned[index]
        elif index in decision.required:
            state = "unmatched"
        else:
            state = "undecided" if index in roles.undecided(decision.chosen) else "skipped"
        return StepResult(index, behavior.id, behavior.title, behavior.at, state, event)

    @property
    def deferred(self) -> tuple[JudgeRequest, ...]:
        """What a judge would have to decide, or has decided, in order."""
        found = list(self._asked)
        for result in self.checks:
            _collect(result, found)
        return tuple(found)

    @property
    def extras(self) -> tuple[int, ...]:
        """The events that are unmatched counted calls (only where the spec limits extras, else empty)."""
        from .explain import unmatched_calls

        return tuple(unmatched_calls(self._decision))

    @property
    def blame(self) -> Blame | None:
        """For a failure, the one step to blame and why."""
        if not self._blamed:
            from .explain import blame

            self._blame = blame(self._decision)
            self._blamed = True
        return self._blame

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the session did not pass, one sentence each; empty for a pass."""
        if self.status == PASSED:
            return ()
        if self.status == FAILED:
            return tuple(self._failures())
        points = _open_points(self._decision) + ([self._doubt] if self._doubt else [])
        return (*points, *(_check_words(item) for item in self.checks if item.state == INCONCLUSIVE))

    def _failures(self) -> list[str]:
        decision = self._decision
        failures = [
            f"step {step.index + 1} ({step.title}) was not matched" for step in self.steps if step.state == "unmatched"
        ]
        if decision.complete and self.blame:
            failures.append(self.blame.lines[0])
        return failures + [_check_words(item) for item in self.checks if item.state == FAILED]

    @property
    def unread(self) -> tuple[str, ...]:
        """The parts of the trace that were not understood, one sentence a kind."""
        return tuple(_unread(self._decision))

    def explain(self) -> str:
        """The full report as plain text."""
        from .report import report

        return report(self)

    def event_title(self, index: int) -> str:
        """An event of the trace in words."""
        from .explain import title

        return title(self._decision.sequence.events[index])

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON data."""
        extras = self._decision.plan.program.extras
        return {
            "version": FORMAT_VERSION,
            "session": self.session,
            "spec": self.path,
            "status": self.status,
            "reasons": list(self.reasons),
            "steps": [step.to_dict() for step in self.steps],
            "extras": None if extras is None else {"limit": extras, "events": list(self.extras)},
            "blame": self.blame.to_dict() if self.status == FAILED and self.blame else None,
            "checks": [item.to_dict() for item in self.checks],
            "deferred": [item.to_dict() for item in self.deferred],
            "events": len(self._decision.sequence),
            "unread": dict(self._decision.sequence.unread),
        }


def conclude(decision: Decision, judge: Judge | None, *, runner: ChainRunner | None = None) -> Verdict:
    """The verdict of a decision, its evaluations included. `runner` is the runner of chain checks, if one has seen the
    events already."""
    program = decision.plan.program
    if not program.has_checks:
        return Verdict(decision)
    if not program.has_open_checks and not decision.plan.roles.skipped:
        return Verdict(decision, evaluate=lambda: _results(decision, judge, runner))
    return Verdict(decision, _results(decision, judge, runner))


def _results(decision: Decision, judge: Judge | None, runner: ChainRunner | None) -> tuple[CheckResult, ...]:
    from .evaluate import Evaluator

    return Evaluator(decision, judge, runner).run()


def _status(decision: Decision, checks: tuple[CheckResult, ...]) -> str:
    if not decision.complete or decision.over_limit or any(item.state == FAILED for item in checks):
        return FAILED
    if _is_open(decision) or any(item.state == INCONCLUSIVE for item in checks):
        return INCONCLUSIVE
    return PASSED


def _collect(result: CheckResult, found: list[JudgeRequest]) -> None:
    if result.outcome.request is not None:
        found.append(result.outcome.request)
    for child in result.children:
        _collect(child, found)


def _check_words(result: CheckResult) -> str:
    where = "the session" if result.behavior is None else f"step {result.behavior + 1}"
    return f"`{result.check.name}` of {where}: {result.reason}"


def _is_open(decision: Decision) -> bool:
    return (
        bool(decision.sequence.unread)
        or (not len(decision.sequence) and not decision.plan.allow_empty)
        or decision.plan.roles.unseen(decision.chosen)
    )


def _unread(decision: Decision) -> list[str]:
    return [
        f"{count} part{'' if count == 1 else 's'} of the trace could not be read: {name}"
        for name, count in decision.sequence.unread.items()
    ]


def _open_points(decision: Decision) -> list[str]:
    """Why nothing failed and yet nothing passed."""
    points = []
    roles = decision.plan.roles
    if not len(decision.sequence) and not decision.plan.allow_empty:
        points.append("the trace holds no events; allow it with `match.allow_empty: true` or `--allow-empty`")
    points += _unread(decision)
    if roles.skipped and not roles.observed:
        points.append("a recording of tool events shows none of the behaviors")
    for index in sorted(roles.undecided(decision.chosen)):
        behavior = decision.plan.program.behaviors[index]
        points.append(
            f"step {index + 1} ({behavior.title}) was not seen, and whether it was required depends on a behavior "
            "that a recording of tool events cannot show"
        )
    return points
