"""Datasets: rows from `.json` and `.jsonl`, and clear refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from abs_compiler.cli.dataset import read_dataset
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
    assert read_dataset(tmp_path / name).rows == rows


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("d.json", b"[]", "has no rows"),
        ("d.jsonl", b"\n\n", "has no rows"),
        ("d.json", b"[1]", "row 1 of the dataset .* is not a JSON object"),
        ("d.jsonl", b'{"a": 1}\n[]', "row 2 of the dataset .* is not a JSON object"),
        ("d.jsonl", b'{"a": 1}\n{', "line 2 of the dataset .* is not JSON"),
        ("d.json", b"[{", "is not JSON"),
        ("d.json", b'[{"a": NaN}]', "`NaN` is not a JSON value"),
        ("d.json", b"[" * 100_000, "is not JSON"),
        ("d.json", b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_refusals(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(CommandError, match=message):
        read_dataset(tmp_path / name)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot read the dataset .*: no such file or directory"):
        read_dataset(tmp_path / "d.json")
