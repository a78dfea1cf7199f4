"""Which captures of a file are read, and which names nothing supplies; several rules ask this."""

from __future__ import annotations

import attrs

from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Name, Reference, VariableConsistency
from abs_compiler.spec.suggest import nearest
from abs_compiler.spec.walk import behavior_references, evaluation_references, flattened


@attrs.frozen(slots=False, repr=False, eq=False)
class Slip(ReprMixin):
    """A reference to a name that nothing captures, and the unused capture whose name is nearly the same."""

    reference: Reference
    capture: Name


@attrs.frozen(slots=False, repr=False, eq=False)
class Usage(ReprMixin):
    """`unused` are the captures that no session reads, each once; `slips` the references most likely meant for one."""

    unused: tuple[Name, ...]
    slips: tuple[Slip, ...]


def usage(context: FileContext) -> Usage:
    """The captures and references of all sessions of a file. A fragment's capture counts as read where any session
    that includes it reads it."""
    read: set[Span] = set()
    captures: dict[Span, Name] = {}
    slips: dict[Span, Slip] = {}
    for ir in context.irs:
        read |= _read(ir, captures)
    for ir in context.irs:
        unread = [name for name in _captures(ir) if name.span not in read]
        for reference in _uncaptured(ir):
            near = nearest(reference.name, {name.text for name in unread})
            if near is not None:
                slips[reference.span] = Slip(reference, next(name for name in unread if name.text == near))
    unused = (name for span, name in sorted(captures.items(), key=lambda item: item[0].start) if span not in read)
    return Usage(tuple(unused), tuple(slips.values()))


def _captures(ir: Ir) -> list[Name]:
    return [capture.name for step in ir.steps for capture in step.behavior.capture]


def _read(ir: Ir, captures: dict[Span, Name]) -> set[Span]:
    """The captures of a session that something later mentions; fills in all that there are."""
    read: set[Span] = set()
    before: dict[str, set[Span]] = {}
    for step in ir.steps:
        for reference in behavior_references(step.behavior):
            read |= before.get(reference.name, set())
        for capture in step.behavior.capture:
            captures[capture.name.span] = capture.name
            before.setdefault(capture.name.text, set()).add(capture.name.span)
    for name in _names_of_chain(ir):
        read |= before.get(name, set())
    return read


def _names_of_chain(ir: Ir) -> set[str]:
    names = {reference.name for reference in evaluation_references(ir.session.evaluations)}
    for evaluation in flattened(ir.session.evaluations):
        if isinstance(evaluation.check, VariableConsistency):
            names.add(evaluation.check.variable.text)
    return names


def _uncaptured(ir: Ir) -> list[Reference]:
    """The references to plain names that no behavior of the session captures."""
    captured = {name.text for name in _captures(ir)}
    references = [reference for step in ir.steps for reference in behavior_references(step.behavior)]
    references.extend(evaluation_references(ir.session.evaluations))
    return [item for item in references if "." not in item.name and item.name not in captured]
