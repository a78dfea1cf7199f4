"""Where the parts of a constant value were written: the spec keeps its place as a whole, the tree that of each part."""

from __future__ import annotations

from typing import Any

from abs_compiler.lint.contract import FileContext
from abs_compiler.lint.rules.tools.schema_places import Path
from abs_compiler.source import Span
from abs_compiler.spec.model import Literal
from abs_compiler.syntax import Mapping, Node, Scalar, Sequence

_LITERAL = "$literal"


def collections(context: FileContext) -> dict[Span, Node]:
    """The mappings and lists of a file by their places."""
    found: dict[Span, Node] = {}
    pending: list[Node] = [document.root for document in context.documents]
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar) or node.span in found:
            continue
        found[node.span] = node
        if node.alias_of is None:
            pending.extend(node.items if isinstance(node, Sequence) else [entry.value for entry in node.entries])
    return found


def literal_inside(node: Node | None, literal: Literal, where: Path) -> tuple[Literal, Span]:
    """The part of a constant value that keys lead to, and where it is marked. What stands elsewhere, behind an alias or
    in a merged mapping, is marked where the last part that stands here does."""
    value: Any = literal.value
    span = literal.span
    if isinstance(node, Mapping) and len(node.entries) == 1 and node.entries[0].key == _LITERAL:
        node = node.entries[0].value
    for step in where:
        value = value[step]
        node = _child(node, step)
        if node is not None and literal.span.start <= node.span.start and node.span.end <= literal.span.end:
            span = node.span
        else:
            node = None
    return Literal(span, value), span


def _child(node: Node | None, step: str | int) -> Node | None:
    if node is None or node.alias_of is not None:
        return None
    match node, step:
        case Mapping(), str():
            return node.get(step)
        case Sequence(items=items), int():
            return items[step] if step < len(items) else None
        case _:
            return None
