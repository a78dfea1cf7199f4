"""Behaviors that no event can match, and those that hang on them.

Catches: constraints of a behavior and of its `tool_call` that no arguments satisfy together (predicates included;
literals are found when compiling); a captured value that makes a predicate impossible; a `requires` whose behavior
never matches, so that nothing ever asks for the one that requires it.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import captures, label, model
from abs_compiler.spec.walk import argument_values, predicates_in


def check(context: SessionContext) -> Iterator[Report]:
    """Report each cause once, and each behavior that hangs on it directly; those that hang on these in turn need
    nothing else."""
    candidates = {index for index, step in enumerate(context.ir.steps) if _may_be_impossible(step)}
    if not candidates:
        return
    from abs_compiler.lint.rules.sequence.impossible_steps import cause  # slow to import, and rarely needed

    found = model(context)
    impossible: set[int] = set()
    unasked: set[int] = set()
    required = {step.requires for step in context.ir.steps}
    for index, step in enumerate(context.ir.steps):
        if index in candidates and found.steps[index].is_impossible:
            impossible.add(index)
            report = cause(context, found, index, step)
            if report is not None:
                yield report
        elif step.requires in impossible and not captures(context).is_certain(step.requires):
            unasked.add(index)
            yield _hangs_on(context, step, context.ir.steps[step.requires], asks=index in required)
        elif step.requires in unasked and not captures(context).is_certain(step.requires):
            unasked.add(index)


def _may_be_impossible(step: Step) -> bool:
    """Whether constraints meet, or a predicate depends on a name: what one constraint says alone was looked at when it
    was compiled."""
    if len(step.args) > 1:
        return True
    values = [value for arguments in step.args for value in argument_values(arguments)]
    if step.behavior.content is not None:
        values.append(step.behavior.content)
    return any(predicate.references for value in values for predicate in predicates_in(value))


def _hangs_on(context: SessionContext, step: Step, other: Step, *, asks: bool) -> Report:
    """`asks` says whether another behavior requires this one in turn."""
    requires = step.behavior.requires
    assert requires is not None
    return Report(
        "unreachable-behaviors",
        f"nothing ever asks for this behavior: it requires `{requires.text}`, which no event can match",
        requires.span if not step.via else step.via[0],
        "never matched",
        also=(label(other, "no event can match this"),),
        notes=("nor is what requires this one ever asked for",) if asks else (),
        helps=(f"correct `{requires.text}`",),
    )
