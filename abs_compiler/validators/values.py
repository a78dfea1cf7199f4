"""Values to JSON: what users hand over is checked, and copied where it is not plain JSON already.

Tuples become lists, subclasses of the JSON types (enumerations, ordered dictionaries) their plain types. NaN, infinity
and everything else that JSON has no word for is refused, with its place, and so is a value that holds itself.
"""

from __future__ import annotations

import math

from abs_compiler.runtime.mismatch import child_path
from abs_compiler.runtime.values import MAX_KEY_DEPTH

from .errors import ValidatorTypeError, ValidatorValueError, hidden_in_tests, kind
from .literal import Literal

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # The place of a value: a text, or the place around it with a key or an index.
    Place = str | tuple["Place", str | int]

MAX_DEPTH = MAX_KEY_DEPTH - 1
MAX_PARTS = 12  # of a place, in a message
SCALARS = frozenset((str, int, bool, type(None)))


def as_json(value: Any, place: Place) -> Any:
    """The value itself where it is plain JSON of any depth, else a plain copy."""
    plain, shares = _look_at(value)
    if shares and _holds_itself(value):
        raise ValidatorValueError(f"{path(place)} holds itself, which no JSON value does")
    return value if plain else copy_json(value, place)


def copy_json(value: Any, place: Place, depth: int = MAX_DEPTH) -> Any:
    """A plain copy that shares nothing with the value; refused beyond a depth of 199."""
    match value:
        case None | bool():
            return value
        case str():
            return value if value.__class__ is str else str.__str__(value)
        case int():
            return value if value.__class__ is int else int(value)
        case float():
            if not math.isfinite(value):
                raise ValidatorValueError(f"{path(place)} is {float(value)}, which is no JSON value")
            return value if value.__class__ is float else float(value)
        case Literal():
            return copy_json(value.value, place, depth)
    if depth == 0:
        if _holds_itself(value):
            raise ValidatorValueError(f"{path(place)} holds itself, which no JSON value does")
        raise ValidatorValueError(f"{path(place)} is nested more than {MAX_DEPTH} levels deep")
    match value:
        case dict():
            for key in value:
                if not isinstance(key, str):
                    raise ValidatorTypeError(f"{path(place)} has a key that is {kind(key)}; keys are texts")
            return {str(key): copy_json(item, (place, key), depth - 1) for key, item in value.items()}
        case list() | tuple():
            return [copy_json(item, (place, index), depth - 1) for index, item in enumerate(value)]
    raise ValidatorTypeError(f"{path(place)} is {kind(value)}, which is no JSON value")


def _look_at(value: Any) -> tuple[bool, bool]:
    """Whether a value is plain JSON, and whether some list or object is in several places of it, perhaps in itself."""
    pending = [value]
    seen: set[int] = set()
    shares = False
    while pending:
        item = pending.pop()
        kind = item.__class__
        if kind is dict:
            for key in item:
                if key.__class__ is not str:
                    return False, shares
            children = item.values()
        elif kind is list:
            children = item
        elif kind is float:
            if not math.isfinite(item):
                return False, shares
            continue
        elif kind in SCALARS:
            continue
        else:
            return False, shares
        if id(item) in seen:
            shares = True
        else:
            seen.add(id(item))
            for child in children:
                if child.__class__ not in SCALARS:
                    pending.append(child)
    return True, shares


def _holds_itself(value: Any) -> bool:
    """Whether a list or an object is, at any depth, inside itself."""
    above: set[int] = set()
    done: set[int] = set()
    pending: list[tuple[Any, bool]] = [(value, False)]
    while pending:
        item, leaving = pending.pop()
        if leaving:
            above.discard(id(item))
            done.add(id(item))
        elif id(item) in above:
            return True
        elif id(item) not in done and isinstance(item, (dict, list, tuple)):
            above.add(id(item))
            pending.append((item, True))
            pending += [(child, False) for child in (item.values() if isinstance(item, dict) else item)]
    return False


def path(place: Place) -> str:
    """A place in words: `actual[3].arguments.items[0]`; a long one without its middle."""
    parts: list[str | int] = []
    while not isinstance(place, str):
        place, part = place
        parts.append(part)
    parts.reverse()
    if len(parts) > MAX_PARTS:
        return _joined(_joined(place, parts[: MAX_PARTS - 2]) + "…", parts[-2:])
    return _joined(place, parts)


def _joined(text: str, parts: list[str | int]) -> str:
    for part in parts:
        text = f"{text}[{part}]" if isinstance(part, int) else child_path(text, part)
    return text
