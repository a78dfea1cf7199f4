"""What a selector knows of an event: that it selects it, that it does not, or neither."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

Event = dict[str, Any]
Selector = Mapping[str, str | None]
Targets = Mapping[str, Sequence[str]]

YES, NO, MAYBE = "yes", "no", "maybe"

TALK = ("says", "asks", "responds", "informs", "greets", "clarifies", "confirms", "rejects", "suggests", "shows")
WORK = ("calls", "submits", "retrieves", "stores", "updates")
HANDLING = ("selects", "uploads", "downloads", "approves")


def category(action: str) -> str | None:
    """The category of an action of the vocabulary."""
    for name, actions in (("communication", TALK), ("execution", WORK), ("interaction", HANDLING)):
        if action in actions:
            return name
    return "delegation" if action == "hands_off" else None


def selection(selector: Selector, event: Event, targets: Targets) -> str:
    """Whether a selector selects an event."""
    if selector["actor"] is not None and selector["actor"] != event["actor"]:
        return NO
    if not same_target(selector["target"], event.get("target"), targets):
        return NO
    return same_action(selector["action"], event)


def same_target(wanted: str | None, seen: str | None, targets: Targets) -> bool:
    """Whether a recorded target is what a written one stands for."""
    if wanted is None or wanted == seen:
        return True
    return seen is not None and any(fnmatchcase(seen, glob) for glob in targets.get(wanted, ()))


def same_action(wanted: str | None, event: Event) -> str:
    """Whether an event is a certain action."""
    seen = event.get("action")
    if wanted is None or wanted == seen:
        return YES
    if seen is None:
        return MAYBE if category(wanted) == event["category"] else NO
    return MAYBE if event.get("recorded") and seen == "calls" and wanted in WORK else NO


def is_tool_event(event: Event) -> bool:
    """Whether a recording of tool events would show an event."""
    action = event.get("action")
    if action == "responds" and event["actor"] in ("tool", "external"):
        return True
    known = event["category"] if action is None else category(action)
    return known in ("execution", None)


def could_select_talk(selector: Selector) -> bool:
    """Whether a selector could select an event that a recording of tool events does not show."""
    every = [
        {"actor": actor, "action": action, "target": selector["target"]}
        for actor in (selector["actor"],)
        if selector["actor"] is not None
        for action in (*TALK, *HANDLING, "hands_off")
    ] or [
        {"actor": actor, "action": action, "target": selector["target"]}
        for actor in ("user", "assistant", "tool", "external", "system", "human")
        for action in (*TALK, *HANDLING, "hands_off")
    ]
    return any(not is_tool_event(event) and selection(selector, event, {}) == YES for event in every)
