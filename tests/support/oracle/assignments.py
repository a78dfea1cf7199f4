"""Every assignment of behaviors to events that keeps the order, as section 5 of the language defines it.

Takes the behaviors of a program (with what is required and what is optional already worked out), the events, and which
behaviors must and may be matched; gives each assignment as a tuple: the event of each behavior, or None.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tests.support.oracle.fit import fits, is_tool_step
from tests.support.oracle.values import Json, UnresolvedError, references, resolve

Assignment = tuple[int | None, ...]


@dataclass
class Step:
    """A behavior as the search sees it."""

    behavior: dict[str, Any]
    optional: bool
    gate: int | None  # the nearest optional behavior up its chain of `requires`
    skipped: bool  # the trace cannot show it
    uncertain: bool  # it requires an optional behavior the trace cannot show
    group: tuple[int, int] | None
    fixed_fits: dict[int, bool] | None  # the fits, where no name is involved


@dataclass
class Case:
    """One program, its bindings and one trace."""

    steps: list[Step]
    events: list[dict[str, Any]]
    names: dict[str, Json]
    match: dict[str, Any]
    certain: bool = False  # optional behaviors take only events whose action is known to be theirs

    def fits(self, index: int, event: int, names: dict[str, Json]) -> bool:
        """Whether behavior `index` fits the event; never without a value for each name it compares with."""
        step = self.steps[index]
        if step.fixed_fits is not None:
            return step.fixed_fits[event]
        try:
            return self._visible(event) and fits(step.behavior, self.events[event], names, self.match, self.certain)
        except UnresolvedError:
            return False

    def _visible(self, event: int) -> bool:
        observed = self.events[event]
        if self.match["observe"] == "all":
            return True
        return is_tool_step(observed["actor"], observed.get("action"), observed.get("category"))


def make_case(
    program: dict[str, Any], bindings: dict[str, Json], events: list[dict[str, Any]], *, certain: bool = False
) -> Case:
    """Read a program: which behaviors are required, optional, dependent or out of sight."""
    behaviors = program["behaviors"]
    checks = [*program["checks"], *(check for behavior in behaviors for check in behavior["checks"])]
    if any(behavior.get("matches_when") for behavior in behaviors) or not all(map(_is_merged, checks)):
        raise ValueError("the oracle decides matching alone, no evaluations and no matches_when")
    tools_only = program["match"]["observe"] == "tools"
    skipped = [tools_only and not is_tool_step(item["actor"], item["action"], None) for item in behaviors]
    steps: list[Step] = []
    for index, behavior in enumerate(behaviors):
        optional, uncertain, required = behavior["optional"], False, behavior["requires"]
        while required is not None and skipped[required]:
            if behaviors[required]["optional"] and not optional:
                optional = uncertain = True
            required = behaviors[required]["requires"]
        gate = required
        while gate is not None and not steps[gate].optional:
            gate = steps[gate].gate
        group = next(((start, end) for start, end in program["groups"] if start <= index < end), None)
        steps.append(Step(behavior, optional, gate, skipped[index], uncertain, group, None))
    case = Case(steps, events, dict(bindings), program["match"], certain)
    for index, step in enumerate(steps):
        if not names_used(step.behavior):
            step.fixed_fits = {event: case.fits(index, event, {}) for event in range(len(events))}
    return case


def _is_merged(check: dict[str, Any]) -> bool:
    """Whether all that an evaluation says is among the arguments of its behavior already."""
    return check["type"] == "tool_call" and check["merged"] and check["when"] is None


def assignments(
    case: Case,
    must: frozenset[int],
    may: frozenset[int],
    assumed: frozenset[int] = frozenset(),
    imagined: frozenset[int] = frozenset(),
) -> Iterator[Assignment]:
    """Every assignment that matches all of `must`, any of `may` whose gate it matches, and nothing else.

    Where a level of optional behaviors is being chosen, `assumed` are the dependants of later decisions: they supply
    their captures wherever their gate matches, since they will have to match then. `imagined` are the optional
    behaviors of later levels: whether they will match is open, so their captures are tried both ways.
    """
    for index in must:
        fitting = case.steps[index].fixed_fits
        if fitting is not None and not any(fitting.values()):
            return iter(())
    return _Search(case, must, may, assumed, imagined).extend((), case.names, -1, None, None, frozenset())


class _Search:
    """One enumeration, behavior by behavior in listing order. It remembers the situations from which no way led on, so
    that a trace of many alike calls is not gone through again and again."""

    def __init__(
        self,
        case: Case,
        must: frozenset[int],
        may: frozenset[int],
        assumed: frozenset[int],
        imagined: frozenset[int],
    ) -> None:
        self.case = case
        self.must = must
        self.may = may
        self.assumed = assumed
        self.imagined = imagined
        self.gates = frozenset(step.gate for step in case.steps if step.gate is not None)
        self.captures = any(step.behavior["capture"] for step in case.steps)
        self.hopeless: set[Any] = set()

    def extend(
        self,
        chosen: Assignment,
        names: dict[str, Json],
        floor: int,  # events up to this one lie before the current segment
        ceiling: int | None,  # the last event the current group has used so far; None outside groups
        run: int | None,  # the run of behaviors that may share the event `floor`
        held: frozenset[int],  # the imagined behaviors taken for matched
    ) -> Iterator[Assignment]:
        steps, index = self.case.steps, len(chosen)
        if ceiling is not None and (index == len(steps) or steps[index].group != steps[index - 1].group):
            floor, ceiling, run = max(floor, ceiling), None, None
        if index == len(steps):
            yield chosen
            return
        situation = (*self._situation(chosen, names, floor, ceiling, run), held)
        if situation in self.hopeless:
            return
        any_way = False
        for way in self._choices(chosen, names, floor, ceiling, run, held):
            any_way = True
            yield way
        if not any_way:
            self.hopeless.add(situation)

    def _choices(
        self,
        chosen: Assignment,
        names: dict[str, Json],
        floor: int,
        ceiling: int | None,
        run: int | None,
        held: frozenset[int],
    ) -> Iterator[Assignment]:
        index = len(chosen)
        step = self.case.steps[index]
        if step.group is not None and ceiling is None:
            ceiling = floor
        if index in self.must or (index in self.may and (step.gate is None or chosen[step.gate] is not None)):
            shared = step.behavior["shares"]
            first = floor if shared is not None and shared == run else floor + 1
            after = captured(step, names)
            for event in range(first, len(self.case.events)):
                if event in self._members(chosen) or not self.case.fits(index, event, names):
                    continue
                if ceiling is None:
                    yield from self.extend((*chosen, event), after, event, None, shared, held)
                else:
                    yield from self.extend((*chosen, event), after, floor, max(ceiling, event), None, held)
        if index not in self.must:
            for after, holding in self._without(index, chosen, names, held):
                yield from self.extend((*chosen, None), after, floor, ceiling, run, holding)

    def _without(
        self, index: int, chosen: Assignment, names: dict[str, Json], held: frozenset[int]
    ) -> Iterator[tuple[dict[str, Json], frozenset[int]]]:
        """The names known after a behavior that takes no event, and which imagined ones are held to match."""
        step = self.case.steps[index]
        gated = step.gate is not None and (chosen[step.gate] is not None or step.gate in held)
        if step.skipped or (index in self.assumed and gated):
            yield captured(step, names), held
            return
        yield names, held
        if index in self.imagined and (step.gate is None or gated):
            yield captured(step, names), held | {index}

    def _members(self, chosen: Assignment) -> Assignment:
        """The events that the members of the current group listed so far have taken."""
        group = self.case.steps[len(chosen)].group
        return () if group is None else chosen[group[0] :]

    def _situation(
        self, chosen: Assignment, names: dict[str, Json], floor: int, ceiling: int | None, run: int | None
    ) -> Any:
        """All that what comes next depends on."""
        gates = tuple(index for index, event in enumerate(chosen) if event is not None and index in self.gates)
        known = json.dumps(names, sort_keys=True) if self.captures else None
        return len(chosen), floor, ceiling, run, frozenset(self._members(chosen)), gates, known


def captured(step: Step, names: dict[str, Json]) -> dict[str, Json]:
    """The names known after a matched (or unseen) behavior.

    A capture replaces the earlier value even where it cannot be worked out itself: then there is no value.
    """
    if not step.behavior["capture"]:
        return names
    known = dict(names)
    for name, template in step.behavior["capture"].items():
        known.pop(name, None)
        with suppress(UnresolvedError):
            known[name] = resolve(template, names)
    return known


def names_used(behavior: dict[str, Any]) -> set[str]:
    """Every name a behavior refers to."""
    templates = [*behavior["capture"].values()]
    for args in behavior["args"]:
        templates += [args["whole"]] if "whole" in args else args["keys"].values()
    if "content" in behavior:
        templates.append(behavior["content"])
    return set().union(*map(references, templates))
