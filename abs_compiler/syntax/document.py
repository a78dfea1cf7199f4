"""What a reader gives: the documents of one source."""

from __future__ import annotations

from abs_compiler import structs
from abs_compiler.source import Span
from abs_compiler.syntax.tree import Node


@structs.frozen(eq=False)
class Document:
    """One document of a source: its root node and the span it covers."""

    root: Node
    span: Span
