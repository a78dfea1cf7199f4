"""Selection: which optional behaviors count as matched, and which behaviors are then required.

Takes the roles of the behaviors and a source of rows; gives the chosen set and the assignment that the report uses.
The rule (specs/language.md, section 5), level by level: level 0 holds the optionals that depend on no other
optional, level k+1 those whose nearest optional ancestor (their *gate*) is of level k. Each level is chosen with
the earlier ones fixed: fewest unmatched counted calls where extras are limited (calls that dependants of the chosen
could take count as matched), then most optionals, then the earlier-listed. Dependants of matched gates then join
the required behaviors; since they will have to match, their captures apply from the moment their gate does. Whether
a later optional will match is open while an earlier level is chosen, so its captures are tried both ways.

Where the choice of an optional changes something else (it supplies a capture, or gates calls that extras count),
it is a *switch*: the subsets of switches are tried one by one, so the answer stays exact. The compiler bounds their
number (`switches`).
"""

from __future__ import annotations

from .alignment import Alignment, Item, align

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .alignment import Row
    from .roles import Roles

    RowSource = Callable[[frozenset[int]], tuple[Row, ...]]

MAX_SWITCHES = 10


class Selection:
    """The outcome. `chosen` are the optionals that count as matched, `required` all behaviors that must match
    (chosen optionals and active dependants included), `complete` whether the levels could be decided, `possible` those
    that were found to match together, before the dependants of the last level joined."""

    __slots__ = ("chosen", "complete", "possible", "required")

    def __init__(self, complete: bool, chosen: frozenset[int], required: frozenset[int], possible: frozenset[int]):
        self.complete = complete
        self.chosen = chosen
        self.required = required
        self.possible = possible


def select(roles: Roles, rows: RowSource, *, extras_limited: bool) -> Selection:
    """Choose the optionals level by level."""
    chosen: frozenset[int] = frozenset()
    possible: frozenset[int] = frozenset()
    level = 0
    while True:
        candidates = [i for i in roles.optionals if roles.level[i] == level and roles.gate_open(i, chosen)]
        required = roles.required | chosen | roles.dependants_of(chosen)
        if not candidates:
            return Selection(True, chosen, required, possible)
        found = _choose(roles, rows, required, chosen, candidates, level, extras_limited)
        if found is None:
            return Selection(False, chosen, required, possible)
        possible = required | found
        chosen |= found
        level += 1


def _choose(
    roles: Roles,
    rows: RowSource,
    required: frozenset[int],
    chosen: frozenset[int],
    candidates: list[int],
    level: int,
    extras_limited: bool,
) -> frozenset[int] | None:
    """The candidates that count as matched, or None where the required behaviors cannot all match."""
    order = {i: len(candidates) - 1 - rank for rank, i in enumerate(candidates)}
    one = 1 << (len(candidates) + 1)
    weight = {i: one + (1 << order[i]) for i in candidates}
    counted_weight = one * (len(candidates) + 1) if extras_limited else 0
    switches = roles.switches(level, chosen, extras_limited)
    best: tuple[int, frozenset[int]] | None = None
    for on in _by_promise(_subsets(switches), weight):
        if best is not None and not extras_limited and _promise(on, weight, candidates, switches) <= best[0]:
            break  # what comes now promises no more
        active = chosen | on
        if not all(roles.gate_open(i, active) for i in on):
            continue
        forced = required | (on if extras_limited else on & frozenset(candidates))
        free = [i for i in candidates if i not in switches]
        if extras_limited:
            later = (*roles.deeper(level), *roles.dependants)
            free += [i for i in later if i not in switches and i not in forced and roles.gate_open(i, active)]
        items = {i: Item(i, weight.get(i, 0), True, roles.shares[i]) for i in forced}
        items.update({i: Item(i, weight.get(i, 0), False, roles.shares[i]) for i in free})
        result = align(roles.segments_of(items), rows(roles.applied(active)), counted_weight)
        if result is not None and (best is None or result.weight > best[0]):
            best = (result.weight, frozenset(i for i in candidates if i in result.rows))
    return None if best is None else best[1]


def _subsets(switches: list[int]) -> Iterator[frozenset[int]]:
    """All subsets; the full set first, so that ties keep the larger and earlier-listed one."""
    for number in range((1 << len(switches)) - 1, -1, -1):
        yield frozenset(i for k, i in enumerate(switches) if number >> (len(switches) - 1 - k) & 1)


def _promise(on: frozenset[int], weight: dict[int, int], candidates: list[int], switches: list[int]) -> int:
    """The most that a choice of switches could weigh: all that it leaves possible matches."""
    return sum(weight[i] for i in candidates if i in on or i not in switches)


def _by_promise(subsets: Iterable[frozenset[int]], weight: dict[int, int]) -> list[frozenset[int]]:
    """The most promising choices first; alike ones stay in their order."""
    return sorted(subsets, key=lambda on: -sum(weight.get(i, 0) for i in on))


def cheapest(
    roles: Roles, required: Iterable[int], rows: tuple[Row, ...], *, weigh_counted: bool = True
) -> Alignment | None:
    """A complete assignment of the required behaviors that leaves fewest counted calls unmatched, or None."""
    items = {i: Item(i, 0, True, roles.shares[i]) for i in required}
    return align(roles.segments_of(items), rows, 1 if weigh_counted else 0)


def best_partial(
    roles: Roles, required: frozenset[int], possible: frozenset[int], rows: RowSource
) -> tuple[dict[int, int], frozenset[int]]:
    """For a failure report: an assignment (behavior to event) of the behaviors that could match together, then of as
    many required ones as possible (ties: earlier-listed), then of as many others; and the uncertain behaviors whose
    captures apply in it. An uncertain behavior applies its captures only where it is matched, so those that turn out
    not to be are dropped until none is left to drop."""
    weight = _partial_weights(roles, required, possible)
    applied = roles.suppliers
    while True:
        items = {
            i: Item(i, weight[i], False, roles.shares[i])
            for i in roles.observed
            if i in applied or i not in roles.suppliers or i in required
        }
        found = rows(applied)
        result = align(roles.segments_of(items), found, 0)
        assert result is not None, "nothing is required here"
        assigned: dict[int, int] = {}
        for i in roles.observed:  # what is required comes before what requires it
            gate = roles.gate[i]
            if i in result.rows and (gate is None or gate in assigned):
                assigned[i] = found[result.rows[i]][0]
        kept = frozenset(i for i in applied if i in assigned or i in required)
        if kept == applied:
            return assigned, applied
        applied = kept


def _partial_weights(roles: Roles, required: frozenset[int], possible: frozenset[int]) -> dict[int, int]:
    """Weights in three tiers, each worth more than all below it; within a tier number first, then listing order."""
    weight: dict[int, int] = {}
    unit = 1
    others = frozenset(roles.observed) - required
    for tier in (others, required - possible, possible):
        members = sorted(tier)
        one = unit << len(members)
        for rank, i in enumerate(members):
            weight[i] = one + (unit << (len(members) - 1 - rank))
        unit = one * (len(members) + 1)
    return weight
