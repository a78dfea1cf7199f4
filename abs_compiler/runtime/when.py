"""Conditions (`when`): evaluation of their data.

    ["lit", scalar] · ["ref", name] · ["cmp", op, left, right] · ["and", [...]] · ["or", [...]] · ["not", operand]

Nothing is coerced: comparing values of different kinds (except with null), ordering anything but two numbers or two
strings, or a result that is not a boolean raises WhenError. `and` and `or` stop at the first operand that decides.
"""

from __future__ import annotations

from .program import ProgramError
from .values import json_equal, kind_of, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
MAX_WHEN_DEPTH = 100


class WhenError(Exception):
    """A condition that has no truth value; the text says why."""


def evaluate_when(data: Any, lookup: Callable[[str], Any]) -> bool:
    """The truth of a condition. `lookup(name)` gives a JSON value (its exceptions pass through).

    Raises WhenError where the types do not fit."""
    value = _value(data, lookup)
    if value.__class__ is not bool:
        raise WhenError(f"the condition is {show(value)} ({kind_of(value)}), not true or false")
    return bool(value)


def names_of(data: Any) -> set[str]:
    """The names a condition refers to."""
    tag = data[0]
    if tag == "ref":
        return {data[1]}
    if tag == "cmp":
        return names_of(data[2]) | names_of(data[3])
    if tag in ("and", "or"):
        return {name for operand in data[1] for name in names_of(operand)}
    return names_of(data[1]) if tag == "not" else set()


def check_when(data: Any, depth: int = MAX_WHEN_DEPTH) -> None:
    """Refuse data that is not a condition. ProgramError."""
    if depth and isinstance(data, list) and data and isinstance(data[0], str):
        tag, rest = data[0], data[1:]
        if tag == "lit" and len(rest) == 1 and (rest[0] is None or isinstance(rest[0], str | bool | int | float)):
            return
        if tag == "ref" and len(rest) == 1 and isinstance(rest[0], str):
            return
        if tag == "not" and len(rest) == 1:
            check_when(rest[0], depth - 1)
            return
        if tag in ("and", "or") and len(rest) == 1 and isinstance(rest[0], list) and rest[0]:
            for operand in rest[0]:
                check_when(operand, depth - 1)
            return
        if tag == "cmp" and len(rest) == 3 and rest[0] in OPERATORS:
            check_when(rest[1], depth - 1)
            check_when(rest[2], depth - 1)
            return
    raise ProgramError("when: not a condition")


def _value(data: Any, lookup: Callable[[str], Any]) -> Any:
    tag = data[0]
    if tag == "lit":
        return data[1]
    if tag == "ref":
        return lookup(data[1])
    if tag == "not":
        return not _truth(data[1], lookup, "not")
    if tag == "and":
        return all(_truth(operand, lookup, "and") for operand in data[1])
    if tag == "or":
        return any(_truth(operand, lookup, "or") for operand in data[1])
    return _compare(data[1], _value(data[2], lookup), _value(data[3], lookup))


def _truth(data: Any, lookup: Callable[[str], Any], operator: str) -> bool:
    value = _value(data, lookup)
    if value.__class__ is bool:
        return bool(value)
    raise WhenError(f"`{operator}` needs true or false, not {show(value)} ({kind_of(value)})")


def _compare(operator: str, left: Any, right: Any) -> bool:
    kinds = kind_of(left), kind_of(right)
    if operator in ("==", "!="):
        if kinds[0] != kinds[1] and "null" not in kinds:
            raise WhenError(
                f"`{operator}` compares {show(left)} ({kinds[0]}) with {show(right)} ({kinds[1]}), "
                "which can never be equal"
            )
        return json_equal(left, right) == (operator == "==")
    if kinds not in (("number", "number"), ("string", "string")):
        raise WhenError(
            f"`{operator}` orders two numbers or two texts, not {show(left)} ({kinds[0]}) and "
            f"{show(right)} ({kinds[1]})"
        )
    if operator == "<":
        return bool(left < right)
    if operator == "<=":
        return bool(left <= right)
    return bool(left > right if operator == ">" else left >= right)
