"""Bytes to text: UTF-8 only; everything else says what it is and where that shows."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.source import SourceError, decode


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.booleans())
def test_utf8_with_or_without_a_byte_order_mark(text: str, mark: bool) -> None:
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    if not mark and text.startswith("\ufeff"):
        text = text[1:]
    assert decode(data, "x").text == text


@given(st.binary(max_size=40))
def test_any_bytes_give_text_or_a_source_error(data: bytes) -> None:
    try:
        text = decode(data, "x").text
    except SourceError as caught:
        error: SourceError | None = caught
        text = ""
    else:
        error = None
    if error is None:
        assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")
    else:
        assert error.problem in ("utf-16", "utf-32", "binary", "not-utf8")
        assert 0 <= error.offset <= len(data)
        assert (error.name, error.data) == ("x", data)


@pytest.mark.parametrize(
    ("data", "problem", "offset"),
    [
        ("session: x\n".encode("utf-16"), "utf-16", 0),
        ("session: x\n".encode("utf-16-le"), "utf-16", 0),
        ("session: x\n".encode("utf-16-be"), "utf-16", 0),
        ("session: x\n".encode("utf-32"), "utf-32", 0),
        ("session: x\n".encode("utf-32-le"), "utf-32", 0),
        ("session: x\n".encode("utf-32-be"), "utf-32", 0),
        ("a日".encode("utf-16-le"), "utf-16", 0),
        ("a".encode("utf-16-be"), "utf-16", 0),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary", 8),
        (b"\x7fELF\x02\x01\x01\0", "binary", 7),
        (gzip.compress(b"session", mtime=0)[:3], "binary", 1),
        (b"a: \0", "binary", 3),
        (b"a: caf\xe9\n", "not-utf8", 6),
        (b"\xef\xbb\xbfa: \xff", "not-utf8", 6),
        (b"a: \xc3", "not-utf8", 3),
        (b"a: \xed\xa0\x80", "not-utf8", 3),
        (b"a: \xc0\xaf", "not-utf8", 3),
    ],
)
def test_other_bytes(data: bytes, problem: str, offset: int) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data, "x")
    assert (caught.value.problem, caught.value.offset) == (problem, offset)


def test_the_limit() -> None:
    assert decode(b"abcd", "x", limit=4).text == "abcd"
    with pytest.raises(SourceError) as caught:
        decode(b"abcde", "x", limit=4)
    assert (caught.value.problem, caught.value.offset) == ("too-large", 4)
