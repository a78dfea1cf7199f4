"""Texts that look like references and are none: `${order_id}` and `{order_id}` for `{{order_id}}`, and paths into an
event, `capture: {id: $.content.id}` or `capture: {id: "{{content.id}}"}`.

Braces are reported only where they hold a name that the file captures or refers to, and not in a template whose name
the call passes beside it, which the tool fills in; a path only where it begins as paths into events do, and one in
braces as a captured value also where it begins with anything that is no dataset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import scalars, walk, walk_documents
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Reference
from abs_compiler.spec.values import IS, LITERAL
from abs_compiler.spec.walk import behavior_references, evaluation_references, references_in
from abs_compiler.syntax import Mapping, Scalar
from abs_compiler.syntax.offsets import scalar_range

_BRACES = re.compile(r"(?<![{$\\])(?:\$\{|\{|<%=?|%\{|#\{)\s*(?P<name>[A-Za-z_]\w*)\s*(?:\}|%>)(?!\})")
_MAY_BE_BRACES = re.compile(r"\{\s*[A-Za-z_]\w*\s*\}(?!\})")
_PATH = re.compile(
    r"\$(?:\.[A-Za-z_]\w*|\[\d+\])(?:\.[A-Za-z_]\w*|\[\d+\])*"
    r"|\$?\.?(?:content|result|response|output|event|arguments)(?:\.[A-Za-z_]\w*|\[\d+\])+"
)
_IN_EVENTS = frozenset(("content", "with", "args", "arguments", "result", "response", "output", "event"))
_MAY_BE_COLUMN = re.compile(r"\{\{\w+\.")
_MAY_BE_PATH = re.compile(r"\$[.\[]|(?:content|result|response|output|event|arguments)[.\[]")
_ARGUMENTS = ("with", "with_only")
_VALUES = frozenset(("with", "with_only", "content", "capture", "value", "criteria"))


@attrs.frozen(slots=False, repr=False, eq=False)
class ForeignReference(ReprMixin):
    """A name in braces of another notation, with its place."""

    name: str
    written: str
    span: Span


def foreign_references(context: FileContext) -> tuple[ForeignReference, ...]:
    """The known names that stand in braces of another notation."""
    text = context.source.text
    # Quick, since most files have none. Behind a backslash any character may be hidden.
    if not _MAY_BE_BRACES.search(text) and "<%" not in text and "\\" not in text:
        return ()
    if not any(_BRACES.search(str(node.value)) for node, _ in scalars(context.documents)):
        return ()
    names = _names(context)
    found = []
    arguments, passed = Span(0, 0), frozenset[str]()
    for place in walk_documents(context.documents):
        node = place.node
        if isinstance(node, Mapping) and place.key in _ARGUMENTS and node.span.start >= arguments.end:
            arguments, passed = node.span, _passed(node)
        if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.alias_of is not None:
            continue
        if _VALUES.isdisjoint(place.keys) or LITERAL in place.keys or IS in place.keys:
            continue
        for match in _BRACES.finditer(node.value):
            beside = arguments.start <= node.span.start < arguments.end and match["name"] in passed
            if match["name"] in names and not (beside and match.group() != node.value):
                span = scalar_range(context.source, node, match.start(), match.end())
                found.append(ForeignReference(match["name"], match.group(), span))
    return tuple(found)


def _passed(arguments: Mapping) -> frozenset[str]:
    """The names under which a call passes values, at any depth, and those that it lists."""
    return frozenset(
        name
        for place in walk(arguments)
        for name in (place.key, place.node.value if isinstance(place.node, Scalar) else None)
        if isinstance(name, str) and name.isidentifier()
    )


def check(context: FileContext) -> Iterator[Report]:
    """Report references in another notation, and paths."""
    for reference in context.shared(foreign_references):
        yield _foreign(context, reference)
    if _MAY_BE_COLUMN.search(context.source.text) or "\\" in context.source.text:
        yield from {report.span: report for ir in context.irs for report in _paths_in_braces(ir)}.values()
    if "capture" not in context.source.text or not _MAY_BE_PATH.search(context.source.text):
        return
    for place in walk_documents(context.documents):
        node = place.node
        if len(place.keys) < 2 or place.keys[-2] != "capture" or not isinstance(node, Scalar):
            continue
        if isinstance(node.value, str) and _PATH.fullmatch(node.value) and node.alias_of is None:
            yield _path(node)


def _names(context: FileContext) -> set[str]:
    """The names that the sessions capture or refer to."""
    names: set[str] = set()
    for ir in context.irs:
        for step in ir.steps:
            names.update(capture.name.text for capture in step.behavior.capture)
            names.update(reference.name for reference in behavior_references(step.behavior))
        names.update(reference.name for reference in evaluation_references(ir.session.evaluations))
    return names


def _foreign(context: FileContext, reference: ForeignReference) -> Report:
    right = f"{{{{{reference.name}}}}}"
    exact = context.source.text[reference.span.start : reference.span.end] == reference.written
    fix = Fix(f"write {right}", (Edit(reference.span, right),)) if exact else None
    return Report(
        "references-as-text",
        f"`{reference.written}` is plain text, though `{reference.name}` is a name of this session",
        reference.span,
        "nothing is put in here",
        helps=(Help(f"a reference is written `{right}`", fix),),
    )


def _paths_in_braces(ir: Ir) -> Iterator[Report]:
    """Names of columns where the document declares no dataset."""
    if ir.session.dataset is not None:
        return
    for step in ir.steps:
        captured = {one.span for capture in step.behavior.capture for one in references_in(capture.value)}
        for reference in behavior_references(step.behavior):
            if reference.span in captured or _is_of_event(reference):
                yield from _column(reference, captured=reference.span in captured)
    for reference in evaluation_references(ir.session.evaluations):
        if _is_of_event(reference):
            yield from _column(reference, captured=False)


def _is_of_event(reference: Reference) -> bool:
    return reference.name.partition(".")[0] in _IN_EVENTS


def _column(reference: Reference, *, captured: bool) -> Iterator[Report]:
    prefix, dot, _ = reference.name.partition(".")
    if not dot:
        return
    notes = [f"no dataset `{prefix}` is declared, so `{reference.name}` must be given from outside"]
    if captured:
        notes.insert(0, "`capture` names the value that is written there, for later behaviors")
    what = "the value that the event is expected to hold" if captured else "the value itself, or the name of a capture"
    declare = f"for a column of a dataset, declare it: `dataset: {{id: {prefix}, path: FILE}}`"
    yield Report(
        "references-as-text",
        f"`{{{{{reference.name}}}}}` takes nothing from the event",
        reference.span,
        "no path, the column of a dataset",
        notes=tuple(notes),
        helps=(f"write {what}", *(() if _is_of_event(reference) else (declare,))),
    )


def _path(node: Scalar) -> Report:
    return Report(
        "references-as-text",
        f"the text `{node.value}` itself is captured; nothing is taken from the event",
        node.span,
        "no path, plain text",
        notes=("`capture` names the value that is written there, for later behaviors",),
        helps=("write the value that the event is expected to hold",),
    )
