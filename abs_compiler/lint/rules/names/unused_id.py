"""An id that nothing refers to. Ids also name steps in reports, so this is for those who want no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.spec.evaluation_model import Deferred, Evaluation, Expected
from abs_compiler.spec.walk import flattened


def check(context: FileContext) -> Iterator[Report]:
    """Report every id that no `requires`, `expected`, `query`, `context` or `response` of its sessions mentions."""
    mentioned = [_mentioned(ir) for ir in context.irs]
    used = {
        step.behavior.id.span
        for ir, names in zip(context.irs, mentioned, strict=True)
        for step in ir.steps
        if step.behavior.id is not None and step.behavior.id.text in names
    }
    seen = set()
    for ir in context.irs:
        for step in ir.steps:
            name = step.behavior.id
            if name is None or name.span in used or name.span in seen:
                continue
            seen.add(name.span)
            yield Report(
                "unused-id",
                f"nothing refers to the id `{name.text}`",
                name.span,
                "only reports mention it",
                helps=("remove it, or keep it as the name of the step in reports",),
            )


def _mentioned(ir: Ir) -> set[str]:
    names = {step.behavior.requires.text for step in ir.steps if step.behavior.requires is not None}
    for step in ir.steps:
        names |= _of_evaluations(step.behavior.evaluations)
    return names | _of_evaluations(ir.session.evaluations)


def _of_evaluations(evaluations: Iterable[Evaluation]) -> set[str]:
    names: set[str] = set()
    for evaluation in flattened(evaluations):
        match evaluation.check:
            case Expected(behavior=behavior):
                names.add(behavior.text)
            case Deferred(places=places):
                for _, name in places:
                    names |= {name.text, name.text.rpartition(".")[0]}
            case _:
                continue
    return names
