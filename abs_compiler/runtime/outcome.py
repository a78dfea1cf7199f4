"""Outcomes: what one check says, with its score and reason; and how outcomes combine.

An outcome is passed, failed, inconclusive or skipped. Its score lies in [low, high]: 1 or 0 where it is decided,
a judge's score where one gave it, the whole range where it is open.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

PASSED, FAILED, INCONCLUSIVE, SKIPPED = "passed", "failed", "inconclusive", "skipped"


class Outcome:
    """See the module's text. `reason` is worded when it is first asked for; `event` is the event looked at, `children`
    the outcomes of a composition's parts, `request` what a judge would have to decide."""

    __slots__ = ("_reason", "children", "event", "high", "low", "request", "state")

    def __init__(
        self,
        state: str,
        reason: str | Callable[[], str] = "",
        *,
        event: int | None = None,
        low: float | None = None,
        high: float | None = None,
        children: tuple[Outcome, ...] = (),
        request: Any = None,
    ) -> None:
        self.state = state
        self._reason = reason
        self.event = event
        self.low = low if low is not None else (1.0 if state == PASSED else 0.0)
        self.high = high if high is not None else (0.0 if state == FAILED else 1.0)
        self.children = children
        self.request = request

    @property
    def reason(self) -> str:
        reason = self._reason
        if not isinstance(reason, str):
            reason = self._reason = reason()
        return reason

    def followed_by(self, more: Callable[[], str]) -> Outcome:
        """The same outcome with something added to its reason, when that is asked for."""
        return Outcome(
            self.state,
            lambda: self.reason + more(),
            event=self.event,
            low=self.low,
            high=self.high,
            children=self.children,
            request=self.request,
        )


def decided(holds: bool, reason: str | Callable[[], str], event: int | None = None) -> Outcome:
    """Passed or failed."""
    return Outcome(PASSED if holds else FAILED, reason, event=event)


def compose(kind: str, threshold: float | None, children: Sequence[Outcome]) -> Outcome:
    """The outcome of all_of, any_of or none_of. Skipped children do not count; with a threshold the average score
    decides (for none_of, of 1 - score); inconclusive children count as anything in [0, 1]."""
    counted = [child for child in children if child.state != SKIPPED]
    kept = tuple(children)
    if not counted:
        return Outcome(SKIPPED, "every part was skipped", children=kept)
    lows = [child.low for child in counted]
    highs = [child.high for child in counted]
    if kind == "none_of":
        lows, highs = [1 - high for high in highs], [1 - low for low in lows]
    low, high = sum(lows) / len(counted), sum(highs) / len(counted)
    if threshold is not None:
        text = f"average score {_range(low, high)}, threshold {number(threshold)}"
        state = PASSED if _at_least(low, threshold) else INCONCLUSIVE if _at_least(high, threshold) else FAILED
        return Outcome(state, text, low=low, high=high, children=kept)
    held = [child.state == PASSED for child in counted]
    failed = [child.state == FAILED for child in counted]
    if kind == "any_of":
        state = PASSED if any(held) else FAILED if all(failed) else INCONCLUSIVE
    elif kind == "all_of":
        state = FAILED if any(failed) else PASSED if all(held) else INCONCLUSIVE
    else:
        state = FAILED if any(held) else PASSED if all(failed) else INCONCLUSIVE
    text = f"{sum(held)} of {len(counted)} hold, {_WANTED[kind]}"
    return Outcome(state, text, low=low, high=high, children=kept)


_WANTED = {"all_of": "all must", "any_of": "at least one must", "none_of": "none may"}


def _at_least(score: float, threshold: float) -> bool:
    """Averages of thirds and the like must not miss their own value by a rounding."""
    return score >= threshold - 1e-12


def _range(low: float, high: float) -> str:
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """A score or threshold as text, with as many digits as tell it from its neighbours in practice."""
    return f"{value:.10g}"
