"""The oracle gives the answers that were written by hand: a check of the decider that the runtime is compared with."""

from __future__ import annotations

import pytest

from abs_compiler.pipeline import compile_source
from tests.support.conformance import ConformanceCase, conformance_cases, joined
from tests.support.oracle import decide

# The oracle knows no predicates, no evaluations and no datasets.
BEYOND = ("predicates/", "evaluations/", "dataset/")
DECIDED = [case for case in conformance_cases() if case.expected != "refused" and not case.file.startswith(BEYOND)]


@pytest.mark.parametrize("case", DECIDED, ids=str)
def test_case(case: ConformanceCase) -> None:
    programs, _ = compile_source(case.source)
    statuses = [decide(program, case.bindings, case.events).status for program in programs]
    assert joined(statuses) == case.expected
