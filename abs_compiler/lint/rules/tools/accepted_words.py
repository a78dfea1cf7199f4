"""What a schema accepts, in words for a label: a schema in, text out."""

from __future__ import annotations

import json
from typing import Any

from abs_compiler.runtime.values import kind_of
from abs_compiler.spec.reading import listed

_UNITS = (
    ("string", "minLength", "maxLength", "characters"),
    ("array", "minItems", "maxItems", "items"),
    ("object", "minProperties", "maxProperties", "keys"),
)


def accepted_words(schema: Any) -> str:
    """What a schema takes: `an integer from 1 is accepted`."""
    if not isinstance(schema, dict):
        return "its schema refuses it"
    options = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(options, list) and options:
        words = listed([option if isinstance(option, str) else json.dumps(option) for option in options])
        return f"one of {words} is accepted" if len(options) > 1 else f"{words} is accepted"
    kinds = accepted_types(schema)
    if kinds is None:
        return "its schema refuses it"
    named = [kind if kind == "null" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in kinds]
    several = f"{', '.join(named[:-1])} or {named[-1]}" if len(named) > 1 else named[0]
    return " ".join((several, *(_demands(kinds[0], schema) if len(kinds) == 1 else ()), "is accepted"))


def accepted_types(schema: Any) -> list[str] | None:
    """The types that a schema names, in `type` or in all of its alternatives; None where it names none."""
    if not isinstance(schema, dict):
        return None
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return [kinds]
    if isinstance(kinds, list):
        return kinds or None
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    each = [accepted_types(part) for part in alternatives] if isinstance(alternatives, list) else []
    found = [kind for kinds in each for kind in kinds or ()]
    return list(dict.fromkeys(found)) if found and None not in each else None


def of_accepted_type(value: Any, schema: Any) -> bool:
    """Whether a value is of a type that a schema names, or it names none."""
    kinds = accepted_types(schema)
    kind = kind_of(value)
    whole = kind == "number" and (isinstance(value, int) or value.is_integer())
    return kinds is None or kind in kinds or (whole and "integer" in kinds)


def _demands(kind: str, schema: dict[str, Any]) -> list[str]:
    """What more is asked of a value of the type."""
    found: list[str] = []
    if kind in ("integer", "number"):
        for key, word in (
            ("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "up to"), ("exclusiveMaximum", "below")
        ):  # fmt: skip
            limit = schema.get(key)
            if isinstance(limit, int | float) and limit is not True and limit is not False:
                found.append(f"and {word} {limit}" if found and "minimum" not in schema else f"{word} {limit}")
        if "multipleOf" in schema:
            found.append(f"in steps of {schema['multipleOf']}")
    for of, least, most, unit in _UNITS:
        if kind == of and least in schema:
            found.append(f"of at least {schema[least]} {unit}")
        if kind == of and most in schema:
            found.append(f"{'and' if found else 'of'} at most {schema[most]} {unit}")
    if kind == "string" and "pattern" in schema:
        found.append(f"that matches /{schema['pattern']}/")
    if kind == "string" and "format" in schema:
        found.append(f"of the format {schema['format']}")
    return found
