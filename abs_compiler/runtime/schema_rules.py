"""The keywords of JSON Schema: what each asks of a value, draft by draft.

A rule takes the value of its keyword, the value looked at and the place (`schema_run`); gives whether it holds, and
adds a finding to the place where not. Patterns run on RE2, numbers compare exactly.
"""

from __future__ import annotations

from .schema_run import UndecidedError, path_text
from .values import json_equal, json_key, kind_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .schema_run import Findings, Place, Rule, Seen

MAX_NAMES = 5


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


def _unevaluated_properties(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not dict or at.seen is None:
        return True
    others = [key for key in item if key not in at.seen.keys]
    at.seen.keys.update(others)
    return _each_key(value, item, others, at)


def _unevaluated_items(value: Any, item: Any, at: Place) -> bool:
    if item.__class__ is not list or at.seen is None or at.seen.all_items:
        return True
    others = [index for index in range(len(item)) if index not in at.seen.items]
    at.seen.all_items = True
    return _each_item(value, item, others, at)


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
    "unevaluatedProperties": _unevaluated_properties,
    "unevaluatedItems": _unevaluated_items,
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
