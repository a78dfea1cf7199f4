"""Every session gives the same verdict and report whether matched where it was compiled or from the bytes of an
artifact, in a process of its own that never sees the compiler."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from abs_compiler.artifact import encode
from abs_compiler.pipeline import compile_source
from abs_compiler.runtime import AbsError, Matcher, load_programs
from abs_compiler.runtime.artifact import canonical
from tests.support.absc import environment
from tests.support.conformance import conformance_cases
from tests.support.shared import needs_shared, shared_root

# Takes lines of {artifact, bindings, events} and prints for each the reports of its sessions.
_LOADER = """
import base64, json, sys
from abs_compiler.runtime import AbsError
from abs_compiler.runtime.artifact import load
for line in sys.stdin:
    case = json.loads(line)
    reports = []
    for matcher in load(base64.b64decode(case["artifact"])):
        try:
            verdict = matcher.bind(case["bindings"]).match(case["events"])
            reports.append([verdict.status, verdict.to_dict(), verdict.explain()])
        except AbsError as error:
            reports.append([type(error).__name__, str(error)])
    print(json.dumps(reports))
assert not {"yaml", "lark", "abs_compiler.pipeline"} & sys.modules.keys()
"""

Case = tuple[str, bytes, dict[str, Any], Any]


def report(matcher: Matcher, bindings: dict[str, Any], events: Any) -> list[Any]:
    try:
        verdict = matcher.bind(bindings).match(events)
    except AbsError as error:
        return [type(error).__name__, str(error)]
    return [verdict.status, verdict.to_dict(), verdict.explain()]


def differences(cases: Iterator[Case]) -> tuple[int, list[str]]:
    """How many cases compile, and the names of those whose reports differ."""
    names, wanted, lines = [], [], []
    for name, source, bindings, events in cases:
        programs, _ = compile_source(source)
        if not programs:
            continue
        names.append(name)
        # Everything public has the keys of mappings in the order of artifacts; reports list them in it.
        ordered = json.loads(canonical(programs))
        wanted.append([report(matcher, bindings, events) for matcher in load_programs(ordered)])
        artifact = base64.b64encode(encode(programs)).decode()
        lines.append(json.dumps({"artifact": artifact, "bindings": bindings, "events": events}) + "\n")
    done = subprocess.run(
        [sys.executable, "-c", _LOADER],
        env=environment(),
        input="".join(lines).encode(),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    given = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
    plain = json.loads(json.dumps(wanted))
    return len(names), [name for name, one, other in zip(names, plain, given, strict=True) if one != other]


def session_cases(root: Path) -> Iterator[Case]:
    for name in ("sessions.jsonl", "sessions2.jsonl"):
        for line in (root / "cases" / name).read_text(encoding="utf-8").split("\n"):
            if line.strip():
                case = json.loads(line)
                encoded = case.get("spec_b64")
                source = base64.b64decode(encoded) if encoded else case["spec_yaml"].encode()
                yield case["id"], source, case.get("bindings") or {}, case["events"]


@needs_shared
def test_the_recorded_session_cases() -> None:
    root = shared_root()
    assert root is not None
    count, wrong = differences(session_cases(root))
    assert not wrong
    assert count >= 180


def test_the_conformance_suite() -> None:
    count, wrong = differences((str(case), case.source, case.bindings, case.events) for case in conformance_cases())
    assert not wrong
    assert count >= 50
