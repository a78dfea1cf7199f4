"""The validators answer as the cases demand: those of `specs/conformance/validators`, and recorded ones beside the
repository."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from abs_compiler import validators as v
from abs_compiler.runtime.errors import AbsError
from tests.support.shared import needs_shared, shared_root

FOLDER = Path(__file__).resolve().parents[2] / "specs" / "conformance" / "validators"
FILES = sorted(FOLDER.glob("*.json"))
CASES = [(path.stem, case) for path in FILES for case in json.loads(path.read_text(encoding="utf-8"))["cases"]]
PREDICATES = {
    "always true": lambda value: True,
    "between 0 and 100, a number": lambda value: (
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 100
    ),
}


def ask(function: str, given: dict[str, Any]) -> Any:
    """What a validator answers, in the terms of the cases."""
    match function:
        case "matchToolCalls":
            return v.match_tool_calls(given["expected"], given["actual"])
        case "matchToolCallsSubset":
            return v.match_tool_calls_subset(given["expected"], given["actual"])
        case "matchAnyToolCall":
            return v.match_any_tool_call(given["expected"], given["actual"])
        case "matchToolCallCount":
            return v.match_tool_call_count(given["toolName"], given["actual"], given["count"])
        case "matchNoToolCalls":
            return v.match_no_tool_calls(given["actual"])
        case "matchToolCallWithArgs":
            return v.match_tool_call_with_args(given["toolName"], given["expectedArgs"], given["toolCalls"])
        case "matchToolCallWithPartialArgs":
            return v.match_tool_call_with_partial_args(given["toolName"], given["expectedArgs"], given["toolCalls"])
        case "matchToolArgument":
            return v.match_tool_argument(
                given["toolName"], given["argName"], given["expectedValue"], given["toolCalls"]
            )
        case "matchToolArgumentWith":
            predicate = PREDICATES[given["predicate"]]
            return v.match_tool_argument_with(given["toolName"], given["argName"], predicate, given["toolCalls"])
        case "resolveMatchOptions":
            return v.resolve_match_options(*given["layers"]).to_dict()
    result = v.evaluate_tool_calls(given["expected"], given["actual"], given.get("options"))
    return {
        "passed": result.passed,
        "missing": result.findings.missing,
        "extra": result.findings.extra,
        "argumentMismatches": [[row.expected_index, row.actual_index] for row in result.argument_mismatches],
        "outOfOrder": [[row.expected_index, row.actual_index] for row in result.out_of_order],
    }


@pytest.mark.parametrize(("file", "case"), CASES, ids=[f"{file}:{case['name']}" for file, case in CASES])
def test_the_answer(file: str, case: dict[str, Any]) -> None:
    if case["answer"] == {"refused": True}:
        with pytest.raises(AbsError) as caught:
            ask(case["function"], case["arguments"])
        assert isinstance(caught.value, (TypeError, ValueError))
    else:
        answer = ask(case["function"], case["arguments"])
        assert answer == case["answer"]
        assert type(answer) is type(case["answer"])


def test_every_function_has_cases_and_no_name_is_used_twice() -> None:
    names = [(file, case["name"]) for file, case in CASES]
    assert len(set(names)) == len(names)
    assert len({case["function"] for _, case in CASES}) == 11
    assert all(case["why"] for _, case in CASES)


@needs_shared
def test_recorded_answers(capsys: pytest.CaptureFixture[str]) -> None:
    root = shared_root()
    assert root is not None
    script = root / "cases" / "run_validators.py"
    spec = importlib.util.spec_from_file_location("run_validators", script)
    assert spec is not None
    assert spec.loader is not None
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    assert not runner.main([str(root / "cases" / "validators.jsonl")]), capsys.readouterr().out
