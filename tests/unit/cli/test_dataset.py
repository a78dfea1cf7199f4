"""Datasets: rows from `.json` and `.jsonl`, and clear refusals."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from abs_compiler.cli.dataset import given_filters, read_dataset
from abs_compiler.cli.failure import CommandError


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("d.json", '[{"a": 1}, {"a": "2"}]', [{"a": 1}, {"a": "2"}]),
        ("d.json", '{"a": null}', [{"a": None}]),
        ("d.json", '\ufeff{"a": true}', [{"a": True}]),
        ("d.jsonl", '{"a": "x\u2028y"}\r\n\n{"a": [1.0]}\n', [{"a": "x\u2028y"}, {"a": [1.0]}]),
    ],
)
def test_rows(tmp_path: Path, name: str, text: str, rows: list[object]) -> None:
    (tmp_path / name).write_bytes(text.encode())
    assert [row for _, row in read_dataset(tmp_path / name).rows()] == rows


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("d.json", b"[]", "has no rows"),
        ("d.jsonl", b"\n\n", "has no rows"),
        ("d.json", b"[1]", "row 1 of the dataset .* is not a JSON object"),
        ("d.jsonl", b'{"a": 1}\n[]', "row 2 of the dataset .* is not a JSON object"),
        ("d.jsonl", b'{"a": 1}\n{', "line 2 of the dataset .*, column 2: not JSON: expecting"),
        ("d.json", b"[{", "the dataset .*, column 3: not JSON: expecting"),
        ("d.json", b'[\n{"a": NaN}]', "the dataset .*, line 2, column 7: NaN is not JSON"),
        ("d.json", b"[" * 100_000, "not JSON this program can read: nested deeper than 200 levels"),
        ("d.json", b'[{"a": ' + b"1" * 5000 + b"}]", "column 8: not JSON: a number with too many digits"),
        ("d.json", b'[\n{"a": 1,\n "a": 2}]', "line 3, column 2: the key 'a' stands twice in one object"),
        ("d.jsonl", b'{}\n{"a": [{"b": 1, "b": 1}]}', "line 2 of .*, column 17: the key 'b' stands twice"),
        ("d.csv", b"a,b\n1,2\n", "not JSON.*; a dataset is a `.json` file, a list of objects, or a `.jsonl` file"),
        ("d.xlsx", b"PK\xff", "is not UTF-8 text; a dataset is a `.json` file"),
        ("d.json", b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_refusals(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CommandError, match=message):
        list(read_dataset(tmp_path / name).rows())


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot read the dataset .*: no such file or directory"):
        read_dataset(tmp_path / "d.json")


def test_filters_keep_rows_by_text_and_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text('{"a": 1, "b": "x"}\n{"a": "1", "b": "y"}\n{"a": 2, "b": "x"}\n')
    filters = given_filters(["a=1", "b=y"])
    assert [number for number, _ in read_dataset(tmp_path / "d.jsonl", filters).rows()] == [2]
    assert [number for number, _ in read_dataset(tmp_path / "d.jsonl", [("a", "1")]).rows()] == [1, 2]


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ([("a", "3")], "no row of the dataset .* has a=3"),
        ([("c", "1")], "row 1 .* has no column `c` .* it has `a`, `b`"),
    ],
)
def test_filters_that_leave_nothing(tmp_path: Path, filters: list[tuple[str, str]], message: str) -> None:
    (tmp_path / "d.json").write_text('[{"a": 1, "b": [1]}]')
    with pytest.raises(CommandError, match=message):
        list(read_dataset(tmp_path / "d.json", filters).rows())


def test_a_malformed_filter() -> None:
    with pytest.raises(CommandError, match="write COLUMN=VALUE"):
        given_filters(["a"])


def test_rows_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": 1, "text": "some text of a row"}\n' * 20_000)
    tracemalloc.start()
    count = sum(1 for _ in read_dataset(path).rows())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 500_000
