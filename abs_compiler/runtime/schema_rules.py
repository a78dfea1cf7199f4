"""JSON Schema evaluation: does a value fit a schema, and if not, where and why.

Takes a schema that was found sound (see `schemas`) and a JSON value; gives findings (path, text), none where it fits.
One pass, which also keeps what `unevaluatedProperties` and `unevaluatedItems` ask for. Every application of a schema
costs a step of a budget and a level of a bounded depth, so neither recursion without end nor an explosion of
alternatives can hang; what they stop is undecided. Patterns run on RE2, numbers compare exactly.
"""

from __future__ import annotations

from .values import json_equal, json_key, kind_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Path = tuple[Any, ...]
    Findings = list[tuple[Path, str]]
    Rule = Callable[[Any, Any, "Place"], bool]

MAX_LEVELS = 200
MAX_FINDINGS = 3
BASE_STEPS = 50_000
STEPS_PER_NODE = 20
ASIDE_STEPS = 1_000
MAX_NAMES = 5


class UndecidedError(Exception):
    """The evaluation cannot be finished within its bounds; the text says why."""


class Seen:
    """The keys and items of a value that successful parts of a schema have looked at."""

    __slots__ = ("all_items", "items", "keys")

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.items: set[int] = set()
        self.all_items = False

    def add(self, other: Seen) -> None:
        self.keys |= other.keys
        self.items |= other.items
        self.all_items = self.all_items or other.all_items


class Run:
    """One evaluation: the rules of its dialect, the formats it asserts, what is left of its bounds."""

    __slots__ = ("_formats", "_levels", "_reference_alone", "_rules", "_steps", "_wants_seen")

    def __init__(
        self,
        rules: Mapping[str, Rule],
        formats: Callable[[str, str], bool] | None,
        steps: int,
        *,
        reference_alone: bool,
        wants_seen: bool,
    ) -> None:
        self._rules = rules
        self._formats = formats
        self._steps = steps
        self._levels = MAX_LEVELS
        self._reference_alone = reference_alone
        self._wants_seen = wants_seen

    def spend(self, steps: int = 1) -> None:
        """Pay for work; UndecidedError where the budget is used up."""
        self._steps -= steps
        if self._steps < 0:
            raise UndecidedError("the schema takes more steps than a value of this size is worth")

    def conforms(self, name: str, text: str) -> bool:
        """Whether a text has a format."""
        return self._formats is None or self._formats(name, text)

    def first_finding(self, schema: Any, item: Any, resolver: Any) -> Findings:
        """The first finding about a value, or none where looking for it would cost too much: it only words a report."""
        findings: Findings = []
        kept = self._steps
        self._steps = min(kept, ASIDE_STEPS)
        try:
            self.fits(schema, item, resolver, (), findings, None)
        except UndecidedError:
            pass
        finally:
            self._steps = kept
        return findings[:1]

    def fits(
        self, schema: Any, item: Any, resolver: Any, path: Path, findings: Findings | None, seen: Seen | None
    ) -> bool:
        """Whether a value fits a schema. Findings are added to a list, if one is given; what a fitting schema looked
        at is added to `seen`."""
        self.spend()
        if schema is True:
            return True
        if schema is False:
            if findings is not None:
                findings.append((path, f"{show(item)} is not allowed here"))
            return False
        if schema.__class__ is not dict:
            raise UndecidedError("a reference leads to something that is no schema")
        if not self._levels:
            raise UndecidedError("the schema refers to itself too deeply")
        if "$id" in schema or "id" in schema:
            resolver = inside(resolver, schema)
        self._levels -= 1
        own = Seen() if self._wants_seen else None
        try:
            return self._apply(Place(self, schema, resolver, path, findings, own), item, seen)
        finally:
            self._levels += 1

    def _apply(self, at: Place, item: Any, seen: Seen | None) -> bool:
        schema, findings = at.schema, at.findings
        if self._reference_alone and "$ref" in schema:
            return _reference(schema["$ref"], item, at)
        holds = True
        rules = self._rules
        for keyword, value in schema.items():
            rule = rules.get(keyword)
            if rule is None or rule(value, item, at):
                continue
            holds = False
            if findings is None or len(findings) >= MAX_FINDINGS:
                return False
        if holds and at.seen is not None:
            holds = _unevaluated(item, at, at.seen)
            if holds and seen is not None:
                seen.add(at.seen)
        return holds


class Place:
    """A schema applied to a value: where both are, and what is collected on the way."""

    __slots__ = ("findings", "path", "resolver", "run", "schema", "seen")

    def __init__(
        self, run: Run, schema: dict[str, Any], resolver: Any, path: Path, findings: Findings | None, seen: Seen | None
    ) -> None:
        self.run = run
        self.schema = schema
        self.resolver = resolver
        self.path = path
        self.findings = findings
        self.seen = seen

    @property
    def enough(self) -> bool:
        """Whether one more finding would change nothing."""
        return self.findings is None or len(self.findings) >= MAX_FINDINGS

    def here(self, schema: Any, item: Any) -> bool:
        """Whether the same value fits another schema."""
        return self.run.fits(schema, item, self.resolver, self.path, self.findings, self.seen)

    def quietly(self, schema: Any, item: Any, seen: Seen | None = None) -> bool:
        """The same without findings."""
        return self.run.fits(schema, item, self.resolver, self.path, None, seen)

    def below(self, schema: Any, item: Any, part: str | int) -> bool:
        """Whether a part of the value fits a schema."""
        return self.run.fits(schema, item, self.resolver, (*self.path, part), self.findings, None)

    def refuse(self, text: Callable[[], str]) -> bool:
        """False, with a finding where they are wanted."""
        if self.findings is not None and len(self.findings) < MAX_FINDINGS:
            self.findings.append((self.path, text()))
        return False


def inside(resolver: Any, schema: Any) -> Any:
    """The resolver of references inside a schema that may have an identity of its own."""
    from referencing.jsonschema import DRAFT4, DRAFT202012

    specification = DRAFT202012 if "$id" in schema else DRAFT4
    return resolver.in_subresource(specification.create_resource(schema))


def path_text(root: str, path: Path) -> str:
    """A path in words: `content.items[0]["a b"]`."""
    from .mismatch import child_path

    for part in path:
        root = f"{root}[{part}]" if part.__class__ is int else child_path(root, part)
    return root


def _is_number(item: Any) -> bool:
    return item.__class__ is int or item.__class__ is float


def _names(keys: Iterable[str]) -> str:
    names = [show(key, 60) for key in keys]
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more


# Any value


def _type(value: Any, item: Any, at: Place) -> bool:
    kind = kind_of(item)
    wanted = [value] if value.__class__ is str else value
    for name in wanted:
        if name == kind or (name == "integer" and kind == "number" and (item.__class__ is int or item.is_integer())):
            return True
    return at.refuse(lambda: f"expected {' or '.join(wanted)}, observed {show(item)} ({kind})")


def _enum(value: Any, item: Any, at: Place) -> bool:
    at.run.spend(len(value))
    holds = any(json_equal(item, one) for one in value)
    return holds or at.refuse(lambda: f"expected one of {show(value)}, observed {show(item)}")


def _const(value: Any, item: Any, at: Place) -> bool:
    return json_equal(item, value) or at.refuse(lambda: f"expected {show(value)}, observed {show(item)}")


# Numbers


def _minimum(value: Any, item: Any, at: Place) -> bool:
    holds = not _is_number(item) or item >= value
    return holds or at.refuse(lambda: f"expected at least {show(value)}, observed {show(item)}")


def _above(value: Any, item: Any, at: Place) -> bool:
    holds = not _is_number(item) or item > value
    return holds or at.refuse(lambda: f"expected more than {show(value)}, observed {show(item)}")


def _maximum(value: Any, item: Any, at: Place) -> bool:
    holds = not _is_number(item) or item <= value
    return holds or at.refuse(lambda: f"expected at most {show(value)}, observed {show(item)}")


def _below(value: Any, item: Any, at: Place) -> bool:
    holds = not _is_number(item) or item < value
    return holds or at.refuse(lambda: f"expected less than {show(value)}, observed {show(item)}")


def _minimum_of_draft4(value: Any, item: Any, at: Place) -> bool:
    return (_above if at.schema.get("exclusiveMinimum") is True else _minimum)(value, item, at)


def _maximum_of_draft4(value: Any, item: Any, at: Place) -> bool:
    return (_below if at.schema.get("exclusiveMaximum") is True else _maximum)(value, item, at)


def _multiple_of(value: Any, item: Any, at: Place) -> bool:
    holds = not _is_number(item) or is_multiple(item, value)
    return holds or at.refuse(lambda: f"expected a multiple of {show(value)}, observed {show(item)}")


def is_multiple(number: Any, unit: Any) -> bool:
    """Whether a number is a whole multiple of another, exactly, as their decimal texts read (0.3 is one of 0.1)."""
    if number.__class__ is int and unit.__class__ is int:
        return bool(number % unit == 0)
    return bool((_fraction(number) / _fraction(unit)).denominator == 1)


def _fraction(number: Any) -> Any:
    from fractions import Fraction

    return Fraction(repr(number)) if number.__class__ is float else Fraction(number)


# Texts


def _size(kind: str, unit: str, *, least: bool) -> Rule:
    """minLength, maxItems and the like."""
    words = "at least" if least else "at most"

    def rule(value: Any, item: Any, at: Place) -> bool:
        if kind_of(item) != kind or (len(item) >= value if least else len(item) <= value):
            return True
        return at.refuse(lambda: f"expected {words} {value:g} {unit}, observed {len(item)}: {show(item)}")

    return rule


def _pattern(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not str:
        return True
    at.run.spend(len(item) // 1000)
    return searcher(value)(item) or at.refuse(lambda: f"expected text that matches /{value}/, observed {show(item)}")


def searcher(pattern: str) -> Callable[[str], bool]:
    """A search on RE2. PatternError where it refuses the pattern."""
    from .patterns import compile_pattern

    return compile_pattern(pattern).test


def _format(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not str:
        return True
    at.run.spend(len(item) // 100)
    return at.run.conforms(value, item) or at.refuse(lambda: f"expected the format {value}, observed {show(item)}")


# Arrays


def _items(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not list:
        return True
    if at.seen is not None:
        at.seen.all_items = True
    return _each_item(value, item, range(len(at.schema.get("prefixItems", ())), len(item)), at)


def _each_item(schema: Any, item: list[Any], indices: Iterable[int], at: Place) -> bool:
    holds = True
    for index in indices:
        if not at.below(schema, item[index], index):
            holds = False
            if at.enough:
                break
    return holds


def _prefix_items(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not list:
        return True
    holds = True
    for index, (schema, inner) in enumerate(zip(value, item, strict=False)):
        if at.seen is not None:
            at.seen.items.add(index)
        if not at.below(schema, inner, index):
            holds = False
            if at.enough:
                break
    return holds


def _items_before_2020(value: Any, item: Any, at: Place) -> bool:
    """One schema for all items, or a list of schemas with `additionalItems` for the rest."""
    if item.__class__ is not list:
        return True
    if value.__class__ is not list:
        return _items(value, item, at)
    holds = _prefix_items(value, item, at)
    if "additionalItems" not in at.schema:
        return holds
    if at.seen is not None:
        at.seen.all_items = True
    return _each_item(at.schema["additionalItems"], item, range(len(value), len(item)), at) and holds


def _contains(value: Any, item: Any, at: Place) -> bool:
    return _holds_items(value, item, at, at.schema.get("minContains", 1), at.schema.get("maxContains"), at.seen)


def _contains_of_2019(value: Any, item: Any, at: Place) -> bool:
    return _holds_items(value, item, at, at.schema.get("minContains", 1), at.schema.get("maxContains"), None)


def _contains_before_2019(value: Any, item: Any, at: Place) -> bool:
    return _holds_items(value, item, at, 1, None, None)


def _holds_items(value: Any, item: Any, at: Place, least: float, most: float | None, seen: Seen | None) -> bool:
    if item.__class__ is not list:
        return True
    fitting = [index for index, inner in enumerate(item) if at.quietly(value, inner)]
    if seen is not None:
        seen.items.update(fitting)
    count = len(fitting)
    if count < least:
        return at.refuse(lambda: f"expected at least {least:g} items that fit `contains`, observed {count}")
    if most is not None and count > most:
        return at.refuse(lambda: f"expected at most {most:g} items that fit `contains`, observed {count}")
    return True


def _unique_items(value: Any, item: Any, at: Place) -> bool:
    if value is not True or item.__class__ is not list:
        return True
    at.run.spend(len(item))
    first: dict[Any, int] = {}
    for index, inner in enumerate(item):
        earlier = first.setdefault(json_key(inner), index)
        if earlier != index:
            break
    else:
        return True
    return at.refuse(lambda: f"expected different items, observed {show(item[index])} at {earlier} and at {index}")


# Objects


def _required(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    lacking = [key for key in value if key not in item]
    return not lacking or at.refuse(lambda: f"{_names(lacking)} missing, observed {show(item)}")


def _properties(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    holds = True
    for key, schema in value.items():
        if key not in item:
            continue
        if at.seen is not None:
            at.seen.keys.add(key)
        if not at.below(schema, item[key], key):
            holds = False
            if at.enough:
                break
    return holds


def _pattern_properties(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    holds = True
    for pattern, schema in value.items():
        at.run.spend(len(item))
        keys = list(filter(searcher(pattern), item))
        if at.seen is not None:
            at.seen.keys.update(keys)
        if not _each_key(schema, item, keys, at):
            holds = False
            if at.enough:
                break
    return holds


def _additional_properties(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    declared = at.schema.get("properties", {})
    patterns = [searcher(pattern) for pattern in at.schema.get("patternProperties", {})]
    at.run.spend(len(item) * len(patterns))
    others = [key for key in item if key not in declared and not any(found(key) for found in patterns)]
    if at.seen is not None:
        at.seen.keys.update(others)
    return _each_key(value, item, others, at)


def _each_key(schema: Any, item: dict[str, Any], keys: list[str], at: Place) -> bool:
    if schema is False and keys:
        return at.refuse(lambda: f"{_names(keys)} not allowed here")
    holds = True
    for key in keys:
        if not at.below(schema, item[key], key):
            holds = False
            if at.enough:
                break
    return holds


def _property_names(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    wrong = next((key for key in item if not at.quietly(value, key)), None)
    return wrong is None or at.refuse(lambda: f"the key {show(wrong)} does not fit `propertyNames`")


def _dependent_required(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    lacking = [(other, key) for key, needed in value.items() if key in item for other in needed if other not in item]
    return not lacking or at.refuse(lambda: f"{show(lacking[0][0])} missing, which {show(lacking[0][1])} needs")


def _dependent_schemas(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict:
        return True
    return _all_of([schema for key, schema in value.items() if key in item], item, at)


def _dependencies(value: Any, item: Any, at: Place) -> bool:
    """Before 2019-09: lists of keys and schemas under one keyword."""
    lists = {key: part for key, part in value.items() if part.__class__ is list}
    schemas = {key: part for key, part in value.items() if part.__class__ is not list}
    return _dependent_required(lists, item, at) and _dependent_schemas(schemas, item, at)


# Combinations


def _all_of(value: Any, item: Any, at: Place) -> bool:
    holds = True
    for schema in value:
        if not at.here(schema, item):
            holds = False
            if at.enough:
                break
    return holds


def _any_of(value: Any, item: Any, at: Place) -> bool:
    holds = False
    for schema in value:
        if at.quietly(schema, item, at.seen):
            holds = True
            if at.seen is None:
                break
    return holds or at.refuse(lambda: _no_alternative("anyOf", value, item, at))


def _one_of(value: Any, item: Any, at: Place) -> bool:
    fitting: list[str] = []
    for number, schema in enumerate(value, 1):
        if at.quietly(schema, item, at.seen):
            fitting.append(str(number))
            if len(fitting) > 1 and at.findings is None:
                return False
    if len(fitting) == 1:
        return True
    if not fitting:
        return at.refuse(lambda: _no_alternative("oneOf", value, item, at))
    return at.refuse(lambda: f"fits the alternatives {', '.join(fitting)} of `oneOf`, only one may: {show(item)}")


def _no_alternative(keyword: str, schemas: list[Any], item: Any, at: Place) -> str:
    """Why no alternative fits: the finding that lies deepest in the value tells which was probably meant."""
    best: Findings = []
    for schema in schemas:
        found = at.run.first_finding(schema, item, at.resolver)
        if found and (not best or len(found[0][0]) > len(best[0][0])):
            best = found
    start = f"fits none of the {len(schemas)} alternatives of `{keyword}`"
    if not best:
        return start
    path, text = best[0]
    place = path_text("", path).lstrip(".")
    return f"{start} (nearest: {place}: {text})" if path else f"{start} (nearest: {text})"


def _not(value: Any, item: Any, at: Place) -> bool:
    return not at.quietly(value, item) or at.refuse(lambda: f"fits what `not` excludes: {show(item)}")


def _if(value: Any, item: Any, at: Place) -> bool:
    branch = "then" if at.quietly(value, item, at.seen) else "else"
    return branch not in at.schema or at.here(at.schema[branch], item)


def _reference(value: Any, item: Any, at: Place) -> bool:
    from referencing.exceptions import Unresolvable

    try:
        resolved = at.resolver.lookup(value)
    except Unresolvable:
        raise UndecidedError(f"the reference {show(value)} leads nowhere") from None
    return at.run.fits(resolved.contents, item, resolved.resolver, at.path, at.findings, at.seen)


def _recursive_reference(value: Any, item: Any, at: Place) -> bool:
    from referencing.jsonschema import lookup_recursive_ref

    resolved = lookup_recursive_ref(at.resolver)
    return at.run.fits(resolved.contents, item, resolved.resolver, at.path, at.findings, at.seen)


def _unevaluated(item: Any, at: Place, seen: Seen) -> bool:
    """What nothing else in the schema looked at; runs after everything else."""
    holds = True
    if "unevaluatedProperties" in at.schema and item.__class__ is dict:
        others = [key for key in item if key not in seen.keys]
        seen.keys.update(others)
        holds = _each_key(at.schema["unevaluatedProperties"], item, others, at)
    if "unevaluatedItems" in at.schema and item.__class__ is list and not seen.all_items:
        indices = [index for index in range(len(item)) if index not in seen.items]
        seen.all_items = True
        holds = _each_item(at.schema["unevaluatedItems"], item, indices, at)
    return holds


_COMMON: dict[str, Rule] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "multipleOf": _multiple_of,
    "minLength": _size("string", "characters", least=True),
    "maxLength": _size("string", "characters", least=False),
    "pattern": _pattern,
    "format": _format,
    "minItems": _size("array", "items", least=True),
    "maxItems": _size("array", "items", least=False),
    "uniqueItems": _unique_items,
    "minProperties": _size("object", "keys", least=True),
    "maxProperties": _size("object", "keys", least=False),
    "required": _required,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
}
_DRAFT4 = {
    **_COMMON,
    "minimum": _minimum_of_draft4,
    "maximum": _maximum_of_draft4,
    "items": _items_before_2020,
    "dependencies": _dependencies,
}
_SINCE_6: dict[str, Rule] = {
    "minimum": _minimum,
    "maximum": _maximum,
    "exclusiveMinimum": _above,
    "exclusiveMaximum": _below,
    "const": _const,
    "propertyNames": _property_names,
}
_DRAFT6 = {**_DRAFT4, **_SINCE_6, "contains": _contains_before_2019}
_DRAFT7 = {**_DRAFT6, "if": _if}
_SINCE_2019: dict[str, Rule] = {
    **_COMMON,
    **_SINCE_6,
    "if": _if,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
}
_DRAFT2019 = {
    **_SINCE_2019,
    "items": _items_before_2020,
    "contains": _contains_of_2019,
    "$recursiveRef": _recursive_reference,
}
_DRAFT2020 = {
    **_SINCE_2019,
    "items": _items,
    "prefixItems": _prefix_items,
    "contains": _contains,
    "$dynamicRef": _reference,
}

RULES: dict[str, dict[str, Rule]] = {
    "draft-04": _DRAFT4,
    "draft-06": _DRAFT6,
    "draft-07": _DRAFT7,
    "2019-09": _DRAFT2019,
    "2020-12": _DRAFT2020,
}
