"""Walking typed values: every reference and every predicate of a behavior or an evaluation, in source order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abs_compiler.spec.model import (
    Arguments,
    ArrayValue,
    Behavior,
    Check,
    Composition,
    Contains,
    Deferred,
    Evaluation,
    ExactMatch,
    Expected,
    InSequence,
    ObjectValue,
    Occurs,
    Preceded,
    Predicate,
    Reference,
    Regex,
    Schema,
    Selector,
    Text,
    ToolCall,
    Value,
    Within,
)


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
        if isinstance(evaluation.check, Composition):
            yield from flattened(evaluation.check.evaluations)


def selectors_of(check: Check | None) -> Iterator[Selector]:
    """Every selector of a check."""
    found: tuple[Selector | None, ...] = ()
    match check:
        case InSequence(order=order):
            found = order
        case Occurs(match=match, after=after) | Within(match=match, after=after):
            found = (match, after)
        case Expected(after=after):
            found = (after,)
        case Preceded(match=match, by=by):
            found = (match, by)
    yield from (selector for selector in found if selector is not None)


def evaluation_values(evaluation: Evaluation) -> Iterator[Value]:
    """The values one evaluation states itself, without those of its parts."""
    match evaluation.check:
        case ExactMatch(value=value) | Contains(value=value):
            yield value
        case Regex(pattern=pattern):
            yield pattern
        case Schema(schema=schema):
            yield schema
        case Deferred(criteria=criteria):
            if criteria is not None:
                yield criteria
        case ToolCall(arguments=arguments):
            yield from argument_values(arguments)
    for selector in selectors_of(evaluation.check):
        yield from argument_values(selector.arguments)


def evaluation_references(evaluations: Iterable[Evaluation]) -> Iterator[Reference]:
    """Every reference of evaluations, their parts and conditions included."""
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
