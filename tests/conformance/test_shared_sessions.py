"""The recorded session cases beside the repository: the public API and the oracle give the answers they hold."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Any

from abs_compiler.pipeline import compile_source
from tests.support.conformance import answer, joined
from tests.support.oracle import decide
from tests.support.shared import needs_shared, shared_root

NEEDS = ("matching", "match", "predicates", "evaluations")
ORACLE = ("matching", "match")  # what the oracle knows about
ANSWERS = {"passed": "pass", "failed": "fail", "inconclusive": "inconclusive", "refused": "error"}

pytestmark = needs_shared


@cache
def session_cases() -> tuple[dict[str, Any], ...]:
    root = shared_root()
    assert root is not None
    lines = [
        line
        for name in ("sessions.jsonl", "sessions2.jsonl")
        for line in (root / "cases" / name).read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]
    return tuple(case for case in map(json.loads, lines) if case["needs"] in NEEDS)


def source_of(case: dict[str, Any]) -> bytes:
    return base64.b64decode(case["spec_b64"]) if case.get("spec_b64") else case["spec_yaml"].encode()


def test_the_public_api() -> None:
    wrong = {}
    for case in session_cases():
        status, codes = answer(source_of(case), case.get("bindings") or {}, case["events"])
        if ANSWERS[status] != case["expected"]:
            wrong[case["id"]] = (status, sorted(codes), case["why"])
    assert not wrong
    assert len(session_cases()) >= 350


def test_the_oracle() -> None:
    wrong = {}
    for case in session_cases():
        if case["expected"] == "error" or case["needs"] not in ORACLE:
            continue
        programs, _ = compile_source(source_of(case))
        bindings = case.get("bindings") or {}
        status = joined([decide(program, bindings, case["events"], count_extras=False).status for program in programs])
        if ANSWERS[status] != case["expected"]:
            wrong[case["id"]] = (status, case["why"])
    assert not wrong
