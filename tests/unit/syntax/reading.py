"""Helpers for the tests of the readers: read a text, and say what was found in a compact form."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Diagnostic, Sink
from abs_compiler.source import SourceFile
from abs_compiler.syntax import Document, JsonValue, Limits, Mapping, Node, Scalar, Sequence, parse, to_json


def read(
    text: str, name: str = "spec.abs.yaml", limits: Limits | None = None
) -> tuple[list[Document], list[Diagnostic]]:
    """The documents of a text and what was reported."""
    source = SourceFile(name, text)
    sink = Sink(source, name)
    documents = parse(source, sink, limits or Limits())
    return documents, sink.diagnostics()


def values(text: str, name: str = "spec.abs.yaml") -> list[JsonValue]:
    """The JSON values of the documents of a text in which nothing but warnings is found."""
    documents, found = read(text, name)
    assert [item.message for item in found if item.severity.value == "error"] == []
    return [to_json(document.root) for document in documents]


def value(text: str, name: str = "spec.abs.yaml") -> JsonValue:
    """The JSON value of the one document of a text."""
    (only,) = values(text, name)
    return only


def findings(text: str, name: str = "spec.abs.yaml", limits: Limits | None = None) -> list[str]:
    """What is found, as `code-name@line:column marked text`."""
    lines = []
    for item in read(text, name, limits)[1]:
        assert item.source is not None
        if not item.labels:
            lines.append(item.name)
            continue
        span = item.labels[0].span
        line, column = item.source.position(span.start)
        lines.append(f"{item.name}@{line}:{column} {text[span.start : span.end]}".rstrip(" "))
    return lines


def fixed(text: str, name: str = "spec.abs.yaml") -> str:
    """The text with the first fix of every finding applied, last one first."""
    edits = []
    for item in read(text, name)[1]:
        fixes = [help_.fix for help_ in item.helps if help_.fix is not None]
        if fixes:
            edits.extend(fixes[0].edits)
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def nodes(root: Node) -> Iterator[Node]:
    """Every node of a tree, aliased ones as often as they occur."""
    yield root
    if isinstance(root, Mapping):
        for entry in root.entries:
            yield from nodes(entry.value)
    elif isinstance(root, Sequence):
        for item in root.items:
            yield from nodes(item)


def scalars(root: Node) -> Iterator[Scalar]:
    """Every scalar of a tree."""
    for node in nodes(root):
        if isinstance(node, Scalar):
            yield node
