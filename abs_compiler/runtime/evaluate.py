"""Evaluation: all checks of a session against a decision.

Step checks run on the matched events (`group_choice` says which, inside unordered groups). A failing blocking check
makes its dependants inconclusive: later checks of the behavior, behaviors that require it, users of its captures.
Nothing stops anything else.
"""

from __future__ import annotations

import functools

from .chain import maybe_words
from .chain_runner import ChainRunner
from .checks import COMPOSITIONS, own_templates
from .consistency import consistency
from .decision import RowSource
from .errors import BindError
from .group_choice import settle_groups
from .judging import DEFAULT_THRESHOLD, JudgeRequest, ask
from .outcome import FAILED, INCONCLUSIVE, PASSED, SKIPPED, Outcome, compose
from .steps import judged_text, step_outcome, text_value
from .templates import UnsourcedError, references
from .when import WhenError, evaluate_when, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .alignment import Row
    from .checks import Check
    from .decision import Decision
    from .judging import Judge
    from .program import Behavior

    Lookup = Callable[[str], Any]


class CheckResult:
    """One evaluation of the source: where it stands (`behavior` index, or None at the session), its outcome, and
    the results of a composition's parts."""

    __slots__ = ("behavior", "check", "children", "outcome")

    def __init__(self, behavior: int | None, check: Check, outcome: Outcome) -> None:
        self.behavior = behavior
        self.check = check
        self.outcome = outcome
        parts = zip(check.children, outcome.children, strict=True)
        self.children = tuple(CheckResult(behavior, part, child) for part, child in parts)

    @property
    def state(self) -> str:
        return self.outcome.state

    @property
    def reason(self) -> str:
        return self.outcome.reason

    def to_dict(self) -> dict[str, Any]:
        outcome = self.outcome
        return {
            "behavior": self.behavior,
            "type": self.check.name,
            "line": self.check.at[0],
            "column": self.check.at[1],
            "state": outcome.state,
            "reason": outcome.reason,
            "event": outcome.event,
            "blocking": self.check.blocking,
            "score": outcome.low if outcome.low == outcome.high else None,
            "threshold": self.check.threshold,
            "children": [child.to_dict() for child in self.children],
        }


class Evaluator:
    """The checks of one matching; state: the decision and what failing blocking checks have blocked."""

    __slots__ = (
        "_applied",
        "_assigned",
        "_blocked",
        "_decision",
        "_judge",
        "_plan",
        "_rows",
        "_runner",
        "_step_results",
    )

    def __init__(self, decision: Decision, judge: Judge | None, runner: ChainRunner | None = None) -> None:
        self._decision = decision
        self._plan = decision.plan
        self._judge = judge
        self._runner = runner
        self._blocked: dict[int, str] = {}
        self._assigned = decision.assigned
        self._applied = decision.required.union(self._assigned)
        self._assigned = settle_groups(decision, self._unjudged)
        decision.settle_assignment(self._assigned)
        self._step_results: tuple[CheckResult, ...] | None = None
        self._rows: tuple[Row, ...] | None = None

    def run(self) -> tuple[CheckResult, ...]:
        """All results: behaviors in listing order, then the session's."""
        if self._step_results is None:
            results = []
            for behavior in self._plan.program.behaviors:
                results += self._behavior(behavior)
            self._step_results = tuple(results)
        return (*self._step_results, *self._session())

    def _lookup(self, index: int) -> Lookup:
        """Names as behavior `index` sees them: the captures of what matched, or had to, apply."""
        return self._plan.lookup(index, self._applied)

    # Steps

    def _behavior(self, behavior: Behavior) -> list[CheckResult]:
        index = behavior.index
        event = self._assigned.get(index)
        if self._blocked:
            self._inherit(behavior)
        results = []
        for check in behavior.checks:
            if event is None:
                outcome = self._unmatched(check, index)
            elif index in self._blocked:
                held = _condition(check, self._lookup(index))
                outcome = held or spread(check, INCONCLUSIVE, self._blocked[index], event)
            else:
                outcome = self._step(check, index, event, self._judge)
                if outcome.state == FAILED:
                    outcome = outcome.followed_by(functools.partial(self._hint, check, index, event))
                    if check.blocking:
                        self._blocked[index] = f"a blocking `{check.name}` of step {index + 1} failed"
            results.append(CheckResult(index, check, outcome))
        return results

    def _unmatched(self, check: Check, index: int) -> Outcome:
        """The outcome of a check of a behavior without an event."""
        if index in self._plan.roles.skipped:
            held = _condition(check, self._lookup(index))
            skipped = held is not None and held.state == SKIPPED
            return held if held and skipped else spread(check, INCONCLUSIVE, "the behavior is not observed")
        if index in self._decision.required or index in self._plan.roles.maybe:
            return spread(check, SKIPPED, "not run: the behavior was not matched")
        return spread(check, SKIPPED, "the behavior was skipped")

    def _step(self, check: Check, index: int, event: int, judge: Judge | None) -> Outcome:
        lookup = self._lookup(index)
        held = self._held_back(check, index, event, lookup)
        if held is not None:
            return held
        if check.type == "tool_call" and check.fields["merged"]:
            return Outcome(PASSED, f"part of the step, which matched event #{event}", event=event)
        if check.type in COMPOSITIONS:
            children = [self._step(child, index, event, judge) for child in check.children]
            outcome = compose(check.type, check.threshold, children)
            outcome.event = event
            return outcome
        if check.type == "judge":
            return self._deferred(check, index, event, lookup, judge)
        return step_outcome(check, self._decision.sequence.event(event), event, lookup, self._plan.names)

    def _unjudged(self, check: Check, index: int, event: int) -> Outcome:
        return self._step(check, index, event, None)

    def _hint(self, check: Check, index: int, event: int) -> str:
        """Names a later event that the behavior could have matched and on which the check holds."""
        if self._rows is None:
            self._rows = RowSource(self._plan, self._decision.sequence)(self._decision.applied)
        for later, mask, _ in self._rows:
            if later > event and mask >> index & 1 and self._unjudged(check, index, later).state == PASSED:
                return f"; event #{later} would have satisfied it"
        return ""

    # What keeps a check from running

    def _held_back(self, check: Check, index: int, event: int | None, lookup: Lookup) -> Outcome | None:
        """The outcome of a check that does not run: its condition does not hold, or it uses a capture of a behavior
        whose blocking check failed."""
        if self._blocked and check.when is not None:
            blocked = self._blocked_name(names_of(check.when), index)
            if blocked is not None:
                return spread(check, INCONCLUSIVE, blocked, event)
        held = _condition(check, lookup)
        if held is not None or not self._blocked:
            return held
        names = {name for template in own_templates(check) for name in references(template)}
        if check.type == "variable_consistency":
            names.add(check.fields["variable"])
        blocked = self._blocked_name(names, index)
        return None if blocked is None else spread(check, INCONCLUSIVE, blocked, event)

    def _inherit(self, behavior: Behavior) -> None:
        """Block a behavior that requires a blocked one or uses its captures."""
        reason = None if behavior.requires is None else self._blocked.get(behavior.requires)
        if reason is None:
            names: set[str] = set()
            for template in behavior.templates():
                names |= references(template)
            reason = self._blocked_name(names, behavior.index)
        if reason is not None:
            self._blocked[behavior.index] = reason

    def _blocked_name(self, names: Iterable[str], index: int) -> str | None:
        """Why one of the names has no reliable value, or None."""
        for name in sorted(names):
            supplier = self._plan.supplier(name, index, self._applied)
            if supplier in self._blocked:
                return f"`{name}`: {self._blocked[supplier]}"
        return None

    # Judges

    def _deferred(
        self, check: Check, index: int | None, event: int | None, lookup: Lookup, judge: Judge | None
    ) -> Outcome:
        fields = check.fields
        sequence = self._decision.sequence
        texts: dict[str, str | None] = {}
        for place, where in fields["places"].items():
            at = event if where is None else self._assigned.get(where)
            texts[place] = None if at is None else judged_text(sequence.event(at))
        if event is not None and "response" not in texts:
            texts["response"] = judged_text(sequence.event(event))
        try:
            criteria = None if fields["criteria"] is None else text_value(fields["criteria"], lookup)
        except UnsourcedError as missing:
            return Outcome(INCONCLUSIVE, f"`{missing.name}` has no value here", event=event)
        except (BindError, ValueError) as error:
            return Outcome(INCONCLUSIVE, str(error), event=event)
        program = self._plan.program
        request = JudgeRequest(
            lambda: [item.to_dict() for item in sequence.events],
            fields["rule"],
            DEFAULT_THRESHOLD if check.threshold is None else check.threshold,
            program.session,
            at=check.at,
            id=fields["id"],
            criteria=criteria,
            event=None if event is None else sequence.event(event).to_dict(),
            behavior=index,
            behavior_id=None if index is None else program.behaviors[index].id,
            adapter=fields["adapter"],
            dataset=fields["dataset"],
            prompt=fields["prompt"],
            **texts,
        )
        return ask(judge, request, event)

    # The session

    def _session(self) -> list[CheckResult]:
        checks = self._plan.program.checks
        if not checks:
            return []
        runner = self._runner or self._run_chain()
        lookup = self._lookup(len(self._plan.program.behaviors))
        return [
            CheckResult(None, check, self._chain(check, (number,), runner, lookup, negated=False))
            for number, check in enumerate(checks)
        ]

    def _run_chain(self) -> ChainRunner:
        runner = ChainRunner(self._plan)
        runner.run(self._decision.sequence)
        return runner

    def _chain(
        self, check: Check, path: tuple[int, ...], runner: ChainRunner, lookup: Lookup, *, negated: bool
    ) -> Outcome:
        held = self._held_back(check, len(self._plan.program.behaviors), None, lookup)
        if held is not None:
            return held
        if check.type in COMPOSITIONS:
            under = negated or check.type == "none_of"
            children = [
                self._chain(child, (*path, k), runner, lookup, negated=under) for k, child in enumerate(check.children)
            ]
            return compose(check.type, check.threshold, children)
        if check.type == "judge":
            return self._deferred(check, None, None, lookup, self._judge)
        if check.type == "variable_consistency":
            variable, event = check.fields["variable"], self._decision.sequence.event
            return consistency(variable, self._plan, self._assigned, event, self._lookup, negated=negated)
        if check.type == "expected":
            return self._expected(check, path, runner, negated)
        return runner.outcome(path, negated, lookup)

    def _expected(self, check: Check, path: tuple[int, ...], runner: ChainRunner, negated: bool) -> Outcome:
        """Whether a behavior is matched in the reported assignment, after some event that `after` selects."""
        index = check.fields["behavior"]
        behavior = self._plan.program.behaviors[index]
        words = f"step {index + 1} ({behavior.title})"
        because = f": {check.fields['reason']}" if check.fields["reason"] else ""
        if index in self._plan.roles.skipped:
            return Outcome(INCONCLUSIVE, f"{words} is not observed")
        event = self._assigned.get(index)
        if event is None:
            return Outcome(FAILED, f"{words} was expected and did not match{because}")
        words = f"{words} matched event #{event}"
        counted_in = counted_out = Outcome(PASSED, words, event=event)
        if check.fields["after"] is not None:
            counted_in, counted_out = runner.after(path, event, words, because)
        if not negated or counted_in.state != PASSED:
            return counted_in
        if not self._plan.certain_action(behavior, self._decision.sequence.event(event)):
            return Outcome(INCONCLUSIVE, f"{words}, but {maybe_words(event)}", event=event)
        return counted_out


def spread(check: Check, state: str, reason: str, event: int | None = None) -> Outcome:
    """The same outcome for a check and all its parts."""
    children = tuple(spread(child, state, reason, event) for child in check.children)
    return Outcome(state, reason, event=event, children=children)


def _condition(check: Check, lookup: Lookup) -> Outcome | None:
    """The outcome where `when` keeps a check from running, else None."""
    if check.when is None:
        return None
    try:
        if evaluate_when(check.when, lookup):
            return None
    except WhenError as error:
        return spread(check, INCONCLUSIVE, f"`when` has no truth value: {error}")
    except UnsourcedError as missing:
        return spread(check, INCONCLUSIVE, f"`when`: `{missing.name}` has no value here")
    except BindError as error:
        return spread(check, INCONCLUSIVE, f"`when`: {error}")
    return spread(check, SKIPPED, "`when` does not hold")
