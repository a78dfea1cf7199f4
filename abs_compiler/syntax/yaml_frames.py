"""Collections, anchors and merge keys while the YAML reader builds them."""

from __future__ import annotations

from abs_compiler.source import Span
from abs_compiler.syntax.tree import Entry, Mapping, Node, Scalar, Sequence


class Merge:
    """Stands among the entries where a `<<` key was: the mappings it takes entries from."""

    __slots__ = ("sources",)

    def __init__(self, sources: list[Mapping]) -> None:
        self.sources = sources


class Anchored:
    """What an anchor names; `node` is None while that node is still being read."""

    __slots__ = ("height", "name", "node", "size", "span", "used")

    def __init__(self, name: str, span: Span) -> None:
        self.name = name
        self.span = span
        self.node: Node | None = None
        self.size = 1
        self.height = 0
        self.used = False


class Frame:
    """A collection being read. `size` and `height` count what it holds with aliases expanded; `repeats` is
    set once a key occurs again, `again` once that explains the others that do so: it is the first key, as where the
    dash of another item is missing."""

    __slots__ = (
        "again", "anchored", "brace", "brace_value", "end", "entries", "findings_before", "flow", "height", "is_map",
        "items", "key", "repeats", "seen", "size", "start",
    )  # fmt: skip

    def __init__(
        self, start: int, end: int, is_map: bool, flow: bool, anchored: Anchored | None, findings_before: int
    ) -> None:
        self.start = start
        self.end = end
        self.is_map = is_map
        self.flow = flow
        self.anchored = anchored
        self.findings_before = findings_before
        self.size = 1
        self.height = 1
        self.items: list[Node] = []
        self.entries: list[Entry | Merge] = []
        self.seen: dict[str, Span] = {}
        self.again = False
        self.repeats = False
        self.key: Node | None = None
        # A first key that is a mapping right behind the opening brace, as in `{{name}}`, and its value.
        self.brace: Node | None = None
        self.brace_value: Node | None = None


def aliased(node: Node, span: Span) -> Node:
    """The node again, at the alias that names it."""
    match node:
        case Scalar():
            return Scalar(span, node.value, node.text, node.style, node.span)
        case Sequence():
            return Sequence(span, node.items, node.span)
        case Mapping():
            return Mapping(span, node.entries, node.span, node.replaced)


def with_merges(frame: Frame) -> tuple[list[Entry], list[Entry]]:
    """The entries in order, those of merged mappings in the place of their `<<`; and the merged ones that gave way to a
    written key. A written key wins over a merged one, and an earlier merged mapping over a later one."""
    entries: list[Entry] = []
    replaced: list[Entry] = []
    taken = set(frame.seen)
    for entry in frame.entries:
        if isinstance(entry, Entry):
            entries.append(entry)
            continue
        for source in entry.sources:
            for merged in source.entries:
                if merged.key not in taken:
                    taken.add(merged.key)
                    entries.append(merged)
                elif merged.key in frame.seen:
                    replaced.append(merged)
    return entries, replaced
