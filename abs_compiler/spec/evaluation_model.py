"""Evaluations of a typed session: what they check, of one behavior or of the run. A module of its own, since many specs
have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Arguments, Name, Number, Reference, Value

if TYPE_CHECKING:
    from abs_compiler.predicate.when_tree import WhenExpr


@attrs.frozen(slots=False, repr=False, eq=False)
class Selector(ReprMixin):
    """Which events a chain evaluation looks at."""

    span: Span
    actor: Name | None
    action: Name | None
    target: Name | None
    arguments: Arguments | None = None
    status: Name | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class ExactMatch(ReprMixin):
    value: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class Contains(ReprMixin):
    value: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class Regex(ReprMixin):
    pattern: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class Schema(ReprMixin):
    schema: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class ToolCall(ReprMixin):
    """`ordered` is None when nothing is said about order; `ordered_span` is the place of what is said."""

    target: Name | None
    arguments: Arguments | None
    ordered: bool | None
    ordered_span: Span | None


@attrs.frozen(slots=False, repr=False, eq=False)
class Deferred(ReprMixin):
    """An evaluation that needs a judge. `places` maps query, context and response to what they name."""

    criteria: Value | None
    id: Name | None
    places: tuple[tuple[str, Name], ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class InSequence(ReprMixin):
    order: tuple[Selector, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class Occurs(ReprMixin):
    """eventually, never and count: bounds are None where not said (count alone has them)."""

    match: Selector | None
    after: Selector | None
    min: Number | None = None
    max: Number | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class Within(ReprMixin):
    after: Selector | None
    match: Selector | None
    max_steps: Number | None


@attrs.frozen(slots=False, repr=False, eq=False)
class VariableConsistency(ReprMixin):
    variable: Name


@attrs.frozen(slots=False, repr=False, eq=False)
class Expected(ReprMixin):
    behavior: Name
    after: Selector | None
    reason: Name | None


@attrs.frozen(slots=False, repr=False, eq=False)
class Preceded(ReprMixin):
    match: Selector | None
    by: Selector | None
    same: tuple[Name, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class Composition(ReprMixin):
    """all_of, any_of, none_of."""

    evaluations: tuple[Evaluation, ...]


Check: TypeAlias = (
    ExactMatch
    | Contains
    | Regex
    | Schema
    | ToolCall
    | Deferred
    | InSequence
    | Occurs
    | Within
    | VariableConsistency
    | Expected
    | Preceded
    | Composition
)


@attrs.frozen(slots=False, repr=False, eq=False)
class Evaluation(ReprMixin):
    """One evaluation: its type, what it checks (None where that was reported as wrong), and the common fields."""

    type: Name
    span: Span
    check: Check | None
    blocking: bool = False
    threshold: Number | None = None
    when: When | None = None
    adapter: Name | None = None
    dataset: Name | None = None
    prompt: Name | None = None

    @property
    def parts(self) -> tuple[Evaluation, ...]:
        """What a composition holds."""
        return self.check.evaluations if isinstance(self.check, Composition) else ()


@attrs.frozen(slots=False, repr=False, eq=False)
class When(ReprMixin):
    """A parsed `when`; `expression` is None where its text was reported as wrong. `references` are all it mentions."""

    span: Span
    text: str
    expression: WhenExpr | None
    references: tuple[Reference, ...] = ()
