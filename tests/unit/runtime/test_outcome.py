"""How outcomes combine, case by case."""

from __future__ import annotations

import pytest

from abs_compiler.runtime.outcome import FAILED, INCONCLUSIVE, PASSED, SKIPPED, Outcome, compose

P, F, U, S = (Outcome(state) for state in (PASSED, FAILED, INCONCLUSIVE, SKIPPED))


def scored(score: float) -> Outcome:
    return Outcome(PASSED if score >= 0.5 else FAILED, low=score, high=score)


@pytest.mark.parametrize(
    ("kind", "parts", "state"),
    [
        ("all_of", [P, P], PASSED),
        ("all_of", [P, U], INCONCLUSIVE),
        ("all_of", [F, U], FAILED),
        ("all_of", [P, S], PASSED),
        ("all_of", [S, S], SKIPPED),
        ("any_of", [F, F], FAILED),
        ("any_of", [F, U], INCONCLUSIVE),
        ("any_of", [P, U], PASSED),
        ("any_of", [F, S], FAILED),
        ("none_of", [F, F], PASSED),
        ("none_of", [F, U], INCONCLUSIVE),
        ("none_of", [P, U], FAILED),
        ("none_of", [F, S], PASSED),
    ],
)
def test_without_a_threshold(kind: str, parts: list[Outcome], state: str) -> None:
    assert compose(kind, None, parts).state == state


@pytest.mark.parametrize(
    ("kind", "threshold", "parts", "state", "low", "high"),
    [
        ("all_of", 0.5, [P, F], PASSED, 0.5, 0.5),
        ("all_of", 0.6, [P, F], FAILED, 0.5, 0.5),
        ("any_of", 0.6, [P, F], FAILED, 0.5, 0.5),
        ("none_of", 0.5, [P, F], PASSED, 0.5, 0.5),
        ("none_of", 0.6, [scored(0.3), scored(0.5)], PASSED, 0.6, 0.6),
        ("all_of", 0.5, [P, U], PASSED, 0.5, 1),
        ("all_of", 0.6, [P, U], INCONCLUSIVE, 0.5, 1),
        ("all_of", 0.6, [F, U], FAILED, 0, 0.5),
        ("none_of", 0.6, [F, U], INCONCLUSIVE, 0.5, 1),
        ("all_of", 1 / 3, [P, F, F], PASSED, 1 / 3, 1 / 3),
        ("all_of", 0.3, [scored(0.1), scored(0.2), scored(0.6)], PASSED, 0.3, 0.3),
        ("all_of", 0.5, [P, F, S, S], PASSED, 0.5, 0.5),
        ("all_of", 0, [F, F], PASSED, 0, 0),
        ("all_of", 1, [P, scored(0.99)], FAILED, 0.995, 0.995),
    ],
)
def test_with_a_threshold(
    kind: str, threshold: float, parts: list[Outcome], state: str, low: float, high: float
) -> None:
    found = compose(kind, threshold, parts)
    assert found.state == state
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_a_nested_composition_scores_its_average() -> None:
    inner = compose("any_of", None, [P, F, F, F])
    assert inner.state == PASSED
    assert compose("all_of", 0.6, [inner, P]).state == PASSED
    assert compose("all_of", 0.7, [inner, P]).state == FAILED


@pytest.mark.parametrize(
    ("kind", "threshold", "parts", "reason"),
    [
        ("all_of", None, [P, F], "1 of 2 hold, all must"),
        ("any_of", None, [F, F, S], "0 of 2 hold, at least one must"),
        ("none_of", None, [P, F], "1 of 2 hold, none may"),
        ("all_of", 0.75, [P, U], "average score 0.5 to 1, threshold 0.75"),
        ("all_of", 0.5, [scored(0.25)], "average score 0.25, threshold 0.5"),
        ("all_of", None, [S], "every part was skipped"),
    ],
)
def test_reasons(kind: str, threshold: float | None, parts: list[Outcome], reason: str) -> None:
    assert compose(kind, threshold, parts).reason == reason
