"""What can be wrong with a file, and the message each gets."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from abs_compiler.runtime.errors import TraceError
from abs_compiler.traces import read_text, read_trace

EVENT = b'{"actor": "user", "action": "says"}'


def message(data: bytes, format: str = "auto", **options: int) -> str:
    with pytest.raises(TraceError) as caught:
        read_trace(data, format, **options)
    return str(caught.value)


def test_paths_as_text_and_as_path_objects(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"[" + EVENT + b"]")
    assert len(read_trace(file)) == len(read_trace(str(file))) == 1


def test_messages_begin_with_the_path_or_the_name_given(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"{")
    for name, start in ((None, f"{file}: line 1"), ("the run", "the run: line 1")):
        with pytest.raises(TraceError) as caught:
            read_trace(file, name=name)
        assert str(caught.value).startswith(start)
    assert message(b"{").startswith("line 1")
    with pytest.raises(TraceError, match=r"^x: is empty"):
        read_text("", "x")


def test_a_missing_file_a_directory_and_an_impossible_path(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.json", "no such file"),
        (tmp_path, "is a directory"),
        (tmp_path / "none" / "run.json", "no such file"),
        ("a\0b", "cannot be read"),
        (tmp_path / ("x" * 5000), "cannot be read"),
    ):
        with pytest.raises(TraceError, match=words):
            read_trace(path)


def test_a_file_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)  # not chmod: the superuser may read every file
    with pytest.raises(TraceError, match=r"^run\.json: no permission"):
        read_trace("run.json")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \r\n\t ", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        ("[]".encode("utf-16"), "UTF-16"),
        ("[]".encode("utf-16-le"), "UTF-16"),
        ("[1]".encode("utf-16-be"), "UTF-16"),
        ("[]".encode("utf-32"), "UTF-32"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is binary: a zero byte at offset 8"),
        (gzip.compress(b"[]", mtime=0), "decompress it first"),
        (b'[\n"\xff"]', "line 2: not UTF-8 text (byte 0xff at offset 3)"),
        (b"[1, 2", "line 1, column 6: not JSON: expecting ',' delimiter (is the text cut off?)"),
        (b'[\n{"actor": "us', "line 2, column 11: not JSON: unterminated string starting at (is the text cut off?)"),
        (b"[1 2]", "line 1, column 4: not JSON: expecting ',' delimiter"),
        (b'["NaN",\n NaN]', "line 2, column 2: NaN is not JSON"),
        (b'["\\"NaN", -Infinity]', "line 1, column 11: -Infinity is not JSON"),
        (b"[1e9, 1e999]", "line 1, column 7: not JSON: the number 1e999 is out of range"),
        (b"[1,\n" + b"9" * 5000 + b"]", "line 2, column 1: not JSON: a number with too many digits"),
        (b"[" * 201 + b"]" * 201, "nested deeper than 200 levels"),
        (b"[" * 100_000, "nested deeper than 200 levels"),
        (b'{"a":' * 100_000, "nested deeper than 200 levels"),
        (b"session: x\nbehaviors:\n  - actor: user\n", "it looks like a spec in YAML"),
        (EVENT + b"\n\n" + EVENT[:-1] + b"\n", "line 3, column 35: not JSON"),
        (EVENT + b"\r\n" + b"[" * 300 + b"]" * 300, "line 2: not JSON this program can read: nested deeper"),
        (b"data: {}\n\ndata: [DONE]\n\n", "a stream of 1 server-sent events"),
        (b"12", "it is JSON, a number"),
        (b'"text"', "it is JSON, a text"),
        (b"null", "it is JSON, null"),
        (b"true", "it is JSON, a boolean"),
        (b"{}", "it is JSON, an empty object"),
        (b'[{"some": 1}, 2]', "a list of 2, the first an object with the keys 'some'"),
        (b"1\n2", "it is 2 lines of JSON, the first a number"),
    ],
)
def test_one_clear_message_for_each_bad_input(data: bytes, words: str) -> None:
    assert words in message(data)


def test_depth_up_to_the_bound_is_fine() -> None:
    deep = b"[" * 197 + b"]" * 197
    trace = read_trace(b'[{"actor": "a", "action": "calls", "with": ' + deep + b"}]")
    assert len(trace) == 1


def test_the_size_limit_can_be_set(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(b"[" + EVENT + b"]")
    assert message(b"[" + EVENT + b"]", max_bytes=20) == "larger than 20 bytes, the limit for a recorded run"
    with pytest.raises(TraceError, match="larger than 20 bytes"):
        read_trace(file, max_bytes=20)
    assert len(read_trace(file, max_bytes=37)) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file here")
def test_an_endless_file_ends_at_the_limit() -> None:
    with pytest.raises(TraceError, match="larger than 1,000 bytes"):
        read_trace("/dev/zero", max_bytes=1000)


@pytest.mark.parametrize("shape", ["[" * 10_000_000, '{"a":\n' * 1_000_000, '"' * 10_000_000, "[]\n" * 300_000 + "{"])
def test_large_nonsense_is_refused_quickly(shape: str) -> None:
    start = time.perf_counter()
    with pytest.raises(TraceError):
        read_text(shape)
    assert time.perf_counter() - start < 60


def test_byte_order_mark_and_line_ends_do_not_matter() -> None:
    for data in (
        b"\xef\xbb\xbf[" + EVENT + b"]",
        b"\xef\xbb\xbf" + EVENT + b"\r\n" + EVENT + b"\r\n",
        b"\n\n" + EVENT + b"\n\n\n" + EVENT,
    ):
        assert {event.actor for event in read_trace(data)} == {"user"}
    assert len(read_text("\ufeff[]")) == 0


def test_only_newlines_end_a_line() -> None:
    text = '{"actor": "user", "action": "says", "content": "a\u2028b\u0085c\x7f"}\n' * 2
    assert [event.content for event in read_text(text)] == ["a\u2028b\u0085c\x7f"] * 2


def test_memory_buffers_are_bytes_too() -> None:
    assert len(read_trace(bytearray(b"[" + EVENT + b"]"))) == len(read_trace(memoryview(b"[" + EVENT + b"]"))) == 1


def test_every_byte_is_binary_and_no_utf_16() -> None:
    assert message(bytes(range(256))) == "is binary: a zero byte at offset 0"
    assert message(b"\x01\x00" * 8) == "is binary: a zero byte at offset 1"
