"""Datasets: a `.json` file (a list of objects, or one object) or a `.jsonl` file in, rows out."""

from __future__ import annotations

import json

from abs_compiler.cli.failure import CommandError
from abs_compiler.files import display_name, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


class Dataset:
    """The rows of one dataset file, in order. A row maps columns to JSON values."""

    __slots__ = ("name", "rows")

    def __init__(self, name: str, rows: list[dict[str, Any]]) -> None:
        self.name = name
        self.rows = rows


def read_dataset(path: Path) -> Dataset:
    """Read a dataset. Raises CommandError, naming the line or the row, when it is not one or has no rows."""
    name = display_name(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"cannot read the dataset `{name}`: {reason(error)}") from None
    except UnicodeDecodeError:
        raise CommandError(f"the dataset `{name}` is not UTF-8 text") from None
    rows = (
        _lines(text, name) if path.name.lower().endswith(".jsonl") else _rows(parse_json(text, f"the dataset `{name}`"))
    )
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise CommandError(f"row {number} of the dataset `{name}` is not a JSON object")
    if not rows:
        raise CommandError(f"the dataset `{name}` has no rows")
    return Dataset(name, rows)


def parse_json(text: str, what: str) -> Any:
    """A JSON value; raises CommandError, naming `what`, for anything else (NaN and Infinity included)."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{what} is not JSON: {error}") from None


def _lines(text: str, name: str) -> list[Any]:
    # Only a line feed separates rows: U+2028 and its like occur inside strings.
    numbered = enumerate(text.split("\n"), start=1)
    return [parse_json(line, f"line {number} of the dataset `{name}`") for number, line in numbered if line.strip()]


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _refuse(word: str) -> None:
    raise ValueError(f"`{word}` is not a JSON value")
