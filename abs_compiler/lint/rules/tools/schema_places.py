"""Places in the schema of a tool: the schema is kept as JSON text, by which what is known of it is kept, and a place in
it is a path of keys and indexes."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from abs_compiler.lint.rules.tools.accepted_words import accepted_types

Path = tuple[str | int, ...]

_ALTERNATIVES = ("anyOf", "oneOf")


@functools.lru_cache(maxsize=1024)
def root(text: str) -> Any:
    """A schema as data."""
    return json.loads(text)


def part(text: str, path: Path) -> Any:
    """What a path leads to."""
    found = root(text)
    for step in path:
        found = found[step]
    return found


def pointer(text: str, reference: Any) -> Path | None:
    """The path that a plain pointer inside a schema stands for."""
    if not isinstance(reference, str) or not reference.startswith("#/") or "%" in reference or '"$id"' in text:
        return None
    path = tuple(step.replace("~1", "/").replace("~0", "~") for step in reference[2:].split("/"))
    found = root(text)
    for step in path:
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return path


def places_below(text: str, path: Path, steps: Path) -> Iterator[Path]:
    """Where the schemas stand that a schema puts on a part of its value, the innermost first: those of `properties` and
    `items`, also behind references and in `allOf`, and in an alternative where only one is about such values."""
    seen: set[tuple[Path, int]] = set()

    def below(path: Path, steps: Path) -> Iterator[Path]:
        schema = part(text, path)
        if not isinstance(schema, dict) or (path, len(steps)) in seen:
            return
        seen.add((path, len(steps)))
        target = pointer(text, schema.get("$ref"))
        if target is not None:
            yield from below(target, steps)
        both = schema.get("allOf")
        for number in range(len(both)) if isinstance(both, list) else ():
            yield from below((*path, "allOf", number), steps)
        if not steps:
            yield path
            return
        own = _step(schema, steps[0])
        if own is not None:
            yield from below((*path, *own), steps[1:])
        for word in _ALTERNATIVES:
            only = _only_alternative(schema.get(word), "array" if isinstance(steps[0], int) else "object")
            if only is not None:
                yield from below((*path, word, only), steps)

    return below(path, steps)


def _step(schema: dict[str, Any], step: str | int) -> Path | None:
    """Where a schema says what holds of one key or item."""
    if isinstance(step, str):
        properties = schema.get("properties")
        if isinstance(properties, dict) and step in properties:
            return ("properties", step)
        return ("additionalProperties",) if "additionalProperties" in schema and _closes(schema) else None
    for word in ("prefixItems", "items"):
        items = schema.get(word)
        if isinstance(items, list) and step < len(items):
            return (word, step)
        if isinstance(items, dict):
            return (word,)
    return None


def _closes(schema: dict[str, Any]) -> bool:
    """Whether `additionalProperties` is about every key that `properties` does not name."""
    return isinstance(schema["additionalProperties"], dict) and "patternProperties" not in schema


def _only_alternative(schemas: Any, kind: str) -> int | None:
    """The one alternative that is about values of a type."""
    if not isinstance(schemas, list):
        return None
    fitting = [number for number, schema in enumerate(schemas) if kind in (accepted_types(schema) or (kind,))]
    return fitting[0] if len(fitting) == 1 else None
