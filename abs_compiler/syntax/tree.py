"""The positioned tree that YAML and JSON are both read into.

A node's span covers its text without anchor and tag. An alias yields the anchored node's content with the
span of the alias itself (`alias_of` then holds the anchored node's span).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"


@attrs.frozen(slots=False, repr=False, eq=False)
class Scalar(ReprMixin):
    """A scalar: `value` by the YAML 1.2 core schema (or JSON); `text` is the scalar's content as written after
    unquoting; `style` is plain, single, double, literal, folded, or json (a JSON token)."""

    span: Span
    value: None | bool | int | float | str
    text: str
    style: str
    alias_of: Span | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class Sequence(ReprMixin):
    """A list of nodes."""

    span: Span
    items: tuple[Node, ...]
    alias_of: Span | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class Entry(ReprMixin):
    """One key and its value. Keys are strings (anything else was reported)."""

    key: str
    key_span: Span
    value: Node


@attrs.frozen(slots=False, repr=False, eq=False)
class Mapping(ReprMixin):
    """Entries in source order, keys unique, merge keys already applied; `replaced` are the entries of merged mappings
    that gave way to a key written in this one."""

    span: Span
    entries: tuple[Entry, ...]
    alias_of: Span | None = None
    replaced: tuple[Entry, ...] = ()

    def get(self, key: str) -> Node | None:
        """The value of a key, or None."""
        for entry in self.entries:
            if entry.key == key:
                return entry.value
        return None

    def entry(self, key: str) -> Entry | None:
        """The entry of a key, or None."""
        for entry in self.entries:
            if entry.key == key:
                return entry
        return None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


Node: TypeAlias = Scalar | Sequence | Mapping


def kind_name(node: Node) -> str:
    """The JSON kind of a node in user words: text, number, boolean, null, list, mapping."""
    match node:
        case Mapping():
            return "mapping"
        case Sequence():
            return "list"
        case Scalar(value=None):
            return "null"
        case Scalar(value=bool()):
            return "boolean"
        case Scalar(value=str()):
            return "text"
        case _:
            return "number"


def to_json(node: Node) -> JsonValue:
    """The plain JSON value of a node. Depth is bounded by the readers' depth limit."""
    match node:
        case Mapping():
            return {entry.key: to_json(entry.value) for entry in node.entries}
        case Sequence():
            return [to_json(item) for item in node.items]
        case Scalar():
            return node.value
