"""What events satisfy each behavior of a session, as sets: the IR and the program of a session in, one `StepSet` a
behavior out.

An event satisfies a behavior when its actor, action and target do, its arguments lie in one set and its content in
another. Where a value depends on what only a run or a binding supplies, the sets are bounds.
"""

from __future__ import annotations

import functools

import attrs

from abs_compiler.automaton.captures import Captures
from abs_compiler.automaton.value_sets import (
    ALLOWED,
    OBJECTS,
    MisfitError,
    argument_set,
    both,
    exactly,
    is_empty,
    is_within,
    structure_set,
)
from abs_compiler.bounds import OutOfWorkError, allowance
from abs_compiler.ir import Ir
from abs_compiler.predicate.denote import Bounds
from abs_compiler.predicate.domains import ANY, NOTHING
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Behavior, ToolCall

_OBJECTS = exactly(OBJECTS)


@attrs.frozen(slots=False, repr=False, eq=False)
class StepSet(ReprMixin):
    """`arguments` bound a set of objects; with `any_arguments` they are not
    looked at; `content` is None where any content, or none, will do. `open_text` says that
    text decides (`matches_when`, which then stands in place of the action); `conditional` that more is demanded where
    a condition holds. `misfit` names the value that cannot stand in its place, so that nothing matches."""

    index: int
    actor: str
    action: str
    target: str | None
    arguments: Bounds
    content: Bounds | None
    any_arguments: bool
    open_text: bool = False
    conditional: bool = False
    misfit: str | None = None

    @property
    def bit(self) -> int:
        """The behavior as one bit of a mask."""
        return 1 << self.index

    @property
    def is_exact(self) -> bool:
        """Whether it is known of every event whether it satisfies the behavior."""
        content = self.content is None or self.content.is_exact
        return self.arguments.is_exact and content and not self.open_text and not self.conditional

    @property
    def is_impossible(self) -> bool:
        """Whether it is known that no event satisfies the behavior."""
        if self.misfit is not None or is_empty(self.arguments.around):
            return True
        return self.content is not None and is_empty(self.content.around)


def step_sets(ir: Ir) -> tuple[StepSet, ...]:
    """The sets of all behaviors of a session."""
    captures = Captures(ir)
    return tuple(_step_set(ir, index, captures) for index in range(len(ir.steps)))


def _step_set(ir: Ir, index: int, captures: Captures) -> StepSet:
    step = ir.steps[index]
    behavior = step.behavior
    constant = functools.partial(captures.constant, index)
    arguments, content, misfit = _OBJECTS, None, None
    try:
        with allowance(ALLOWED):
            arguments = both(_OBJECTS, *(argument_set(item, constant) for item in step.args))
            if behavior.content is not None and is_tool_response(behavior.actor, behavior.action):
                content = structure_set(behavior.content, constant)
    except OutOfWorkError:
        arguments, content = Bounds(NOTHING, OBJECTS), Bounds(NOTHING, ANY)
    except MisfitError as error:
        misfit = error.name
    return StepSet(
        index,
        behavior.actor.text,
        behavior.action.text,
        None if step.target is None else step.target.text,
        arguments,
        content,
        any_arguments=not step.args,
        open_text=behavior.matches_when is not None,
        conditional=_is_conditional(behavior),
        misfit=misfit,
    )


def _is_conditional(behavior: Behavior) -> bool:
    """Whether `tool_call` evaluations are part of the step only where their condition holds."""
    return behavior.action.text == "calls" and any(
        isinstance(item.check, ToolCall) and item.when is not None for item in behavior.evaluations
    )


def same_set(left: StepSet, right: StepSet) -> bool:
    """Whether exactly the same events are known to satisfy two behaviors, by their sets alone."""
    kinds = (left.actor, left.action, left.target) == (right.actor, right.action, right.target)
    if not kinds or not left.is_exact or not right.is_exact or left.any_arguments != right.any_arguments:
        return False
    return _equal(left.arguments, right.arguments) and _equal_contents(left.content, right.content)


def _equal_contents(left: Bounds | None, right: Bounds | None) -> bool:
    if left is None or right is None:
        return left is right
    return _equal(left, right)


def _equal(left: Bounds, right: Bounds) -> bool:
    if left == right:
        return True
    return is_within(left.inside, right.inside) and is_within(right.inside, left.inside)
