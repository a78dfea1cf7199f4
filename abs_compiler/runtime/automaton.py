"""The automaton of the required steps: a lazily built DFA over segments, with a budget.

Takes segments (ordered steps, unordered groups) as masks of behavior bits; a state is (segment, open mask, kept
events). An event with satisfied-mask m advances a state if and only if `m & state.open` is not 0.

Ordered steps are taken at their earliest event; finishing a segment earlier never loses a match. Inside an
unordered group the events that can be kept form a transversal matroid: an event is kept exactly when it raises the
maximum matching (an augmenting path exists), and a dropped event can never matter later. The open mask holds the
steps that some maximum matching leaves uncovered (alternating reachability; König, Hall). Identical steps of a
group are one class with a capacity.

Transitions are cached per (state, m & look) and all are dropped when the budget is full, as RE2 does; the current
state is kept, so results do not depend on the budget.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEFAULT_BUDGET = 20_000


class Segment:
    """An ordered step (one bit) or an unordered group. `classes` maps a representative bit to the bits of all
    identical members; `shares` numbers the run of steps that may share one event with their neighbours."""

    __slots__ = ("bits", "classes", "shares")

    def __init__(self, classes: dict[int, tuple[int, ...]], shares: int | None = None) -> None:
        self.classes = classes
        self.shares = shares
        self.bits = 0
        for members in classes.values():
            for bit in members:
                self.bits |= bit

    @property
    def is_group(self) -> bool:
        return self.bits.bit_count() > 1


class State:
    """A state: how many segments are complete, the open mask of the next one, and the events kept for it."""

    __slots__ = ("done", "kept", "look", "next", "open", "segment")

    def __init__(self, segment: int, open_mask: int, look: int, kept: tuple[tuple[int, int], ...], done: bool):
        self.segment = segment
        self.open = open_mask
        self.look = look
        self.kept = kept
        self.done = done
        self.next: dict[int, State] = {}


class Automaton:
    """The lazily built DFA. Shared by all matchings of a program; safe for threads (dictionaries only grow, and a
    flush replaces them)."""

    __slots__ = ("_budget", "_cached", "_states", "flushes", "segments", "start")

    def __init__(self, segments: tuple[Segment, ...], budget: int = DEFAULT_BUDGET) -> None:
        self.segments = segments
        self._budget = max(1, budget)
        self._cached = 0
        self.flushes = 0
        self._states: dict[Any, State] = {}
        self.start = self._enter(0)

    def advance(self, state: State, mask: int) -> State:
        """The state after an event that satisfies `mask` (of which `mask & state.open` is not 0)."""
        key = mask & state.look
        following = state.next.get(key)
        if following is None:
            following = self._step(state, key)
            if self._cached >= self._budget:
                self._flush()
            self._cached += 1
            state.next[key] = following
        return following

    def _flush(self) -> None:
        for state in list(self._states.values()):
            state.next = {}
        self._states = {(self.start.segment, self.start.open, ()): self.start}
        self._cached = 0
        self.flushes += 1

    def _step(self, state: State, mask: int) -> State:
        segment = self.segments[state.segment]
        if segment.is_group:
            kept = keep_event(segment, state.open, state.kept, mask & state.open)
            open_mask, kept = reduce_kept(segment, state.open, kept)
            if open_mask:
                return self._intern(state.segment, open_mask, open_mask, kept)
            return self._enter(state.segment + 1)
        index = state.segment + 1
        while (
            index < len(self.segments)
            and segment.shares is not None
            and self.segments[index].shares == segment.shares
            and mask & self.segments[index].bits
        ):
            index += 1
        return self._enter(index)

    def _enter(self, index: int) -> State:
        if index >= len(self.segments):
            return self._intern(index, 0, 0, ())
        segment = self.segments[index]
        open_mask = 0
        for bit in segment.classes:
            open_mask |= bit
        look = open_mask
        if segment.shares is not None:
            for other in self.segments[index + 1 :]:
                if other.shares != segment.shares:
                    break
                look |= other.bits
        return self._intern(index, open_mask, look, ())

    def _intern(self, segment: int, open_mask: int, look: int, kept: tuple[tuple[int, int], ...]) -> State:
        key = (segment, open_mask, kept)
        state = self._states.get(key)
        if state is None:
            state = State(segment, open_mask, look, kept, segment >= len(self.segments))
            self._states[key] = state
        return state


def keep_event(
    segment: Segment, open_mask: int, kept: tuple[tuple[int, int], ...], mask: int
) -> tuple[tuple[int, int], ...]:
    """The kept events after one more, found by one augmenting path (breadth first).

    `kept` pairs each event's mask (restricted to `open_mask`) with the class bit it is assigned to."""
    used: dict[int, int] = {}
    for _, bit in kept:
        used[bit] = used.get(bit, 0) + 1
    masks = [event for event, _ in kept] + [mask]
    assigned = [bit for _, bit in kept] + [0]
    new = len(masks) - 1
    reached_by: dict[int, int] = {}
    frontier = [new]
    seen = 0
    goal = 0
    while frontier and not goal:
        reached: set[int] = set()
        for event in frontier:
            candidates = masks[event] & open_mask & ~seen
            while candidates:
                bit = candidates & -candidates
                candidates ^= bit
                seen |= bit
                reached_by[bit] = event
                if used.get(bit, 0) < len(segment.classes[bit]):
                    goal = bit
                    break
                reached.add(bit)
            if goal:
                break
        frontier = [event for event, bit in enumerate(assigned) if bit in reached]
    bit = goal
    while True:
        event = reached_by[bit]
        bit, assigned[event] = assigned[event], bit
        if event == new:
            break
    return tuple(zip(masks, assigned, strict=True))


def reduce_kept(
    segment: Segment, open_mask: int, kept: tuple[tuple[int, int], ...]
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The open mask after a change, and the kept events that still matter, restricted to it and sorted."""
    used: dict[int, int] = {}
    for _, bit in kept:
        used[bit] = used.get(bit, 0) + 1
    still_open = 0
    for bit, members in segment.classes.items():
        if bit & open_mask and used.get(bit, 0) < len(members):
            still_open |= bit
    if not still_open:
        return 0, ()
    waiting = list(kept)
    alive: list[tuple[int, int]] = []
    changed = True
    while changed:
        changed = False
        rest = []
        for event, bit in waiting:
            if event & still_open:
                alive.append((event, bit))
                if not still_open & bit:
                    still_open |= bit
                    changed = True
            else:
                rest.append((event, bit))
        waiting = rest
    return still_open, tuple(sorted((event & still_open, bit) for event, bit in alive))
