"""JSON values: equality by type, hashable keys, kinds, short text.

Takes decoded JSON (None, bool, int, float, str, list, dict); gives answers that follow JSON rather than Python:
`true` is not 1, 1 is 1.0, integers of any size are exact, the order of keys never matters.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_KEY_DEPTH = 200


def json_equal(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal. Any depth; never raises on JSON values."""
    kind = left.__class__
    if kind is str or left is None:
        return right.__class__ is kind and left == right
    if kind is bool:
        return left is right
    if kind is int or kind is float:
        other = right.__class__
        return (other is int or other is float) and left == right
    pending = [(left, right)]
    while pending:
        a, b = pending.pop()
        kind, other = a.__class__, b.__class__
        if kind is dict:
            if other is not dict or len(a) != len(b):
                return False
            for key, value in a.items():
                if key not in b:
                    return False
                pending.append((value, b[key]))
        elif kind is list:
            if other is not list or len(a) != len(b):
                return False
            pending.extend(zip(a, b, strict=True))
        elif kind is bool or other is bool:
            if a is not b:
                return False
        elif (kind is int or kind is float) and (other is int or other is float):
            if a != b:
                return False
        elif kind is not other or a != b:
            return False
    return True


def json_key(value: Any) -> tuple[object, ...]:
    """A hashable, type-tagged key: two values have equal keys exactly when `json_equal` holds.

    Raises ValueError beyond a depth of 200 (specs and bindings are bounded far below).
    """
    return _key(value, MAX_KEY_DEPTH)


def _key(value: Any, depth: int) -> tuple[object, ...]:
    if depth == 0:
        raise ValueError("a value nested too deeply")
    kind = value.__class__
    if kind is str:
        return ("s", value)
    if kind is bool:
        return ("b", value)
    if kind is int or kind is float:
        return ("n", value)
    if value is None:
        return ("z",)
    if kind is list:
        return ("a", tuple(_key(item, depth - 1) for item in value))
    if kind is dict:
        items = value.items()
        return ("o", frozenset((key, _key(item, depth - 1)) for key, item in items))
    raise ValueError(f"not a JSON value: {kind.__name__}")


def kind_of(value: Any) -> str:
    """The JSON kind of a value: null, boolean, number, string, array, object; or the Python type's name."""
    kind = value.__class__
    if kind is str:
        return "string"
    if kind is bool:
        return "boolean"
    if kind is int or kind is float:
        return "number"
    if value is None:
        return "null"
    if kind is list:
        return "array"
    if kind is dict:
        return "object"
    return str(kind.__name__)


def as_text(value: Any) -> str:
    """The text of a scalar inside a longer text: strings as they are, integral numbers without fraction,
    other scalars as JSON. ValueError for arrays, objects and what is not JSON."""
    kind = value.__class__
    if kind is str:
        return str(value)
    if kind is float and value.is_integer():
        return str(int(value))
    if kind is int:
        return _digits(value)
    if kind is bool or kind is float or value is None:
        return json.dumps(value)
    named = kind_of(value)
    raise ValueError(f"{'an' if named[0] in 'aeiou' else 'a'} {named} has no text inside a longer text")


def _digits(number: int) -> str:
    try:
        return str(number)
    except ValueError:  # Python refuses to print integers of thousands of digits
        from decimal import Decimal

        return format(Decimal(number), "f")


def show(value: Any, limit: int = 120) -> str:
    """A value as short JSON text for reports: cut in the middle beyond `limit` characters, safe for any value."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"<{kind_of(value)}>"
    text = printable(text)
    if len(text) > limit:
        head = limit * 2 // 3
        text = f"{text[:head]}…{text[-(limit - head - 1) :]}"
    return text


def printable(text: str) -> str:
    """A text with what cannot be seen (line breaks, control characters, halves of surrogate pairs) written out."""
    return text if text.isprintable() else "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    return char if char.isprintable() else f"\\u{ord(char):04x}"
