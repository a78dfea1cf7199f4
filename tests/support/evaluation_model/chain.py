"""Checks of the whole trace, by definition.

A *world* says of each event which of a check's selectors select it. The recording allows for two: undecided events
counted in, or counted out. Where the conversation is not recorded, each of them stands for all traces in which
conversation events were inserted anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from tests.support.evaluation_model.selectors import (
    MAYBE,
    NO,
    YES,
    Event,
    Selector,
    Targets,
    could_select_talk,
    is_tool_event,
    selection,
)

PASSED, FAILED, INCONCLUSIVE = "passed", "failed", "inconclusive"
World = list[tuple[bool, ...]]


def leaf_state(check: dict[str, Any], events: list[Event], targets: Targets, observe: str, negated: bool) -> str:
    """The state of one check that is no composition."""
    if check["type"] == "count":
        states = [
            leaf_state({**check, "type": kind, "bound": check[bound]}, events, targets, observe, negated)
            for kind, bound in (("least", "min"), ("most", "max"))
            if check[bound] is not None
        ]
        return next((state for state in (FAILED, INCONCLUSIVE) if state in states), PASSED)
    counted_in, counted_out = (_answer(check, events, targets, observe, counted) for counted in (True, False))
    if counted_in == counted_out:
        return counted_in
    forbids = check["type"] in ("never", "most")
    return INCONCLUSIVE if forbids or negated else counted_in


def _answer(check: dict[str, Any], events: list[Event], targets: Targets, observe: str, counted: bool) -> str:
    """The state with undecided events counted in or out."""
    selectors = selectors_of(check)
    hidden = tuple(
        observe == "tools" and selector is not None and could_select_talk(selector) for selector in selectors
    )
    shown = [event for event in events if observe == "all" or is_tool_event(event)]
    world = [
        tuple(
            _selects(check, selector, event, targets) in ((YES, MAYBE) if counted else (YES,)) for selector in selectors
        )
        for event in shown
    ]
    if observe == "all" or check["type"] == "tool_call":
        return PASSED if _holds(check, world) else FAILED
    answers = {_holds(check, longer) for longer in _longer_worlds(check, world, hidden)}
    if answers == {True}:
        return PASSED
    return FAILED if answers == {False} else INCONCLUSIVE


def selectors_of(check: dict[str, Any]) -> list[Selector | None]:
    """The selectors of a check; None for the call of a tool_call."""
    match check["type"]:
        case "sequence":
            return list(check["order"])
        case "within":
            return [check["after"], check["match"]]
        case "tool_call":
            return [None]
        case _:
            return [check["match"]]


def _selects(check: dict[str, Any], selector: Selector | None, event: Event, targets: Targets) -> str:
    if selector is not None:
        return selection(selector, event, targets)
    found = selection({"actor": None, "action": "calls", "target": check["target"]}, event, targets)
    seen = event.get("with") or {}
    fits = all(key in seen and seen[key] == value[1] for args in check["args"] for key, value in args["keys"].items())
    return found if fits else NO


def _holds(check: dict[str, Any], world: World) -> bool:
    """Whether a check holds in a world, as its definition reads."""
    match check["type"]:
        case "eventually" | "tool_call":
            return any(chosen[0] for chosen in world)
        case "never":
            return not any(chosen[0] for chosen in world)
        case "least":
            return sum(chosen[0] for chosen in world) >= check["bound"]
        case "most":
            return sum(chosen[0] for chosen in world) <= check["bound"]
        case "sequence":
            wanted = range(len(check["order"]))
            return any(
                all(world[place][step] for step, place in zip(wanted, places, strict=True))
                for places in combinations(range(len(world)), len(wanted))
            )
        case "within":
            return any(
                world[first][0] and world[later][1]
                for first, later in combinations(range(len(world)), 2)
                if later - first <= check["max_steps"]
            )
        case unknown:
            raise AssertionError(unknown)


def _longer_worlds(check: dict[str, Any], world: World, hidden: tuple[bool, ...]) -> Iterator[World]:
    """The worlds with as many conversation events inserted as can make a difference, each selected by any of the
    selectors that could select conversation."""
    kinds = list(product(*((False, True) if could else (False,) for could in hidden)))
    match check["type"]:
        case "sequence":
            most = sum(hidden)
        case "within":
            most = max(2, check["max_steps"])
        case "least" | "most":
            most = check["bound"] + 1
        case _:
            most = 1
    for count in range(most + 1):
        for places in product(range(len(world) + 1), repeat=count):
            if list(places) == sorted(places):
                for inserted in product(kinds, repeat=count):
                    longer = list(world)
                    for place, kind in reversed(list(zip(places, inserted, strict=True))):
                        longer.insert(place, kind)
                    yield longer
