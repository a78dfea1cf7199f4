"""Why no event can match a behavior: a value that nothing fits, or constraints that contradict each other."""

from __future__ import annotations

import functools
import itertools

from abs_compiler.automaton.constants import Constants
from abs_compiler.automaton.session import SessionModel
from abs_compiler.automaton.value_sets import MisfitError, argument_set, both, is_empty, value_set
from abs_compiler.diagnostics import Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import captures
from abs_compiler.lint.rules.sequence.texts_for_numbers import reads_as_number
from abs_compiler.source import Span
from abs_compiler.spec.model import Arguments, Literal, Predicate, Reference, Value, ValueEntry
from abs_compiler.spec.walk import argument_values, references_in


def cause(context: SessionContext, found: SessionModel, index: int, step: Step) -> Report | None:
    """The report for a behavior that is impossible; None where the cause is reported elsewhere."""
    constant = functools.partial(captures(context).constant, index)
    for arguments in step.args:
        for value in argument_values(arguments):
            if _is_impossible(value, constant):
                return _because_of_constant(context, found, index, value)
    try:
        sets = [(arguments, argument_set(arguments, constant)) for arguments in step.args]
    except MisfitError:
        return None
    for (first, one), (second, other) in itertools.combinations(sets, 2):
        if is_empty(both(one, other).around):
            return _contradiction(found, index, first, second, constant)
    content = step.behavior.content
    if content is not None and _references(content):
        return _because_of_constant(context, found, index, content)
    return None


def _references(value: Value) -> list[Reference]:
    return list(references_in(value))


def _is_impossible(value: Value, constant: Constants) -> bool:
    try:
        return is_empty(value_set(value, constant).around)
    except MisfitError:
        return True


def _because_of_constant(context: SessionContext, found: SessionModel, index: int, value: Value) -> Report | None:
    """A value that nothing fits once the captured values are put in."""
    also = []
    for reference in _references(value):
        known = captures(context).constant(index, reference.name)
        supplier = captures(context).supplier(index, reference.name)
        if known is None or supplier is None:
            continue
        if isinstance(known.value, str) and reads_as_number(known.value):
            return None  # that is said of the text where the number is tested
        also.append(Label(supplier.value.span, "captured here"))
    span = _references(value)[0].span if len(_references(value)) == 1 else value.span
    return Report(
        "unreachable-behaviors",
        "with the captured value nothing satisfies this",
        span,
        "no value is possible here",
        also=tuple(also[:3]),
        notes=_notes(found, index),
        helps=("correct the captured value, or what is tested here",),
    )


def _contradiction(
    found: SessionModel, index: int, first: Arguments, second: Arguments, constant: Constants
) -> Report | None:
    """Two constraints that no arguments satisfy together, at the argument that is to blame where one is."""
    for entry, other in itertools.product(second.keys, first.keys):
        if entry.key == other.key and _apart(entry.value, other.value, constant):
            if isinstance(entry.value, Literal) and isinstance(other.value, Literal):
                return None  # found when compiling
            return _report(
                found,
                index,
                f"no value of the argument `{entry.key}` satisfies both constraints",
                entry.value.span,
                Label(other.value.span, "the other constraint"),
            )
    for one, strict in ((first, second), (second, first)):
        allowed = {entry.key for entry in strict.keys}
        for entry in one.keys:
            if strict.only and entry.key not in allowed and not _may_be_absent(entry, constant):
                if not isinstance(entry.value, Predicate):
                    return None  # found when compiling
                return _report(
                    found,
                    index,
                    f"the argument `{entry.key}` is demanded here, but `with_only` does not allow it",
                    entry.key_span,
                    Label(strict.span, "`with_only` here"),
                )
    return _report(
        found, index, "no arguments satisfy both constraints", second.span, Label(first.span, "the other constraint")
    )


def _apart(left: Value, right: Value, constant: Constants) -> bool:
    return is_empty(both(value_set(left, constant), value_set(right, constant)).around)


def _may_be_absent(entry: ValueEntry, constant: Constants) -> bool:
    return value_set(entry.value, constant).around.absent


def _report(found: SessionModel, index: int, message: str, span: Span, other: Label) -> Report:
    return Report(
        "contradicting-constraints",
        message,
        span,
        "contradicts the other constraint",
        also=(other,),
        notes=_notes(found, index),
        helps=("keep one of the two, or correct one",),
    )


def _notes(found: SessionModel, index: int) -> tuple[str, ...]:
    if index in found.roles.required:
        return ("the behavior can never match, so no run can pass this session",)
    return ("the behavior can never match",)
