"""What a reader gives: the documents of one source."""

from __future__ import annotations

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.syntax.tree import Node


@attrs.frozen(slots=False, repr=False, eq=False)
class Document(ReprMixin):
    """One document of a source: its root node and the span it covers."""

    root: Node
    span: Span
