"""What a schema accepts, in words for a label: a schema in, text out."""

from __future__ import annotations

import json
from typing import Any

from abs_compiler.runtime.values import kind_of
from abs_compiler.spec.reading import listed

_MOST_ALTERNATIVES = 3  # that are told one by one
_UNITS = (
    ("string", "minLength", "maxLength", "characters"),
    ("array", "minItems", "maxItems", "items"),
    ("object", "minProperties", "maxProperties", "keys"),
)


def accepted_words(schema: Any) -> str:
    """What a schema takes: `an integer from 1 is accepted`."""
    if not isinstance(schema, dict):
        return "its schema refuses it"
    options = constants_of(schema)
    if options:
        words = listed([option if isinstance(option, str) else json.dumps(option) for option in options])
        named = "" if "const" in schema or "enum" not in schema else " (`enum`)"
        return f"one of {words} is accepted{named}" if len(options) > 1 else f"{words} is accepted{named}"
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    if "type" not in schema and isinstance(alternatives, list) and len(alternatives) <= _MOST_ALTERNATIVES:
        each = [_words_of_type(part) for part in alternatives if isinstance(part, dict)]
        if len(each) == len(alternatives) and None not in each:
            return f"{_either([words for words in dict.fromkeys(each) if words])} is accepted"
    words_of_type = _words_of_type(schema)
    return "its schema refuses it" if words_of_type is None else f"{words_of_type} is accepted"


def constants_of(schema: Any) -> list[Any]:
    """The constants of which alone a schema takes some: of `const`, of `enum`, or of alternatives of such."""
    if not isinstance(schema, dict):
        return []
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    alternatives = schema.get("anyOf", schema.get("oneOf"))
    each = [constants_of(part) for part in alternatives] if isinstance(alternatives, list) else []
    return [option for options in each for option in options] if all(each) else []


def _words_of_type(schema: dict[str, Any]) -> str | None:
    """The types that a schema names, with what it asks of values of its only one."""
    kinds = accepted_types(schema)
    if kinds is None:
        return None
    named = [kind if kind == "null" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in kinds]
    return " ".join((_either(named), *(_demands(kinds[0], schema) if len(kinds) == 1 else ())))


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


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
