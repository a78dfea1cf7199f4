"""Evaluation: all checks of a session against a decision.

Step checks run on the matched events. Inside an unordered group they run on the assignment, over the events the
group kept, in which most of them hold (blocking ones first, ties by listing order). A failing blocking check makes
its dependants inconclusive: later checks of the behavior, behaviors that require it, users of its captures. Nothing
stops anything else.
"""

from __future__ import annotations

from .assignment import best_assignment
from .chain_runner import ChainRunner
from .checks import COMPOSITIONS, templates_of, whens_of
from .judging import DEFAULT_THRESHOLD, JudgeRequest, ask
from .outcome import FAILED, INCONCLUSIVE, PASSED, SKIPPED, Outcome, compose
from .steps import observed_text, step_outcome
from .templates import UnsourcedError, references, resolve
from .values import json_equal, show
from .when import WhenError, evaluate_when, names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check
    from .decision import Decision
    from .judging import Judge

    Lookup = Callable[[str], Any]


class CheckResult:
    """One evaluation of the source: where it stands (`behavior` index, or None at the session), its outcome, and
    the results of a composition's parts."""

    __slots__ = ("behavior", "check", "children", "outcome")

    def __init__(self, behavior: int | None, check: Check, outcome: Outcome) -> None:
        self.behavior = behavior
        self.check = check
        self.outcome = outcome
        parts = zip(check.children, outcome.children, strict=False)
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
            "children": [child.to_dict() for child in self.children],
        }


class Evaluator:
    """The checks of one matching; state: the decision and what failing blocking checks have blocked."""

    __slots__ = ("_applied", "_assigned", "_blocked", "_decision", "_judge", "_plan", "_runner")

    def __init__(self, decision: Decision, judge: Judge | None, runner: ChainRunner | None = None) -> None:
        self._decision = decision
        self._plan = decision.plan
        self._judge = judge
        self._runner = runner
        self._blocked: dict[int, str] = {}
        self._assigned = self._settle_groups(dict(decision.assigned))
        decision.settle_assignment(self._assigned)
        self._applied = self._captured()

    def run(self) -> tuple[CheckResult, ...]:
        """All results: behaviors in listing order, then the session's."""
        program = self._plan.program
        results = []
        for behavior in program.behaviors:
            if behavior.checks:
                results += self._behavior(behavior.index)
            elif behavior.requires in self._blocked:
                self._blocked[behavior.index] = self._blocked[behavior.requires]
        if program.checks:
            runner = self._runner or self._run_chain()
            lookup = self._lookup(len(program.behaviors))
            for number, check in enumerate(program.checks):
                outcome = self._chain(check, (number,), runner, lookup, negated=False)
                results.append(CheckResult(None, check, self._unless_blocked(check, outcome, len(program.behaviors))))
        return tuple(results)

    def _captured(self) -> frozenset[int]:
        """The matched behaviors, whose captures apply."""
        return frozenset(self._assigned)

    def _lookup(self, index: int) -> Lookup:
        return self._plan.lookup(index, self._applied)

    # Steps

    def _behavior(self, index: int) -> list[CheckResult]:
        program, roles = self._plan.program, self._plan.roles
        behavior = program.behaviors[index]
        event = self._assigned.get(index)
        results = []
        held_up = self._blocked.get(behavior.requires) if behavior.requires is not None else None
        if held_up is not None:
            self._blocked[index] = held_up
        for check in behavior.checks:
            if event is None:
                if index in roles.skipped:
                    outcome = Outcome(INCONCLUSIVE, "the behavior is not observed")
                elif index in self._decision.required or index in roles.maybe:
                    outcome = Outcome(SKIPPED, "not run: the behavior was not matched")
                else:
                    outcome = Outcome(SKIPPED, "the behavior was skipped")
            elif index in self._blocked:
                outcome = Outcome(INCONCLUSIVE, self._blocked[index], event=event)
            else:
                outcome = self._step(check, index, event, self._judge)
                outcome = self._unless_blocked(check, outcome, index)
                if check.blocking and outcome.state == FAILED:
                    self._blocked[index] = f"a blocking `{check.name}` of step {index + 1} failed"
            results.append(CheckResult(index, check, outcome))
        return results

    def _step(self, check: Check, index: int, event: int, judge: Judge | None) -> Outcome:
        lookup = self._lookup(index)
        held = _condition(check, lookup)
        if held is not None:
            return held
        seen = self._decision.sequence.events[event]
        if check.type == "tool_call" and check.fields["merged"]:
            return Outcome(PASSED, "part of the step, which matched", event=event)
        if check.type in COMPOSITIONS:
            children = [self._step(child, index, event, judge) for child in check.children]
            return compose(check.type, check.threshold, children)
        if check.type == "judge":
            return self._deferred(check, index, event, lookup, judge)
        return step_outcome(check, seen, event, lookup, self._plan.names)

    def _unless_blocked(self, check: Check, outcome: Outcome, index: int) -> Outcome:
        """Inconclusive where the check uses a capture of a behavior whose blocking check failed."""
        if not self._blocked or outcome.state == SKIPPED:
            return outcome
        names = {name for template in templates_of(check) for name in references(template)}
        names |= {name for when in whens_of(check) for name in names_of(when)}
        for name in sorted(names):
            supplier = self._plan.supplier(name, index, self._applied)
            if supplier is not None and supplier in self._blocked:
                return Outcome(INCONCLUSIVE, f"`{name}`: {self._blocked[supplier]}", event=outcome.event)
        return outcome

    def _deferred(
        self, check: Check, index: int | None, event: int | None, lookup: Lookup, judge: Judge | None
    ) -> Outcome:
        fields = check.fields
        events = self._decision.sequence.events
        texts: dict[str, str | None] = {}
        for place, where in fields["places"].items():
            at = event if where is None else self._assigned.get(where)
            texts[place] = None if at is None else observed_text(events[at])
        if event is not None and "response" not in texts:
            texts["response"] = observed_text(events[event])
        try:
            criteria = None if fields["criteria"] is None else str(resolve(fields["criteria"], lookup)[1])
        except UnsourcedError as missing:
            return Outcome(INCONCLUSIVE, f"`{missing.name}` has no value here", event=event)
        program = self._plan.program
        request = JudgeRequest(
            lambda: [item.to_dict() for item in events],
            fields["rule"],
            DEFAULT_THRESHOLD if check.threshold is None else check.threshold,
            program.session,
            id=fields["id"],
            criteria=criteria,
            event=None if event is None else events[event].to_dict(),
            behavior=index,
            behavior_id=None if index is None else program.behaviors[index].id,
            adapter=fields["adapter"],
            dataset=fields["dataset"],
            prompt=fields["prompt"],
            **texts,
        )
        return ask(judge, request, event)

    # Groups

    def _settle_groups(self, assigned: dict[int, int]) -> dict[int, int]:
        """Inside each unordered group, take the assignment in which most evaluations hold."""
        roles = self._plan.roles
        members: dict[int, list[int]] = {}
        for index in assigned:
            if index in roles.group_of:
                members.setdefault(roles.group_of[index], []).append(index)
        self._assigned = assigned
        self._applied = self._captured()
        for group in members.values():
            group.sort()
            if len(group) > 1 and any(self._plan.program.behaviors[i].checks for i in group):
                assigned.update(self._settle(group, assigned))
        return assigned

    def _settle(self, group: list[int], assigned: dict[int, int]) -> dict[int, int]:
        events = sorted(assigned[i] for i in group)
        classifier = self._plan.classifier(self._plan.roles.suppliers & self._applied)
        sequence = self._decision.sequence
        masks = {event: sequence.mask_at(event, classifier) for event in events}
        weights: list[list[int | None]] = []
        for index in group:
            row: list[int | None] = []
            for event in events:
                row.append(self._held(index, event, len(group)) if masks[event] >> index & 1 else None)
            weights.append(row)
        return {index: events[column] for index, column in zip(group, best_assignment(weights), strict=True)}

    def _held(self, index: int, event: int, size: int) -> int:
        """How many checks of a member would hold on an event; blocking ones outweigh all others."""
        checks = self._plan.program.behaviors[index].checks
        total = sum(len(self._plan.program.behaviors[i].checks) for i in range(len(self._plan.program.behaviors))) + 1
        weight = 0
        for check in checks:
            if self._step(check, index, event, None).state == PASSED:
                weight += total if check.blocking else 1
        return weight

    # The session

    def _run_chain(self) -> ChainRunner:
        runner = ChainRunner(self._plan)
        for index, event in enumerate(self._decision.sequence.events):
            runner.feed(index, event)
        return runner

    def _chain(
        self, check: Check, path: tuple[int, ...], runner: ChainRunner, lookup: Lookup, *, negated: bool
    ) -> Outcome:
        held = _condition(check, lookup)
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
            return self._consistency(check.fields["variable"])
        if check.type == "expected":
            return self._expected(check, path, runner, negated)
        return runner.outcome(path, negated)

    def _expected(self, check: Check, path: tuple[int, ...], runner: ChainRunner, negated: bool) -> Outcome:
        index = check.fields["behavior"]
        behavior = self._plan.program.behaviors[index]
        words = f"step {index + 1} ({behavior.title})"
        because = f": {check.fields['reason']}" if check.fields["reason"] else ""
        if index in self._plan.roles.skipped:
            return Outcome(INCONCLUSIVE, f"{words} is not observed")
        event = self._assigned.get(index)
        if event is None:
            return Outcome(FAILED, f"{words} was expected and did not match{because}")
        if negated and self._decision.sequence.events[event].action is None:
            return Outcome(INCONCLUSIVE, f"{words} matched an event that knows only its category", event=event)
        if check.fields["after"] is None:
            return Outcome(PASSED, f"{words} matched event #{event}", event=event)
        return runner.after(path, event, words, because, negated)

    def _consistency(self, variable: str) -> Outcome:
        """Every observed value at a place whose whole value is the reference, and every captured value, are equal."""
        found: list[tuple[Any, str, int | None]] = []
        events = self._decision.sequence.events
        for behavior in self._plan.program.behaviors:
            event = self._assigned.get(behavior.index)
            supplies = event is not None or behavior.index in self._plan.roles.skipped
            if supplies and variable in behavior.capture:
                try:
                    value = resolve(behavior.capture[variable], self._lookup(behavior.index))[1]
                except UnsourcedError:
                    continue
                found.append((value, f"captured by step {behavior.index + 1}", event))
            if event is None:
                continue
            for constraint in behavior.args:
                for key, template in constraint.keys.items():
                    _observe(template, f"with.{key}", events[event].arguments, key, variable, found, event)
            if behavior.content is not None:
                _walk(behavior.content, "content", events[event].content, variable, found, event)
        if not found:
            return Outcome(INCONCLUSIVE, f"no value of `{variable}` was observed")
        first, where, _ = found[0]
        for value, other, event in found[1:]:
            if not json_equal(first, value):
                return Outcome(FAILED, f"{show(first)} ({where}), but {show(value)} ({other})", event=event)
        return Outcome(PASSED, f"{show(first)} in {len(found)} place{'' if len(found) == 1 else 's'}")


def _condition(check: Check, lookup: Lookup) -> Outcome | None:
    """The outcome where `when` keeps a check from running, else None."""
    if check.when is None:
        return None
    try:
        if evaluate_when(check.when, lookup):
            return None
    except WhenError as error:
        return Outcome(INCONCLUSIVE, f"`when` has no truth value: {error}")
    except UnsourcedError as missing:
        return Outcome(INCONCLUSIVE, f"`when`: `{missing.name}` has no value here")
    return Outcome(SKIPPED, "`when` does not hold")


def _observe(
    template: Any,
    path: str,
    container: Any,
    key: str,
    variable: str,
    found: list[tuple[Any, str, int | None]],
    event: int,
) -> None:
    if container.__class__ is dict and key in container:
        _walk(template, path, container[key], variable, found, event)


def _walk(
    template: Any, path: str, value: Any, variable: str, found: list[tuple[Any, str, int | None]], event: int
) -> None:
    """Collect the observed values at the places of a template that are the reference alone."""
    tag, body = template
    if tag == "ref":
        if body == variable:
            found.append((value, f"{path} of event #{event}", event))
    elif tag == "obj":
        for key, inner in body.items():
            _observe(inner, f"{path}.{key}", value, key, variable, found, event)
    elif tag == "arr" and value.__class__ is list:
        for number, (inner, item) in enumerate(zip(body, value, strict=False)):
            _walk(inner, f"{path}[{number}]", item, variable, found, event)
