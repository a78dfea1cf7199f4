"""JSON Schemas of `schema` checks: is a schema one that can be decided, and what does it say of a value.

Imported only where a program holds a schema. JSON Schema 2020-12 unless `$schema` names another draft since 4.
`schema_run` evaluates; here schemas are refused that are invalid, use what RE2 cannot run, name formats that cannot
be asserted, or refer to what is not inside them. Nothing is ever fetched.
"""

from __future__ import annotations

import functools
import json

from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .schema_rules import RULES, searcher
from .schema_run import BASE_STEPS, STEPS_PER_NODE, Run, UndecidedError, inside, path_text
from .values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .schema_run import Findings, Path

MAX_DEPTH = 100
MAX_SCHEMA_DEPTH = 64
_URIS = {
    "draft-04": "http://json-schema.org/draft-04/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
_OLD = ("draft-04", "draft-06", "draft-07")
# Where schemas stand inside a schema, by keyword.
ONE_SCHEMA = frozenset(
    (
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
MANY_SCHEMAS = frozenset(("allOf", "anyOf", "items", "oneOf", "prefixItems"))
NAMED_SCHEMAS = frozenset(
    ("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


class SchemaRefusedError(ValueError):
    """A schema that cannot be used; `path` leads to the place (keys and indices), `hint` says what to do."""

    def __init__(self, message: str, path: Path = (), hint: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.hint = hint

    def __str__(self) -> str:
        where = path_text("schema", self.path)
        return f"{where}: {self.args[0]}" + (f"; {self.hint}" if self.hint else "")


def schema_check(schema: Any) -> Callable[..., Outcome]:
    """A function from a value (and what to call it) to an outcome. SchemaRefusedError for a schema that cannot be
    used."""
    try:
        return _checked(json.dumps(schema, sort_keys=True))
    except (RecursionError, TypeError, ValueError) as error:
        if isinstance(error, SchemaRefusedError):
            raise
        raise SchemaRefusedError("the schema is no JSON of a bounded depth") from None


@functools.lru_cache(maxsize=256)
def _checked(text: str) -> Callable[..., Outcome]:
    schema = json.loads(text)
    check_schema(schema)
    dialect = dialect_of(schema)
    resolver = _resolver(schema, dialect)
    wants_seen = '"unevaluated' in text

    def check(value: Any, name: str = "content") -> Outcome:
        findings: Findings = []
        try:
            run = Run(
                RULES[dialect],
                functools.partial(_conforms, dialect),
                BASE_STEPS + STEPS_PER_NODE * measure(value),
                reference_alone=dialect in _OLD,
                wants_seen=wants_seen,
            )
            holds = run.fits(schema, value, resolver, (), findings, None)
        except UndecidedError as error:
            return Outcome(INCONCLUSIVE, f"{name} cannot be held against the schema: {error}")
        except RecursionError:
            return Outcome(INCONCLUSIVE, f"{name} cannot be held against the schema: it refers to itself too deeply")
        if holds:
            return Outcome(PASSED, lambda: f"fits the schema: {show(value)}")
        return Outcome(FAILED, lambda: "; ".join(f"{path_text(name, path)}: {words}" for path, words in findings))

    return check


def _conforms(dialect: str, name: str, text: str) -> bool:
    from .schema_formats import conforms

    return conforms(dialect, name, text)


def check_schema(schema: Any) -> None:
    """Refuse a schema that cannot be used. SchemaRefusedError with the place."""
    if schema.__class__ is not dict and schema.__class__ is not bool:
        raise SchemaRefusedError("a schema is a mapping or a boolean")
    try:
        measure(schema, MAX_SCHEMA_DEPTH)
    except UndecidedError as error:
        raise SchemaRefusedError(str(error)) from None
    dialect = dialect_of(schema)
    _follow_draft(schema, dialect)
    root = _resolver(schema, dialect)
    checked: set[int] = set()
    pending: list[tuple[Path, Any, Any]] = [((), schema, root)]
    while pending:
        path, part, resolver = pending.pop()
        if not isinstance(part, dict) or id(part) in checked:
            continue
        checked.add(id(part))
        if "$schema" in part and dialect_of(part, path) != dialect:
            raise SchemaRefusedError("one schema cannot mix drafts", (*path, "$schema"))
        if path and ("$id" in part or "id" in part):
            resolver = inside(resolver, part)
        _check_format(part, path, dialect)
        _check_patterns(part, path)
        pending.extend(_targets(part, path, resolver))
        pending.extend(((*path, *steps), inner, resolver) for steps, inner in parts_of(part))


def measure(value: Any, limit: int = MAX_DEPTH) -> int:
    """The number of values in a value. UndecidedError where it is nested too deeply or is no JSON. Never recurses."""
    level, count = [value], 0
    for _ in range(limit):
        count += len(level)
        following: list[Any] = []
        for item in level:
            kind = item.__class__
            if kind is dict:
                if any(key.__class__ is not str for key in item):
                    raise UndecidedError("it holds a key that is no text")
                following.extend(item.values())
            elif kind is list:
                following.extend(item)
            elif kind is float:
                if item != item or item in (float("inf"), float("-inf")):
                    raise UndecidedError(f"it holds {item}, which is no JSON number")
            elif item is not None and kind not in (str, int, bool):
                raise UndecidedError(f"it holds a {kind.__name__}, which is no JSON value")
        if not following:
            return count
        level = following
    raise UndecidedError(f"it is nested more than {limit} levels deep")


def dialect_of(schema: Any, path: Path = ()) -> str:
    """The draft that a schema is of. SchemaRefusedError for one that is not known."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return "2020-12"
    for dialect, uri in _URIS.items():
        if isinstance(named, str) and named.rstrip("#") == uri.rstrip("#"):
            return dialect
    raise SchemaRefusedError(
        f"unknown `$schema` {show(named)}",
        (*path, "$schema"),
        "leave it out for JSON Schema 2020-12, or name a public draft",
    )


def _specification(dialect: str) -> Any:
    from referencing.jsonschema import specification_with

    return specification_with(_URIS[dialect])


def _resolver(schema: Any, dialect: str) -> Any:
    """The resolver of a schema's references; it knows nothing but the schema."""
    from referencing import Registry

    try:
        return Registry().resolver_with_root(_specification(dialect).create_resource(schema))
    except ValueError as error:
        raise SchemaRefusedError(f"`$id` is no address: {error}", ("$id",)) from None


def follow_draft(schema: Any) -> None:
    """Hold a schema against the schema of its draft. SchemaRefusedError with the place."""
    try:
        measure(schema, MAX_SCHEMA_DEPTH)
    except UndecidedError as error:
        raise SchemaRefusedError(str(error)) from None
    _follow_draft(schema, dialect_of(schema))


def resolver_of(schema: Any) -> Any:
    """The resolver of the references of a schema. SchemaRefusedError where its draft is not known."""
    return _resolver(schema, dialect_of(schema))


def _follow_draft(schema: Any, dialect: str) -> None:
    """Hold a schema against the schema of its draft."""
    resolver, draft, steps = _draft(dialect)
    findings: Findings = []
    run = Run(RULES[dialect], None, steps, reference_alone=dialect in _OLD, wants_seen=False)
    try:
        if run.fits(draft, schema, resolver, (), findings, None):
            return
    except (UndecidedError, RecursionError):
        raise SchemaRefusedError("the schema is too large or nested too deeply") from None
    path, text = findings[0]
    raise SchemaRefusedError(f"invalid JSON Schema: {text}", path)


@functools.lru_cache(maxsize=8)
def _draft(dialect: str) -> tuple[Any, Any, int]:
    from jsonschema_specifications import REGISTRY

    registry: Any = REGISTRY
    resolved = registry.resolver().lookup(_URIS[dialect])
    return resolved.resolver, resolved.contents, 10_000_000


def parts_of(schema: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The schemas directly inside a schema, with their places."""
    for key, value in schema.items():
        if key in MANY_SCHEMAS and isinstance(value, list):
            for index, item in enumerate(value):
                yield (key, index), item
        elif key in NAMED_SCHEMAS and isinstance(value, dict):
            for name, item in value.items():
                yield (key, name), item
        elif key in ONE_SCHEMA:
            yield (key,), value


def _check_format(schema: dict[str, Any], path: Path, dialect: str) -> None:
    named = schema.get("format")
    if not isinstance(named, str):
        return
    from .schema_formats import checkers

    known = checkers(dialect)
    if named not in known:
        raise SchemaRefusedError(
            f"unknown format `{named}`",
            (*path, "format"),
            f"known here are {', '.join(sorted(known))} (others need the package jsonschema[format-nongpl])",
        )


def _check_patterns(schema: dict[str, Any], path: Path) -> None:
    from .patterns import PatternError

    found: list[tuple[Path, Any]] = [(("pattern",), schema.get("pattern"))]
    named = schema.get("patternProperties")
    if isinstance(named, dict):
        found += [(("patternProperties", pattern), pattern) for pattern in named]
    for place, pattern in found:
        if isinstance(pattern, str):
            try:
                searcher(pattern)
            except PatternError as error:
                hint = "patterns run on RE2: no look-around, no back-references"
                raise SchemaRefusedError(f"the pattern is refused: {error}", (*path, *place), hint) from None


def _targets(schema: dict[str, Any], path: Path, resolver: Any) -> Iterator[tuple[Path, Any, Any]]:
    """The schemas that a schema refers to. SchemaRefusedError where a reference leads out of it or nowhere."""
    from referencing.exceptions import InvalidAnchor, NoSuchAnchor, PointerToNowhere, Unresolvable

    for key in _REFERENCES:
        reference = schema.get(key)
        if not isinstance(reference, str):
            continue
        place = (*path, key)
        try:
            resolved = resolver.lookup(reference)
        except (PointerToNowhere, NoSuchAnchor, InvalidAnchor):
            raise SchemaRefusedError(f"{show(reference)} leads nowhere in this schema", place) from None
        except Unresolvable:
            hint = "copy that schema under `$defs` and write `#/$defs/NAME`"
            text = f"{show(reference)} leads out of the schema, and nothing is ever fetched"
            raise SchemaRefusedError(text, place, hint) from None
        except (ValueError, RecursionError) as error:
            raise SchemaRefusedError(f"{show(reference)} is no reference: {error}", place) from None
        if not isinstance(resolved.contents, dict | bool):
            raise SchemaRefusedError(f"{show(reference)} leads to something that is no schema", place)
        yield place, resolved.contents, resolved.resolver
