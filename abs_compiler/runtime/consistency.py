"""variable_consistency: one variable, one value, wherever a run shows it.

Takes the assigned behaviors; collects the observed value at every place whose whole value is the reference, and every
captured value; they must all be equal.
"""

from __future__ import annotations

from contextlib import suppress

from .classify import applies
from .errors import BindError
from .mismatch import child_path
from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .templates import UnsourcedError, is_blank, resolve
from .values import json_equal, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from .events import Event
    from .plan import Plan
    from .program import Behavior

    Lookup = Callable[[str], Any]


class Found:
    """One observed or captured value: where it was, the event, and whether it is certain that the event matched."""

    __slots__ = ("certain", "event", "value", "where")

    def __init__(self, value: Any, where: str, event: int | None, certain: bool) -> None:
        self.value = value
        self.where = where
        self.event = event
        self.certain = certain


def consistency(
    variable: str,
    plan: Plan,
    assigned: Mapping[int, int],
    event_at: Callable[[int], Event],
    lookup_of: Callable[[int], Lookup],
    *,
    negated: bool,
) -> Outcome:
    """The outcome of a variable_consistency. Under a none_of it is inconclusive where events that know only their
    category decide it."""
    found: list[Found] = []
    unseen = False
    for behavior in plan.program.behaviors:
        skipped = behavior.index in plan.roles.skipped
        event = assigned.get(behavior.index)
        unseen = unseen or (skipped and _places(behavior, variable, lookup_of(behavior.index)))
        if event is None and not skipped:
            continue
        certain = event is None or plan.certain_action(behavior, event_at(event))
        if variable in behavior.capture:
            # A capture whose own source does not apply captured nothing.
            with suppress(UnsourcedError, BindError):
                value = resolve(behavior.capture[variable], lookup_of(behavior.index))[1]
                found.append(Found(value, f"captured by step {behavior.index + 1}", event, certain))
        if event is not None:
            for path, value in _observed(behavior, variable, event_at(event), lookup_of(behavior.index)):
                found.append(Found(value, f"{path} of event #{event}", event, certain))
    outcome = _compare(variable, found)
    if outcome.state == PASSED and unseen:
        return Outcome(INCONCLUSIVE, f"{outcome.reason}, and a place that is not observed", event=outcome.event)
    if negated and _compare(variable, [item for item in found if item.certain]).state != outcome.state:
        return Outcome(
            INCONCLUSIVE, f"{outcome.reason}, but the recording does not say what some events are", event=outcome.event
        )
    return outcome


def _compare(variable: str, found: list[Found]) -> Outcome:
    if not found:
        return Outcome(INCONCLUSIVE, f"no value of `{variable}` was observed")
    first = found[0]
    for other in found[1:]:
        if not json_equal(first.value, other.value):
            reason = f"{show(first.value)} ({first.where}), but {show(other.value)} ({other.where})"
            return Outcome(FAILED, reason, event=other.event)
    places = f"{len(found)} place{'' if len(found) == 1 else 's'}"
    return Outcome(PASSED, f"{show(first.value)} in {places}", event=first.event)


def _templates(behavior: Behavior, lookup: Lookup) -> Iterator[tuple[str, Any, str | None]]:
    """(path, template, argument) of all that a behavior declares about arguments (of its merged tool_call checks
    too) and content; argument None: the whole arguments, or the content."""
    merged = [check for check in behavior.checks if applies(check, lookup)]
    for constraint in (*behavior.args, *(item for check in merged for item in check.arguments)):
        for key, template in constraint.keys.items():
            yield child_path("with", key), template, key
        if constraint.whole is not None:
            yield "with", constraint.whole, None
    if behavior.content is not None:
        yield "content", behavior.content, None


def _observed(behavior: Behavior, variable: str, event: Event, lookup: Lookup) -> Iterator[tuple[str, Any]]:
    """The places of an event where the variable stands, with their values."""
    blank = event.arguments is None or is_blank(event.arguments)
    arguments = {} if blank else event.arguments
    for path, template, key in _templates(behavior, lookup):
        if path == "content":
            yield from _walk(template, path, event.content, variable)
        elif key is None:
            yield from _walk(template, path, arguments, variable)
        elif arguments.__class__ is dict and key in arguments:
            yield from _walk(template, path, arguments[key], variable)


def _places(behavior: Behavior, variable: str, lookup: Lookup) -> bool:
    """Whether the variable stands alone somewhere in what a behavior declares."""
    pending = [template for _, template, _ in _templates(behavior, lookup)]
    while pending:
        tag, body = pending.pop()
        if tag == "ref" and body == variable:
            return True
        if tag == "obj":
            pending.extend(body.values())
        elif tag == "arr":
            pending.extend(body)
    return False


def _walk(template: Any, path: str, value: Any, variable: str) -> Iterator[tuple[str, Any]]:
    """The values at the places of a template that are the reference alone."""
    tag, body = template
    if tag == "ref":
        if body == variable:
            yield path, value
    elif tag == "obj" and value.__class__ is dict:
        for key, inner in body.items():
            if key in value:
                yield from _walk(inner, child_path(path, key), value[key], variable)
    elif tag == "arr" and value.__class__ is list:
        for number, (inner, item) in enumerate(zip(body, value, strict=False)):
            yield from _walk(inner, f"{path}[{number}]", item, variable)
