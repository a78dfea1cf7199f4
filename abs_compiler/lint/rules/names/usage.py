"""Which captures of a file are read, and which names nothing supplies, or only later; several rules ask this."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Name, Reference
from abs_compiler.spec.suggest import nearest
from abs_compiler.spec.walk import behavior_references, evaluation_references, flattened, references_in

_MOST_PAIRS = 40_000  # of a name that nothing supplies and a capture that nothing reads, in all sessions


@attrs.frozen(slots=False, repr=False, eq=False)
class Slip(ReprMixin):
    """A reference to a name that nothing captures, and the unused capture whose name is nearly the same."""

    reference: Reference
    capture: Name


@attrs.frozen(slots=False, repr=False, eq=False)
class Early(ReprMixin):
    """A reference that no capture reaches, and the first capture of its name, which stands behind it."""

    reference: Reference
    capture: Name


@attrs.frozen(slots=False, repr=False, eq=False)
class Usage(ReprMixin):
    """`unused` are the captures that no session reads, each once; `slips` the references most likely meant for one;
    `early` those that stand before the capture of their name; `finished` says whether all slips were looked for."""

    unused: tuple[Name, ...]
    slips: tuple[Slip, ...]
    early: tuple[Early, ...]
    finished: bool


def usage(context: FileContext) -> Usage:
    """The captures and references of all sessions of a file. A fragment's capture counts as read where any session
    that includes it reads it."""
    read: set[Span] = set()
    captures: dict[Span, Name] = {}
    slips: dict[Span, Slip] = {}
    for ir in context.irs:
        read |= _read(ir, captures)
    early = {one.reference.span: one for ir in context.irs for one in _early(ir)}
    left = _MOST_PAIRS
    for ir in context.irs:
        unread: dict[str, Name] = {}
        for name in _captures(ir):
            if name.span not in read:
                unread.setdefault(name.text, name)
        uncaptured = _uncaptured(ir) if unread else {}
        left -= len(uncaptured) * len(unread)
        if left < 0:
            break
        for missing, references in uncaptured.items():
            near = nearest(missing, unread, most=_MOST_PAIRS)
            if near is not None:
                slips.update((reference.span, Slip(reference, unread[near])) for reference in references)
    unused = (name for span, name in sorted(captures.items(), key=lambda item: item[0].start) if span not in read)
    return Usage(tuple(unused), tuple(slips.values()), tuple(early.values()), left >= 0)


def _captures(ir: Ir) -> list[Name]:
    return [capture.name for step in ir.steps for capture in step.behavior.capture]


def _read(ir: Ir, captures: dict[Span, Name]) -> set[Span]:
    """The captures of a session that something later mentions; fills in all that there are."""
    read: set[Span] = set()
    if not _captures(ir):
        return read
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


def _early(ir: Ir) -> Iterator[Early]:
    """The first reference to each name that is captured afterwards only. What a dataset may supply, or is captured
    from itself, is meant to come from outside."""
    if ir.session.dataset is not None or not _captures(ir):
        return
    captured: set[str] = set()
    waiting: dict[str, Reference] = {}
    found: dict[str, Early] = {}
    outside: set[str] = set()
    for step in ir.steps:
        for capture in step.behavior.capture:
            if any(reference.name == capture.name.text for reference in references_in(capture.value)):
                outside.add(capture.name.text)
        for reference in behavior_references(step.behavior):
            if reference.name not in captured:
                waiting.setdefault(reference.name, reference)
        for capture in step.behavior.capture:
            name = capture.name.text
            captured.add(name)
            if name in waiting:
                found.setdefault(name, Early(waiting[name], capture.name))
    yield from (one for name, one in found.items() if name not in outside)


def _names_of_chain(ir: Ir) -> set[str]:
    if not ir.session.evaluations:
        return set()
    from abs_compiler.spec.evaluation_model import VariableConsistency  # slow to import, and many specs have none

    names = {reference.name for reference in evaluation_references(ir.session.evaluations)}
    for evaluation in flattened(ir.session.evaluations):
        if isinstance(evaluation.check, VariableConsistency):
            names.add(evaluation.check.variable.text)
    return names


def _uncaptured(ir: Ir) -> dict[str, list[Reference]]:
    """The plain names that no behavior of the session captures, and where they stand."""
    captured = {name.text for name in _captures(ir)}
    references = [reference for step in ir.steps for reference in behavior_references(step.behavior)]
    references.extend(evaluation_references(ir.session.evaluations))
    found: dict[str, list[Reference]] = {}
    for reference in references:
        if "." not in reference.name and reference.name not in captured:
            found.setdefault(reference.name, []).append(reference)
    return found
