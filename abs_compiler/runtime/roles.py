"""Roles: what each behavior is to a matching once the observation is known.

Takes the behaviors and groups of a program and the observation (all, or tools only); gives for each behavior whether
it is required, optional, a dependant of an optional (its gate), or unobserved, and the segments they stand in.
"""

from __future__ import annotations

from .alignment import Item
from .templates import references
from .vocabulary import CATEGORY_OF, PEOPLE, seen_by_tools_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from .program import Behavior, Program


class Roles:
    """The roles of one program under one observation. Indices are behavior indices."""

    __slots__ = (
        "_captures",
        "_order",
        "behaviors",
        "dependants",
        "gate",
        "group_of",
        "level",
        "maybe",
        "observed",
        "optionals",
        "required",
        "shares",
        "skipped",
        "suppliers",
    )

    def __init__(self, program: Program, *, tools_only: bool) -> None:
        self.behaviors = program.behaviors
        self.observed = [b.index for b in program.behaviors if not tools_only or seen_by_tools_only(b.actor, b.action)]
        seen = frozenset(self.observed)
        self.skipped = frozenset(b.index for b in program.behaviors) - seen
        self.gate: dict[int, int | None] = {}
        self.level: dict[int, int] = {}
        self.maybe: set[int] = set()
        self.optionals: list[int] = []
        self.dependants: list[int] = []
        required: set[int] = set()
        # Of each behavior: the nearest observed optional one up the chain (itself included), and whether an optional
        # one that this observation cannot show lies before it.
        anchors: dict[int, tuple[int | None, bool]] = {}
        for behavior in program.behaviors:
            i = behavior.index
            anchor, unseen = (None, False) if behavior.requires is None else anchors[behavior.requires]
            optional = behavior.optional
            if i in self.skipped:
                anchors[i] = (anchor, unseen or optional)
                continue
            if unseen and not optional:
                self.maybe.add(i)
                optional = True
            self.gate[i] = anchor
            if optional:
                self.optionals.append(i)
                self.level[i] = 0 if anchor is None else self.level[anchor] + 1
                anchors[i] = (i, False)
                continue
            anchors[i] = (anchor, False)
            if anchor is None:
                required.add(i)
            else:
                self.dependants.append(i)
        self.required = frozenset(required)
        self.group_of: dict[int, int] = {}
        for number, (start, end) in enumerate(program.groups):
            for i in range(start, end):
                self.group_of[i] = number
        self.shares = {b.index: b.shares for b in program.behaviors}
        self._captures = {b.index for b in program.behaviors if b.capture}
        self.suppliers = self._suppliers(program.behaviors)
        self._order = self.observed

    def _suppliers(self, behaviors: tuple[Behavior, ...]) -> frozenset[int]:
        """Uncertain behaviors that capture a name which a later behavior refers to."""
        needed: set[str] = set()
        found = set()
        for behavior in reversed(behaviors):
            if behavior.index in self.gate and behavior.index not in self.required and needed & behavior.capture.keys():
                found.add(behavior.index)
            for constraint in behavior.args:
                for template in constraint.keys.values():
                    needed |= references(template)
                if constraint.whole is not None:
                    needed |= references(constraint.whole)
            if behavior.content is not None:
                needed |= references(behavior.content)
            if behavior.matches_when is not None:
                needed |= references(behavior.matches_when[1])
            if behavior.checks:
                needed |= _names_of_merged(behavior)
            for template in behavior.capture.values():
                needed |= references(template)
        return frozenset(found)

    @property
    def plain(self) -> bool:
        """Whether every observed behavior is simply required."""
        return len(self.required) == len(self.observed)

    def certain(self, index: int) -> bool:
        """Whether a behavior's captures apply in every complete assignment (unobserved ones still supply theirs)."""
        return index in self.required or index in self.skipped

    def gate_open(self, index: int, chosen: Container[int]) -> bool:
        """Whether the behavior's gate (if any) is among the chosen."""
        gate = self.gate[index]
        return gate is None or gate in chosen

    def undecided(self, chosen: frozenset[int]) -> frozenset[int]:
        """The unmatched behaviors of which this observation cannot show whether they were required."""
        return frozenset(i for i in self.maybe if i not in chosen and self.gate_open(i, chosen))

    def unseen(self, chosen: frozenset[int]) -> bool:
        """Whether a pass stays open, since this observation shows no behavior at all, or cannot show whether one that
        is unmatched was required."""
        return (bool(self.skipped) and not self.observed) or bool(self.undecided(chosen))

    def dependants_of(self, chosen: Container[int]) -> frozenset[int]:
        """The non-optional behaviors whose gate is chosen."""
        return frozenset(i for i in self.dependants if self.gate[i] in chosen)

    def deeper(self, level: int) -> list[int]:
        """The optionals of later levels."""
        return [i for i in self.optionals if self.level[i] > level]

    def applied(self, chosen: frozenset[int]) -> frozenset[int]:
        """The uncertain behaviors whose captures apply when exactly these optionals are matched."""
        return self.suppliers & (chosen | self.dependants_of(chosen))

    def switches(self, level: int, chosen: frozenset[int], extras_limited: bool) -> list[int]:
        """The undecided optionals whose being matched changes something besides themselves, in listing order: they or
        their dependants supply a capture, or (where extras are limited) they are the gate of what may take a call."""
        undecided = [i for i in self.optionals if self.level[i] >= level and self._may_open(i, chosen, level)]
        found = {i for i in undecided if i in self.suppliers}
        found.update(gate for d in self.dependants if d in self.suppliers and (gate := self.gate[d]) in undecided)
        if extras_limited:
            callers = (i for i in (*self.optionals, *self.dependants) if _may_take_a_call(self.behaviors[i]))
            found.update(gate for i in callers if (gate := self.gate[i]) in undecided)
        for i in list(found):
            gate = self.gate[i]
            while gate is not None and gate not in chosen:
                found.add(gate)
                gate = self.gate[gate]
        return sorted(found)

    def _may_open(self, index: int, chosen: frozenset[int], level: int) -> bool:
        """Whether the gates of an optional are matched or still undecided."""
        gate = self.gate[index]
        while gate is not None:
            if gate in chosen:
                return True
            if self.level[gate] < level:
                return False
            gate = self.gate[gate]
        return True

    def segments_of(self, items: Mapping[int, Item]) -> list[list[Item]]:
        """The items in listing order, as segments: members of one group together, others alone."""
        segments: list[list[Item]] = []
        last: int | None = None
        for i in self._order:
            item = items.get(i)
            if item is None:
                continue
            group = self.group_of.get(i)
            if group is not None and group == last:
                segments[-1].append(item)
            else:
                segments.append([item])
            last = group
        return segments


def _may_take_a_call(behavior: Behavior) -> bool:
    """Whether a behavior could be matched by a counted call."""
    if behavior.actor in PEOPLE:
        return False
    return behavior.matches_when is not None or CATEGORY_OF.get(behavior.action) == "execution"


def most_switches(program: Program) -> int:
    """The largest number of switches any level of this program could have; the compiler bounds it."""
    return max(
        len(Roles(program, tools_only=tools_only).switches(0, frozenset(), extras_limited=program.extras is not None))
        for tools_only in (False, True)
    )


def _names_of_merged(behavior: Behavior) -> set[str]:
    """The names in the tool_call checks that are part of a step where their condition holds."""
    from .checks import templates_of
    from .when import names_of

    found: set[str] = set()
    for check in behavior.checks:
        if check.type == "tool_call" and check.fields["merged"] and check.when is not None:
            found |= names_of(check.when)
            found.update(name for template in templates_of(check) for name in references(template))
    return found
