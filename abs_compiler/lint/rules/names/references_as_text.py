"""Texts that look like references and are none: `${order_id}` and `{order_id}` for `{{order_id}}`, and paths into an
event as a captured value, `capture: {id: $.content.id}`.

Braces are reported only where they hold a name that the file captures or refers to, and not in a template whose name
the call passes beside it, which the tool fills in; a path only where it begins as paths into events do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import scalars, walk, walk_documents
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.values import IS, LITERAL
from abs_compiler.spec.walk import behavior_references, evaluation_references
from abs_compiler.syntax import Mapping, Scalar
from abs_compiler.syntax.offsets import scalar_range

_BRACES = re.compile(r"(?<![{$\\])(?:\$\{|\{|<%=?|%\{|#\{)\s*(?P<name>[A-Za-z_]\w*)\s*(?:\}|%>)(?!\})")
_MAY_BE_BRACES = re.compile(r"\{\s*[A-Za-z_]\w*\s*\}(?!\})")
_PATH = re.compile(
    r"\$(?:\.[A-Za-z_]\w*|\[\d+\])(?:\.[A-Za-z_]\w*|\[\d+\])*"
    r"|\$?\.?(?:content|result|response|output|event|arguments)(?:\.[A-Za-z_]\w*|\[\d+\])+"
)
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
    """Report references in another notation, and captured paths."""
    for reference in context.shared(foreign_references):
        yield _foreign(context, reference)
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


def _path(node: Scalar) -> Report:
    return Report(
        "references-as-text",
        f"the text `{node.value}` itself is captured; nothing is taken from the event",
        node.span,
        "no path, plain text",
        notes=("`capture` names the value that is written there, for later behaviors",),
        helps=("write the value that the event is expected to hold",),
    )
