"""Names: which the session mentions, and which only a dataset or the caller can supply (its parameters).

A reference takes the nearest capture of its name in an earlier behavior. Where no earlier behavior captures the
name, not even an optional one, it is a parameter. Chain evaluations see the last values, so any capture serves them.
References to a dataset that the document does not declare are reported.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from abs_compiler.ir.model import Ir
from abs_compiler.spec import Context
from abs_compiler.spec.model import Behavior, Group, Item, Reference
from abs_compiler.spec.reading import near_help
from abs_compiler.spec.walk import behavior_references, evaluation_references, flattened


def resolve_names(ctx: Context, ir: Ir) -> Ir:
    """The session with its parameters and names."""
    captured: set[str] = set()
    parameters: set[str] = set()
    names: set[str] = set()
    for step in ir.steps:
        for reference in behavior_references(step.behavior):
            _check_dataset(ctx, ir, reference)
            names.add(reference.name)
            if reference.name not in captured:
                parameters.add(reference.name)
        captured.update(capture.name.text for capture in step.behavior.capture)
    for reference in evaluation_references(ir.session.evaluations):
        _check_dataset(ctx, ir, reference)
        names.add(reference.name)
        if reference.name not in captured:
            parameters.add(reference.name)
    names |= captured
    _check_consistency(ctx, ir, names)
    return attrs.evolve(ir, parameters=tuple(sorted(parameters)), names=tuple(sorted(names)))


def names_of_items(items: Iterable[Item]) -> set[str]:
    """Every name that the behaviors of a list mention, whether they are used or not."""
    found: set[str] = set()
    for item in items:
        match item:
            case Behavior():
                found.update(reference.name for reference in behavior_references(item))
                found.update(capture.name.text for capture in item.capture)
            case Group(bodies=bodies):
                for body in bodies:
                    found |= names_of_items(body)
            case _:
                continue
    return found


def _check_dataset(ctx: Context, ir: Ir, reference: Reference) -> None:
    dataset = ir.session.dataset
    prefix, dot, column = reference.name.partition(".")
    if not dot or dataset is None or dataset.id is None or prefix == dataset.id.text:
        return
    right = f"{{{{{dataset.id.text}.{column}}}}}"
    ctx.sink.report(
        "unknown-dataset",
        f"unknown dataset `{prefix}`",
        reference.span,
        "not the id of the declared dataset",
        helps=(f"the dataset of this document is called `{dataset.id.text}`: write `{right}`",),
    )


def _check_consistency(ctx: Context, ir: Ir, names: set[str]) -> None:
    if not ir.session.evaluations:
        return
    from abs_compiler.spec.evaluation_model import VariableConsistency  # slow to import, and many specs have none

    for evaluation in flattened(ir.session.evaluations):
        check = evaluation.check
        if not isinstance(check, VariableConsistency) or check.variable.text in names:
            continue
        variable = check.variable
        otherwise = "capture it, or write `{{" + variable.text + "}}` where its value is expected"
        help_ = near_help(ctx, variable, names, "a name", otherwise)
        ctx.sink.report(
            "unknown-variable",
            f"the session neither captures nor mentions `{variable.text}`",
            variable.span,
            "nothing to compare",
            helps=(help_,),
        )
