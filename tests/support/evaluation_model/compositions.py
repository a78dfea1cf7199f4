"""How the parts of all_of, any_of and none_of combine, by definition: with exact scores."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

PASSED, FAILED, INCONCLUSIVE, SKIPPED = "passed", "failed", "inconclusive", "skipped"


class Part:
    """The state of a check and the lowest and highest score it may turn out to have."""

    def __init__(self, state: str, low: Fraction | None = None, high: Fraction | None = None) -> None:
        self.state = state
        self.low = low if low is not None else Fraction(state == PASSED)
        self.high = high if high is not None else Fraction(state != FAILED)


def combined(kind: str, threshold: Fraction | None, parts: Sequence[Part]) -> Part:
    """The part that a composition is."""
    counted = [part for part in parts if part.state != SKIPPED]
    if not counted:
        return Part(SKIPPED)
    if kind == "none_of":
        low = sum((1 - part.high for part in counted), Fraction()) / len(counted)
        high = sum((1 - part.low for part in counted), Fraction()) / len(counted)
    else:
        low = sum((part.low for part in counted), Fraction()) / len(counted)
        high = sum((part.high for part in counted), Fraction()) / len(counted)
    if threshold is not None:
        holds_lowest, holds_highest = low >= threshold, high >= threshold
    else:
        lowest = [part.state == PASSED for part in counted]
        highest = [part.state != FAILED for part in counted]
        holds_lowest, holds_highest = _holds(kind, lowest, highest)
    state = PASSED if holds_lowest else INCONCLUSIVE if holds_highest else FAILED
    return Part(state, low, high)


def _holds(kind: str, lowest: list[bool], highest: list[bool]) -> tuple[bool, bool]:
    """Whether the composition holds when every open part turns out badly for it, and when well."""
    if kind == "all_of":
        return all(lowest), all(highest)
    if kind == "any_of":
        return any(lowest), any(highest)
    return not any(highest), not any(lowest)
