"""Operators of query languages where a predicate is meant: `amount: {$gt: 0}` for `amount: {$is: '> 0'}`.

Such a mapping is plain data, so the call would have to send it. It is left alone where an argument is named like the
query of another language, which it then may well be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place
from abs_compiler.lint.rules.hazards.predicates_as_text import CONDITIONS, reads, tested, what_is_tested
from abs_compiler.predicate.negation import parts
from abs_compiler.spec.values import LITERAL
from abs_compiler.syntax import JsonValue, Mapping, to_json

_QUERIES = frozenset(
    (
        *("query", "queries", "selector", "selectors", "pipeline", "aggregate", "aggregation", "match", "find"),
        *("search", "lookup", "mongo", "having", "clause", "rule", "rules", "policy", "schema"),
    )
)
_LONGEST = 80
_TYPES = {
    **dict.fromkeys(("int", "integer", "long"), "integer"),
    **dict.fromkeys(("double", "decimal", "float", "number"), "number"),
    **dict.fromkeys(("bool", "boolean"), "boolean"),
    **{name: name for name in ("string", "array", "object", "null")},
}


def _compared(sign: str) -> Callable[[JsonValue], str | None]:
    return lambda value: f"{sign} {json.dumps(value, ensure_ascii=False)}"


def _listed(word: str) -> Callable[[JsonValue], str | None]:
    return lambda value: f"{word} {json.dumps(value, ensure_ascii=False)}" if isinstance(value, list) else None


def _pattern(value: JsonValue) -> str | None:
    return f"matches /{value.replace('/', chr(92) + '/')}/" if isinstance(value, str) and "\\/" not in value else None


def _exists(value: JsonValue) -> str | None:
    return {True: "any", False: "absent"}[value] if isinstance(value, bool) else None


def _type(value: JsonValue) -> str | None:
    return _TYPES.get(value) if isinstance(value, str) else None


def _in_words(_: JsonValue) -> str | None:
    return None


_OPERATORS: dict[str, Callable[[JsonValue], str | None]] = {
    "$gt": _compared(">"),
    "$gte": _compared(">="),
    "$ge": _compared(">="),
    "$lt": _compared("<"),
    "$lte": _compared("<="),
    "$le": _compared("<="),
    "$eq": _compared("=="),
    "$ne": _compared("!="),
    "$in": _listed("in"),
    "$nin": _listed("not in"),
    "$exists": _exists,
    "$regex": _pattern,
    "$matches": _pattern,
    "$match": _pattern,
    "$type": _type,
    "$contains": _compared("contains"),
    "$startsWith": _compared("starts with"),
    "$starts_with": _compared("starts with"),
    "$endsWith": _compared("ends with"),
    "$ends_with": _compared("ends with"),
    "$size": _compared("array length =="),
    "$length": _compared("length =="),
    **dict.fromkeys(("$not", "$and", "$or", "$nor", "$all", "$elemMatch", "$between", "$absent", "$any"), _in_words),
}


def check(context: FileContext) -> Iterator[Report]:
    """Report every mapping below an argument, or in an answer, all of whose keys are such operators."""
    for place in tested(context):
        node = place.node
        if not isinstance(node, Mapping) or not node.entries or place.key in ("with", "with_only"):
            continue
        if all(entry.key in _OPERATORS for entry in node.entries) and not _is_query(place):
            yield _report(context, place, node)


def _is_query(place: Place) -> bool:
    """Whether a key on the way is an operator itself, or names the query of another language."""
    return any(
        key.startswith("$") or not (CONDITIONS.isdisjoint(parts(key)) and _QUERIES.isdisjoint(parts(key)))
        for key in place.keys
    )


def _report(context: FileContext, place: Place, node: Mapping) -> Report:
    first = node.entries[0]
    predicate = _predicate(context, node)
    shown = "…" if predicate is None else predicate.replace("'", "''")
    several = "these are no operators" if len(node.entries) > 1 else f"`{first.key}` is no operator"
    return Report(
        "predicates-as-text",
        f"{several} here, so nothing tests the {what_is_tested(place)}",
        first.key_span,
        "compared as a mapping with this key",
        helps=(
            f"to test the {what_is_tested(place)}, write a predicate: `{{$is: '{shown}'}}`",
            f"to mean the mapping itself, wrap it: `{{{LITERAL}: {{{first.key}: …}}}}`",
        ),
    )


def _predicate(context: FileContext, node: Mapping) -> str | None:
    """The predicate that says the same; None where it is too long to show, or cannot be told."""
    tests = [_OPERATORS[entry.key](to_json(entry.value)) for entry in node.entries]
    sound = [test for test in tests if test is not None]
    predicate = " and ".join(sound)
    if len(sound) < len(tests) or len(predicate) > _LONGEST or "\n" in predicate:
        return None
    return predicate if reads(predicate, context.options) else None
