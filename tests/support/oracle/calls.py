"""Expected and actual tool calls by definition: every assignment is tried, nothing is shared with the package.

`decide` says what a match must give: the verdict, and for each of the lists the indices in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

NO_ROW = 10**6

Call = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a match gives, as indices of expected and actual calls."""

    passed: bool
    pairs: list[tuple[int, int]]
    missing: list[int]
    extra: list[int]
    mismatches: list[tuple[int, int]]
    out_of_order: list[tuple[int, int]]


def canonical(value: Any) -> str:
    """A text that is equal for equal JSON values: 1 and 1.0 alike, true apart from both, keys in any order."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return f"number {int(value)}" if value == int(value) else f"number {value!r}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    return f"{{{','.join(sorted(f'{json.dumps(key)}:{canonical(item)}' for key, item in value.items()))}}}"


KINDS = {
    "any": lambda value: True,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def differing_keys(expected: Call, actual: Call, matching: str) -> int:
    """How many top-level keys keep two calls of one name apart."""
    wanted, seen = expected.get("arguments") or {}, actual.get("arguments") or {}
    if matching == "ignore":
        return 0
    if matching == "exact":
        keys = wanted.keys() | seen.keys()
        return sum(
            key not in wanted or key not in seen or canonical(wanted[key]) != canonical(seen[key]) for key in keys
        )
    count = 0
    for key, value in wanted.items():
        word = value.strip().lower() if isinstance(value, str) else None
        if key not in seen:
            count += 1
        elif word in KINDS:
            count += not KINDS[word](seen[key])
        else:
            count += canonical(value) != canonical(seen[key])
    return count


def fits(expected: Call, actual: Call, matching: str) -> bool:
    """Whether an actual call is what an expected one asks for."""
    return expected["toolName"] == actual["toolName"] and differing_keys(expected, actual, matching) == 0


def assignments(fitting: list[list[int]], order: str) -> list[list[int]]:
    """Every way to give expected calls rows of their own; NO_ROW for none."""
    found: list[list[int]] = []

    def extend(rows: list[int]) -> None:
        item = len(rows)
        if item == len(fitting):
            found.append(rows)
            return
        extend([*rows, NO_ROW])
        for row in fitting[item]:
            if row in rows:
                continue
            if order == "superset" and any(other != NO_ROW and other > row for other in rows):
                continue
            if order == "positional" and row != item:
                continue
            extend([*rows, row])

    extend([])
    return found


def decide(expected: list[Call], actual: list[Call], options: dict[str, Any]) -> Answer:
    """The definition, case by case."""
    order, matching = options["toolCallOrder"], options["argumentMatching"]
    if options["isNegativeTest"]:
        return Answer(not actual, [], [], list(range(len(actual))), [], [])
    fitting = [[row for row, call in enumerate(actual) if fits(item, call, matching)] for item in expected]

    def rank(rows: list[int]) -> tuple[int, bool, list[int]]:
        taken = [row for row in rows if row != NO_ROW]
        return rows.count(NO_ROW), order == "strict" and taken != sorted(taken), rows

    rows = min(assignments(fitting, order), key=rank)
    pairs = [(item, row) for item, row in enumerate(rows) if row != NO_ROW]
    free = [row for row in range(len(actual)) if row not in rows]
    missing, mismatches = [], []
    for item, row in enumerate(rows):
        if row != NO_ROW:
            continue
        call = expected[item]
        candidates = [other for other in free if actual[other]["toolName"] == call["toolName"]]
        if order == "positional":
            candidates = [other for other in candidates if other == item]
        nearest = min(
            candidates, key=lambda other: (differing_keys(expected[item], actual[other], matching), other), default=None
        )
        if nearest is None:
            missing.append(item)
            continue
        free.remove(nearest)
        if differing_keys(call, actual[nearest], matching):
            mismatches.append((item, nearest))
        else:
            missing.append(item)
    used = {row for _, row in (*pairs, *mismatches)}
    extra = [row for row in range(len(actual)) if row not in used]
    out_of_order = []
    if order == "strict":
        walked = sorted((*pairs, *mismatches))
        out_of_order = [
            (item, row) for k, (item, row) in enumerate(walked) if any(row < other for _, other in walked[:k])
        ]
    limit = options["maxExtraToolCalls"]
    passed = (
        bool(actual) and not missing and not mismatches and not out_of_order and (limit is None or len(extra) <= limit)
    )
    return Answer(passed, pairs, missing, extra, mismatches, out_of_order)
