"""Where things stand in a JSON text. The standard library reads JSON, but forgets the places.

Takes a text that `json` accepts and a path of keys and indexes in it; gives an offset. What lies beside the path is
passed over at the speed of the reader, so nothing is kept.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecoder
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = JSONDecoder()

Path = tuple[str | int, ...]


def offset_of(text: str, path: Path, *, key: bool = False) -> int:
    """Where the value that a path leads to begins, or with `key` its key. A path that leads too far stops at the last
    value there is."""
    at = _past_space(text, 0)
    for number, step in enumerate(path):
        found = _member(text, at, step) if isinstance(step, str) else _item(text, at, step)
        if found is None:
            break
        at = found[0 if key and number == len(path) - 1 else 1]
    return at


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The line and column of an offset, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _member(text: str, at: int, wanted: str) -> tuple[int, int] | None:
    """Where a key of an object and its value begin; of a key that is there several times the last, which counts."""
    if text[at : at + 1] != "{":
        return None
    found = None
    at = _past_space(text, at + 1)
    while text[at] != "}":
        key, end = _value(text, at)
        value = _past_space(text, _past_space(text, end) + 1)
        if key == wanted:
            found = at, value
        at = _past_comma(text, _value(text, value)[1])
    return found


def _item(text: str, at: int, index: int) -> tuple[int, int] | None:
    """Where an item of a list begins, twice."""
    if text[at : at + 1] != "[":
        return None
    at = _past_space(text, at + 1)
    for _ in range(index):
        if text[at] == "]":
            return None
        at = _past_comma(text, _value(text, at)[1])
    return None if text[at] == "]" else (at, at)


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _past_comma(text: str, at: int) -> int:
    at = _past_space(text, at)
    return _past_space(text, at + 1) if text[at] == "," else at


def _past_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None, "the pattern fits the empty text"
    return found.end()
