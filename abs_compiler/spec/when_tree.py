"""The tree of a `when` condition; offsets count the characters of its text."""

from __future__ import annotations

from typing import TypeAlias

import attrs


@attrs.frozen(slots=True)
class WhenConstant:
    start: int
    end: int
    value: None | bool | int | float | str


@attrs.frozen(slots=True)
class WhenName:
    """`{{name}}`."""

    start: int
    end: int
    name: str


@attrs.frozen(slots=True)
class WhenCompare:
    """`operator` is one of == != < <= > >=."""

    start: int
    end: int
    operator: str
    left: WhenExpr
    right: WhenExpr


@attrs.frozen(slots=True)
class WhenBoolean:
    """`operator` is `and` or `or`, with two operands or more."""

    start: int
    end: int
    operator: str
    operands: tuple[WhenExpr, ...]


@attrs.frozen(slots=True)
class WhenNot:
    start: int
    end: int
    operand: WhenExpr


WhenExpr: TypeAlias = WhenConstant | WhenName | WhenCompare | WhenBoolean | WhenNot


def names_in(expression: WhenExpr) -> list[WhenName]:
    """Every mention of a name in a condition, in order."""
    match expression:
        case WhenName():
            return [expression]
        case WhenCompare(left=left, right=right):
            return names_in(left) + names_in(right)
        case WhenBoolean(operands=operands):
            return [name for operand in operands for name in names_in(operand)]
        case WhenNot(operand=operand):
            return names_in(operand)
        case WhenConstant():
            return []
