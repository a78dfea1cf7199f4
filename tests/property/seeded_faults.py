"""Faults to seed into the runtime, one at a time, to see that the comparison with the oracle finds them.

Each fault is a function that patches the runtime through pytest's `monkeypatch`, as a programmer might get it wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from abs_compiler.runtime import automaton, decision, plan, selection, templates
from abs_compiler.runtime.alignment import Alignment, Item

Patch = pytest.MonkeyPatch


def no_augmenting_path(patch: Patch) -> None:
    """A member of a group that has an event keeps it, even where another event could take its place."""

    def uncovered_only(segment: Any, open_mask: int, kept: Any) -> Any:
        taken = [bit for _, bit in kept]
        still_open = 0
        for bit, members in segment.classes.items():
            if bit & open_mask and taken.count(bit) < len(members):
                still_open |= bit
        return still_open, kept if still_open else ()

    patch.setattr(automaton, "reduce_kept", uncovered_only)


def bool_equal_to_one(patch: Patch) -> None:
    """Values are compared as Python compares them, so `true` is 1."""
    patch.setattr(templates, "_equal_test", lambda expected: lambda value: bool(value == expected))


def greedy_order(patch: Patch) -> None:
    """Optional behaviors take the first event that fits them, without a look at what comes after."""

    def first_that_fits(segments: Sequence[Sequence[Item]], rows: Sequence[Any], counted: int) -> Alignment | None:
        matched: dict[int, int] = {}
        after = 0
        for segment in segments:
            floor = after
            for item in segment:
                found = (row for row in range(floor, len(rows)) if rows[row][1] & item.bit)
                row = next((row for row in found if row not in matched.values()), None)
                if row is not None:
                    matched[item.index] = row
                    after = max(after, row + 1)
                elif item.required:
                    return None
        return Alignment(sum(item.weight for segment in segments for item in segment if item.index in matched), matched)

    patch.setattr(selection, "align", first_that_fits)


def one_event_twice(patch: Patch) -> None:
    """An event that fits two required behaviors in a row serves both."""

    def shared(classes: dict[int, tuple[int, ...]], shares: int | None = None) -> automaton.Segment:
        alone = len(classes) == 1 and all(len(members) == 1 for members in classes.values())
        return automaton.Segment(classes, 0 if alone else shares)

    patch.setattr(plan, "Segment", shared)


def extras_off_by_one(patch: Patch) -> None:
    """One call more than the limit allows is let through."""

    def over_limit(self: decision.Decision) -> bool:
        limit = self.plan.program.extras
        return limit is not None and self.extras is not None and self.extras > limit + 1

    patch.setattr(decision.Decision, "over_limit", property(over_limit))


FAULTS: dict[str, Callable[[Patch], None]] = {
    "no augmenting path": no_augmenting_path,
    "bool equal to one": bool_equal_to_one,
    "greedy order": greedy_order,
    "one event twice": one_event_twice,
    "extras off by one": extras_off_by_one,
}

# The first random case that shows each fault, counted from seed 0.
FOUND_BY = {
    "no augmenting path": 63,
    "bool equal to one": 56,
    "greedy order": 10,
    "one event twice": 4,
    "extras off by one": 11,
}
