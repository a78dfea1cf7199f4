"""Does one behavior fit one event? The tests of section 4 of the language, one after the other.

Takes a behavior of the program, an event dictionary (`recorded` marks one that a reader made) and the names known at
that place. Also says what an event counts as: a tool event, a counted call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.support.oracle.values import Json, compatible, equal, resolve

CATEGORIES = {
    "communication": [
        "says",
        "asks",
        "responds",
        "informs",
        "greets",
        "clarifies",
        "confirms",
        "rejects",
        "suggests",
        "shows",
    ],
    "execution": ["calls", "submits", "retrieves", "stores", "updates"],
    "interaction": ["selects", "uploads", "downloads", "approves"],
    "delegation": ["hands_off"],
}


def category(action: str) -> str | None:
    """The category of an action; None for an action outside the vocabulary."""
    return next((name for name, actions in CATEGORIES.items() if action in actions), None)


def is_tool_step(actor: str, action: str | None, declared_category: str | None) -> bool:
    """Whether a trace of tool events alone would show this behavior or event."""
    if action is None:
        return declared_category == "execution"
    if action == "responds":
        return actor not in ("user", "assistant", "system", "human")
    return category(action) in ("execution", None)


def is_counted_call(event: dict[str, Any], match: Mapping[str, Any]) -> bool:
    """An invocation that counts as an extra when nothing matches it."""
    execution = event.get("category") if event.get("action") is None else category(event["action"])
    if execution != "execution" or event["actor"] in ("user", "human"):
        return False
    target = event.get("target")
    return target is None or not any(_is_ignored(entry, target, match) for entry in match["ignore"])


def fits(
    behavior: dict[str, Any],
    event: dict[str, Any],
    names: Mapping[str, Json],
    match: Mapping[str, Any],
    certain: bool = False,
) -> bool:
    """Whether the behavior can be matched by this event; `UnresolvedError` when a name in it has no value.

    `certain`: an optional behavior takes only an event whose action is known to be its own.
    """
    arguments = [_declared(args, names) for args in behavior["args"]]
    content = resolve(behavior["content"], names) if "content" in behavior else None
    if behavior["actor"] != event["actor"] or not _action_fits(behavior["action"], event):
        return False
    if certain and behavior["optional"] and behavior["action"] != event.get("action"):
        return False
    if behavior["target"] is not None and not _target_fits(behavior["target"], event.get("target"), match["targets"]):
        return False
    if not all(_arguments_fit(declared, only, event.get("with")) for declared, only in arguments):
        return False
    if "content" in behavior:
        return "content" in event and compatible(content, event["content"])
    return True


def _action_fits(action: str, event: dict[str, Any]) -> bool:
    observed = event.get("action")
    if observed is None:  # the recording knows the category only: some action of it
        return category(action) is not None and category(action) == event["category"]
    if observed == "calls" and event.get("recorded"):  # an invocation, whatever the spec calls it
        return category(action) == "execution"
    return bool(observed == action)


def _target_fits(declared: str, observed: str | None, targets: Mapping[str, list[str]]) -> bool:
    if observed is None:
        return False
    return observed == declared or any(_glob(pattern, observed) for pattern in targets.get(declared, []))


def _is_ignored(entry: str, target: str, match: Mapping[str, Any]) -> bool:
    return _glob(entry, target) or any(_glob(pattern, target) for pattern in match["targets"].get(entry, []))


def _glob(pattern: str, text: str) -> bool:
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), text, re.DOTALL) is not None


def _declared(args: dict[str, Any], names: Mapping[str, Json]) -> tuple[dict[str, Json], bool]:
    if "whole" in args:
        return resolve(args["whole"], names), False
    return {key: resolve(template, names) for key, template in args["keys"].items()}, args["only"]


def _arguments_fit(declared: Json, only: bool, observed: Json) -> bool:
    if observed is None or (isinstance(observed, str) and not observed.strip()):
        observed = {}
    if not isinstance(observed, dict) or not isinstance(declared, dict):
        return False
    if only and observed.keys() - declared.keys():
        return False
    return all(key in observed and equal(value, observed[key]) for key, value in declared.items())
