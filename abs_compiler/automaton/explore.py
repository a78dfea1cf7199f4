"""The machine of one session, laid out: a program in, its segments and states out.

The runtime builds states only as events ask for them; here all are built, up to a limit, for people to look at. Only
the required behaviors are in the machine: which optional ones count is decided beside it. A transition is named by the
behavior whose event it takes; an event that satisfies several open behaviors of a group at once may lead elsewhere.
"""

from __future__ import annotations

from typing import Any

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.automaton import Automaton, Segment, State
from abs_compiler.runtime.program import decode_program
from abs_compiler.runtime.roles import Roles

STATE_LIMIT = 2000


@attrs.frozen(slots=False, repr=False)
class MachineState(ReprMixin):
    """A state: how many segments are complete, the behaviors it waits for, and where an event of each leads."""

    done: int
    waits_for: tuple[int, ...]
    next: dict[int, int]


@attrs.frozen(slots=False, repr=False)
class Machine(ReprMixin):
    """A session's machine. Numbers are those of its behaviors, from 0; states refer to each other by position.

    `complete` is False where there are more states than the limit; transitions to those left out are missing.
    """

    session: str
    behaviors: tuple[str, ...]
    segments: tuple[tuple[int, ...], ...]
    optional: tuple[int, ...]
    unobserved: tuple[int, ...]
    states: tuple[MachineState, ...]
    complete: bool


def explore(program: dict[str, Any], limit: int = STATE_LIMIT) -> Machine:
    """Lay out the machine of a compiled session."""
    decoded = decode_program(program)
    roles = Roles(decoded, tools_only=decoded.observe == "tools")
    runs = _runs(roles)
    segments = (
        Segment({1 << i: (1 << i,) for i in run}, roles.shares[run[0]] if len(run) == 1 else None) for run in runs
    )
    states, complete = _states(Automaton(tuple(segments)), limit)
    return Machine(
        session=decoded.session,
        behaviors=tuple(behavior.title for behavior in decoded.behaviors),
        segments=tuple(tuple(run) for run in runs),
        optional=tuple(i for i in roles.observed if i not in roles.required),
        unobserved=tuple(sorted(roles.skipped)),
        states=states,
        complete=complete,
    )


def _runs(roles: Roles) -> list[list[int]]:
    """The required behaviors in listing order, the members of one unordered group together."""
    runs: list[list[int]] = []
    last: int | None = None
    for i in roles.observed:
        if i not in roles.required:
            continue
        group = roles.group_of.get(i)
        if group is not None and group == last:
            runs[-1].append(i)
        else:
            runs.append([i])
        last = group
    return runs


def _states(automaton: Automaton, limit: int) -> tuple[tuple[MachineState, ...], bool]:
    """Every state reachable by events that satisfy one behavior each, breadth first, at most `limit` of them."""
    found = [automaton.start]
    number = {_key(automaton.start): 0}
    laid_out: list[MachineState] = []
    complete = True
    for state in found:  # grows while it is walked
        following: dict[int, int] = {}
        for behavior in _bits(state.open):
            target = automaton.advance(state, 1 << behavior)
            if _key(target) not in number:
                if len(found) >= limit:
                    complete = False
                    continue
                number[_key(target)] = len(found)
                found.append(target)
            following[behavior] = number[_key(target)]
        laid_out.append(MachineState(state.segment, _bits(state.open), following))
    return tuple(laid_out), complete


def _key(state: State) -> tuple[object, ...]:
    return (state.segment, state.open, state.kept)


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)
