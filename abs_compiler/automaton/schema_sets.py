"""Sets of the values that a JSON Schema accepts: a schema in, bounds of a set out.

`around` holds every value that the schema accepts; what it says with keywords that are not followed here is left out.
`inside` holds only accepted values; it is empty where something is not followed. Formats and patterns that may mean
something else to another dialect are not followed.
"""

from __future__ import annotations

from typing import Any

import attrs

from abs_compiler.automaton.value_sets import OBJECTS, TEXTS, both, exactly
from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import Bounds, denote, literal_domain, matches
from abs_compiler.predicate.domains import ABSENCE, ANY, NOTHING, Domain, complement, intersection, union
from abs_compiler.predicate.domains.formulas import atom, conj
from abs_compiler.predicate.domains.normal import each_formula, key_formula
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.patterns import PatternError, compile_pattern

_MOST_DEPTH = 24
_MOST_KEYS = 60
# What says nothing about which values are accepted.
_SILENT = frozenset(
    (
        "$schema",
        "$id",
        "$comment",
        "$defs",
        "$anchor",
        "definitions",
        "title",
        "description",
        "default",
        "examples",
        "example",
        "deprecated",
        "readOnly",
        "writeOnly",
        "strict",
    )
)
_NUMBERS = denote(tree.TypeTest(0, 0, "number")).inside
_WORDS = ("string", "number", "integer", "boolean", "array", "object", "null")


def schema_set(schema: Any, path: tuple[str | int, ...] = ()) -> Bounds:
    """The values that a schema accepts, or those that a schema inside it does."""
    inner = schema
    for key in path:
        inner = inner[key]
    return _Schema(schema).read(inner, _MOST_DEPTH)


@attrs.frozen(slots=False, repr=False)
class _Schema(ReprMixin):
    root: Any

    def read(self, schema: Any, depth: int) -> Bounds:
        if schema is True or schema == {}:
            return exactly(ANY)
        if schema is False:
            return exactly(NOTHING)
        if not isinstance(schema, dict) or depth == 0:
            return Bounds(NOTHING, ANY)
        if "$ref" in schema and not schema.keys() <= _SILENT | {"$ref"}:
            # Older drafts ignore what stands beside a reference, newer ones do not.
            alone = self.read({"$ref": schema["$ref"]}, depth)
            return Bounds(NOTHING, alone.around)
        parts = [exactly(ANY)]
        for keyword in sorted(schema):
            if keyword not in _SILENT:
                parts.append(self._keyword(keyword, schema[keyword], schema, depth) or Bounds(NOTHING, ANY))
        found = both(*parts)
        if schema.get("nullable") is True:
            return Bounds(NOTHING, union(found.around, literal_domain(None)))
        return found

    def _keyword(self, keyword: str, value: Any, schema: dict[str, Any], depth: int) -> Bounds | None:
        """What one keyword leaves; None where it is not followed."""
        match keyword, value:
            case "type", _:
                return _types(value)
            case "enum", list():
                return exactly(union(*map(literal_domain, value)))
            case "const", _:
                return exactly(literal_domain(value))
            case (("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"), _):
                return _bound(keyword, value, schema)
            case "multipleOf", 1:
                return _only(_NUMBERS, denote(tree.TypeTest(0, 0, "integer")).inside)
            case (("minLength" | "maxLength"), int()):
                return _only(TEXTS, Domain(strings=_length(keyword, value)))
            case (("minItems" | "maxItems"), int()):
                return _only(Domain(arrays=True), Domain(arrays=_length(keyword, value)))
            case (("minProperties" | "maxProperties"), int()):
                return _only(OBJECTS, Domain(objects=_length(keyword, value)))
            case "pattern", str():
                return _pattern(value)
            case "items", dict() | bool() if "prefixItems" not in schema:
                item = self.read(value, depth - 1)
                return _kind(
                    Domain(arrays=True),
                    Bounds(Domain(arrays=each_formula(item.inside)), Domain(arrays=each_formula(item.around))),
                )
            case "properties", dict():
                return self._properties(value, depth)
            case "required", list() if all(isinstance(key, str) for key in value) and len(value) <= _MOST_KEYS:
                return _only(OBJECTS, Domain(objects=conj([key_formula(key, ANY) for key in value])))
            case "additionalProperties", True | dict():
                return exactly(ANY) if value in (True, {}) else None
            case "additionalProperties", False if "patternProperties" not in schema:
                return self._closed(schema)
            case "allOf", list():
                return both(exactly(ANY), *(self.read(part, depth - 1) for part in value))
            case "anyOf", list():
                return _either([self.read(part, depth - 1) for part in value])
            case "oneOf", list():
                return Bounds(NOTHING, _either([self.read(part, depth - 1) for part in value]).around)
            case "not", _:
                inner = self.read(value, depth - 1)
                return Bounds(complement(inner.around), complement(inner.inside))
            case "$ref", str():
                return self._reference(value, depth)
            case _:
                return None

    def _properties(self, properties: dict[str, Any], depth: int) -> Bounds | None:
        if len(properties) > _MOST_KEYS:
            return None
        inside, around = [], []
        for key, schema in properties.items():
            bounds = self.read(schema, depth - 1)
            inside.append(key_formula(key, union(bounds.inside, ABSENCE)))
            around.append(key_formula(key, union(bounds.around, ABSENCE)))
        return _kind(OBJECTS, Bounds(Domain(objects=conj(inside)), Domain(objects=conj(around))))

    @staticmethod
    def _closed(schema: dict[str, Any]) -> Bounds | None:
        """No other keys than those declared: at least, no more keys than these."""
        properties = schema.get("properties", {})
        if not isinstance(properties, dict):
            return None
        most = Domain(objects=atom("length", ((0, len(properties)),)))
        return Bounds(NOTHING, _only(OBJECTS, most).around)

    def _reference(self, reference: str, depth: int) -> Bounds | None:
        found = self.root
        if not reference.startswith("#/"):
            return None
        for part in reference[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or key not in found:
                return None
            found = found[key]
        return self.read(found, depth - 1)


def _types(value: Any) -> Bounds | None:
    words = value if isinstance(value, list) else [value]
    if not all(isinstance(word, str) and word in _WORDS for word in words):
        return None
    return exactly(union(*(denote(tree.TypeTest(0, 0, word)).inside for word in words)))


def _bound(keyword: str, value: Any, schema: dict[str, Any]) -> Bounds | None:
    if type(value) is bool and keyword.startswith("exclusive"):
        return exactly(ANY)  # draft 4: said with `minimum` and `maximum`
    if type(value) not in (int, float):
        return None
    strict = keyword.startswith("exclusive") or schema.get(f"exclusive{keyword.capitalize()}") is True
    operator = (">" if keyword.lower().endswith("minimum") else "<") + ("" if strict else "=")
    passing = denote(tree.Compare(0, 0, operator, tree.Literal(0, 0, value))).inside
    return _only(_NUMBERS, passing)


def _length(keyword: str, value: int) -> Any:
    size = max(value, 0)
    return atom("length", ((size, None) if keyword.startswith("min") else (0, size),))


def _pattern(pattern: str) -> Bounds | None:
    if any(part in pattern for part in ("\\", ".", "(?", "$)", "(^", "[[", "&&")) or not pattern.isascii():
        return None
    try:
        compile_pattern(pattern)
    except PatternError:
        return None
    return _only(TEXTS, Domain(strings=matches(pattern, ignore_case=False)))


def _only(kind: Domain, passing: Domain) -> Bounds:
    """What a keyword about one kind of values leaves: other kinds pass."""
    return exactly(union(complement(kind), intersection(kind, passing)))


def _kind(kind: Domain, passing: Bounds) -> Bounds:
    others = complement(kind)
    return Bounds(union(others, passing.inside), union(others, passing.around))


def _either(each: list[Bounds]) -> Bounds:
    return Bounds(union(*(b.inside for b in each)), union(*(b.around for b in each)))
