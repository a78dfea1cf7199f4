"""A character of a scalar's text maps to the source that wrote it."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax import Scalar
from abs_compiler.syntax.offsets import scalar_offset, scalar_range
from tests.unit.syntax.reading import read, scalars

PRINTABLE = st.characters(
    codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"], exclude_characters="\u2028\u2029\ufeff"
)
TEXTS = st.text(st.one_of(st.sampled_from("ab \n\t'\"\\:#-é😀"), PRINTABLE), max_size=40)


def only_scalar(text: str, name: str = "x.yaml") -> tuple[SourceFile, Scalar]:
    documents, found = read(text, name)
    assert not [item for item in found if item.severity.value == "error"], found
    (scalar,) = scalars(documents[0].root)
    return SourceFile(name, text), scalar


def check(source: SourceFile, scalar: Scalar, *, complete: bool) -> None:
    """Every mapped character is the source's own, an escape of it, or a folded line break."""
    previous = Span(0, 0)
    for index, char in enumerate(scalar.text):
        span = scalar_offset(source, scalar, index)
        if span is None:
            assert not complete, (source.text, scalar.text, index)
            continue
        written = source.text[span.start : span.end]
        assert written, (source.text, index)
        assert span.start >= previous.start
        previous = span
        if char in " \n" and "\n" in written.replace("\r", "\n"):
            continue
        if scalar.style in ("double", "json") and written.startswith("\\"):
            assert char in json_or_yaml_escape(written), (written, char)
        elif scalar.style == "single" and char == "'":
            assert written == "''"
        else:
            assert written == char, (source.text, scalar.text, index)


def json_or_yaml_escape(written: str) -> tuple[str, ...]:
    return (
        next(iter(yaml.safe_load(f'["{written}"]'))) if "\\ud" not in written.lower() else json.loads(f'"{written}"'),
    )


@given(TEXTS, st.sampled_from(["'", '"', "|", ">"]), st.integers(10, 80), st.integers(1, 6))
def test_emitted_scalars_map_completely(text: str, style: str, width: int, indent: int) -> None:
    written = yaml.dump({"key": text}, default_style=style, width=width, indent=indent, allow_unicode=True)
    written = written.replace('"key": ', "key: ").replace("'key': ", "key: ")
    source, scalar = only_scalar(written)
    assert scalar.text == text
    check(source, scalar, complete=bool(text.strip()))


@given(TEXTS, st.booleans())
def test_json_strings_map_completely(text: str, ascii_only: bool) -> None:
    source, scalar = only_scalar(json.dumps([text], ensure_ascii=ascii_only), "x.json")
    assert scalar.text == text
    check(source, scalar, complete=True)


@given(
    st.lists(st.sampled_from(["a", "b c", "  x", "", " ", "\t", "\\", "'", "#d", "é"]), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
)
@pytest.mark.parametrize("head", ["|", ">", "|-", ">+", "|2", ">2-", "| # note", ">  "])
def test_block_scalars_as_people_write_them(head: str, lines: list[str], line_end: str) -> None:
    text = line_end.join([f"k: {head}", *("  " + line for line in lines), "z: 1", ""])
    documents, found = read(text)
    if documents and not [item for item in found if item.severity.value == "error"]:
        for scalar in scalars(documents[0].root):
            check(SourceFile("x", text), scalar, complete=bool(scalar.text.strip()))


@given(
    st.lists(st.sampled_from(["a", "b c", "", "  d", "\\", "\\n", "''", "\\x41", "\t", "é "]), min_size=1, max_size=8)
)
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_flow_scalars_over_several_lines(quote: str, lines: list[str]) -> None:
    text = "k: " + quote + "\n  ".join(lines) + quote + "\n"
    documents, found = read(text)
    if documents and not [item for item in found if item.severity.value == "error"]:
        for scalar in scalars(documents[0].root):
            if scalar.text:
                check(SourceFile("x", text), scalar, complete=True)


@pytest.mark.parametrize(
    ("text", "index", "marked"),
    [
        ("k: abc", 1, "b"),
        ("k: 'it''s x'", 2, "''"),
        ("k: 'it''s x'", 5, "x"),
        (r'k: "a\tb\u00e9c"', 1, r"\t"),
        (r'k: "a\tb\u00e9c"', 3, r"\u00e9"),
        (r'k: "a\tb\u00e9c"', 4, "c"),
        ("k: >\n  one\n  two\n\n  three\n", 4, "t"),
        ("k: >\n  one\n  two\n\n  three\n", 8, "t"),
        ("k: |2\n    one\n   two\n", 0, " "),
        ("k: &a !!str  'x'", 0, "x"),
        ("k: one\n  two", 4, "t"),
        ("k: one\n  two", 3, "\n  "),
    ],
)
def test_places(text: str, index: int, marked: str) -> None:
    source, scalar = only_scalar(text)
    span = scalar_offset(source, scalar, index)
    assert span is not None
    assert text[span.start : span.end] == marked


def test_an_alias_maps_to_the_anchored_scalar() -> None:
    text = "a: &x 'p''q'\nb: *x\n"
    documents, _ = read(text)
    first, second = scalars(documents[0].root)
    source = SourceFile("x", text)
    assert text[second.span.start : second.span.end] == "*x"
    assert scalar_offset(source, second, 2) == scalar_offset(source, first, 2) == Span(10, 11)


def test_the_end_and_beyond() -> None:
    source, scalar = only_scalar("k: 'ab''c'")
    assert scalar_offset(source, scalar, 4) == Span(9, 9)
    assert scalar_offset(source, scalar, 5) is None
    assert scalar_offset(source, scalar, -1) is None
    assert scalar_range(source, scalar, 1, 3) == Span(5, 8)
    assert scalar_range(source, scalar, 2, 2) == Span(6, 6)
    assert scalar_range(source, scalar, 3, 99) == scalar.span
