"""JSON text to values, within bounds.

Takes text and gives what `json.loads` gives, or raises `JsonError` with a plain message and the place. Refused beside
bad syntax: NaN and infinities (JSON has none), numbers that do not fit a double, a key that stands twice in one object
(one of its values would be lost), and nesting deeper than MAX_DEPTH, so that whoever walks a value from a recording may
do so by recursion.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 200


class JsonError(ValueError):
    """Text that is not acceptable JSON; `position` is an index into the text, or None where it is not known."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class RepeatedKeyError(JsonError):
    """A key that stands twice in one object; the position is that of the second."""


def loads(text: str) -> Any:
    """The JSON value a text holds."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(_plain(error, text), error.pos) from None
    except RepeatedKeyError:
        raise _repeated(text) from None
    except JsonError as error:
        raise JsonError(error.message, _place(text)) from None
    except RecursionError:
        raise JsonError(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError:  # the interpreter refuses to read integers of thousands of digits
        raise JsonError("a number with too many digits", _place(text)) from None
    # Most texts have so few brackets that the walk can be spared.
    if text.count("[") + text.count("{") > MAX_DEPTH and too_deep(value):
        raise JsonError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def too_deep(value: Any) -> bool:
    """Whether lists and objects are nested deeper than MAX_DEPTH (found level by level, without recursion)."""
    level = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            return True
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, (dict, list))
        ]
    return False


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """The line and column (from 1) of a position; only "\\n" ends a line."""
    start = text.rfind("\n", 0, position) + 1
    return text.count("\n", 0, position) + 1, position - start + 1


def _plain(error: json.JSONDecodeError, text: str) -> str:
    message = error.msg[:1].lower() + error.msg[1:]
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"{message} (is the text cut off?)"
    return message


def _place(text: str) -> int | None:
    """Where the first constant or number stands that was refused: the decoder does not say."""
    for token in _TOKEN.finditer(text):
        constant, number = token.groups()
        if constant or (number and (len(number) > _MANY_DIGITS or float(number) in _INFINITE)):
            return token.start()
    return None


def _repeated(text: str) -> RepeatedKeyError:
    """The first key of the text that stands twice in one object: the decoder does not say where."""
    keys: list[set[str]] = [set()]
    last: tuple[str, int] = ("", 0)
    for token in _KEY_TOKEN.finditer(text):
        match token[0][0]:
            case "{" | "[":
                keys.append(set())
            case "}" | "]":
                keys.pop()
            case ":":
                key = json.loads(last[0])
                if key in keys[-1]:
                    shown = key[:40] + ("..." if len(key) > 40 else "")
                    return RepeatedKeyError(f"the key {shown!r} stands twice in one object", last[1])
                keys[-1].add(key)
            case _:
                last = token[0], token.start()
    return RepeatedKeyError("a key stands twice in one object")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise RepeatedKeyError("")
    return value


def _float(text: str) -> float:
    value = float(text)
    if value in _INFINITE:
        raise JsonError(f"the number {text[:40]} is out of range")
    return value


def _constant(text: str) -> Any:
    raise JsonError(f"{text} is not JSON")


_INFINITE = (float("inf"), float("-inf"))
_MANY_DIGITS = 4300  # what the interpreter reads
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(-?Infinity|NaN)|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)', re.DOTALL)
_KEY_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:]', re.DOTALL)
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
