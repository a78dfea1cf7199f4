"""Programs made by hand, as the compiler would emit them, for tests of the runtime alone.

`program(...)` takes behaviors and checks made by the functions beside it; in their values a text `{{name}}` stands for
a reference, whole or inside a longer text. Names and parameters are worked out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from abs_compiler.runtime import Matcher, Verdict, load_programs

Json = Any
_REFERENCE = re.compile(r"\{\{([A-Za-z0-9_.]+)\}\}")


def template(value: Json) -> list[Json]:
    """The template of a value."""
    if isinstance(value, str):
        parts = _REFERENCE.split(value)
        if len(parts) == 1:
            return ["=", value]
        found = [["ref", part] if index % 2 else part for index, part in enumerate(parts) if index % 2 or part]
        return found[0] if len(found) == 1 else ["text", found]
    if isinstance(value, dict):
        inner = {key: template(item) for key, item in value.items()}
        constant = all(item[0] == "=" for item in inner.values())
        return ["=", value] if constant else ["obj", inner]
    if isinstance(value, list):
        items = [template(item) for item in value]
        return ["=", value] if all(item[0] == "=" for item in items) else ["arr", items]
    return ["=", value]


def arguments(keys: Mapping[str, Json], *, only: bool = False) -> dict[str, Json]:
    """An argument constraint."""
    return {"only": only, "keys": {key: template(value) for key, value in keys.items()}, "at": [1, 1]}


def behavior(
    actor: str,
    action: str,
    target: str | None = None,
    *,
    with_: Mapping[str, Json] | None = None,
    id: str | None = None,
    optional: bool = False,
    requires: int | None = None,
    capture: Mapping[str, Json] | None = None,
    content: Json = None,
    shares: int | None = None,
    matches_when: tuple[str, str] | None = None,
    checks: Iterable[Json] = (),
) -> dict[str, Json]:
    """A behavior; `content` is the declared structure of a tool's answer."""
    made = {
        "id": id,
        "actor": actor,
        "action": action,
        "target": target,
        "at": [1, 1],
        "optional": optional,
        "requires": requires,
        "args": [] if with_ is None else [arguments(with_)],
        "capture": {name: template(value) for name, value in (capture or {}).items()},
        "shares": shares,
        "checks": list(checks),
        "matches_when": None if matches_when is None else [matches_when[0], template(matches_when[1])],
    }
    if content is not None:
        made["content"] = template(content)
    return made


def check(
    type: str, *, when: Json = None, blocking: bool = False, threshold: float | None = None, at: int = 1, **fields: Json
) -> dict[str, Json]:
    """An evaluation; `fields` are those of its type, values and patterns as they are written."""
    made: dict[str, Json] = {
        "type": type,
        "name": fields.get("rule", "llm_judge" if type == "judge" else type),
        "at": [at, 1],
        "blocking": blocking,
        "threshold": threshold,
        "when": when,
    }
    return {**made, **_fields(type, fields)}


def _fields(type: str, fields: dict[str, Json]) -> dict[str, Json]:
    for name in ("value", "pattern", "schema", "criteria"):
        if name in fields and (name != "criteria" or fields[name] is not None):
            fields[name] = template(fields[name])
    if type == "tool_call":
        return {
            "target": fields.get("target"),
            "args": [arguments(fields["with_"])] if "with_" in fields else [],
            "merged": fields.get("merged", False),
        }
    if type == "judge":
        defaults: dict[str, Json] = dict.fromkeys(("id", "criteria", "adapter", "dataset", "prompt"))
        return {"rule": "llm_judge", "places": {}, **defaults, **fields}
    if type == "count":
        return {"min": None, "max": None, **fields}
    if type == "expected":
        return {"after": None, "reason": None, **fields}
    return fields


def select(actor: str | None = None, action: str | None = None, target: str | None = None) -> dict[str, str | None]:
    """A selector."""
    return {"actor": actor, "action": action, "target": target}


def program(
    behaviors: Sequence[dict[str, Json]] = (),
    checks: Sequence[dict[str, Json]] = (),
    *,
    groups: Sequence[tuple[int, int]] = (),
    extras: int | None = None,
    observe: str = "all",
    targets: Mapping[str, Sequence[str]] | None = None,
    allow_empty: bool = True,
) -> dict[str, Json]:
    """A session."""
    captured: set[str] = set()
    needed: set[str] = set()
    for item in behaviors:
        needed |= _references({**item, "capture": None}) - captured
        captured |= item["capture"].keys()
    needed |= _references(checks) - captured
    return {
        "session": "made by hand",
        "version": "0.2",
        "match": {
            "extras": extras,
            "ignore": [],
            "targets": {name: list(globs) for name, globs in (targets or {}).items()},
            "observe": observe,
            "allow_empty": allow_empty,
        },
        "behaviors": list(behaviors),
        "groups": [list(group) for group in groups],
        "parameters": sorted(needed),
        "names": sorted(needed | captured),
        "file_names": sorted(needed | captured),
        "dataset": None,
        "checks": list(checks),
        "source": {"path": "made.abs.yaml", "sha256": "0" * 64},
    }


def _references(data: Json) -> set[str]:
    """Every name in templates and conditions."""
    if isinstance(data, list):
        if len(data) == 2 and data[0] == "ref" and isinstance(data[1], str):
            return {data[1]}
        return set().union(*map(_references, data)) if data else set()
    if isinstance(data, dict):
        return set().union(*map(_references, data.values())) if data else set()
    return set()


def matcher(made: dict[str, Json], **bindings: Json) -> Matcher:
    """The matcher of a program, with names bound."""
    (loaded,) = load_programs([made])
    return loaded.bind(bindings) if bindings else loaded


def match(made: dict[str, Json], events: Json, *, judge: Json = None, **bindings: Json) -> Verdict:
    """The verdict of a program on events."""
    return matcher(made, **bindings).match(events, judge=judge)


def outcome(check_: dict[str, Json], event: Json, **bindings: Json) -> tuple[str, str]:
    """State and reason of one step check on one event that its behavior matches whatever it is."""
    if isinstance(event, dict):
        actor, action, target = event["actor"], event.get("action") or "says", event.get("target")
    else:
        actor, action, target = event.actor, event.action or "says", event.target
    made = program([behavior(actor, action, target, checks=[check_])])
    (result,) = match(made, [event], **bindings).checks
    return result.state, result.reason


def says(content: Json, actor: str = "assistant") -> dict[str, Json]:
    """A text of somebody."""
    return {"actor": actor, "action": "informs", "content": content}


def calls(target: str, actor: str = "assistant", **arguments_: Json) -> dict[str, Json]:
    """An invocation."""
    return {"actor": actor, "action": "calls", "target": target, "with": arguments_}


def answers(target: str, content: Json) -> dict[str, Json]:
    """A tool's answer."""
    return {"actor": "tool", "action": "responds", "target": target, "content": content}
