"""The typed session: what a file of documents says, with the span of everything a later stage may point at.

Plain frozen values, equal only to themselves, made by the readers of this package and consumed by the IR. Texts that
name something are
`Name`s. A part that was reported as wrong is left out or replaced by an empty `Name`, so that the remaining
checks can still run; nothing is lowered once an error was reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.syntax import JsonValue, Scalar

if TYPE_CHECKING:
    from abs_compiler.predicate.tree import Predicate as ParsedPredicate
    from abs_compiler.spec.evaluation_model import Evaluation


@attrs.frozen(slots=False, repr=False, eq=False)
class Name(ReprMixin):
    """A text and its place."""

    text: str
    span: Span


@attrs.frozen(slots=False, repr=False, eq=False)
class Number(ReprMixin):
    """A number and its place."""

    value: int | float
    span: Span


# --- values -----------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class Literal(ReprMixin):
    """A value without references, taken as it is."""

    span: Span
    value: JsonValue


@attrs.frozen(slots=False, repr=False, eq=False)
class Reference(ReprMixin):
    """`{{name}}` or `{{dataset.column}}`; as a value of its own it keeps the type of what it stands for."""

    span: Span
    name: str


@attrs.frozen(slots=False, repr=False, eq=False)
class Text(ReprMixin):
    """Text with references inside."""

    span: Span
    parts: tuple[str | Reference, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class ValueEntry(ReprMixin):
    """One key of a mapping and its value."""

    key: str
    key_span: Span
    value: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class ObjectValue(ReprMixin):
    """A mapping that holds references or predicates somewhere."""

    span: Span
    entries: tuple[ValueEntry, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class ArrayValue(ReprMixin):
    """A list that holds references or predicates somewhere."""

    span: Span
    items: tuple[Value, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class Predicate(ReprMixin):
    """`{$is: text}`: the parsed text, and the references in it."""

    span: Span
    scalar: Scalar
    tree: ParsedPredicate
    references: tuple[Reference, ...] = ()


@attrs.frozen(slots=False, repr=False, eq=False)
class FromPath(ReprMixin):
    """`{$from: path}`: a value taken from the matched event."""

    span: Span
    path: str


Value: TypeAlias = Literal | Reference | Text | ObjectValue | ArrayValue | Predicate | FromPath


@attrs.frozen(slots=False, repr=False, eq=False)
class Arguments(ReprMixin):
    """`with` or `with_only`: its keys, or one predicate on all arguments."""

    span: Span
    only: bool
    keys: tuple[ValueEntry, ...]
    whole: Predicate | None = None


# --- evaluations ------------------------------------------------------------------------------------------


# --- behaviors --------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class Capture(ReprMixin):
    name: Name
    value: Value


@attrs.frozen(slots=False, repr=False, eq=False)
class MatchesWhen(ReprMixin):
    """Replaces the action test: `type` is contains, regex or llm_judge."""

    span: Span
    type: Name
    value: Value | None


@attrs.frozen(slots=False, repr=False, eq=False)
class Behavior(ReprMixin):
    """One behavior. `newer` lists what it uses of version 0.2, with the places."""

    span: Span
    actor: Name
    action: Name
    id: Name | None = None
    target: Name | None = None
    content: Value | None = None
    content_span: Span | None = None
    capture: tuple[Capture, ...] = ()
    arguments: Arguments | None = None
    evaluations: tuple[Evaluation, ...] = ()
    optional: bool = False
    requires: Name | None = None
    matches_when: MatchesWhen | None = None
    status: Name | None = None
    newer: tuple[Name, ...] = ()


@attrs.frozen(slots=False, repr=False, eq=False)
class Include(ReprMixin):
    """`- include: NAME`."""

    span: Span
    name: Name


@attrs.frozen(slots=False, repr=False, eq=False)
class Group(ReprMixin):
    """unordered, ordered, one_of or repeat; only one_of has several bodies, only repeat has bounds."""

    span: Span
    kind: Name
    bodies: tuple[tuple[Item, ...], ...]
    min: Number | None = None
    max: Number | None = None


Item: TypeAlias = Behavior | Include | Group


@attrs.frozen(slots=False, repr=False, eq=False)
class Fragment(ReprMixin):
    name: Name
    items: tuple[Item, ...]


# --- documents --------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class Dataset(ReprMixin):
    id: Name | None
    path: Name | None


@attrs.frozen(slots=False, repr=False, eq=False)
class TargetNames(ReprMixin):
    """A target and the recorded names (or globs) that stand for it."""

    target: Name
    names: tuple[Name, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class MatchOptions(ReprMixin):
    """`match:` as written; None where nothing is said."""

    extras: int | None = None
    ignore: tuple[Name, ...] = ()
    targets: tuple[TargetNames, ...] = ()
    observe: str | None = None
    allow_empty: bool = False


@attrs.frozen(slots=False, repr=False, eq=False)
class Session(ReprMixin):
    """One document with behaviors. `newer` lists what its chain evaluations use of version 0.2."""

    span: Span
    name: Name
    version: str
    items: tuple[Item, ...]
    behaviors_span: Span | None
    description: str | None = None
    dataset: Dataset | None = None
    match: MatchOptions = MatchOptions()
    evaluations: tuple[Evaluation, ...] = ()
    newer: tuple[Name, ...] = ()


@attrs.frozen(slots=False, repr=False, eq=False)
class SpecFile(ReprMixin):
    """All sessions of a file and the fragments they share, by name (the first of duplicates)."""

    sessions: tuple[Session, ...]
    fragments: dict[str, Fragment]
