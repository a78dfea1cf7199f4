"""Texts that look like references and are none: `${order_id}`, `{order_id}` and `$order_id` for `{{order_id}}`, and
paths into an event, `capture: {id: $.content.id}` or `capture: {id: "{{content.id}}"}`.

They are reported only where they hold a name that the file captures or refers to, and not in a template whose name the
call passes beside it, which the tool fills in; those without braces only in arguments, and not in code; a path only
where it begins as paths into events do, and one in braces as a captured value also where it begins with anything that
is no dataset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, scalars, walk, walk_documents
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Reference
from abs_compiler.spec.values import IS, LITERAL
from abs_compiler.spec.walk import behavior_references, evaluation_references, references_in
from abs_compiler.syntax import Mapping, Scalar
from abs_compiler.syntax.offsets import scalar_range

_BRACES = re.compile(r"(?<![{$\\])(?:\$\{|\{|<%=?|%\{|#\{)\s*(?P<name>[A-Za-z_]\w*)\s*(?:\}|%>)(?!\})")
_BARE = re.compile(
    r"(?<![\w$\\])\$(?P<dollar>[A-Za-z_]\w*)(?![\w$({.\[:])|(?<![\w<\\])<(?P<angle>[A-Za-z_]\w*)>(?!>)"
    r"|(?<!\[)\[\[\s*(?P<square>[A-Za-z_]\w*)\s*\]\](?!\])|(?<!%)%\((?P<percent>[A-Za-z_]\w*)\)s"
)
_MAY_BE_BARE = re.compile(r"\$(?!(?:is|literal|from)\b)[A-Za-z_]|<[A-Za-z_]\w*>|\[\[|%\(")
# Arguments whose texts are code or templates, in which these signs have a meaning of their own.
_CODE = frozenset(
    (
        *("query", "sql", "graphql", "cypher", "script", "code", "command", "cmd", "shell", "bash", "program", "jq"),
        *("pipeline", "aggregate", "aggregation", "expression", "expr", "formula", "template", "html", "xml", "markup"),
        *("body", "format", "pattern", "regex", "mutation"),
    )
)
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
    """A name in the signs of another notation, with its place."""

    name: str
    written: str
    span: Span


def foreign_references(context: FileContext) -> tuple[ForeignReference, ...]:
    """The known names that stand in the signs of another notation."""
    text = context.source.text
    # Quick, since most files have none. Behind a backslash any character may be hidden.
    if not any(may.search(text) for may in (_MAY_BE_BRACES, _MAY_BE_BARE)) and "<%" not in text and "\\" not in text:
        return ()
    values = [str(node.value) for node, _ in scalars(context.documents)]
    if not any(_BRACES.search(value) or _BARE.search(value) for value in values):
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
        for match in _written(node.value, place):
            name = str(match[match.lastgroup or 0])
            beside = arguments.start <= node.span.start < arguments.end and name in passed
            if name in names and not (beside and match.group() != node.value):
                span = scalar_range(context.source, node, match.start(), match.end())
                found.append(ForeignReference(name, match.group(), span))
    return tuple(found)


def _written(text: str, place: Place) -> Iterator[re.Match[str]]:
    """The names of a text in a notation for references."""
    yield from _BRACES.finditer(text)
    if not _BARE.search(text) or (_ARGUMENTS[0] not in place.keys and _ARGUMENTS[1] not in place.keys):
        return
    from abs_compiler.predicate.negation import parts  # of a package that most files do without

    if any(key.startswith("$") or not _CODE.isdisjoint(parts(key)) for key in place.keys):
        return
    for match in _BARE.finditer(text):
        if match["angle"] is None or f"</{match['angle']}>" not in text:
            yield match


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
