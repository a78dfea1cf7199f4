"""Predicates (`$is`) of steps: the one place where the predicate language is asked.

Takes a session whose arguments are merged. The predicate language is not there yet, so each use is refused; its
shape and place were checked when the session was read.
"""

from __future__ import annotations

from abs_compiler.ir.model import Ir
from abs_compiler.spec import Context
from abs_compiler.spec.model import Predicate
from abs_compiler.spec.walk import argument_values, predicates_in


def compile_predicates(ctx: Context, ir: Ir) -> Ir:
    """The session with its predicates compiled."""
    for step in ir.steps:
        for predicate in predicates_in(step.behavior.content):
            compile_predicate(ctx, predicate)
        for arguments in step.args:
            for value in argument_values(arguments):
                for predicate in predicates_in(value):
                    compile_predicate(ctx, predicate)
    return ir


def compile_predicate(ctx: Context, predicate: Predicate) -> None:
    """Compile one predicate: refused for now."""
    ctx.sink.report(
        "unsupported-feature",
        "predicates (`$is`) cannot be compiled yet",
        predicate.span,
        "understood, but not supported by this version",
        helps=("write a plain value, or leave the argument out",),
    )
