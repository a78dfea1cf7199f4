"""The decision: a plan and a sequence of events in, what matched out.

Everything here is exact. Sessions whose behaviors are all required run on the automaton alone; optionals go through
`selection` first. Reports (assignments, extras) are derived from the decision on demand.
"""

from __future__ import annotations

from .alignment import Item, first_by_listing
from .selection import best_partial, cheapest, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .alignment import Row
    from .automaton import Automaton, State
    from .classify import Classifier
    from .plan import Plan
    from .sequence import Relevant, Sequence

NONE: frozenset[int] = frozenset()


class Trail:
    """How an automaton went through the events: the advancing ones as (event, mask, segment before, after)."""

    __slots__ = ("state", "steps")

    def __init__(self, state: State) -> None:
        self.state = state
        self.steps: list[tuple[int, int, int, int]] = []

    def feed(self, automaton: Automaton, event: int, mask: int) -> bool:
        """Take an event; True where it advanced."""
        state = self.state
        if not mask & state.open:
            return False
        self.state = automaton.advance(state, mask)
        self.steps.append((event, mask, state.segment, self.state.segment))
        return True


class Decision:
    """What matched. `complete`: every required behavior did. `extras`: the minimum of unmatched counted calls where
    the spec limits them, else None; `assigned` maps behaviors to event indices."""

    __slots__ = (
        "_automaton",
        "_partial",
        "_trail",
        "applied",
        "chosen",
        "complete",
        "counted",
        "extras",
        "plan",
        "possible",
        "required",
        "sequence",
    )

    def __init__(
        self, plan: Plan, sequence: Sequence, required: frozenset[int], chosen: frozenset[int], applied: frozenset[int]
    ) -> None:
        self.plan = plan
        self.sequence = sequence
        self.required = required
        self.chosen = chosen
        self.applied = applied
        self.possible: frozenset[int] = NONE
        self.complete = False
        self.extras: int | None = None
        self.counted: tuple[int, ...] = ()
        self._trail: Trail | None = None
        self._automaton: Automaton | None = None
        self._partial: dict[int, int] | None = None

    def conclude(self, automaton: Automaton, trail: Trail, counted: tuple[int, ...]) -> None:
        """Take the result of an automaton's run."""
        self._automaton = automaton
        self._trail = trail
        self.counted = counted
        self.complete = trail.state.done

    @property
    def over_limit(self) -> bool:
        limit = self.plan.program.extras
        return limit is not None and self.extras is not None and self.extras > limit

    @property
    def assigned(self) -> dict[int, int]:
        """Behavior index to event index: complete, or as many required behaviors as possible."""
        if self._partial is None:
            if self.complete and self._trail is not None and self._automaton is not None:
                self._partial = trail_assignment(self._automaton, self._trail)
            else:
                self._partial = self._best_partial()
        return self._partial

    def settle_assignment(self, assigned: dict[int, int]) -> None:
        """Take the assignment that the evaluations of group members chose."""
        self._partial = assigned

    def _best_partial(self) -> dict[int, int]:
        source = RowSource(self.plan, self.sequence)
        assigned, self.applied = best_partial(self.plan.roles, self.required, self.possible, source)
        return assigned


class RowSource:
    """Rows (event, satisfied mask, counted) under the environment of a set of applied captures."""

    __slots__ = ("_by_applied", "_plan", "_sequence")

    def __init__(self, plan: Plan, sequence: Sequence) -> None:
        self._plan = plan
        self._sequence = sequence
        self._by_applied: dict[frozenset[int], tuple[Row, ...]] = {}

    def __call__(self, applied: frozenset[int]) -> tuple[Row, ...]:
        rows = self._by_applied.get(applied)
        if rows is None:
            classifier = self._plan.classifier(applied)
            mask_of = self._sequence.mask
            rows = tuple(
                (event, mask, handler.counted)
                for event, handler in self._sequence.relevant(classifier)
                if (mask := mask_of(event, handler) if handler.bits else 0)
            )
            self._by_applied[applied] = rows
        return rows


def decide(plan: Plan, sequence: Sequence) -> Decision:
    """Match a sequence. Raises TraceError for a malformed event, BindError for a value that does not fit.

    Events whose action is not known exactly are counted in. Where that makes an optional step match, and what depends
    on it then fails, they are counted out for optional steps: what is required holds if it holds either way."""
    decision = _decide(plan, sequence)
    if decision.complete or not plan.roles.dependants or not sequence.uncertain:
        return decision
    other = _decide(plan.certain, sequence)
    return other if other.complete else decision


def _decide(plan: Plan, sequence: Sequence) -> Decision:
    roles = plan.roles
    if roles.plain:
        return _decide_required(plan, sequence, roles.required, NONE, NONE)
    source = RowSource(plan, sequence)
    selection = select(roles, source, extras_limited=plan.program.extras is not None)
    applied = roles.applied(selection.chosen)
    if not selection.complete:
        decision = Decision(plan, sequence, selection.required, selection.chosen, applied)
        decision.counted = counted_calls(sequence.relevant(plan.classifier(applied)))
    else:
        decision = _decide_required(plan, sequence, selection.required, selection.chosen, applied)
    decision.possible = selection.possible
    return decision


def _decide_required(
    plan: Plan, sequence: Sequence, required: frozenset[int], chosen: frozenset[int], applied: frozenset[int]
) -> Decision:
    classifier = plan.classifier(applied)
    automaton = plan.automaton(required, applied)
    decision = Decision(plan, sequence, required, chosen, applied)
    relevant = sequence.relevant(classifier)
    trail = Trail(automaton.start)
    state = trail.state
    mask_of = sequence.mask
    steps = trail.steps
    if not state.done:
        for event, handler in relevant:
            if not handler.bits & state.open:
                continue
            mask = handler.always
            if mask is None:
                mask = mask_of(event, handler)
            if mask & state.open:
                following = state.next.get(mask & state.look)
                if following is None:
                    following = automaton.advance(state, mask)
                steps.append((event, mask, state.segment, following.segment))
                state = following
                if state.done:
                    break
    trail.state = state
    counted = counted_calls(relevant) if classifier.count_calls else ()
    decision.conclude(automaton, trail, counted)
    if classifier.count_calls and decision.complete:
        _count_extras(decision, relevant)
    return decision


def settle(
    plan: Plan,
    sequence: Sequence,
    automaton: Automaton,
    trail: Trail,
    classifier: Classifier,
    counted: tuple[int, ...],
) -> Decision:
    """The decision of a trail that was fed event by event (all behaviors required)."""
    decision = Decision(plan, sequence, plan.roles.required, NONE, NONE)
    decision.conclude(automaton, trail, counted)
    if classifier.count_calls and decision.complete:
        _count_extras(decision, sequence.relevant(classifier))
    return decision


def counted_calls(relevant: Relevant) -> tuple[int, ...]:
    """The events that are counted calls."""
    return tuple(event for event, handler in relevant if handler.counted)


def _count_extras(decision: Decision, relevant: Relevant) -> None:
    """The minimum of unmatched counted calls over complete assignments: a plain count where every required step
    takes a call of its own or none, else the table."""
    shares = decision.plan.roles.shares
    required = sharing = 0
    for i in decision.required:
        required |= 1 << i
        sharing |= 0 if shares[i] is None else 1 << i
    from_counted = from_others = 0
    for _, handler in relevant:
        if handler.counted:
            from_counted |= handler.bits
        else:
            from_others |= handler.bits
    if not from_counted & (from_others | sharing) & required:
        decision.extras = len(decision.counted) - (from_counted & required).bit_count()
        return
    source = RowSource(decision.plan, decision.sequence)
    rows = source(decision.applied)
    best = cheapest(decision.plan.roles, decision.required, rows)
    assert best is not None, "the automaton found a complete assignment"
    decision.extras = len(decision.counted) - best.weight
    decision._partial = {i: rows[number][0] for i, number in best.rows.items()}


def trail_assignment(automaton: Automaton, trail: Trail) -> dict[int, int]:
    """The assignment of a complete trail: every segment as early as possible; inside a group, earlier-listed members
    take the earliest kept events they can."""
    assigned: dict[int, int] = {}
    kept: dict[int, dict[int, int]] = {}
    for event, mask, before, after in trail.steps:
        segment = automaton.segments[before]
        if segment.is_group:
            kept.setdefault(before, {})[event] = mask
            continue
        for number in range(before, after):
            assigned[automaton.segments[number].bits.bit_length() - 1] = event
    for number, events in kept.items():
        bits = automaton.segments[number].bits
        items = [Item(i, 0, True, None) for i in range(bits.bit_length()) if bits >> i & 1]
        assigned.update(first_by_listing(items, {event: mask & bits for event, mask in events.items()}))
    return assigned
