"""Whatever the bytes: reading and rendering never raise, and every span lies inside the text."""

from __future__ import annotations

import contextlib

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from abs_compiler.diagnostics import Sink
from abs_compiler.diagnostics.render import render
from abs_compiler.source import SourceError, SourceFile, decode
from abs_compiler.syntax import Mapping, Node, Sequence, parse, to_json
from abs_compiler.syntax.offsets import scalar_offset

WORDS = r"""
a b: c: key value yes 012 1e3 .inf .nan 1e999 ~ null true {{x}} {{ {x}} }} { } [ ] , : ? - | > |2 >- |+ & * ! !! !!int
!!str !foo !<x> &a &b *a *b << <<: # #c ' '' " "" \ \n \u00e9 \ud83d \x " ' --- ... %YAML %TAG @ ` $is: $is: !=5 'it's'
"x" é 日 😀 <<<<<<<
"""
PIECES = [*WORDS.split(), " ", "  ", "\n", "\n  ", "\n- ", "\n  - ", "\t", "\r\n", ": ", ", "]
YAMLISH = st.lists(st.sampled_from(PIECES), max_size=30)
NAMES = st.sampled_from(["x.yaml", "x.json"])


def check(source: SourceFile) -> None:
    sink = Sink(source, source.name)
    documents = parse(source, sink)
    size = len(source.text)
    found = sink.diagnostics()
    for item in found:
        assert item.labels, item
        for label in item.labels:
            assert 0 <= label.span.start <= label.span.end <= size
        for help_ in item.helps:
            for edit in help_.fix.edits if help_.fix else ():
                assert 0 <= edit.span.start <= edit.span.end <= size
    assert documents or sink.has_errors
    for document in documents:
        to_json(document.root)
        check_node(source, document.root)
    for form in ("full", "concise", "json"):
        render(found, form, width=60, color=True)


def check_node(source: SourceFile, node: Node) -> None:
    assert 0 <= node.span.start <= node.span.end <= len(source.text)
    if isinstance(node, Mapping):
        assert len({entry.key for entry in node}) == len(node.entries)
        for entry in node:
            assert source.text[entry.key_span.start : entry.key_span.end] or not entry.key
            check_node(source, entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            check_node(source, item)
    else:
        for index in range(len(node.text) + 1):
            span = scalar_offset(source, node, index)
            assert span is None or 0 <= span.start <= span.end <= len(source.text)


@settings(max_examples=400)
@given(YAMLISH, NAMES)
def test_texts_that_look_like_yaml(pieces: list[str], name: str) -> None:
    check(SourceFile(name, "".join(pieces)))


@settings(max_examples=400)
@given(YAMLISH)
def test_lines_that_look_like_yaml(pieces: list[str]) -> None:
    check(SourceFile("x.yaml", " ".join(pieces)))


def texts(node: Node) -> object:
    """The tree with every scalar as its text."""
    if isinstance(node, Mapping):
        return {entry.key: texts(entry.value) for entry in node}
    if isinstance(node, Sequence):
        return [texts(item) for item in node.items]
    return node.text


@settings(max_examples=400)
@given(YAMLISH)
def test_the_tree_is_the_one_that_libyaml_composes(pieces: list[str]) -> None:
    text = " ".join(pieces)
    source = SourceFile("x.yaml", text)
    sink = Sink(source, source.name)
    documents = parse(source, sink)
    if not sink.has_errors and "<<" not in text:
        composed = [item for item in yaml.load_all(text, Loader=yaml.CBaseLoader) if item != ""]
        assert [texts(item.root) for item in documents if texts(item.root) != ""] == composed


@given(st.text(st.characters()), NAMES)
def test_any_text(text: str, name: str) -> None:
    check(SourceFile(name, text))


@given(st.binary(), NAMES)
def test_any_bytes(data: bytes, name: str) -> None:
    with contextlib.suppress(SourceError):
        check(decode(data, name))


@pytest.mark.parametrize(
    "text", ["a: {$is: 'x\n", "{{", "a: {{x", "'", '"\\', "&a *a", "- ? :", "%", "!<", "|2\n x", "a: &", "[{{x}}"]
)
def test_short_broken_texts(text: str) -> None:
    for name in ("x.yaml", "x.json"):
        check(SourceFile(name, text))
