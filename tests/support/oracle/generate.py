"""Small random cases: a program, bindings and a trace, made so that the hard things happen often.

Behaviors and events are drawn from a few shapes per case, so several behaviors want the same event; groups, optional
behaviors, chains of `requires`, captures, limits on extras and the rest come and go from case to case.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.support.oracle.assignments import names_used
from tests.support.oracle.fit import category

# Values that are easily mistaken for one another.
ALIKE = (0, 1, 1.0, True, False, "1", "", None, [1], [True], {"a": 1}, {"a": 1, "b": 2}, [1, 2], [2, 1])
TARGETS = ("read", "write", "log")
PATTERNS = ("read", "write", "re*", "*", "w*e", "rea")
TALK = (("user", "says"), ("assistant", "informs"), ("assistant", "asks"))


@dataclass(frozen=True)
class RandomCase:
    """A program, the values bound to its names, and a trace of event dictionaries."""

    program: dict[str, Any]
    bindings: dict[str, Any]
    events: list[dict[str, Any]]


def random_case(random: Random, *, behaviors: int = 5, events: int = 6) -> RandomCase:
    """A case with at most that many behaviors and events."""
    entangled = random.random() < 0.15  # captures by optional behaviors that hang on one another
    targets = random.sample(TARGETS, random.randint(1, len(TARGETS)))
    values = [0, 1] if entangled else random.sample(ALIKE, random.choice((1, 2, 3, len(ALIKE))))
    shapes = [_shape(random, targets, values) for _ in range(random.choice((1, 2, 2, 3, 4)))]
    captures = 0.7 if entangled else random.choice((0.0, 0.0, 0.0, 0.5))
    steps = [_behavior(random, shapes, values, captures) for _ in range(random.randint(1, behaviors))]
    if entangled or random.random() < 0.6:
        _make_optional(random, steps, chained=entangled or random.random() < 0.5)
    groups = _groups(random, steps) if random.random() < 0.7 else []
    _mark_shared(steps)
    names = sorted(set().union(*(names_used(step) | step["capture"].keys() for step in steps)))
    program = {
        "session": "random",
        "version": "0.2",
        "match": _match(random),
        "behaviors": steps,
        "groups": groups,
        "parameters": _parameters(steps),
        "names": names,
        "file_names": names,
        "dataset": None,
        "checks": [],
        "source": {"path": "random.abs.yaml", "sha256": "0" * 64},
    }
    bindings = {name: random.choice(values) for name in names if name in program["parameters"] or random.random() < 0.3}
    trace = [_event(random, shapes) for _ in range(random.randint(0 if random.random() < 0.2 else 1, events))]
    if random.random() < 0.3:
        trace = _nudged_towards(random, steps, values, trace, events)
    return RandomCase(program, bindings, trace)


def _shape(random: Random, targets: list[str], values: list[Any]) -> dict[str, Any]:
    """What behaviors and events of a case are made from: who does what to what, and with which arguments."""
    kind = random.random()
    if kind < 0.72:
        actor = "assistant" if random.random() < 0.9 else random.choice(("system", "user"))
        action = "calls" if random.random() < 0.9 else random.choice(("submits", "updates"))
        pairs = ((key, random.choice(values)) for key in ("p", "q"))
        return {
            "actor": actor,
            "action": action,
            "target": random.choice(targets),
            "with": {key: value for key, value in pairs if random.random() < 0.5},
        }
    if kind < 0.84:
        return {
            "actor": "tool",
            "action": "responds",
            "target": random.choice(targets),
            "content": random.choice(values),
        }
    actor, action = random.choice(TALK)
    return {"actor": actor, "action": action}


def _behavior(random: Random, shapes: list[dict[str, Any]], values: list[Any], captures: float) -> dict[str, Any]:
    """A behavior of some shape; `captures` is how likely it captures a name, and how likely a call uses one."""
    shape = random.choice(shapes)
    behavior: dict[str, Any] = {
        "id": None,
        "actor": shape["actor"],
        "action": shape["action"],
        "target": shape.get("target") if random.random() < 0.85 else None,
        "at": [1, 1],
        "optional": False,
        "requires": None,
        "args": [],
        "capture": {},
        "shares": None,
        "checks": [],
    }
    keys = {key: ["=", value] for key, value in shape.get("with", {}).items() if random.random() < 0.7}
    if shape["action"] == "calls" and random.random() < captures:
        keys = {random.choice(("p", "p", "q")): _reference(random)} | (keys if random.random() < 0.3 else {})
    if keys:
        behavior["args"].append({"only": random.random() < 0.2, "keys": keys, "at": [1, 1]})
        if len(keys) == 2 and random.random() < 0.2:  # as a tool_call evaluation adds to the behavior's own arguments
            second = {"p": behavior["args"][0]["keys"].pop("p")}
            behavior["args"] = [{**behavior["args"][0], "only": False}, {"only": False, "keys": second, "at": [1, 1]}]
    if shape["action"] == "responds" and random.random() < 0.8:
        behavior["content"] = ["=", shape["content"]]
    if random.random() < captures:
        template = ["=", random.choice(values)] if random.random() < 0.9 else ["ref", random.choice(("x", "y"))]
        behavior["capture"] = {random.choice(("x", "x", "x", "y")): template}
    return behavior


def _reference(random: Random) -> list[Any]:
    name = ["ref", random.choice(("x", "x", "x", "y"))]
    return name if random.random() < 0.9 else ["arr", [name]]


def _make_optional(random: Random, steps: list[dict[str, Any]], *, chained: bool) -> None:
    share = random.choice((0.3, 0.5, 0.8))
    for index, step in enumerate(steps):
        step["optional"] = random.random() < share
        if chained and index and random.random() < 0.5:
            step["requires"] = random.randrange(index)


def _groups(random: Random, steps: list[dict[str, Any]]) -> list[list[int]]:
    groups, start = [], 0
    while start < len(steps):
        end = start
        while end < len(steps) and steps[end]["action"] == "calls" and random.random() < 0.85:
            end += 1
        if end - start >= 2:
            groups.append([start, end])
        start = max(end, start + 1)
    return groups


def _mark_shared(steps: list[dict[str, Any]]) -> None:
    """Number the runs of adjacent optional Communication behaviors, as the compiler does."""
    run, start = 0, 0
    while start < len(steps):
        end = start
        while end < len(steps) and steps[end]["optional"] and category(steps[end]["action"]) == "communication":
            end += 1
        if end - start >= 2:
            for step in steps[start:end]:
                step["shares"] = run
            run += 1
        start = max(end, start + 1)


def _match(random: Random) -> dict[str, Any]:
    targets = {}
    if random.random() < 0.2:
        targets[random.choice(TARGETS)] = random.sample(PATTERNS, random.randint(1, 2))
    return {
        "extras": random.choice((None, None, 0, 0, 1, 2)),
        "ignore": [random.choice((*TARGETS, "l*"))] if random.random() < 0.25 else [],
        "targets": targets,
        "observe": "tools" if random.random() < 0.15 else "all",
        "allow_empty": random.random() < 0.3,
    }


def _parameters(steps: list[dict[str, Any]]) -> list[str]:
    """The names used somewhere without any earlier behavior that captures them."""
    captured: set[str] = set()
    wanted: set[str] = set()
    for step in steps:
        wanted |= names_used(step) - captured
        captured |= step["capture"].keys()
    return sorted(wanted)


def _event(random: Random, shapes: list[dict[str, Any]]) -> dict[str, Any]:
    shape = random.choice(shapes)
    event: dict[str, Any] = {"actor": shape["actor"], "action": shape["action"]}
    if random.random() < 0.05:
        event["actor"] = random.choice(("assistant", "user", "human"))
    if "target" in shape and random.random() < 0.97:
        event["target"] = shape["target"] if random.random() < 0.9 else random.choice(TARGETS)
    if "with" in shape:
        arguments = {
            key: value if random.random() < 0.8 else random.choice(ALIKE) for key, value in shape["with"].items()
        }
        if random.random() < 0.3:
            arguments[random.choice(("p", "q", "z"))] = random.choice(ALIKE)
        if arguments or random.random() < 0.5:
            event["with"] = arguments if random.random() < 0.97 else random.choice((None, "", "text", [1]))
    if "content" in shape and random.random() < 0.9:
        event["content"] = shape["content"] if random.random() < 0.6 else random.choice(ALIKE)
    if random.random() < 0.08 and category(shape["action"]) == "communication" and shape["actor"] != "tool":
        event["category"] = category(event.pop("action"))
    elif event["action"] == "calls" and random.random() < 0.1:
        event["recorded"] = True
    return event


def _nudged_towards(
    random: Random, steps: list[dict[str, Any]], values: list[Any], trace: list[dict[str, Any]], most: int
) -> list[dict[str, Any]]:
    """Replace some of the trace by what the behaviors ask for, about in their order, so that more cases pass."""
    wanted = []
    for step in steps:
        if random.random() < 0.9:
            event = {"actor": step["actor"], "action": step["action"]}
            if step["target"] is not None:
                event["target"] = step["target"]
            keys = {key: template for args in step["args"] for key, template in args["keys"].items()}
            if keys:
                event["with"] = {
                    key: template[1] if template[0] == "=" else random.choice(values) for key, template in keys.items()
                }
            if "content" in step:
                event["content"] = step["content"][1]
            wanted.append(event)
    if random.random() < 0.5 and len(wanted) > 1:
        at = random.randrange(len(wanted) - 1)
        wanted[at : at + 2] = wanted[at + 1], wanted[at]
    for event in trace[: max(0, most - len(wanted))]:
        wanted.insert(random.randint(0, len(wanted)), event)
    return wanted[:most]
