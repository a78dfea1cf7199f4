"""Chain evaluations as machines: the checks of a program in, machines and their selectors out.

What needs a judge, an assignment of optional behaviors or captured values has no machine here; nor has what runs only
where a condition holds.
"""

from __future__ import annotations

import attrs

from abs_compiler.automaton.alphabet import CallTest, Selecting
from abs_compiler.automaton.constants import nothing_known
from abs_compiler.automaton.machines import Composed, Count, InOrder, Machine, Within
from abs_compiler.automaton.value_sets import OBJECTS, argument_set, both, exactly
from abs_compiler.bounds import OutOfWorkError
from abs_compiler.predicate.denote import Bounds
from abs_compiler.predicate.domains import NOTHING
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.chain import could_be_conversation
from abs_compiler.runtime.checks import COMPOSITIONS, Check, Selector
from abs_compiler.spec.model import Composition, Evaluation, ToolCall


@attrs.frozen(slots=False, repr=False, eq=False)
class Selectors(ReprMixin):
    """The selectors of several machines; a machine refers to its own by number."""

    found: list[Selecting] = attrs.field(factory=list)

    def number(self, selector: Selecting) -> int:
        """The number of a selector from now on."""
        self.found.append(selector)
        return len(self.found) - 1


@attrs.frozen(slots=False, repr=False, eq=False)
class ChainCheck(ReprMixin):
    """An evaluation of the session that has a machine."""

    evaluation: Evaluation
    _check: Check

    def machine(self, into: Selectors) -> Machine:
        """The machine, its selectors among those of other machines."""
        found = _machine(self.evaluation, self._check, into, negated=False)
        assert found is not None
        return found

    def selectors(self) -> list[Selecting]:
        """Its selectors."""
        into = Selectors()
        self.machine(into)
        return into.found

    @property
    def is_decided_by_tools(self) -> bool:
        """Whether a run of tool events alone decides it."""
        if _counts_steps(self._check):
            return False
        return not any(isinstance(item, Selector) and could_be_conversation(item) for item in self.selectors())


def chain_checks(evaluations: tuple[Evaluation, ...], checks: tuple[Check, ...]) -> list[ChainCheck]:
    """The evaluations that have machines; of an all_of without a threshold its parts, since all of them must hold."""
    found: list[ChainCheck] = []
    for evaluation, check in zip(evaluations, checks, strict=True):
        if check.when is not None:
            continue
        if check.type == "all_of" and check.threshold is None and isinstance(evaluation.check, Composition):
            found += chain_checks(evaluation.check.evaluations, check.children)
        elif _machine(evaluation, check, Selectors(), negated=False) is not None:
            found.append(ChainCheck(evaluation, check))
    return found


def _counts_steps(check: Check) -> bool:
    return check.type == "within" or any(map(_counts_steps, check.children))


def _machine(evaluation: Evaluation, check: Check, into: Selectors, *, negated: bool) -> Machine | None:
    fields = check.fields
    if check.when is not None:
        return None
    if check.type in COMPOSITIONS and isinstance(evaluation.check, Composition):
        under = negated or check.type == "none_of"
        parts = [
            _machine(part, child, into, negated=under)
            for part, child in zip(evaluation.check.evaluations, check.children, strict=True)
        ]
        known = tuple(part for part in parts if part is not None)
        return Composed(check.type, check.threshold, known) if len(known) == len(parts) else None
    match check.type:
        case "eventually":
            return Count(into.number(fields["match"]), 1, None, negated)
        case "never":
            return Count(into.number(fields["match"]), None, 0, negated)
        case "count":
            return Count(into.number(fields["match"]), fields["min"], fields["max"], negated)
        case "sequence":
            return InOrder(tuple(into.number(selector) for selector in fields["order"]), negated)
        case "within":
            return Within(into.number(fields["after"]), into.number(fields["match"]), fields["max_steps"], negated)
        case "tool_call" if isinstance(evaluation.check, ToolCall):
            return Count(into.number(_call_test(evaluation.check)), 1, None, negated)
        case _:
            return None


def _call_test(check: ToolCall) -> CallTest:
    target = None if check.target is None else check.target.text
    if check.arguments is None:
        return CallTest(target, exactly(OBJECTS), True)
    try:
        arguments = both(exactly(OBJECTS), argument_set(check.arguments, nothing_known))
    except OutOfWorkError:
        arguments = Bounds(NOTHING, OBJECTS)
    return CallTest(target, arguments, False)
