"""Offsets, lines and columns of a source text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.source import SourceFile

TEXTS = st.text(st.sampled_from("ab\n\r\té😀\u2028\x85"), max_size=30)


@given(TEXTS)
def test_positions_and_lines_agree(text: str) -> None:
    source = SourceFile("x", text)
    lines = text.replace("\r\n", "\n\n").replace("\r", "\n")  # as long as the text, CRLF as two ends
    for offset in range(len(text) + 1):
        line, column = source.position(offset)
        assert source.line_start(line) + column - 1 == offset
        assert 1 <= line <= source.line_count
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    assert source.line_count == ends.count("\n") + 1
    assert [source.line_text(line) for line in range(1, source.line_count + 1)] == ends.split("\n")
    assert len(lines) == len(text)


def test_only_lf_crlf_and_cr_end_a_line() -> None:
    source = SourceFile("x", "a\u2028b\x85c\u2029d\x0be\nf")
    assert source.line_count == 2
    assert source.position(10) == (2, 1)


def test_the_empty_text_has_one_line() -> None:
    source = SourceFile("x", "")
    assert (source.line_count, source.position(0), source.line_text(1)) == (1, (1, 1), "")
