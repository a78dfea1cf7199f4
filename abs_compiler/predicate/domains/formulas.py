"""Boolean combinations of atoms, as plain tuples: True, False, ("is", atom), ("not", f), ("and", fs), ("or", fs).

Built through the functions below, a formula is never trivially true or false inside, and holds no part twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

Atom: TypeAlias = tuple[Any, ...]
Formula: TypeAlias = "bool | tuple[Any, ...]"


def atom(*parts: Any) -> Formula:
    """The formula that one atom holds."""
    return ("is", parts)


def conj(parts: Iterable[Formula]) -> Formula:
    """All of some formulas."""
    return _joined(parts, "and", neutral=True)


def disj(parts: Iterable[Formula]) -> Formula:
    """Any of some formulas."""
    return _joined(parts, "or", neutral=False)


def neg(formula: Formula) -> Formula:
    """Not a formula."""
    if isinstance(formula, bool):
        return not formula
    return formula[1] if formula[0] == "not" else ("not", formula)


def _joined(parts: Iterable[Formula], tag: str, *, neutral: bool) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return part
        elif part[0] == tag:
            found.update(dict.fromkeys(part[1]))
        else:
            found[part] = None
    _merge_lists(found, tag)
    for part in found:
        if neg(part) in found:
            return not neutral
    if not found:
        return neutral
    return next(iter(found)) if len(found) == 1 else (tag, tuple(found))


def _merge_lists(found: dict[Formula, None], tag: str) -> None:
    """Join lists of values into one: those of which one holds, or those none of which holds."""
    lists = [part for part in found if _listed(part, tag) is not None]
    if len(lists) < 2:
        return
    joined = ("is", ("in", tuple(sorted({value for part in lists for value in _listed(part, tag) or ()}))))
    for part in lists:
        del found[part]
    found[joined if tag == "or" else ("not", joined)] = None


def _listed(part: Formula, tag: str) -> tuple[str, ...] | None:
    match part:
        case ("is", ("in", values)) if tag == "or":
            return values  # type: ignore[no-any-return]
        case ("not", ("is", ("in", values))) if tag == "and":
            return values  # type: ignore[no-any-return]
        case _:
            return None


def atoms(formula: Formula) -> frozenset[Atom]:
    """The atoms of a formula."""
    found: set[Atom] = set()
    pending = [formula]
    while pending:
        current = pending.pop()
        if isinstance(current, bool):
            continue
        tag, body = current
        if tag == "is":
            found.add(body)
        elif tag == "not":
            pending.append(body)
        else:
            pending.extend(body)
    return frozenset(found)


def evaluate(formula: Formula, truth: Callable[[Atom], bool]) -> bool:
    """The value of a formula, given that of its atoms."""
    if isinstance(formula, bool):
        return formula
    tag, body = formula
    if tag == "is":
        return truth(body)
    if tag == "not":
        return not evaluate(body, truth)
    if tag == "and":
        return all(evaluate(part, truth) for part in body)
    return any(evaluate(part, truth) for part in body)


def cubes(formula: Formula, limit: int) -> list[dict[Atom, bool]] | None:
    """The ways to make a formula true, each as the values that some atoms must have; None beyond `limit` ways."""
    try:
        return list(_cubes(formula, True, [limit * 4]))[:limit]
    except _TooManyError:
        return None


class _TooManyError(Exception):
    pass


def _cubes(formula: Formula, wanted: bool, budget: list[int]) -> Iterator[dict[Atom, bool]]:
    budget[0] -= 1
    if budget[0] < 0:
        raise _TooManyError
    if isinstance(formula, bool):
        if formula is wanted:
            yield {}
        return
    tag, body = formula
    if tag == "is":
        yield {body: wanted}
    elif tag == "not":
        yield from _cubes(body, not wanted, budget)
    elif (tag == "or") is wanted:
        for part in body:
            yield from _cubes(part, wanted, budget)
    else:
        yield from _products(body, wanted, budget)


def _products(parts: tuple[Formula, ...], wanted: bool, budget: list[int]) -> Iterator[dict[Atom, bool]]:
    if not parts:
        yield {}
        return
    for first in _cubes(parts[0], wanted, budget):
        for rest in _products(parts[1:], wanted, budget):
            budget[0] -= 1
            if budget[0] < 0:
                raise _TooManyError
            if all(rest.get(key, value) is value for key, value in first.items()):
                yield {**first, **rest}
