"""Every tau-bench task with recorded runs as ABS sessions, matched against all its runs; the oracle agrees on each.

A task lists the calls its author expects. Three specs come of it: the calls in their order; the same as one unordered
group; and, where no call is expected, a user who says something while no tool is called. The reward of a run says
whether its effect was the expected one, which is not the same as making these calls: `COUNTS` records how they relate.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from functools import cache
from typing import Any

import abs_compiler as absc
from abs_compiler.pipeline import compile_source
from tests.support.oracle import decide
from tests.support.shared import needs_shared, shared_root

pytestmark = needs_shared

# How many runs of each reward pass and fail each kind of spec.
COUNTS = {
    ("in any order", 0.0, "failed"): 62,
    ("in any order", 0.0, "passed"): 1,
    ("in any order", 1.0, "failed"): 3,
    ("in any order", 1.0, "passed"): 10,
    ("in order", 0.0, "failed"): 62,
    ("in order", 0.0, "passed"): 1,
    ("in order", 1.0, "failed"): 3,
    ("in order", 1.0, "passed"): 10,
    ("no calls", 0.0, "failed"): 6,
    ("no calls", 1.0, "failed"): 16,
    ("no calls", 1.0, "passed"): 2,
}


@cache
def tasks() -> dict[tuple[str, int], dict[str, Any]]:
    rows = map(json.loads, _lines("tasks.jsonl").split("\n"))
    return {(row["domain"], row["task_id"]): row for row in rows}


@cache
def runs() -> tuple[dict[str, Any], ...]:
    return tuple(map(json.loads, _lines("trajectories.jsonl.gz").split("\n")))


def _lines(name: str) -> str:
    root = shared_root()
    assert root is not None
    data = (root / "data" / "tau-bench" / name).read_bytes()
    return (gzip.decompress(data) if name.endswith(".gz") else data).decode().strip()


def specs_of(task: dict[str, Any]) -> dict[str, str]:
    """The sessions of a task as YAML text, by kind."""
    calls = task["expected"]
    if not calls:
        lines = ["match: {extras: forbid}", "behaviors:", "  - {actor: user, action: says}"]
        return {"no calls": _session(task, lines)}
    lines = ["behaviors:"]
    for call in calls:
        lines += ["  - actor: assistant", "    action: calls", f"    target: {_text(call['name'])}"]
        if call["arguments"]:
            lines.append("    with:")
            lines += [f"      {_text(name)}: {_text(value)}" for name, value in call["arguments"].items()]
    group = ["    evaluations:", "      - {type: tool_call, ordered: false}"]
    unordered = [*lines, *group] if len(calls) > 1 else lines
    return {"in order": _session(task, lines), "in any order": _session(task, unordered)}


def _session(task: dict[str, Any], lines: list[str]) -> str:
    return "\n".join([f"session: {task['domain']} {task['task_id']}", 'abs_version: "0.2"', *lines, ""])


def _text(value: Any) -> str:
    """A value as YAML: JSON is a part of it."""
    return json.dumps(value, ensure_ascii=False)


def test_every_recorded_run() -> None:
    counts: Counter[tuple[str, float, str]] = Counter()
    disagreements = []
    compiled: dict[tuple[str, int], dict[str, Any]] = {}
    for run in runs():
        key = run["domain"], run["task_id"]
        if key not in compiled:
            compiled[key] = {kind: _compiled(text) for kind, text in specs_of(tasks()[key]).items()}
        trace = absc.read_trace(json.dumps(run["messages"]).encode())
        assert trace.format == "openai-chat"
        assert trace.unread == {}
        seen = [{**event.to_dict(), "recorded": event.recorded} for event in trace.events]
        for kind, (matcher, program) in compiled[key].items():
            status = matcher.match(trace).status
            counts[kind, run["reward"], status] += 1
            wanted = decide(program, {}, seen, count_extras=False).status
            if status != wanted:
                disagreements.append((key, run["trial"], kind, status, wanted))
    assert disagreements == []
    assert counts == COUNTS


def test_a_run_that_passes_in_order_passes_in_any_order() -> None:
    for run in runs():
        texts = specs_of(tasks()[run["domain"], run["task_id"]])
        if "in order" not in texts:
            continue
        trace = absc.read_trace(json.dumps(run["messages"]).encode())
        (ordered,), (unordered,) = absc.compile_text(texts["in order"]), absc.compile_text(texts["in any order"])
        assert unordered.match(trace) or not ordered.match(trace)


def _compiled(text: str) -> tuple[absc.Matcher, dict[str, Any]]:
    (program,), diagnostics = compile_source(text)
    assert diagnostics == []
    (matcher,) = absc.compile_text(text)
    return matcher, program
