"""JSON values as the language sees them: equality, structural compatibility, templates.

A template is a tagged list (`["=", json]`, `["ref", name]`, `["text", parts]`, `["obj", {...}]`, `["arr", [...]]`);
`resolve` makes it a value with the names known at that place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Json = Any


class UnresolvedError(Exception):
    """A template has no value here: a name without a source, or a structure inside a longer text."""


def kind(value: Json) -> str:
    """The JSON type; integers and fractions are one type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (list, tuple)):
        return "array"
    assert isinstance(value, dict), type(value)
    return "object"


def equal(left: Json, right: Json) -> bool:
    """JSON equality: of one type and of one value; the order of keys never matters, that of items does."""
    if kind(left) != kind(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(equal(one, other) for one, other in zip(left, right, strict=True))
    return bool(left == right)


def compatible(declared: Json, observed: Json) -> bool:
    """Structural compatibility: the same type, and for objects at least the declared keys, each compatible."""
    if kind(declared) != kind(observed):
        return False
    if isinstance(declared, dict):
        return all(key in observed and compatible(value, observed[key]) for key, value in declared.items())
    return True


def resolve(template: list[Any], names: Mapping[str, Json]) -> Json:
    """The value of a template; `UnresolvedError` when it has none with these names."""
    tag, body = template
    if tag == "=":
        return body
    if tag == "ref":
        return _named(body, names)
    if tag == "text":
        return "".join(part if isinstance(part, str) else _as_text(_named(part[1], names)) for part in body)
    if tag == "obj":
        return {key: resolve(value, names) for key, value in body.items()}
    if tag == "arr":
        return [resolve(value, names) for value in body]
    raise ValueError(f"the oracle does not know templates of kind {tag!r}")


def references(template: list[Any]) -> set[str]:
    """Every name a template refers to."""
    tag, body = template
    if tag == "ref":
        return {body}
    if tag == "text":
        return {part[1] for part in body if not isinstance(part, str)}
    if tag == "obj":
        return set().union(*map(references, body.values()))
    if tag == "arr":
        return set().union(*map(references, body))
    return set()


def _named(name: str, names: Mapping[str, Json]) -> Json:
    if name not in names:
        raise UnresolvedError(name)
    return names[name]


def _as_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (dict, list)):
        raise UnresolvedError("a structure inside a longer text")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value)
