"""Templates to tests: values with references, resolved under an environment, then compiled to closures.

A template (see `program`) is resolved by a look-up of names into a *pattern*:
    ("=", value)                 equal to a JSON value
    ("is", predicate, values)    in the set of a predicate, with the values of its references
    ("obj", {key: pattern})      an object with exactly these keys (a key whose pattern admits absence may be missing)
    ("arr", (pattern, ...))      an array of exactly these elements
`value_test`, `arguments_test` and `structure_test` turn patterns into closures that never raise on JSON values.
"""

from __future__ import annotations

import json

from .errors import BindError
from .values import as_text, json_equal, json_key, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .program import Arguments

    Pattern = tuple[Any, ...]
    Test = Callable[[Any], bool]


class UnsourcedError(LookupError):
    """A reference for which no source applies; `name` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def references(template: Any) -> set[str]:
    """The names a template refers to."""
    found: set[str] = set()
    pending = [template]
    while pending:
        tag, body = pending.pop()
        if tag == "ref":
            found.add(body)
        elif tag == "text":
            pending.extend(part for part in body if not isinstance(part, str))
        elif tag == "obj":
            pending.extend(body.values())
        elif tag == "arr":
            pending.extend(body)
        elif tag == "is":
            from .predicates import reference_names

            found |= set(reference_names(body))
    return found


def resolve(template: Any, lookup: Callable[[str], Any]) -> Pattern:
    """The pattern of a template. `lookup(name)` gives a JSON value or raises UnsourcedError.

    Raises BindError where a structure stands inside a longer text, or where a predicate cannot take a value."""
    tag, body = template
    if tag == "=":
        return ("=", body)
    if tag == "ref":
        return ("=", lookup(body))
    if tag == "text":
        return ("=", "".join(part if isinstance(part, str) else _inside(part[1], lookup) for part in body))
    if tag == "is":
        from .predicates import compile_predicate, reference_names

        values = {name: lookup(name) for name in reference_names(body)}
        if values:  # a value of the wrong type for its place is refused when it is bound, not at the first event
            compile_predicate(body, values)
        return ("is", body, values)
    if tag == "obj":
        patterns = {key: resolve(item, lookup) for key, item in body.items()}
        if all(pattern[0] == "=" for pattern in patterns.values()):
            return ("=", {key: pattern[1] for key, pattern in patterns.items()})
        return ("obj", patterns)
    items = tuple(resolve(item, lookup) for item in body)
    if all(pattern[0] == "=" for pattern in items):
        return ("=", [pattern[1] for pattern in items])
    return ("arr", items)


def _inside(name: str, lookup: Callable[[str], Any]) -> str:
    value = lookup(name)
    try:
        return as_text(value)
    except ValueError:
        raise BindError(
            f"`{name}` is an {kind_of(value)}, which has no text inside a longer text; "
            "use it as a whole value, or bind a text or a number"
        ) from None


def pattern_key(pattern: Pattern) -> tuple[Any, ...]:
    """A hashable key: patterns with equal keys are the same test."""
    tag = pattern[0]
    if tag == "=":
        return ("=", json_key(pattern[1]))
    if tag == "is":
        return ("is", json.dumps(pattern[1]), json_key(pattern[2]))
    if tag == "obj":
        return ("obj", frozenset((key, pattern_key(item)) for key, item in pattern[1].items()))
    return ("arr", tuple(pattern_key(item) for item in pattern[1]))


def admits_absence(pattern: Pattern) -> bool:
    """Whether the key in this place may be missing."""
    if pattern[0] != "is":
        return False
    from .predicates import admits_absent

    return bool(admits_absent(pattern[1]))


def value_test(pattern: Pattern) -> Test:
    """A closure that says whether a present JSON value fits the pattern."""
    tag, body = pattern[0], pattern[1]
    if tag == "=":
        return _equal_test(body)
    if tag == "is":
        from .predicates import compile_predicate

        return compile_predicate(body, pattern[2])
    if tag == "obj":
        tests = {key: value_test(item) for key, item in body.items()}
        needed = frozenset(key for key, item in body.items() if not admits_absence(item))

        def test_object(value: Any) -> bool:
            if value.__class__ is not dict or not needed <= value.keys():
                return False
            for key, item in value.items():
                test = tests.get(key)
                if test is None or not test(item):
                    return False
            return True

        return test_object
    elements = tuple(value_test(item) for item in body)

    def test_array(value: Any) -> bool:
        return (
            value.__class__ is list
            and len(value) == len(elements)
            and all(test(item) for test, item in zip(elements, value, strict=True))
        )

    return test_array


def _equal_test(expected: Any) -> Test:
    kind = expected.__class__
    if kind is str:
        return lambda value: bool(value == expected)
    if kind is bool or expected is None:
        return lambda value: value is expected
    if kind is int or kind is float:
        return lambda value: bool(value == expected) and value.__class__ is not bool
    return lambda value: json_equal(value, expected)


class ResolvedArguments:
    """An argument constraint under an environment: patterns by key, or a pattern of the whole."""

    __slots__ = ("key", "only", "patterns", "source", "whole")

    def __init__(self, source: Arguments, lookup: Callable[[str], Any]) -> None:
        self.source = source
        self.only = source.only
        self.patterns = {name: resolve(item, lookup) for name, item in source.keys.items()}
        self.whole = None if source.whole is None else resolve(source.whole, lookup)
        whole = None if self.whole is None else pattern_key(self.whole)
        parts = frozenset((name, pattern_key(item)) for name, item in self.patterns.items())
        self.key = (self.only, parts, whole)

    def test(self) -> Test:
        """A closure over the arguments of an event: an object, None for no arguments, or anything else."""
        return arguments_test(self)


def arguments_test(constraint: ResolvedArguments) -> Test:
    """See `ResolvedArguments.test`. No arguments count as the empty object; non-objects never fit."""
    if constraint.whole is not None:
        whole = value_test(constraint.whole)

        def test_whole(arguments: Any) -> bool:
            if arguments is None or is_blank(arguments):
                return whole({})
            return arguments.__class__ is dict and whole(arguments)

        return test_whole
    needed = tuple((key, value_test(p)) for key, p in constraint.patterns.items() if not admits_absence(p))
    maybe = tuple((key, value_test(p)) for key, p in constraint.patterns.items() if admits_absence(p))
    declared = frozenset(constraint.patterns)
    only = constraint.only
    if len(needed) == 1 and not maybe and not only:
        key1, test1 = needed[0]
        return lambda arguments: arguments.__class__ is dict and key1 in arguments and test1(arguments[key1])

    def test_keys(arguments: Any) -> bool:
        if arguments.__class__ is not dict:
            if needed or not (arguments is None or is_blank(arguments)):
                return False
            arguments = {}
        for key, test in needed:
            if key not in arguments or not test(arguments[key]):
                return False
        for key, test in maybe:
            if key in arguments and not test(arguments[key]):
                return False
        return not only or arguments.keys() <= declared

    return test_keys


def is_blank(arguments: Any) -> bool:
    """Whether arguments are an empty text, which counts as no arguments."""
    return arguments.__class__ is str and not arguments.strip()


def structure_test(pattern: Pattern) -> Test:
    """A closure for structural compatibility: at least the declared keys with the declared JSON types,
    recursively; arrays by type only; values are not compared; a predicate in a place tests the value there."""
    tag, body = pattern[0], pattern[1]
    if tag == "is":
        return value_test(pattern)
    if tag == "arr" or body.__class__ is list:
        return lambda value: value.__class__ is list
    if tag == "obj" or body.__class__ is dict:
        children = body if tag == "obj" else {key: ("=", item) for key, item in body.items()}
        needed = tuple((key, structure_test(p)) for key, p in children.items() if not admits_absence(p))
        maybe = tuple((key, structure_test(p)) for key, p in children.items() if admits_absence(p))

        def test_object(value: Any) -> bool:
            if value.__class__ is not dict:
                return False
            for key, test in needed:
                if key not in value or not test(value[key]):
                    return False
            return all(test(value[key]) for key, test in maybe if key in value)

        return test_object
    kind = kind_of(body)
    return lambda value: kind_of(value) == kind
