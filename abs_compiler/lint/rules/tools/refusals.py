"""Why the schema of a tool refuses a value, in words for a label: a value and a place in the schema in, the innermost
part of the value that is refused and the reason out.

Of alternatives (`anyOf`, `oneOf`) the nearest is looked for: one for values of this type, whose constants the value
has, and whose keys; and what that one refuses is the reason.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import attrs

from abs_compiler.lint.rules.tools.accepted_values import refusal
from abs_compiler.lint.rules.tools.accepted_words import accepted_words, constants_of, of_accepted_type
from abs_compiler.lint.rules.tools.schema_places import Path, part, places_below
from abs_compiler.repr_mixin import ReprMixin

_MOST_DEPTH = 6  # of alternatives inside alternatives
_MOST_ALTERNATIVES = 50
_MOST_PLACES = 20


@attrs.frozen(slots=False, repr=False, eq=False)
class Why(ReprMixin):
    """Why a value is refused: the keys that lead to the part that is, a label, whether it is by a format alone, and the
    place of the schema that refuses the part, where one does so by itself."""

    where: Path
    label: str
    by_format: bool
    schema: Path | None


def why_refused(text: str, path: Path, value: Any, depth: int = _MOST_DEPTH) -> Why | None:
    """Why the schema in a place refuses a value; None where it does not, or is undecided."""
    found = refusal(text, path, value)
    if found is None:
        return None
    inner = _inside(value, found.path)
    refusing: Path | None = None
    for place in islice(places_below(text, path, found.path), _MOST_PLACES):
        nearest = _of_alternatives(text, place, inner, depth)
        if nearest is not None:
            return attrs.evolve(nearest, where=(*found.path, *nearest.where))
        if refusing is None and refusal(text, place, inner) is not None:
            refusing = place
    return Why(found.path, _label(text, refusing, inner, found.text), found.by_format, refusing)


def _label(text: str, place: Path | None, value: Any, reason: str) -> str:
    """What is accepted, where another type or one of a few constants is; else what the schema says of the value."""
    schema = None if place is None else part(text, place)
    if isinstance(schema, dict) and ("enum" in schema or not of_accepted_type(value, schema)):
        return accepted_words(schema)
    return reason


def _of_alternatives(text: str, place: Path, value: Any, depth: int) -> Why | None:
    """Why none of the alternatives of a schema accepts a value, if none does."""
    schema = part(text, place)
    word = next((word for word in ("anyOf", "oneOf") if isinstance(schema.get(word), list) and schema[word]), None)
    if word is None or not depth:
        return None
    places: list[Path] = [(*place, word, number) for number in range(min(len(schema[word]), _MOST_ALTERNATIVES))]
    refused = [refusal(text, one, value) for one in places]
    if any(one is None for one in refused):
        return None
    by_format = any(one.by_format for one in refused if one is not None)
    if constants_of(schema) or not of_accepted_type(value, schema):
        return Why((), accepted_words(schema), by_format, place)
    best = max(places, key=lambda one: _closeness(text, one, value))  # of equally close ones the first
    why = why_refused(text, best, value, depth - 1)
    if why is None:
        return None
    label = why.label
    if len(schema[word]) > 1:
        label = f"of {len(schema[word])} alternatives the nearest is {_name(text, best)}: {label}"
    return Why(why.where, label, by_format, why.schema if why.where else place)


def _closeness(text: str, place: Path, value: Any) -> tuple[int, ...]:
    """How near an alternative is to a value that it refuses."""
    schema = _followed(text, place)
    found = refusal(text, place, value)
    depth = 0 if found is None else len(found.path)
    if not isinstance(schema, dict) or not of_accepted_type(value, schema):
        return (0, 0, 0, depth)
    if not isinstance(value, dict):
        return (1, 0, 0, depth)
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    lacking = [key for key in required if key not in value] if isinstance(required, list) else []
    told = [
        value[key] in constants_of(properties[key]) for key in value if key in properties and _tells(properties[key])
    ]
    known = sum(key in properties for key in value)
    return (1, told.count(True) - told.count(False), known - len(lacking), depth)


def _tells(schema: Any) -> bool:
    """Whether a property tells alternatives apart: it has one value."""
    return len(constants_of(schema)) == 1


def _followed(text: str, place: Path) -> Any:
    return part(text, next(places_below(text, place, ()), place))


def _name(text: str, place: Path) -> str:
    """What an alternative is called: by its title, its definition, the constant that tells it, or its number."""
    own, schema = part(text, place), _followed(text, place)
    for one in (own, schema):
        if isinstance(one, dict) and isinstance(one.get("title"), str) and one["title"]:
            return f"`{one['title'][:60]}`"
    if isinstance(own, dict) and isinstance(own.get("$ref"), str):
        return f"`{own['$ref'].rpartition('/')[2][:60]}`"
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for key, inner in properties.items() if isinstance(properties, dict) else ():
        if _tells(inner) and isinstance(constants_of(inner)[0], str):
            return f"that of `{key}: {constants_of(inner)[0][:60]}`"
    return f"`{place[-2]}[{place[-1]}]`"


def _inside(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value
