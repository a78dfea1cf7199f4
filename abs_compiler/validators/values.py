"""Values to JSON: what users hand over is checked, and copied where it is not plain JSON already.

Tuples become lists, subclasses of the JSON types (enumerations, ordered dictionaries) their plain types. NaN, infinity
and everything else that JSON has no word for is refused, with its place.
"""

from __future__ import annotations

import math

from abs_compiler.runtime.mismatch import child_path
from abs_compiler.runtime.values import MAX_KEY_DEPTH

from .errors import ValidatorTypeError, ValidatorValueError, kind
from .literal import Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # The place of a value: a text, or the place around it with a key or an index.
    Place = str | tuple["Place", str | int]

MAX_DEPTH = MAX_KEY_DEPTH - 1
SCALARS = frozenset((str, int, bool, type(None)))


def as_json(value: Any, place: Place) -> Any:
    """The value itself where it is plain JSON of any depth, else a plain copy."""
    return value if _is_plain(value) else copy_json(value, place)


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


def _is_plain(value: Any) -> bool:
    pending = [value]
    seen: set[int] = set()
    while pending:
        item = pending.pop()
        kind = item.__class__
        if kind is dict:
            for key in item:
                if key.__class__ is not str:
                    return False
            children = item.values()
        elif kind is list:
            children = item
        elif kind is float:
            if not math.isfinite(item):
                return False
            continue
        elif kind in SCALARS:
            continue
        else:
            return False
        if id(item) not in seen:
            seen.add(id(item))
            for child in children:
                if child.__class__ not in SCALARS:
                    pending.append(child)
    return True


def path(place: Place) -> str:
    """A place in words: `actual[3].arguments.items[0]`."""
    parts: list[str | int] = []
    while not isinstance(place, str):
        place, part = place
        parts.append(part)
    text = place
    for part in reversed(parts):
        text = f"{text}[{part}]" if isinstance(part, int) else child_path(text, part)
    return text
