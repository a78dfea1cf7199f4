"""Random sessions with evaluations, made so that the hard things happen often."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.support.programs import behavior, check, program, select

ACTORS = ("user", "assistant", "tool")
ACTIONS = ("says", "asks", "informs", "calls", "submits", "responds", "selects", "hands_off", "ponders")
TARGETS = ("A", "B")
GLOBS = {"A": ["a*", "B1"]}
WORDS = ("red", "Red car", "blue", "car", "12", "true", "")
VALUES: tuple[Any, ...] = ("red", "blue", 12, 12.0, True, None, ["red"], {"k": "red"}, {"k": "red", "l": 1})
CONDITIONS: tuple[Any, ...] = (
    ["lit", True],
    ["lit", False],
    ["cmp", "==", ["lit", 1], ["lit", 1.0]],
    ["not", ["cmp", "<", ["lit", "a"], ["lit", "b"]]],
)


@dataclass
class Case:
    """A program, a trace and what is bound."""

    program: dict[str, Any]
    events: list[dict[str, Any]]
    bindings: dict[str, Any] = field(default_factory=dict)


# Checks of the whole trace


def chain_case(random: Random) -> Case:
    """A session of chain checks alone, on a trace of anything."""
    observe = "tools" if random.random() < 0.1 else "all"
    checks = [_chain_check(random, 2) for _ in range(random.randint(1, 3))]
    events = [any_event(random) for _ in range(random.randint(0, 3 if observe == "tools" else 8))]
    targets = GLOBS if random.random() < 0.3 else {}
    return Case(program([], checks, observe=observe, targets=targets), events)


def any_event(random: Random) -> dict[str, Any]:
    """Any event; some know only their category, some are recorded invocations."""
    event: dict[str, Any] = {"actor": random.choice(ACTORS)}
    kind = random.random()
    if kind < 0.25:
        event["category"] = random.choice(("communication", "communication", "execution", "interaction"))
    elif kind < 0.4:
        event.update(action="calls", recorded=True)
    else:
        event["action"] = random.choice(ACTIONS)
    if random.random() < 0.7:
        event["target"] = random.choice((*TARGETS, "a1", "B1"))
    if random.random() < 0.4:
        event["with"] = {"k": random.choice(("red", "blue"))}
    return event


def _selector(random: Random) -> dict[str, Any]:
    while True:
        found = select(
            random.choice(ACTORS) if random.random() < 0.4 else None,
            random.choice(ACTIONS) if random.random() < 0.7 else None,
            random.choice(TARGETS) if random.random() < 0.3 else None,
        )
        if any(found.values()):
            return found


def _chain_check(random: Random, depth: int) -> dict[str, Any]:
    when = random.choice(CONDITIONS) if random.random() < 0.15 else None
    if depth and random.random() < 0.3:
        return _composition(random, when, [_chain_check(random, depth - 1) for _ in range(random.randint(1, 3))])
    return _chain_leaf(random, when)


def _composition(random: Random, when: Any, parts: list[dict[str, Any]]) -> dict[str, Any]:
    threshold = random.choice((0, 0.3, 0.5, 2 / 3, 1)) if random.random() < 0.4 else None
    return check(random.choice(("all_of", "any_of", "none_of")), when=when, threshold=threshold, checks=parts)


def _chain_leaf(random: Random, when: Any) -> dict[str, Any]:
    kind = random.choice(("sequence", "eventually", "never", "count", "within", "tool_call"))
    if kind == "sequence":
        return check(kind, when=when, order=[_selector(random) for _ in range(random.randint(1, 3))])
    if kind == "within":
        steps = random.randint(1, 2)
        return check(kind, when=when, after=_selector(random), match=_selector(random), max_steps=steps)
    if kind == "tool_call":
        target = random.choice((None, *TARGETS))
        return check(kind, when=when, target=target, with_={"k": "red"} if random.random() < 0.5 else {})
    if kind == "count":
        least = random.randint(0, 2)
        bounds = random.choice(({"min": least}, {"max": least}, {"min": least, "max": least + random.randint(0, 1)}))
        return check(kind, when=when, match=_selector(random), **bounds)
    return check(kind, when=when, match=_selector(random))


# Checks of the steps


def step_case(random: Random) -> Case:
    """A session whose behaviors carry checks: groups, optionals, requirements, captures, blocking checks."""
    names = ("x", "y")
    behaviors = [_behavior(random, index, names) for index in range(random.randint(1, 5))]
    groups = _groups(random, behaviors)
    checks = [_session_check(random, len(behaviors), 1) for _ in range(random.randint(0, 3))]
    made = program(behaviors, checks, groups=groups, observe="tools" if random.random() < 0.15 else "all")
    made["names"] = made["file_names"] = sorted({*made["names"], *names})
    bindings = {name: random.choice(("red", "blue", 12)) for name in made["parameters"]}
    return Case(made, _trace(random, behaviors), bindings)


def _behavior(random: Random, index: int, names: tuple[str, ...]) -> dict[str, Any]:
    shape = random.choice(("calls", "calls", "calls", "informs", "responds"))
    actor = {"calls": "assistant", "informs": "assistant", "responds": "tool"}[shape]
    capture = {random.choice(names): random.choice(("red", "blue", 12, "{{x}}"))} if random.random() < 0.4 else None
    declared = content = text = None
    if shape == "calls" and random.random() < 0.4:
        declared = {"k": random.choice(("red", "blue", "{{x}}", "{{y}}"))}
    if shape == "responds" and random.random() < 0.4:
        content = {"k": random.choice(("red", "{{x}}", "{{y}}"))}
    if shape == "informs" and random.random() < 0.3:
        text = random.choice((("contains", "car"), ("contains", "{{x}}"), ("regex", "^[rb]")))
    return behavior(
        actor,
        shape,
        None if shape == "informs" else random.choice(TARGETS),
        with_=declared,
        optional=random.random() < 0.25,
        requires=random.randrange(index) if index and random.random() < 0.2 else None,
        capture=capture,
        content=content,
        matches_when=text,
        checks=[_step_check(random, 1, top=True) for _ in range(random.choice((0, 1, 1, 2)))],
    )


def _groups(random: Random, behaviors: list[dict[str, Any]]) -> list[tuple[int, int]]:
    groups, start = [], 0
    while start < len(behaviors):
        end = start
        while end < len(behaviors) and behaviors[end]["action"] == "calls":
            end += 1
        if end - start > 1 and random.random() < 0.7:
            groups.append((start, end))
        start = max(end, start + 1)
    return groups


def _step_check(random: Random, depth: int, *, top: bool = False) -> dict[str, Any]:
    when = _condition(random) if random.random() < 0.15 else None
    blocking = top and random.random() < 0.3
    if depth and random.random() < 0.2:
        made = _composition(random, when, [_step_check(random, 0) for _ in range(random.randint(1, 3))])
        return {**made, "blocking": blocking}
    kind = random.choice(("exact_match", "contains", "regex", "tool_call"))
    if kind == "exact_match":
        value = random.choice((*VALUES, {"k": "{{x}}"}, "{{y}}"))
        return check(kind, when=when, blocking=blocking, value=value)
    if kind == "contains":
        return check(kind, when=when, blocking=blocking, value=random.choice((*WORDS, "{{x}}", "{{y}} car")))
    if kind == "regex":
        pattern = random.choice(("^r", "car$", "[0-9]+", "(?i)RED", "^{{x}}$"))
        return check(kind, when=when, blocking=blocking, pattern=pattern)
    declared = {"k": random.choice(("red", "blue", "{{x}}"))} if random.random() < 0.7 else {}
    return check(kind, when=when, blocking=blocking, target=random.choice((None, *TARGETS)), with_=declared)


def _condition(random: Random) -> Any:
    left = random.choice((["ref", "x"], ["ref", "y"], ["lit", "red"]))
    compared = ["cmp", random.choice(("==", "!=", "<")), left, ["lit", random.choice(("red", 12, None))]]
    return random.choice((*CONDITIONS, compared, ["or", [["lit", False], compared]]))


def _session_check(random: Random, count: int, depth: int) -> dict[str, Any]:
    when = _condition(random) if random.random() < 0.15 else None
    if depth and random.random() < 0.3:
        parts = [_session_check(random, count, depth - 1) for _ in range(random.randint(1, 2))]
        return _composition(random, when, parts)
    kind = random.choice(("expected", "expected", "variable_consistency", "variable_consistency", "tool_call", "never"))
    if kind == "expected" and count:
        after = _selector(random) if random.random() < 0.5 else None
        return check(kind, when=when, behavior=random.randrange(count), after=after)
    if kind == "variable_consistency":
        return check(kind, when=when, variable=random.choice(("x", "y")))
    if kind == "tool_call":
        return check(kind, when=when, target=random.choice(TARGETS), with_={"k": random.choice(("red", "{{x}}"))})
    return check("never", when=when, match=_selector(random))


def _trace(random: Random, behaviors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A trace that comes close to what the behaviors ask for."""
    events = []
    for item in behaviors:
        if random.random() < 0.9:
            events.append(_event_for(random, item))
        if random.random() < 0.3:
            events.append(any_event(random))
    if random.random() < 0.3:
        random.shuffle(events)
    return events


def _event_for(random: Random, item: dict[str, Any]) -> dict[str, Any]:
    event: dict[str, Any] = {"actor": item["actor"]}
    if item["target"] is not None:
        event["target"] = item["target"]
    if random.random() < 0.15 and item["action"] != "responds":
        event["category"] = "execution" if item["action"] == "calls" else "communication"
    else:
        event["action"] = item["action"]
    if item["action"] == "calls":
        event["with"] = {"k": random.choice(("red", "blue", "Red car", 12))}
        if random.random() < 0.3:
            event["with"]["l"] = 1
    elif random.random() < 0.9:
        event["content"] = random.choice((*WORDS, *VALUES))
        if event["content"] is None:
            del event["content"]
    return event
