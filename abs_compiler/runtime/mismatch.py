"""Mismatches: where a value differs from what a step declares, path by path.

Takes resolved constraints and the observed arguments or content; gives `Mismatch` rows with what was expected and
what was there, in the user's words. Only reports use it, never the matching itself.
"""

from __future__ import annotations

from .templates import admits_absence, is_blank, structure_test, value_test
from .values import json_equal, kind_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .templates import Pattern, ResolvedArguments

MAX_ROWS = 20
MAX_DEPTH = 40
MISSING = "missing"


class Mismatch:
    """One place: `path` (`with.items[0].id`), the expected and the observed value as texts."""

    __slots__ = ("expected", "observed", "path")

    def __init__(self, path: str, expected: str, observed: str) -> None:
        self.path = path
        self.expected = expected
        self.observed = observed

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, observed {self.observed}"

    def to_dict(self) -> dict[str, str]:
        return {"path": self.path, "expected": self.expected, "observed": self.observed}


def argument_mismatches(constraint: ResolvedArguments, arguments: Any) -> list[Mismatch]:
    """Why arguments do not satisfy a constraint, the first `MAX_ROWS` places; empty when they do."""
    if is_blank(arguments):
        arguments = None
    if arguments is not None and arguments.__class__ is not dict:
        return [Mismatch("with", "an object", f"{show(arguments)} ({kind_of(arguments)})")]
    if constraint.whole is not None:
        if constraint.test()(arguments):
            return []
        return [Mismatch("with", expectation(constraint.whole), show(arguments or {}))]
    observed = arguments or {}
    rows: list[Mismatch] = []
    _compare_keys("with", constraint.patterns, observed, rows, MAX_DEPTH)
    if constraint.only:
        _report_extra("with", constraint.patterns, observed, rows)
    return rows


def content_mismatches(pattern: Pattern, has_content: bool, content: Any) -> list[Mismatch]:
    """Why content is not structurally compatible; empty when it is."""
    if not has_content:
        return [Mismatch("content", _structure_words(pattern), "no content")]
    rows: list[Mismatch] = []
    _compare_structure("content", pattern, content, rows, MAX_DEPTH)
    return rows


def expectation(pattern: Pattern) -> str:
    """What a pattern wants, in words or as a JSON text."""
    if pattern[0] == "=":
        return show(pattern[1])
    if pattern[0] == "is":
        from .predicates import describe_predicate

        return str(describe_predicate(pattern[1], pattern[2]))
    return "an object with predicates inside" if pattern[0] == "obj" else "an array with predicates inside"


def child_path(path: str, key: str) -> str:
    """The path of a key: dotted where the key is a plain name, else in brackets."""
    plain = key.isidentifier() or (key.replace("-", "_").isidentifier() and key.isascii())
    return f"{path}.{key}" if plain else f"{path}[{show(key)}]"


# No more than MAX_ROWS rows are rendered: there may be as many places that differ as there are values.
def _compare_keys(
    path: str, patterns: dict[str, Pattern], observed: dict[str, Any], rows: list[Mismatch], depth: int
) -> None:
    for key, pattern in patterns.items():
        if len(rows) >= MAX_ROWS:
            return
        if key in observed:
            _compare(child_path(path, key), pattern, observed[key], rows, depth)
        elif not admits_absence(pattern):
            rows.append(Mismatch(child_path(path, key), expectation(pattern), MISSING))


def _report_extra(path: str, declared: Any, observed: dict[str, Any], rows: list[Mismatch]) -> None:
    for key in observed:
        if len(rows) >= MAX_ROWS:
            return
        if key not in declared:
            rows.append(Mismatch(child_path(path, key), "not to be there", show(observed[key])))


def _compare(path: str, pattern: Pattern, value: Any, rows: list[Mismatch], depth: int) -> None:
    if len(rows) >= MAX_ROWS or value_test(pattern)(value):
        return
    tag, body = pattern[0], pattern[1]
    inner = body
    if tag == "=" and body.__class__ is dict:
        inner = {key: ("=", item) for key, item in body.items()}
    if depth and inner.__class__ is dict and tag != "is" and value.__class__ is dict:
        _compare_keys(path, inner, value, rows, depth - 1)
        _report_extra(path, inner, value, rows)
        return
    if (
        depth
        and tag != "is"
        and body.__class__ in (list, tuple)
        and value.__class__ is list
        and len(body) == len(value)
    ):
        for index, (item, seen) in enumerate(zip(body, value, strict=True)):
            if len(rows) >= MAX_ROWS:
                return
            _compare(f"{path}[{index}]", item if tag == "arr" else ("=", item), seen, rows, depth - 1)
        return
    expected, observed = expectation(pattern), show(value)
    if tag == "=" and kind_of(body) != kind_of(value):
        expected, observed = f"{expected} ({kind_of(body)})", f"{observed} ({kind_of(value)})"
    elif tag == "=" and expected == observed and not json_equal(body, value):
        expected, observed = show(body, 2000), show(value, 2000)
    rows.append(Mismatch(path, expected, observed))


def _compare_structure(path: str, pattern: Pattern, value: Any, rows: list[Mismatch], depth: int) -> None:
    if len(rows) >= MAX_ROWS or structure_test(pattern)(value):
        return
    tag, body = pattern[0], pattern[1]
    children = body
    if tag == "=" and body.__class__ is dict:
        children = {key: ("=", item) for key, item in body.items()}
    if depth and tag != "is" and children.__class__ is dict and value.__class__ is dict:
        for key, item in children.items():
            if len(rows) >= MAX_ROWS:
                return
            if key in value:
                _compare_structure(child_path(path, key), item, value[key], rows, depth - 1)
            elif not admits_absence(item):
                rows.append(Mismatch(child_path(path, key), _structure_words(item), MISSING))
        return
    rows.append(Mismatch(path, _structure_words(pattern), f"{show(value)} ({kind_of(value)})"))


def _structure_words(pattern: Pattern) -> str:
    if pattern[0] == "is":
        return expectation(pattern)
    if pattern[0] in ("obj", "arr"):
        return "an object" if pattern[0] == "obj" else "an array"
    kind = kind_of(pattern[1])
    if kind == "null":
        return "null"
    return f"{'an' if kind[0] in 'ao' else 'a'} {kind}"
