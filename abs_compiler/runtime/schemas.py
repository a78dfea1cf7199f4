"""JSON Schema checks: compiled validators with bounded depth, RE2 patterns and asserted formats.

Imported only where a program holds a schema; jsonschema itself is imported here, late. JSON Schema 2020-12 unless
`$schema` names another draft. Remote references are refused, `pattern` and `patternProperties` run on RE2.
"""

from __future__ import annotations

import functools
import json

from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MAX_DEPTH = 100
MAX_ERRORS = 3
_RE2_HINT = "patterns run on RE2: no look-around, no back-references"


class SchemaRefusedError(ValueError):
    """A schema that cannot be used; `path` leads to the place (keys and indices), `hint` says what to do."""

    def __init__(self, message: str, path: tuple[Any, ...] = (), hint: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.hint = hint


def schema_check(schema: Any) -> Callable[[Any], Outcome]:
    """A function from an instance to an outcome. Raises SchemaRefusedError for a schema that is not valid."""
    return _cached(json.dumps(schema, sort_keys=True))


@functools.lru_cache(maxsize=256)
def _cached(text: str) -> Callable[[Any], Outcome]:
    schema = json.loads(text)
    check_schema(schema)
    validator = _validator_class(schema)(schema, format_checker=_formats(schema), registry=_registry())

    def check(instance: Any) -> Outcome:
        if too_deep(instance):
            return Outcome(INCONCLUSIVE, f"the value is nested more than {MAX_DEPTH} levels deep")
        try:
            errors = []
            for error in validator.iter_errors(instance):
                errors.append(error)
                if len(errors) >= MAX_ERRORS:
                    break
        except RecursionError:
            return Outcome(INCONCLUSIVE, "the schema refers to itself too deeply")
        if not errors:
            return Outcome(PASSED, "fits the schema")
        return Outcome(FAILED, "; ".join(_words(error) for error in errors))

    return check


def check_schema(schema: Any) -> list[tuple[tuple[Any, ...], str]]:
    """Check a schema itself. Returns warnings (path, text) for unknown keywords; raises SchemaRefusedError for an
    invalid schema, an unknown format, a pattern that RE2 refuses, or a reference that leads nowhere."""
    import jsonschema.exceptions

    if not isinstance(schema, dict | bool):
        raise SchemaRefusedError("a schema is a mapping or a boolean")
    if too_deep(schema):
        raise SchemaRefusedError(f"the schema is nested more than {MAX_DEPTH} levels deep")
    cls = _validator_class(schema)
    try:
        cls.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        raise SchemaRefusedError(f"invalid JSON Schema: {error.message:.300}", tuple(error.absolute_path)) from None
    warnings: list[tuple[tuple[Any, ...], str]] = []
    for path, part in _subschemas(schema):
        _check_part(cls, schema, path, part, warnings)
    return warnings


def too_deep(value: Any, limit: int = MAX_DEPTH) -> bool:
    """Whether a JSON value is nested deeper than a limit. Never recurses."""
    level = [value]
    for _ in range(limit):
        following: list[Any] = []
        for item in level:
            if item.__class__ is dict:
                following.extend(item.values())
            elif item.__class__ is list:
                following.extend(item)
        if not following:
            return False
        level = following
    return True


def _validator_class(schema: Any) -> Any:
    return _classes()[_dialect(schema)]


def _dialect(schema: Any) -> str:
    if not isinstance(schema, dict) or "$schema" not in schema:
        return "2020-12"
    named = schema["$schema"]
    for marker in ("2020-12", "2019-09", "draft-07", "draft-06", "draft-04", "draft-03"):
        if isinstance(named, str) and marker in named and "json-schema.org" in named:
            return marker
    raise SchemaRefusedError(
        f"unknown `$schema` {show(named)}", ("$schema",), "leave it out for JSON Schema 2020-12, or name a public draft"
    )


@functools.lru_cache(maxsize=1)
def _classes() -> dict[str, Any]:
    """The validator class of each draft, with patterns on RE2."""
    import jsonschema
    from jsonschema import validators

    extend: Any = validators.extend

    extra = {"pattern": _pattern, "patternProperties": _pattern_properties}
    return {
        name: extend(base, {**extra, "additionalProperties": _additional_properties})
        for name, base in (
            ("2020-12", jsonschema.Draft202012Validator),
            ("2019-09", jsonschema.Draft201909Validator),
            ("draft-07", jsonschema.Draft7Validator),
            ("draft-06", jsonschema.Draft6Validator),
            ("draft-04", jsonschema.Draft4Validator),
            ("draft-03", jsonschema.Draft3Validator),
        )
    }


def _formats(schema: Any) -> Any:
    return _classes()[_dialect(schema)].FORMAT_CHECKER


def _registry() -> Any:
    """A registry that knows the public drafts and fetches nothing."""
    import jsonschema_specifications

    return jsonschema_specifications.REGISTRY


def _searches(pattern: str) -> Callable[[str], bool]:
    from .patterns import compile_pattern

    return compile_pattern(pattern).test


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if validator.is_type(instance, "string") and not _searches(pattern)(instance):
        yield ValidationError(f"{show(instance)} does not match /{pattern}/")


def _pattern_properties(validator: Any, properties: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, subschema in properties.items():
        searches = _searches(pattern)
        for key, value in instance.items():
            if searches(key):
                yield from validator.descend(value, subschema, path=key, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if not validator.is_type(instance, "object"):
        return
    declared = schema.get("properties", {})
    searches = [_searches(pattern) for pattern in schema.get("patternProperties", {})]
    extras = [key for key in instance if key not in declared and not any(search(key) for search in searches)]
    if validator.is_type(allowed, "object"):
        for key in extras:
            yield from validator.descend(instance[key], allowed, path=key)
    elif not allowed and extras:
        names = ", ".join(show(key) for key in extras[:5])
        yield ValidationError(f"{names} not allowed here")


def _words(error: Any) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return f"content{path}: {error.message:.300}"


# Where schemas stand inside a schema, by keyword.
_ONE = frozenset(
    (
        "not",
        "if",
        "then",
        "else",
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    )
)
_MANY = frozenset(("allOf", "anyOf", "oneOf", "prefixItems", "items"))
_NAMED = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"))
_ANNOTATIONS = frozenset(
    (
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$comment",
        "$vocabulary",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "contentEncoding",
        "contentMediaType",
        "then",
        "else",
        "$defs",
        "definitions",
        "contentSchema",
        "minContains",
        "maxContains",
        "$recursiveRef",
        "$dynamicRef",
        "exclusiveMinimum",
        "exclusiveMaximum",
    )
)


def _subschemas(schema: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    pending: list[tuple[tuple[Any, ...], Any]] = [((), schema)]
    while pending:
        path, part = pending.pop()
        if not isinstance(part, dict):
            continue
        yield path, part
        for key, value in part.items():
            if key in _MANY and isinstance(value, list):
                pending.extend(((*path, key, k), item) for k, item in enumerate(value))
            elif key in _NAMED and isinstance(value, dict):
                pending.extend(((*path, key, name), item) for name, item in value.items())
            elif key in _ONE:
                pending.append(((*path, key), value))


def _check_part(
    cls: Any, root: Any, path: tuple[Any, ...], part: dict[str, Any], warnings: list[tuple[tuple[Any, ...], str]]
) -> None:
    from .patterns import PatternError

    for key in part:
        if key not in cls.VALIDATORS and key not in _ANNOTATIONS:
            warnings.append(((*path, key), f"unknown keyword `{key}`"))
    named = part.get("format")
    if isinstance(named, str) and named not in cls.FORMAT_CHECKER.checkers:
        known = ", ".join(sorted(cls.FORMAT_CHECKER.checkers))
        raise SchemaRefusedError(f"unknown format `{named}`", (*path, "format"), f"known formats: {known}")
    patterns: list[tuple[tuple[str, ...], str]] = []
    for pattern in part.get("patternProperties", {}):
        patterns.append((("patternProperties", pattern), pattern))
    if isinstance(part.get("pattern"), str):
        patterns.append((("pattern",), part["pattern"]))
    for place, pattern in patterns:
        try:
            _searches(pattern)
        except PatternError as error:
            raise SchemaRefusedError(str(error), (*path, *place), _RE2_HINT) from None
    for key in ("$ref", "$dynamicRef", "$recursiveRef"):
        target = part.get(key)
        if isinstance(target, str):
            _check_reference(root, target, (*path, key))


def _check_reference(root: Any, target: str, path: tuple[Any, ...]) -> None:
    if target.startswith("#"):
        if target.startswith("#/"):
            place: Any = root
            for part in target[2:].split("/"):
                name = part.replace("~1", "/").replace("~0", "~")
                if isinstance(place, list) and name.isdigit() and int(name) < len(place):
                    place = place[int(name)]
                elif isinstance(place, dict) and name in place:
                    place = place[name]
                else:
                    raise SchemaRefusedError(f"`{target}` leads nowhere in this schema", path)
        return
    if "json-schema.org/" in target:
        return
    raise SchemaRefusedError(
        f"`{target}` is a remote reference", path, "put the schema under `$defs` and refer to it with `#/$defs/NAME`"
    )
