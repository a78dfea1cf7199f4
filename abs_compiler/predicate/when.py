"""`when` conditions: text in, a checked tree out; and the data that the runtime evaluates. Never run as code.

The grammar decides what can be read. There is no coercion: what can be seen to compare different types (except with
null), to order anything but two numbers or two texts, or not to be a boolean in the end, is refused here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import attrs

from abs_compiler.predicate.errors import PredicateSyntaxError
from abs_compiler.predicate.grammar import StoppedError, parser
from abs_compiler.predicate.limits import DEFAULT, check_length, too_deep
from abs_compiler.predicate.literals import number_value, text_value
from abs_compiler.predicate.when_mistakes import explain_when, negates
from abs_compiler.predicate.when_tree import (
    WhenBoolean,
    WhenCompare,
    WhenConstant,
    WhenExpr,
    WhenName,
    WhenNot,
    when_children,
)
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.syntax.limits import Limits

_CODE, _WHAT = "when-syntax", "condition"


def parse_when(text: str, limits: Limits = DEFAULT, *, fixes: bool = True) -> WhenExpr:
    """The tree of a condition; PredicateSyntaxError for the first mistake in it, with fixes that were tried out or with
    words alone."""
    try:
        return _parse(text, limits)
    except PredicateSyntaxError as error:
        if not any(advice.edit for advice in error.helps):
            raise
        if not fixes:
            raise error.in_words() from None
        from abs_compiler.predicate.sound import Try, with_sound_advice  # only where a condition is wrong

        language = Try(functools.partial(_parse, limits=limits), lambda _: "sound", negates)
        raise with_sound_advice(error, text, language) from None


def _parse(text: str, limits: Limits) -> WhenExpr:
    check_length(text, _WHAT, limits)
    try:
        expression: WhenExpr = _parser(limits)(text)
    except StoppedError as stopped:
        raise explain_when(text, stopped.at, stopped.expected) from None
    _check_depth(expression, limits)
    _check_types(expression, text)
    kind = type_of(expression)
    if kind not in (None, "boolean"):
        raise PredicateSyntaxError(
            "operand-type",
            "this is not a condition",
            expression.start,
            expression.end,
            f"{_article(kind)}, not true or false",
            [_compare_help(expression, text)],
        )
    return expression


def lower_when(expression: WhenExpr) -> list[Any]:
    """The data of a condition; see `abs_compiler.runtime.when`."""
    match expression:
        case WhenConstant(value=value):
            return ["lit", value]
        case WhenName(name=name):
            return ["ref", name]
        case WhenCompare(operator=operator, left=left, right=right):
            return ["cmp", operator, lower_when(left), lower_when(right)]
        case WhenBoolean(operator=operator, operands=operands):
            return [operator, [lower_when(operand) for operand in operands]]
        case WhenNot(operand=operand):
            return ["not", lower_when(operand)]


@functools.lru_cache(maxsize=4)
def _parser(limits: Limits) -> Callable[[str], Any]:
    return parser("when", _Builder(limits))


def _check_depth(root: WhenExpr, limits: Limits) -> None:
    pending = [(root, 1)]
    while pending:
        expression, depth = pending.pop()
        if depth > limits.predicate_depth:
            raise too_deep(expression.start, expression.end, _WHAT, limits)
        pending.extend((inner, depth + 1) for inner in when_children(expression))


# --- the tree -------------------------------------------------------------------------------------------------------


@attrs.frozen(slots=False, repr=False)
class _Group(ReprMixin):
    """An expression in parentheses: its parts do not join the chain around it."""

    start: int
    end: int
    expression: WhenExpr


def _plain(expression: WhenExpr | _Group) -> WhenExpr:
    if isinstance(expression, _Group):
        return attrs.evolve(expression.expression, start=expression.start, end=expression.end)
    return expression


class _Builder:
    """One method for each rule of the grammar; children are tokens and what the rules inside gave."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def start(self, children: list[Any]) -> WhenExpr:
        return self._operand(children[0])

    def disjunction(self, children: list[Any]) -> WhenExpr:
        return self._chain("or", children)

    def conjunction(self, children: list[Any]) -> WhenExpr:
        return self._chain("and", children)

    def negation(self, children: list[Any]) -> WhenExpr:
        operand = self._operand(children[1])
        return WhenNot(children[0].start_pos, operand.end, operand)

    def compare(self, children: list[Any]) -> WhenExpr:
        left, right = self._operand(children[0]), self._operand(children[2])
        return WhenCompare(left.start, right.end, str(children[1]), left, right)

    def group(self, children: list[Any]) -> _Group:
        return _Group(children[0].start_pos, children[2].end_pos, self._operand(children[1]))

    def _chain(self, operator: str, children: list[Any]) -> WhenExpr:
        left, right = children[0], self._operand(children[2])
        if isinstance(left, WhenBoolean) and left.operator == operator:
            return WhenBoolean(left.start, right.end, operator, (*left.operands, right))
        left = self._operand(left)
        return WhenBoolean(left.start, right.end, operator, (left, right))

    def _operand(self, child: Any) -> WhenExpr:
        if not hasattr(child, "type"):
            return _plain(child)
        start, end, text = child.start_pos, child.end_pos, str(child)
        match child.type:
            case "REFERENCE":
                return WhenName(start, end, text[2:-2])
            case "TEXT":
                return WhenConstant(start, end, text_value(text, start, _CODE, _WHAT))
            case "NUMBER":
                return WhenConstant(start, end, number_value(text, start, _CODE, self._limits))
            case word:
                return WhenConstant(start, end, {"TRUE": True, "FALSE": False, "NULL": None}[word])


# --- types ----------------------------------------------------------------------------------------------------------


def type_of(expression: WhenExpr) -> str | None:
    """The type that is certain before anything is bound; None when it depends on a binding."""
    match expression:
        case WhenConstant(value=None):
            return "null"
        case WhenConstant(value=bool()):
            return "boolean"
        case WhenConstant(value=str()):
            return "text"
        case WhenConstant():
            return "number"
        case WhenName():
            return None
        case _:
            return "boolean"


def _article(kind: str | None) -> str:
    return "null" if kind == "null" else f"a {kind}"


def _check_types(expression: WhenExpr, text: str) -> None:
    for inner in when_children(expression):
        _check_types(inner, text)
    match expression:
        case WhenCompare():
            _check_comparison(expression)
        case WhenBoolean(operator=operator, operands=operands):
            for operand in operands:
                _require_condition(operand, f"`{operator}` joins conditions", text)
        case WhenNot(operand=operand):
            _require_condition(operand, "`not` takes a condition", text)


def _require_condition(expression: WhenExpr, message: str, text: str) -> None:
    kind = type_of(expression)
    if kind in (None, "boolean"):
        return
    raise PredicateSyntaxError(
        "operand-type",
        message,
        expression.start,
        expression.end,
        f"this is {_article(kind)}, not a condition",
        [_compare_help(expression, text)],
    )


def _compare_help(expression: WhenExpr, text: str) -> str:
    return f"compare it with something: `{{{{name}}}} == {text[expression.start : expression.end]}`"


def _check_comparison(expression: WhenCompare) -> None:
    operator = expression.operator
    left, right = type_of(expression.left), type_of(expression.right)
    if operator in ("==", "!="):
        if left is None or right is None or left == right or "null" in (left, right):
            return
        raise PredicateSyntaxError(
            "operand-type",
            f"`{operator}` compares {_article(left)} with {_article(right)}",
            expression.start,
            expression.end,
            "these are never equal",
            ["compare values of one type; only `null` may be compared with anything"],
        )
    for side, kind in ((expression.left, left), (expression.right, right)):
        if kind not in (None, "number", "text"):
            raise PredicateSyntaxError(
                "operand-type",
                f"`{operator}` orders numbers or texts",
                side.start,
                side.end,
                f"this is {_article(kind)}",
                ["to compare for equality, use `==` or `!=`"],
            )
    if left is not None and right is not None and left != right:
        raise PredicateSyntaxError(
            "operand-type",
            f"`{operator}` orders two numbers or two texts",
            expression.right.start,
            expression.right.end,
            f"this is {_article(right)}, the other side {_article(left)}",
        )
