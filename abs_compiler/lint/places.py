"""Walking the trees of a file as they were written: every value with the keys that lead to it.

What an alias stands for is walked where it is anchored, not again where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.syntax import Document, Entry, Mapping, Node, Scalar, Sequence


@attrs.frozen(slots=False, repr=False, eq=False)
class Place(ReprMixin):
    """A value in its place: the keys from the root on (list items add none), and the span of the last of them."""

    node: Node
    keys: tuple[str, ...]
    key_span: Span | None

    @property
    def key(self) -> str:
        """The key it stands under; the empty text at the root."""
        return self.keys[-1] if self.keys else ""


def walk_documents(documents: Iterable[Document]) -> Iterator[Place]:
    """Every value of every document, in the order of the text."""
    for document in documents:
        yield from walk(document.root)


def walk(root: Node) -> Iterator[Place]:
    """Every value below a node and the node itself, in the order of the text, collections before what they hold."""
    pending = [Place(root, (), None)]
    while pending:
        place = pending.pop()
        yield place
        node = place.node
        if node.alias_of is not None:
            continue
        match node:
            case Mapping(entries=entries):
                pending.extend(
                    Place(entry.value, (*place.keys, entry.key), entry.key_span)
                    for entry in reversed(entries)
                    if node.span.start <= entry.key_span.start < node.span.end  # else merged from elsewhere
                )
            case Sequence(items=items):
                pending.extend(Place(item, place.keys, place.key_span) for item in reversed(items))
            case Scalar():
                continue


def scalars(documents: Iterable[Document]) -> Iterator[tuple[Scalar, Entry | None]]:
    """Every scalar of every document with the entry it is the value of, or that holds the list it is in; in no
    particular order. Much quicker than `walk_documents`."""
    pending: list[tuple[Node, Entry | None]] = [(document.root, None) for document in documents]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, Scalar):
            yield node, owner
        elif node.alias_of is not None:
            continue
        elif isinstance(node, Sequence):
            for item in node.items:
                pending.append((item, owner))
        else:
            start, end = node.span.start, node.span.end
            for entry in node.entries:
                if start <= entry.key_span.start < end:
                    pending.append((entry.value, entry))


def is_blank(node: Node) -> bool:
    """Whether nothing was written where the value should stand."""
    return isinstance(node, Scalar) and node.value is None and node.span.end <= node.span.start
