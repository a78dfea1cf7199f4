"""Text where a number is tested: `>= {{limit}}` with `limit: "100"` captured, or `> "5"`.

Ordering compares text with text, so no number ever passes; a range takes numbers only, so nothing matches. Catches
quotes around a captured number, or around the number itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help, Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import captures
from abs_compiler.predicate import tree
from abs_compiler.source import Span
from abs_compiler.spec.model import Literal, Predicate, Text
from abs_compiler.spec.walk import argument_values, predicates_in
from abs_compiler.syntax.offsets import scalar_range

_ORDER = ("<", "<=", ">", ">=")


def check(context: SessionContext) -> Iterator[Report]:
    """Report texts that read as numbers where something is ordered, or is the end of a range."""
    seen: set[Span] = set()
    for index, step in enumerate(context.ir.steps):
        for predicate in _predicates(step):
            for operand in _ordered_operands(predicate):
                report = (
                    _written(context, predicate, operand)
                    if isinstance(operand, tree.Literal)
                    else _captured(context, index, predicate, operand)
                )
                if report is not None and report.span not in seen:
                    seen.add(report.span)
                    yield report


def _predicates(step: Step) -> Iterator[Predicate]:
    for arguments in step.args:
        for value in argument_values(arguments):
            yield from predicates_in(value)
    yield from predicates_in(step.behavior.content)


def _ordered_operands(predicate: Predicate) -> Iterator[tree.Operand]:
    """What values are ordered against, or lie between."""
    for test in tree.walk(predicate.tree.root):
        inner = test.test if isinstance(test, tree.Length) else test
        match inner:
            case tree.Compare(operator=operator, operand=operand) if operator in _ORDER:
                yield operand
            case tree.Member(values=tree.Range(low=low, high=high)):
                yield low
                yield high


def reads_as_number(text: str) -> bool:
    """Whether a text would be a number if it were not in quotes."""
    try:
        return type(json.loads(text)) in (int, float) and text == text.strip() and text.lstrip("-")[:1].isdigit()
    except (ValueError, RecursionError):
        return False


def _written(context: SessionContext, predicate: Predicate, operand: tree.Literal) -> Report | None:
    value = operand.value
    if not isinstance(value, str) or not reads_as_number(value):
        return None
    span = scalar_range(context.source, predicate.scalar, operand.start, operand.end)
    written = context.source.text[span.start : span.end]
    fix = Fix("leave out the quotes", (Edit(span, value),)) if json.dumps(value) == written else None
    return Report(
        "texts-for-numbers",
        f'the text `"{value}"` is tested where a number is meant',
        span,
        "compared as text, so no number passes",
        helps=(Help(f"to compare numbers, write `{value}` without quotes", fix),),
    )


def _captured(context: SessionContext, index: int, predicate: Predicate, operand: tree.Reference) -> Report | None:
    known = captures(context).constant(index, operand.name)
    supplier = captures(context).supplier(index, operand.name)
    if known is None or supplier is None or not isinstance(known.value, str) or not reads_as_number(known.value):
        return None
    span = scalar_range(context.source, predicate.scalar, operand.start, operand.end)
    value = supplier.value
    fix = None
    if isinstance(value, Literal) and context.source.text[value.span.start : value.span.end][:1] in "'\"":
        fix = Fix("leave out the quotes", (Edit(value.span, known.value),))
    elif not isinstance(value, Literal | Text):
        return None
    return Report(
        "texts-for-numbers",
        f'`{operand.name}` is the text `"{known.value}"`, but a number is tested here',
        span,
        "compared as text, so no number passes",
        also=(Label(value.span, "captured as text"),),
        helps=(Help(f"capture it as a number: `{operand.name}: {known.value}`", fix),),
    )
