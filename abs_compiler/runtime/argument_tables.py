"""Argument tables: arguments to the mask of the steps whose constraints they satisfy, by look-ups.

Takes resolved constraints (`templates.ResolvedArguments`), each with the bits of the steps it belongs to, and gives
one function from arguments to a mask. Equality literals of many steps on one argument share a table, so that a
look-up replaces a loop; the exact form of a constraint (`with_only`) adds a table of sizes, since arguments that hold
every declared key and as many keys as were declared hold no others. Closures serve all else.
"""

from __future__ import annotations

from .range_tables import is_number_set, range_masks
from .templates import admits_absence, pattern_key, value_test
from .values import json_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .templates import ResolvedArguments

    Test = Callable[[Any], bool]
    Constraint = tuple[int, ResolvedArguments]

TABLE_FROM = 3

_NOTHING: dict[str, Any] = {}
_ABSENT = object()


def argument_masks(full: int, constraints: Sequence[Constraint]) -> Callable[[Any], int]:
    """A function from arguments (an object, None for none, or anything else) to the steps whose constraints all
    hold. `full` are the bits of all steps; those without a constraint here are always in the mask."""
    tabled, rest = _divide(constraints)
    if len(tabled) < TABLE_FROM:
        return _loop(full, tuple((bits, item.test()) for bits, item in constraints))
    return _look_up(full, tabled, tuple((bits, item.test()) for bits, item in rest))


def screen(full: int, constraints: Sequence[Constraint]) -> tuple[str, frozenset[Any]] | None:
    """An argument and the values beside which no step matches, or None where there is no such argument.

    A caller may skip the look-up where the value is not among them (by Python's equality, which never tells apart
    what JSON's equality takes for the same; a structure cannot be looked up and is among them)."""
    best: frozenset[Any] = frozenset()
    name = None
    for key in sorted({key for _, item in constraints for key in item.patterns}):
        concerned = 0
        values: set[Any] = set()
        for bits, item in constraints:
            literals = _literals(item.patterns[key]) if key in item.patterns else None
            if literals is not None and all(value.__class__ not in (dict, list) for value in literals):
                concerned |= bits
                values.update(literals)
        if not full & ~concerned and len(values) > len(best):
            name, best = key, frozenset(values)
    return None if name is None else (name, best)


def _divide(constraints: Sequence[Constraint]) -> tuple[list[Constraint], list[Constraint]]:
    """The constraints that tables can hold, and the others. A table says one thing for a step and an argument, so
    a second constraint of a step on the same argument is tested on its own."""
    tabled: list[Constraint] = []
    rest: list[Constraint] = []
    mentioned: dict[str, int] = {}
    exact = 0
    for bits, item in constraints:
        patterns = item.patterns
        if (
            item.whole is not None
            or not (patterns or item.only)
            or any(admits_absence(pattern) for pattern in patterns.values())
            or any(mentioned.get(key, 0) & bits for key in patterns)
            or (item.only and exact & bits)
        ):
            rest.append((bits, item))
            continue
        tabled.append((bits, item))
        for key in patterns:
            mentioned[key] = mentioned.get(key, 0) | bits
        if item.only:
            exact |= bits
    return tabled, rest


def _loop(full: int, tests: tuple[tuple[int, Test], ...]) -> Callable[[Any], int]:
    if len(tests) == 1 and tests[0][0] == full:
        test = tests[0][1]
        return lambda arguments: full if test(arguments) else 0

    def loop(arguments: Any) -> int:
        mask = full
        for bits, test in tests:
            if mask & bits and not test(arguments):
                mask &= ~bits
        return mask

    return loop


def _look_up(full: int, tabled: list[Constraint], rest: tuple[tuple[int, Test], ...]) -> Callable[[Any], int]:
    tables = _key_tables(tabled)
    sizes, no_size = _size_table(tabled)
    concerned = 0
    for bits, _ in tabled:
        concerned |= bits
    nowhere = ~concerned

    def look_up(arguments: Any) -> int:
        mask = full
        if arguments is None:
            arguments = _NOTHING
        if arguments.__class__ is dict:
            get = arguments.get
            for key, missing, texts, numbers, others, ranges, tests in tables:
                value = get(key, _ABSENT)
                kind = value.__class__
                if kind is str:
                    allowed = texts.get(value, missing)
                elif kind is int or kind is float:
                    allowed = numbers.get(value, missing)
                    if ranges is not None:
                        allowed |= ranges(value)
                elif value is _ABSENT:
                    mask &= missing
                    continue
                elif others:
                    allowed = _other(others, value, missing)
                else:
                    allowed = missing
                for bits, test in tests:
                    if mask & bits and test(value):
                        allowed |= bits
                mask &= allowed
                if not mask:
                    return 0
            if sizes:
                mask &= sizes.get(len(arguments), no_size)
        else:
            mask &= nowhere
        for bits, test in rest:
            if mask & bits and not test(arguments):
                mask &= ~bits
        return mask

    return look_up


def _other(table: dict[Any, int], value: Any, missing: int) -> int:
    """The look-up of a boolean, a null or a structure."""
    try:
        return table.get(json_key(value), missing)
    except ValueError:  # deeper than any declared value, or no JSON
        return missing


def _size_table(constraints: list[Constraint]) -> tuple[dict[int, int], int]:
    """The number of arguments to the steps that allow it, and the steps that allow every other number."""
    exact: dict[int, int] = {}
    for bits, item in constraints:
        if item.only:
            size = len(item.patterns)
            exact[size] = exact.get(size, 0) | bits
    concerned = 0
    for bits in exact.values():
        concerned |= bits
    return {size: bits | ~concerned for size, bits in exact.items()}, ~concerned


def _key_tables(constraints: list[Constraint]) -> tuple[Any, ...]:
    """Per argument: (name, steps that do not mention it, text -> steps, number -> steps, key of any other literal
    -> steps, ranges of numbers, other tests). The tables already include the steps that do not mention the argument."""
    keys = sorted({key for _, constraint in constraints for key in constraint.patterns})
    tables: list[tuple[Any, ...]] = []
    for key in keys:
        mentioned = 0
        texts: dict[Any, int] = {}
        numbers: dict[Any, int] = {}
        others: dict[Any, int] = {}
        ranges: list[tuple[int, Any]] = []
        tests: dict[Any, tuple[int, Test]] = {}
        for bits, constraint in constraints:
            pattern = constraint.patterns.get(key)
            if pattern is None:
                continue
            mentioned |= bits
            literals = _literals(pattern)
            if literals is None and is_number_set(pattern):
                ranges.append((bits, pattern[1][1]))
                continue
            if literals is None:
                same = pattern_key(pattern)
                known = tests.get(same)
                tests[same] = (bits | (known[0] if known else 0), known[1] if known else value_test(pattern))
                continue
            for literal in literals:
                kind = literal.__class__
                if kind is str:
                    texts[literal] = texts.get(literal, 0) | bits
                elif kind is int or kind is float:
                    numbers[literal] = numbers.get(literal, 0) | bits
                else:
                    other = json_key(literal)
                    others[other] = others.get(other, 0) | bits
        missing = ~mentioned
        complete = [{item: mask | missing for item, mask in table.items()} for table in (texts, numbers, others)]
        between = range_masks(ranges) if ranges else None
        tables.append((key, missing, *complete, between, tuple(tests.values())))
    # The argument that tells most steps apart comes first: most look-ups end there.
    tables.sort(key=lambda table: len(table[6]) - len(table[2]) - len(table[3]) - len(table[4]))
    return tuple(tables)


def _literals(pattern: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The values a pattern is exactly equal to one of, or None where it is something else."""
    if pattern[0] == "=":
        return (pattern[1],)
    if pattern[0] == "is" and not pattern[2]:
        from .predicates import equality_literals

        found = equality_literals(pattern[1])
        return None if found is None else tuple(found)
    return None
