"""Some values that a schema is likely to accept: a schema in, plain values out.

That one of them is accepted is cheap to find out, and spares the question whether nothing is. So these are guesses:
whoever takes them still holds them against the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

_MOST = 12  # of one schema
_MOST_INSIDE = 3  # of a schema inside it
_MOST_LENGTH = 200
_MOST_STEPS = 400
_MOST_DEPTH = 8
_PLAIN: tuple[Any, ...] = ("a", 1, True, None, [], {})


def samples(schema: Any, root: Any) -> list[Any]:
    """Values that a schema inside another (`root`) probably accepts, each a plain guess."""
    return list(islice(_Guess(root).values(schema, _MOST_DEPTH), _MOST))


class _Guess:
    """What is left of the steps that guessing may take, since schemas may lead to themselves in many ways."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def values(self, schema: Any, depth: int) -> Iterator[Any]:
        self._left -= 1
        if not isinstance(schema, dict) or not depth or self._left < 0:
            yield from _PLAIN
        elif isinstance(options := schema.get("enum"), list):
            yield from options
        elif "const" in schema:
            yield schema["const"]
        elif "$ref" in schema:
            yield from self.values(_target(schema["$ref"], self._root), depth - 1)
        elif "type" in schema or "properties" in schema:
            kinds = schema.get("type", "object")
            for kind in kinds if isinstance(kinds, list) else [kinds]:
                yield from self._of_kind(kind, schema, depth)
        else:
            parts = [part for word in ("anyOf", "oneOf", "allOf") for part in _list(schema.get(word))]
            for part in parts:
                yield from islice(self.values(part, depth - 1), _MOST_INSIDE)
            if not parts:
                yield from _PLAIN

    def _of_kind(self, kind: Any, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        match kind:
            case "string":
                least = min(_number(schema.get("minLength"), 0), _MOST_LENGTH)
                for length in dict.fromkeys((max(least, 1), least, max(least, 5), max(least, 20), least + 1)):
                    yield "a" * int(length)
            case "integer" | "number":
                low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
                near = (_number(low, 0), _number(low, 0) + 1, _number(high, 1000), 1, 0, -1, 10, 100, 1000)
                yield from dict.fromkeys(near)
            case "boolean":
                yield from (True, False)
            case "null":
                yield None
            case "array":
                items = list(islice(self.values(schema.get("items", True), depth - 1), _MOST_INSIDE))
                for size in dict.fromkeys((int(min(_number(schema.get("minItems"), 0), _MOST_LENGTH)), 1, 2)):
                    yield (items * size)[:size]
            case "object":
                yield from self._objects(schema, depth)

    def _objects(self, schema: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = [key for key in _list(schema.get("required")) if isinstance(key, str)]
        for keys in (required, list(dict.fromkeys((*required, *properties)))):
            values = {key: list(islice(self.values(properties.get(key, True), depth - 1), 1)) for key in keys}
            yield {key: found[0] for key, found in values.items() if found}


def _target(reference: Any, root: Any) -> Any:
    found = root
    for step in str(reference).removeprefix("#/").split("/"):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any, otherwise: int) -> Any:
    return value if type(value) in (int, float) else otherwise
