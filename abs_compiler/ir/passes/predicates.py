"""Predicates (`$is`): the one place where the predicate language is asked.

Takes a session. The predicate language is not there yet, so each use is refused; its
shape and place were checked when the session was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abs_compiler.ir.model import Ir
from abs_compiler.spec import Context
from abs_compiler.spec.model import Evaluation, Predicate, Value
from abs_compiler.spec.walk import behavior_values, evaluation_values, flattened, predicates_in


def compile_predicates(ctx: Context, ir: Ir) -> Ir:
    """The session with its predicates compiled."""
    for step in ir.steps:
        for value in (*behavior_values(step.behavior), *_values_of(step.behavior.evaluations)):
            _compile_value(ctx, value)
    for value in _values_of(ir.session.evaluations):
        _compile_value(ctx, value)
    return ir


def _values_of(evaluations: Iterable[Evaluation]) -> Iterator[Value]:
    for evaluation in flattened(evaluations):
        yield from evaluation_values(evaluation)


def _compile_value(ctx: Context, value: Value) -> None:
    for predicate in predicates_in(value):
        compile_predicate(ctx, predicate)


def compile_predicate(ctx: Context, predicate: Predicate) -> None:
    """Compile one predicate: refused for now."""
    ctx.sink.report(
        "unsupported-feature",
        "predicates (`$is`) cannot be compiled yet",
        predicate.span,
        "understood, but not supported by this version",
        helps=("write a plain value, or leave the argument out",),
    )
