"""Datasets: a `.json` file (a list of objects, or one object) or a `.jsonl` file in, rows out.

Rows of a `.jsonl` file are read one at a time, so that its length does not matter.
"""

from __future__ import annotations

from abs_compiler.cli.failure import CommandError
from abs_compiler.files import display_name, read_at_most, reason
from abs_compiler.runtime.values import as_text
from abs_compiler.traces.jsontext import JsonError, RepeatedKeyError, line_and_column, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    Row = dict[str, Any]

MAX_JSON_BYTES = 64 << 20
MAX_LINE_BYTES = 16 << 20


class Dataset:
    """One dataset file. `filters` are (column, text): only rows whose column has that text are rows of it."""

    __slots__ = ("_filters", "_path", "_rows", "name")

    def __init__(self, path: Path, filters: Sequence[tuple[str, str]], rows: list[Any] | None) -> None:
        self.name = display_name(path)
        self._path = path
        self._filters = tuple(filters)
        self._rows = rows

    def rows(self) -> Iterator[tuple[int, Row]]:
        """The rows in order, with their numbers in the file (from 1). Raises CommandError, naming the line or the
        row, where one cannot be read or lacks a column that is filtered by, and at the end when there was none."""
        number = found = 0
        for number, row in enumerate(self._lines() if self._rows is None else self._rows, start=1):
            if not isinstance(row, dict):
                raise CommandError(f"row {number} of the dataset `{self.name}` is not a JSON object")
            if all(self._has(number, row, column, text) for column, text in self._filters):
                found += 1
                yield number, row
        if not found:
            wanted = ", ".join(f"{column}={text}" for column, text in self._filters)
            raise CommandError(
                f"no row of the dataset `{self.name}` has {wanted}"
                if number
                else f"the dataset `{self.name}` has no rows"
            )

    def _has(self, number: int, row: Row, column: str, text: str) -> bool:
        if column not in row:
            columns = ", ".join(f"`{item}`" for item in row) or "none"
            raise CommandError(f"row {number} of `{self.name}` has no column `{column}` to filter by; it has {columns}")
        value = row[column]
        return not isinstance(value, list | dict) and as_text(value) == text

    def _lines(self) -> Iterator[Any]:
        # Only a line feed separates rows: U+2028 and its like occur inside strings.
        try:
            with self._path.open("rb") as file:
                number = 0
                while line := file.readline(MAX_LINE_BYTES + 1):
                    number += 1
                    if len(line) > MAX_LINE_BYTES:
                        raise CommandError(
                            f"line {number} of the dataset `{self.name}` is longer than {MAX_LINE_BYTES:,} bytes"
                        )
                    text = _decoded(line, self.name, first=number == 1)
                    if text.strip():
                        yield parse_json(text, f"line {number} of the dataset `{self.name}`")
        except OSError as error:
            raise CommandError(f"cannot read the dataset `{self.name}`: {reason(error)}") from None


def read_dataset(path: Path, filters: Sequence[tuple[str, str]] = ()) -> Dataset:
    """A dataset. Raises CommandError when the file cannot be read, or is a `.json` file that is not JSON."""
    name = display_name(path)
    try:
        if path.name.lower().endswith(".jsonl"):
            with path.open("rb"):
                return Dataset(path, filters, None)
        data = read_at_most(path, MAX_JSON_BYTES)
    except OSError as error:
        raise CommandError(f"cannot read the dataset `{name}`: {reason(error)}") from None
    if len(data) > MAX_JSON_BYTES:
        raise CommandError(
            f"the dataset `{name}` is larger than {MAX_JSON_BYTES:,} bytes; write it as `.jsonl`, one row a line"
        )
    try:
        value = parse_json(_decoded(data, name, first=True), f"the dataset `{name}`")
    except CommandError as error:
        if path.name.lower().endswith(".json"):
            raise
        raise CommandError(f"{error}; a dataset is a `.json` file, a list of objects, or a `.jsonl` file") from None
    return Dataset(path, filters, value if isinstance(value, list) else [value])


def given_filters(items: Sequence[str]) -> list[tuple[str, str]]:
    """The filters of `--filter COLUMN=VALUE`. Raises CommandError for a malformed one."""
    filters = []
    for item in items:
        column, equals, text = item.partition("=")
        if not equals or not column:
            raise CommandError(f"`--filter {item}`: write COLUMN=VALUE")
        filters.append((column, text))
    return filters


def _decoded(data: bytes, name: str, *, first: bool) -> str:
    try:
        return data.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError:
        raise CommandError(f"the dataset `{name}` is not UTF-8 text") from None


def parse_json(text: str, what: str) -> Any:
    """A JSON value; raises CommandError, naming `what` and the place in it, for anything else (NaN, infinities and
    keys that stand twice in one object included)."""
    try:
        return loads(text)
    except JsonError as error:
        raise CommandError(f"{what}{_place(error, text)}: {_problem(error)}") from None


def _problem(error: JsonError) -> str:
    if isinstance(error, RepeatedKeyError) or error.message.endswith("is not JSON"):
        return error.message
    return f"not JSON{'' if error.position is not None else ' this program can read'}: {error.message}"


def _place(error: JsonError, text: str) -> str:
    if error.position is None:
        return ""
    line, column = line_and_column(text, error.position)
    return f", column {column}" if "\n" not in text.strip() else f", line {line}, column {column}"
