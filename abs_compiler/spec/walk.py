"""Walking typed values: every reference and every predicate of a behavior or of evaluations, in source order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from abs_compiler.spec.model import Arguments, ArrayValue, Behavior, ObjectValue, Predicate, Reference, Text, Value

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation


def references_in(value: Value | None) -> Iterator[Reference]:
    """Every reference inside a value, those in predicates included."""
    match value:
        case Reference():
            yield value
        case Predicate(references=references):
            yield from references
        case Text(parts=parts):
            yield from (part for part in parts if isinstance(part, Reference))
        case ObjectValue(entries=entries):
            for entry in entries:
                yield from references_in(entry.value)
        case ArrayValue(items=items):
            for item in items:
                yield from references_in(item)


def predicates_in(value: Value | None) -> Iterator[Predicate]:
    """Every predicate inside a value."""
    match value:
        case Predicate():
            yield value
        case ObjectValue(entries=entries):
            for entry in entries:
                yield from predicates_in(entry.value)
        case ArrayValue(items=items):
            for item in items:
                yield from predicates_in(item)


def argument_values(arguments: Arguments | None) -> Iterator[Value]:
    """The values of `with` or `with_only`."""
    if arguments is None:
        return
    if arguments.whole is not None:
        yield arguments.whole
    for entry in arguments.keys:
        yield entry.value


def flattened(evaluations: Iterable[Evaluation]) -> Iterator[Evaluation]:
    """Evaluations and everything their compositions hold, each before its parts."""
    for evaluation in evaluations:
        yield evaluation
        yield from flattened(evaluation.parts)


def evaluation_references(evaluations: Sequence[Evaluation]) -> Iterator[Reference]:
    """Every reference of evaluations, their parts and conditions included."""
    if not evaluations:
        return
    from abs_compiler.spec.evaluation_walk import evaluation_values  # slow to import, and many specs have none

    for evaluation in flattened(evaluations):
        for value in evaluation_values(evaluation):
            yield from references_in(value)
        if evaluation.when is not None:
            yield from evaluation.when.references


def behavior_values(behavior: Behavior) -> Iterator[Value]:
    """The values a behavior states itself, without those of its evaluations."""
    if behavior.content is not None:
        yield behavior.content
    yield from argument_values(behavior.arguments)
    for capture in behavior.capture:
        yield capture.value
    if behavior.matches_when is not None and behavior.matches_when.value is not None:
        yield behavior.matches_when.value


def behavior_references(behavior: Behavior) -> Iterator[Reference]:
    """Every reference of a behavior, its evaluations included."""
    for value in behavior_values(behavior):
        yield from references_in(value)
    yield from evaluation_references(behavior.evaluations)
