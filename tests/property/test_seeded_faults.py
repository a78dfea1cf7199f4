"""The comparison with the oracle would find the faults it is there for: each is seeded, and found by an early case."""

from __future__ import annotations

from random import Random

import pytest

from tests.property.seeded_faults import FAULTS, FOUND_BY
from tests.support.oracle.compare import bound_matcher, differences, runtime_event
from tests.support.oracle.generate import random_case

AT_MOST = 500


def disagrees(seed: int) -> bool:
    """Whether the runtime, as it is now, differs from the oracle on a random case, or crashes on it."""
    case = random_case(Random(seed))
    try:
        verdict = bound_matcher(case.program, case.bindings).match([runtime_event(event) for event in case.events])
        return bool(differences(case.program, case.bindings, case.events, verdict))
    except (AssertionError, LookupError):  # what a fault breaks further on
        return True


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[name](monkeypatch)
    assert next((seed for seed in range(AT_MOST) if disagrees(seed)), None) == FOUND_BY[name]


@pytest.mark.parametrize("name", FAULTS)
def test_without_the_fault_that_case_agrees(name: str) -> None:
    assert not disagrees(FOUND_BY[name])
