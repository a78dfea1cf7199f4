"""The public reports beside the repository, as far as groups, optional behaviors and limits on extras can express them:
each is written as an ABS document, and the verdict is the answer that the report holds."""

from __future__ import annotations

import json
from typing import Any

import abs_compiler as absc
from tests.support.shared import needs_shared, shared_root

pytestmark = needs_shared


def document(spec: dict[str, Any]) -> str | None:
    """The ABS document of a report's expectation; None where it says more than calls in order or in any order."""
    if spec.keys() - {"steps", "extras", "args"}:
        return None
    behaviors: list[dict[str, Any]] = []
    for step in spec.get("steps", []):
        calls = step.get("any_order", [step]) if isinstance(step, dict) else None
        if calls is None or not all(_is_plain(call) for call in calls):
            return None
        for call in calls:
            behavior = {"actor": "assistant", "action": "calls", "target": call["call"]}
            exactness = call.get("match", spec.get("args", "exact"))
            if call.get("args") and exactness != "ignore":
                behavior["with_only" if exactness == "exact" else "with"] = call["args"]
            if call.get("optional"):
                behavior["optional"] = True
            behaviors.append(behavior)
        if "any_order" in step:
            if len(calls) > 1:
                behaviors[-1]["evaluations"] = [{"type": "tool_call", "ordered": False}]
        else:  # a step of its own: it must not join the run of a group after it
            behaviors[-1]["evaluations"] = [{"type": "tool_call", "ordered": True}]
    extras = spec.get("extras", "forbid")
    if not behaviors and extras == "allow":
        return None
    document = {"session": "report", "abs_version": "0.2", "match": {"extras": extras}, "behaviors": behaviors}
    return json.dumps(document)


def _is_plain(call: Any) -> bool:
    if not isinstance(call, dict) or not {"call"} <= call.keys() <= {"call", "args", "match", "optional"}:
        return False
    return call["call"] != "*" and "$" not in json.dumps(call)


def test_reports() -> None:
    root = shared_root()
    assert root is not None
    wrong, decided = {}, 0
    for line in (root / "cases" / "reports.jsonl").read_text(encoding="utf-8").split("\n"):
        report = json.loads(line) if line.strip() else {}
        text = document(report["expected_calls"]) if report.get("oracle") else None
        if text is None:
            continue
        events = [
            {"actor": "assistant", "action": "calls", "target": call["name"], "with": call.get("args")}
            for call in report["actual_calls"]
        ]
        (matcher,) = absc.compile_text(text)
        passed = matcher.match(events, allow_empty=True).status == "passed"
        decided += 1
        if passed != report["right"].startswith("PASS"):
            wrong[report["id"]] = (passed, report["right"])
    assert not wrong
    assert decided >= 30
