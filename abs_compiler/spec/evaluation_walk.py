"""Walking evaluations: the selectors and values that they hold, in source order."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.spec.evaluation_model import (
    Check,
    Contains,
    Deferred,
    Evaluation,
    ExactMatch,
    Expected,
    InSequence,
    Occurs,
    Preceded,
    Regex,
    Schema,
    Selector,
    ToolCall,
    Within,
)
from abs_compiler.spec.model import Value
from abs_compiler.spec.walk import argument_values


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
