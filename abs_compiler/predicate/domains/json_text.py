"""JSON values as hashable texts: two values have one text exactly when JSON holds them equal."""

from __future__ import annotations

import json
from typing import Any


def json_text(value: Any) -> str:
    """The one text of a JSON value: sorted keys, ASCII, integral numbers without a fraction."""
    return json.dumps(_normal(value), sort_keys=True, separators=(",", ":"))


def from_text(text: str) -> Any:
    """The value of a text that `json_text` gave."""
    return json.loads(text)


def _normal(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in value.items()}
    return value


def normal_value(value: Any) -> Any:
    """A JSON value with integral numbers as integers."""
    return _normal(value)


def sorted_items_text(items: list[Any]) -> str:
    """The one text of some values in any order."""
    return json.dumps([from_text(text) for text in sorted(json_text(item) for item in items)], separators=(",", ":"))
