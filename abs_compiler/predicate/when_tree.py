"""The tree of a `when` condition; offsets count the characters of its text."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.values import json_key


@attrs.frozen(slots=False, repr=False)
class _Placed(ReprMixin):
    start: int = attrs.field(eq=False, repr=False)
    end: int = attrs.field(eq=False, repr=False)


@attrs.frozen(slots=False, repr=False)
class WhenConstant(_Placed):
    value: None | bool | int | float | str = attrs.field(eq=json_key)


@attrs.frozen(slots=False, repr=False)
class WhenName(_Placed):
    """`{{name}}`."""

    name: str


@attrs.frozen(slots=False, repr=False)
class WhenCompare(_Placed):
    """`operator` is one of == != < <= > >=."""

    operator: str
    left: WhenExpr
    right: WhenExpr


@attrs.frozen(slots=False, repr=False)
class WhenBoolean(_Placed):
    """`operator` is `and` or `or`, with two operands or more."""

    operator: str
    operands: tuple[WhenExpr, ...]


@attrs.frozen(slots=False, repr=False)
class WhenNot(_Placed):
    operand: WhenExpr


WhenExpr: TypeAlias = WhenConstant | WhenName | WhenCompare | WhenBoolean | WhenNot


def when_children(expression: WhenExpr) -> tuple[WhenExpr, ...]:
    """The expressions directly inside one, in the order in which they are written."""
    match expression:
        case WhenCompare(left=left, right=right):
            return (left, right)
        case WhenBoolean(operands=operands):
            return operands
        case WhenNot(operand=operand):
            return (operand,)
        case _:
            return ()


def when_names(expression: WhenExpr) -> list[WhenName]:
    """Every reference in a condition, in the order in which they are written."""
    if isinstance(expression, WhenName):
        return [expression]
    return [name for inner in when_children(expression) for name in when_names(inner)]
