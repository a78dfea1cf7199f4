"""Invariants of a program: what lowering must keep, whatever the document said.

Takes a program; gives the list of what is wrong with it, empty for a sound one. Tests and the readers of artifacts
use it; a finding here is a mistake of the compiler, never of a user.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from abs_compiler.spec.vocabulary import VERSIONS, category_of

_PROGRAM_FIELDS = {
    "session",
    "version",
    "match",
    "behaviors",
    "groups",
    "parameters",
    "names",
    "file_names",
    "dataset",
    "checks",
    "source",
}
_BEHAVIOR_FIELDS = {
    "id",
    "actor",
    "action",
    "target",
    "at",
    "optional",
    "requires",
    "args",
    "capture",
    "shares",
    "checks",
    "matches_when",
}
_MATCH_FIELDS = {"extras", "ignore", "targets", "observe", "allow_empty"}


def verify(program: dict[str, Any]) -> list[str]:
    """Everything that is wrong with a program."""
    if set(program) != _PROGRAM_FIELDS:
        return [f"fields differ: {sorted(set(program) ^ _PROGRAM_FIELDS)}"]
    return [
        *_verify_head(program),
        *_verify_behaviors(program["behaviors"]),
        *_verify_groups(program["groups"], program["behaviors"]),
        *_verify_shares(program["behaviors"]),
        *_verify_names(program),
    ]


def _verify_head(program: dict[str, Any]) -> Iterator[str]:
    if program["version"] not in VERSIONS:
        yield f"version {program['version']!r}"
    match = program["match"]
    if set(match) != _MATCH_FIELDS:
        yield f"match fields differ: {sorted(set(match) ^ _MATCH_FIELDS)}"
    elif match["observe"] not in ("all", "tools"):
        yield f"observe {match['observe']!r}"
    elif match["extras"] is not None and (type(match["extras"]) is not int or match["extras"] < 0):
        yield f"extras {match['extras']!r}"
    if set(program["source"]) != {"path", "sha256"}:
        yield "source fields differ"
    if json.loads(json.dumps(program, sort_keys=True)) != program:
        yield "not plain JSON"


def _verify_behaviors(behaviors: list[dict[str, Any]]) -> Iterator[str]:
    ids = [behavior["id"] for behavior in behaviors if behavior.get("id") is not None]
    if len(ids) != len(set(ids)):
        yield "ids are not unique"
    for index, behavior in enumerate(behaviors):
        where = f"behavior {index}"
        if set(behavior) - {"content"} != _BEHAVIOR_FIELDS:
            yield f"{where}: fields differ: {sorted(set(behavior) ^ _BEHAVIOR_FIELDS)}"
            continue
        if not behavior["actor"] or not behavior["action"]:
            yield f"{where}: no actor or no action"
        if behavior["requires"] is not None and not 0 <= behavior["requires"] < index:
            yield f"{where}: requires {behavior['requires']}"
        if "content" in behavior:
            if behavior["action"] != "responds" or behavior["actor"] not in ("tool", "external"):
                yield f"{where}: content that is not compared"
            yield from _verify_template(behavior["content"], f"{where}.content")
        for name, template in behavior["capture"].items():
            yield from _verify_template(template, f"{where}.capture.{name}")
        for number, arguments in enumerate(behavior["args"]):
            yield from _verify_arguments(arguments, f"{where}.args[{number}]")


def _verify_arguments(arguments: dict[str, Any], where: str) -> Iterator[str]:
    if set(arguments) == {"only", "whole", "at"} and arguments["only"] is False:
        yield from _verify_template(arguments["whole"], where)
    elif set(arguments) == {"only", "keys", "at"} and arguments["keys"]:
        for key, template in arguments["keys"].items():
            yield from _verify_template(template, f"{where}.{key}")
    else:
        yield f"{where}: fields differ"


def _verify_groups(groups: list[list[int]], behaviors: list[dict[str, Any]]) -> Iterator[str]:
    before = 0
    for start, end in groups:
        if start < before or end - start < 2 or end > len(behaviors):
            yield f"group {start}..{end} is out of place"
        elif any(behavior["action"] != "calls" for behavior in behaviors[start:end]):
            yield f"group {start}..{end} holds something other than calls"
        before = end


def _verify_shares(behaviors: list[dict[str, Any]]) -> Iterator[str]:
    runs: dict[int, list[int]] = {}
    for index, behavior in enumerate(behaviors):
        number = behavior.get("shares")
        if number is None:
            continue
        runs.setdefault(number, []).append(index)
        if not behavior["optional"] or category_of(behavior["action"]) != "communication":
            yield f"behavior {index} cannot share an event"
    for number, members in runs.items():
        if len(members) < 2 or members[-1] - members[0] != len(members) - 1:
            yield f"run {number} of sharing behaviors is not a run"


def _verify_names(program: dict[str, Any]) -> Iterator[str]:
    for field in ("parameters", "names", "file_names"):
        if program[field] != sorted(set(program[field])):
            yield f"{field} is not sorted"
    names = set(program["names"])
    if not set(program["parameters"]) <= names or not names <= set(program["file_names"]):
        yield "parameters, names and file_names are not nested"
    captured: set[str] = set()
    for behavior in program["behaviors"]:
        used = set(_references(behavior["args"])) | set(_references([behavior.get("content"), behavior["capture"]]))
        if not used - captured <= set(program["parameters"]):
            yield f"references without a source: {sorted(used - captured - set(program['parameters']))}"
        captured |= set(behavior["capture"])


def _verify_template(template: Any, where: str) -> Iterator[str]:
    match template:
        case ["=", _]:
            return
        case ["ref", str()]:
            return
        case ["text", [*parts]]:
            texts = [isinstance(part, str) for part in parts]
            if all(texts) or len(parts) < 2 or "" in parts:
                yield f"{where}: text that is not folded"
            for part in parts:
                if not isinstance(part, str):
                    yield from _verify_template(part, where)
        case ["obj", dict() as entries]:
            yield from _verify_open(list(entries.values()), where)
        case ["arr", [*items]]:
            yield from _verify_open(items, where)
        case ["is", _]:
            return
        case _:
            yield f"{where}: not a template"


def _verify_open(items: list[Any], where: str) -> Iterator[str]:
    if all(item[:1] == ["="] for item in items):
        yield f"{where}: a constant that is not folded"
    for item in items:
        yield from _verify_template(item, where)


def _references(node: Any) -> Iterator[str]:
    """Every name referenced in templates, however they are wrapped."""
    match node:
        case ["ref", str() as name]:
            yield name
        case ["=", _]:
            return
        case list():
            for item in node:
                yield from _references(item)
        case dict():
            for item in node.values():
                yield from _references(item)
