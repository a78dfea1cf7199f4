"""What is said about all runs of a session holds on runs: the machines decide as the runtime does, the runs that show
something show it, and whatever is said never to happen does not happen on random runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from abs_compiler.automaton.alphabet import EventClass, TooManyClassesError, event_classes, is_call_of_people
from abs_compiler.automaton.checks import ChainCheck, Selectors
from abs_compiler.automaton.machines import Steps
from abs_compiler.automaton.session import SessionModel, session_model
from abs_compiler.pipeline import analyse
from abs_compiler.runtime import load_programs
from abs_compiler.runtime.events import Event, Trace
from tests.support.sessions import documents

# Without shrinking: what is found is small as it is.
SLOW = settings(
    max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.reuse, Phase.generate)
)
BOUND = ({"p": 5}, {"p": 1}, {"p": "x"})


class Session:
    """A compiled document: its model, its source, and its matcher for each binding."""

    def __init__(self, text: str) -> None:
        found = analyse(text, "s.abs.json")
        assume(found.programs)
        assert found.source is not None
        self.source = found.source
        self.model: SessionModel = session_model(found.irs[0], dict(found.programs[0]))
        (matcher,) = load_programs([dict(found.programs[0])])
        self.matchers = [matcher.bind(values) if matcher.parameters else matcher for values in BOUND]

    def verdict(self, events: Iterable[Event], number: int = 0) -> Any:
        """The verdict on a run."""
        return self.matchers[number].match(Trace(list(events)))

    def complete(self, verdict: Any) -> bool:
        """Whether every required behavior was matched, and no more calls were made than is allowed."""
        steps = verdict.steps
        limit = self.model.program.extras
        return all(steps[i].state == "matched" for i in self.model.roles.required) and (
            limit is None or verdict.extras is None or len(verdict.extras) <= limit
        )

    def state(self, verdict: Any, check: ChainCheck) -> str:
        """What the verdict says of an evaluation, wherever it stands in compositions."""
        at = list(self.source.position(check.evaluation.span.start))
        pending = [item for item in verdict.checks if item.behavior is None]
        while pending:
            item = pending.pop()
            if list(item.check.at) == at:
                return str(item.state)
            pending.extend(item.children)
        raise AssertionError(at)


def random_event(random: Random, model: SessionModel, wanted: int | None = None) -> Event:
    """An event; one in the shape of a behavior where that is wanted."""
    step = model.steps[wanted] if wanted is not None else None
    actor = step.actor if step else random.choice(("user", "assistant", "tool", "human", "nobody"))
    action: str | None = (
        step.action if step else random.choice(("says", "asks", "calls", "submits", "responds", "hums"))
    )
    target = step.target if step else random.choice(("A", "B", "z", "abc", None))
    target = target or random.choice(("A", "B", None))
    if target == "A":
        target = random.choice(("A", "A", "z", "abc"))
    category, recorded = None, False
    how = random.randrange(6)
    if how == 0 and action in ("says", "asks", "responds"):
        action, category = None, "communication"
    elif how == 0 and action in ("calls", "submits"):
        action, category = None, "execution"
    elif how == 1 and action in ("calls", "submits"):
        action, recorded = "calls", True
    values = (1, 5, 3, "x", 7, None)
    arguments: Any = {key: random.choice(values) for key in ("k", "l") if random.random() < 0.6}
    if random.random() < 0.1:
        arguments = random.choice(("text", None, {"m": 1}))
    content = random.choice(({"a": 1}, {"a": 5}, {"a": "u"}, [1], "t", None))
    return Event(
        actor, action, category=category, target=target, arguments=arguments, content=content, recorded=recorded
    )


def random_run(random: Random, model: SessionModel) -> list[Event]:
    """A run that is likely to match what is required, with other events in between."""
    events = []
    for run in model.runs_of(model.roles.required):
        for i in random.sample(run, len(run)):
            while random.random() < 0.3:
                events.append(random_event(random, model))
            events.append(random_event(random, model, i))
    while random.random() < 0.3:
        events.append(random_event(random, model))
    return events


@SLOW
@given(documents(), st.randoms(use_true_random=False))
def test_machines_decide_as_the_runtime_does(text: str, random: Random) -> None:
    session = Session(text)
    model = session.model
    into = Selectors()
    machines = [check.machine(into) for check in model.checks]
    required = sorted(model.roles.required)
    steps = Steps(model.runs_of(required))
    try:
        classes = event_classes([model.steps[i] for i in required], into.found, model.names, model.program.ignore)
    except TooManyClassesError:
        return
    sure = [each for each in classes if each.sure and _is_seen(model, each)]
    for _ in range(6):
        run = [random.choice(sure) for _ in range(random.randrange(1, 7))]
        verdict = session.verdict(each.event for each in run)
        state: Any = steps.start
        for each in run:
            state = steps.step(state, each)
        assert (steps.result(state) == "passed") == all(verdict.steps[i].state == "matched" for i in required)
        for check, machine in zip(model.checks, machines, strict=True):
            state = machine.start
            for each in run:
                state = machine.step(state, each)
            assert machine.result(state) == session.state(verdict, check), (run, check.evaluation.type.text)


def _is_seen(model: SessionModel, each: EventClass) -> bool:
    """Whether the session's observation takes notice of an event."""
    if model.program.observe == "all":
        return True
    event = each.event
    return (
        event.action in ("calls", "submits")
        or event.category == "execution"
        or (event.actor == "tool" and event.action == "responds")
    )


@SLOW
@given(documents(), st.randoms(use_true_random=False))
def test_what_is_said_of_all_runs_holds_on_random_runs(text: str, random: Random) -> None:
    session = Session(text)
    model = session.model
    never = [(check, ground) for check in model.checks if (ground := model.can_never_hold(check))]
    always = [check for check in model.checks if model.can_never_fail(check)]
    apart = [pair for pair in itertools.combinations(model.checks, 2) if model.can_never_both_hold(*pair)]
    excluded = [(check, i) for check in model.checks for i in model.roles.optionals if model.excluded_by(check, i)]
    if not (never or always or apart or excluded):
        return
    for _ in range(40):
        run = random_run(random, model)
        for number in range(len(BOUND)):
            verdict = session.verdict(run, number)
            if not session.complete(verdict):
                continue
            people_call = any(is_call_of_people(event.actor, event.action, event.category) for event in run)
            for check, ground in never:
                if ground.people_call_nothing and people_call:
                    continue
                assert session.state(verdict, check) != "passed"
            for check in always:
                assert session.state(verdict, check) != "failed"
            for first, second in apart:
                assert {session.state(verdict, first), session.state(verdict, second)} != {"passed"}
            for check, i in excluded:
                assert verdict.steps[i].state != "matched" or session.state(verdict, check) != "passed"


@SLOW
@given(documents(plain=True))
def test_runs_show_what_they_are_said_to_show(text: str) -> None:
    session = Session(text)
    model = session.model
    required = sorted(model.roles.required)
    found = model.results(required, model.checks, extras=model.extras_are_counted)
    for results, run in (found or {}).items():
        if not run or not all(each.sure and _is_seen(model, each) for each in run):
            continue
        verdict = session.verdict(each.event for each in run)
        assert all(verdict.steps[i].state == "matched" for i in required)
        assert results == tuple(session.state(verdict, check) for check in model.checks)
        if model.extras_are_counted:
            assert session.complete(verdict)
