"""All checks of a session, by definition, given which behavior matched which event.

Takes the program, bindings, events and the matched events of the behaviors (of an unordered group: which events it
kept); gives the states of all checks, nested ones as trees, in the order of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.support.evaluation_model.chain import leaf_state
from tests.support.evaluation_model.compositions import FAILED, INCONCLUSIVE, PASSED, SKIPPED, Part, combined
from tests.support.evaluation_model.selectors import (
    MAYBE,
    YES,
    Event,
    could_select_talk,
    is_tool_event,
    same_action,
    selection,
)
from tests.support.evaluation_model.steps import condition, names_in, places, step_state, value_of
from tests.support.oracle.values import equal

COMPOSITIONS = ("all_of", "any_of", "none_of")


@dataclass
class Tree:
    """The state of a check and of its parts."""

    state: str
    parts: list[Tree] = field(default_factory=list)

    @classmethod
    def of(cls, result: Any) -> Tree:
        """The tree of a result of the runtime."""
        return cls(result.state, [cls.of(child) for child in result.children])

    @classmethod
    def spread(cls, check: Mapping[str, Any], state: str) -> Tree:
        """One state for a check and all its parts."""
        return cls(state, [cls.spread(child, state) for child in check.get("checks", ())])


@dataclass
class Session:
    """A session with its matched events."""

    program: dict[str, Any]
    bindings: dict[str, Any]
    events: list[Event]
    matched: dict[int, int]
    required: frozenset[int]
    blocked: set[int] = field(default_factory=set)

    @property
    def observe(self) -> str:
        return self.program["match"]["observe"]

    @property
    def targets(self) -> dict[str, list[str]]:
        return self.program["match"]["targets"]

    def supplier(self, name: str, index: int) -> int | None:
        """The behavior whose capture of a name applies at a behavior."""
        for earlier in range(index - 1, -1, -1):
            if name in self.program["behaviors"][earlier]["capture"] and self.applies(earlier):
                return earlier
        return None

    def applies(self, index: int) -> bool:
        """Whether the captures of a behavior apply: it was matched, had to be, or cannot be seen."""
        return index in self.matched or index in self.required or not self.visible(index)

    def visible(self, index: int) -> bool:
        return self.observe == "all" or is_tool_event(self.program["behaviors"][index])

    def names(self, index: int) -> Callable[[str], Any]:
        """A look-up of names; KeyError where one has no value."""

        def look_up(name: str) -> Any:
            supplier = self.supplier(name, index)
            if supplier is None:
                return self.bindings[name]
            return value_of(self.program["behaviors"][supplier]["capture"][name], self.names(supplier))

        return look_up


def all_states(session: Session) -> list[Tree]:
    """The states of all checks."""
    _choose_in_groups(session)
    trees = []
    for index in range(len(session.program["behaviors"])):
        trees += _of_behavior(session, index)
    end = len(session.program["behaviors"])
    return trees + [_chain(session, check, end, negated=False)[0] for check in session.program["checks"]]


# Groups


def _choose_in_groups(session: Session) -> None:
    """Give each group the assignment in which most checks hold."""
    for start, end in session.program["groups"]:
        members = [index for index in range(start, end) if index in session.matched]
        events = sorted(session.matched[index] for index in members)
        possible = [
            dict(zip(members, order, strict=True))
            for order in permutations(events)
            if all(_satisfies(session, index, event) for index, event in zip(members, order, strict=True))
        ]
        best = max(_worth(session, choice) for choice in possible)
        # Ties: earlier-listed members take the earliest events.
        best_ones = [choice for choice in possible if _worth(session, choice) == best]
        session.matched.update(min(best_ones, key=lambda choice: [choice[index] for index in members]))


def _satisfies(session: Session, index: int, event: int) -> bool:
    behavior, seen = session.program["behaviors"][index], session.events[event]
    selector = {key: behavior[key] for key in ("actor", "action", "target")}
    if selection(selector, seen, session.targets) not in (YES, MAYBE):
        return False
    declared = [item for args in behavior["args"] for item in args["keys"].items()]
    arguments, names = seen.get("with", {}), session.names(index)
    return all(key in arguments and equal(arguments[key], value_of(value, names)) for key, value in declared)


def _worth(session: Session, choice: dict[int, int]) -> tuple[int, int, int]:
    """Blocking checks that hold, checks that hold, checks that do not fail."""
    blocking = holding = standing = 0
    for index, event in choice.items():
        for check in session.program["behaviors"][index]["checks"]:
            state = _step(session, check, index, event)[0].state
            blocking += check["blocking"] and state == PASSED
            holding += state == PASSED
            standing += state != FAILED
    return blocking, holding, standing


# Behaviors


def _of_behavior(session: Session, index: int) -> Iterator[Tree]:
    behavior = session.program["behaviors"][index]
    if _depends_on_blocked(session, index):
        session.blocked.add(index)
    for check in behavior["checks"]:
        yield _on_behavior(session, check, index)


def _depends_on_blocked(session: Session, index: int) -> bool:
    behavior = session.program["behaviors"][index]
    used = names_in([behavior["args"], behavior["capture"], behavior.get("content"), behavior["matches_when"]])
    return behavior["requires"] in session.blocked or any(
        session.supplier(name, index) in session.blocked for name in used
    )


def _on_behavior(session: Session, check: dict[str, Any], index: int) -> Tree:
    if index not in session.matched:
        if session.visible(index):
            return Tree.spread(check, SKIPPED)
        skipped = condition(check["when"], session.names(index)) is False
        return Tree.spread(check, SKIPPED if skipped else INCONCLUSIVE)
    if index in session.blocked:
        skipped = condition(check["when"], session.names(index)) is False
        return Tree.spread(check, SKIPPED if skipped else INCONCLUSIVE)
    tree, _ = _step(session, check, index, session.matched[index])
    if check["blocking"] and tree.state == FAILED:
        session.blocked.add(index)
    return tree


def _step(session: Session, check: dict[str, Any], index: int, event: int) -> tuple[Tree, Part]:
    names = session.names(index)
    held = _held_back(session, check, index, names)
    if held is not None:
        return held
    if check["type"] in COMPOSITIONS:
        return _composed(check, [_step(session, child, index, event) for child in check["checks"]])
    state = PASSED if check.get("merged") else step_state(check, session.events[event], names, session.targets)
    return Tree(state), Part(state)


def _held_back(
    session: Session, check: dict[str, Any], index: int, names: Callable[[str], Any]
) -> tuple[Tree, Part] | None:
    """The state of a check that does not run."""

    def blocked(used: set[str]) -> bool:
        return any(session.supplier(name, index) in session.blocked for name in used)

    if blocked(names_in(check["when"])):
        return Tree.spread(check, INCONCLUSIVE), Part(INCONCLUSIVE)
    holds = condition(check["when"], names)
    if holds is not True:
        state = SKIPPED if holds is False else INCONCLUSIVE
        return Tree.spread(check, state), Part(state)
    used = names_in({key: value for key, value in check.items() if key not in ("when", "checks")})
    if check["type"] == "variable_consistency":
        used.add(check["variable"])
    if blocked(used):
        return Tree.spread(check, INCONCLUSIVE), Part(INCONCLUSIVE)
    return None


def _composed(check: dict[str, Any], parts: list[tuple[Tree, Part]]) -> tuple[Tree, Part]:
    threshold = None if check["threshold"] is None else Fraction(str(check["threshold"]))
    whole = combined(check["type"], threshold, [part for _, part in parts])
    return Tree(whole.state, [tree for tree, _ in parts]), whole


# The session


def _chain(session: Session, check: dict[str, Any], end: int, *, negated: bool) -> tuple[Tree, Part]:
    names = session.names(end)
    held = _held_back(session, check, end, names)
    if held is not None:
        return held
    if check["type"] in COMPOSITIONS:
        under = negated or check["type"] == "none_of"
        return _composed(check, [_chain(session, child, end, negated=under) for child in check["checks"]])
    if check["type"] == "expected":
        state = _expected(session, check, negated)
    elif check["type"] == "variable_consistency":
        state = _consistency(session, check["variable"], negated)
    elif check["type"] == "tool_call" and names_in(check["args"]):
        state = _call_with_names(session, check, names, negated)
    else:
        state = leaf_state(check, session.events, session.targets, session.observe, negated)
    return Tree(state), Part(state)


def _call_with_names(session: Session, check: dict[str, Any], names: Callable[[str], Any], negated: bool) -> str:
    try:
        keys = {key: ["=", value_of(value, names)] for args in check["args"] for key, value in args["keys"].items()}
    except KeyError:
        return INCONCLUSIVE
    resolved = {**check, "args": [{"keys": keys}]}
    return leaf_state(resolved, session.events, session.targets, session.observe, negated)


def _expected(session: Session, check: dict[str, Any], negated: bool) -> str:
    """Matched, and later than some event that `after` selects; with undecided events counted in and counted out."""
    index = check["behavior"]
    if not session.visible(index):
        return INCONCLUSIVE
    counted_in, counted_out = (_expected_answer(session, check, counted) for counted in (True, False))
    return INCONCLUSIVE if counted_in != counted_out and negated else counted_in


def _expected_answer(session: Session, check: dict[str, Any], counted: bool) -> str:
    kinds = (YES, MAYBE) if counted else (YES,)
    event = session.matched.get(check["behavior"])
    behavior = session.program["behaviors"][check["behavior"]]
    if event is None or (behavior["matches_when"] is None and _action(behavior, session.events[event]) not in kinds):
        return FAILED
    if check["after"] is None:
        return PASSED
    earlier = [seen for seen in session.events[:event] if session.observe == "all" or is_tool_event(seen)]
    if any(selection(check["after"], seen, session.targets) in kinds for seen in earlier):
        return PASSED
    hidden = session.observe == "tools" and could_select_talk(check["after"])
    return INCONCLUSIVE if hidden else FAILED


def _action(behavior: dict[str, Any], event: Event) -> str:
    return same_action(behavior["action"], event)


def _consistency(session: Session, variable: str, negated: bool) -> str:
    """Every value that was captured or seen where the variable stands alone is the same."""
    counted_in, counted_out = (_consistency_answer(session, variable, counted) for counted in (True, False))
    if counted_in == PASSED and any(
        not session.visible(index) and list(places(behavior, variable, None))
        for index, behavior in enumerate(session.program["behaviors"])
    ):
        return INCONCLUSIVE
    return INCONCLUSIVE if counted_in != counted_out and negated else counted_in


def _consistency_answer(session: Session, variable: str, counted: bool) -> str:
    values = []
    for index, behavior in enumerate(session.program["behaviors"]):
        event = session.matched.get(index)
        if event is None and session.visible(index):
            continue
        by_action = not counted and behavior["matches_when"] is None
        if event is not None and by_action and _action(behavior, session.events[event]) != YES:
            continue
        if variable in behavior["capture"]:
            with suppress(KeyError):  # a capture whose own source does not apply captured nothing
                values.append(value_of(behavior["capture"][variable], session.names(index)))
        if event is not None:
            values += places(behavior, variable, session.events[event])
    if not values:
        return INCONCLUSIVE
    return PASSED if all(equal(value, values[0]) for value in values) else FAILED
