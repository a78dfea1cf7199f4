"""Conditions (`when`) that are always true or always false.

Catches `{{x}} != "a" or {{x}} != "b"` (meant was `and`), `{{x}} == "a" and {{x}} == "b"` (meant was `or`), bounds that
contradict or cover everything, a name compared with itself, and conditions without any name. Decided by trying one
value from every range between the constants that a name is compared with; conditions that compare a name with another
are left alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from abs_compiler.bounds import spend
from abs_compiler.diagnostics import Help
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.predicate.when import lower_when
from abs_compiler.predicate.when_tree import WhenBoolean, WhenCompare, WhenConstant, WhenExpr, WhenName, when_children
from abs_compiler.runtime.when import WhenError, evaluate_when
from abs_compiler.spec.evaluation_model import Evaluation, When
from abs_compiler.spec.walk import flattened

_MOST_TRIES = 3_000


def check(context: SessionContext) -> Iterator[Report]:
    """Report conditions that no value changes."""
    seen = set()
    for evaluation in _evaluations(context):
        when = evaluation.when
        if when is None or when.expression is None or when.span in seen:
            continue
        seen.add(when.span)
        answer = constant_truth(when.expression)
        if answer is not None:
            yield _report(when, when.expression, answer)


def _evaluations(context: SessionContext) -> Iterator[Evaluation]:
    for step in context.ir.steps:
        yield from flattened(step.behavior.evaluations)
    yield from flattened(context.ir.session.evaluations)


def constant_truth(expression: WhenExpr) -> bool | None:
    """The truth of a condition where it has the same one for all values for which it has one; else None."""
    values = _values_to_try(expression)
    tries = 0 if values is None else math.prod(len(each) for each in values.values())
    if values is None or tries > _MOST_TRIES:
        return None
    spend(10 + tries)
    data = lower_when(expression)
    answers = set()
    for chosen in itertools.product(*values.values()):
        known = dict(zip(values, chosen, strict=True))
        try:
            answers.add(evaluate_when(data, known.__getitem__))
        except WhenError:
            continue
        if len(answers) > 1:
            return None
    return answers.pop() if answers else None


def _values_to_try(expression: WhenExpr) -> dict[str, list[Any]] | None:
    """For each name a value of every kind that the condition can tell apart; None where names meet others."""
    constants: dict[str, list[Any]] = {}
    pending = [expression]
    while pending:
        current = pending.pop()
        match current:
            case WhenName(name=name):
                constants.setdefault(name, [])
            case WhenCompare(left=WhenName(name=name), right=WhenConstant(value=value)):
                constants.setdefault(name, []).append(value)
            case WhenCompare(left=WhenConstant(value=value), right=WhenName(name=name)):
                constants.setdefault(name, []).append(value)
            case WhenCompare(left=WhenName(name=name), right=WhenName(name=other)) if name == other:
                constants.setdefault(name, [])
            case WhenCompare(left=WhenConstant(), right=WhenConstant()):
                continue
            case WhenCompare():
                return None
            case _:
                pending.extend(when_children(current))
    return {name: _representatives(found) for name, found in constants.items()}


def _representatives(constants: list[Any]) -> list[Any]:
    found: list[Any] = [True, False, None, [], {}]
    numbers = sorted({value for value in constants if type(value) in (int, float)})
    found += [0] if not numbers else [math.floor(numbers[0]) - 1, math.ceil(numbers[-1]) + 1, *numbers]
    found += [_between(low, high) for low, high in itertools.pairwise(numbers)]
    texts = sorted({value for value in constants if isinstance(value, str)})
    found += ["", *texts]
    # Behind a text, by code point, lies the same with U+0000 behind it; nothing lies between.
    found += [text + "\0" for text in texts if text + "\0" not in texts]
    if not texts:
        found.append("x")
    return found


def _between(low: float, high: float) -> float:
    """A number between two; one of them where there is none."""
    whole = math.floor(low) + 1
    return whole if low < whole < high else low + (high - low) / 2


def _report(when: When, expression: WhenExpr, answer: bool) -> Report:
    helps: list[str | Help] = []
    if isinstance(expression, WhenBoolean) and _about_one_name(expression):
        other = "and" if expression.operator == "or" else "or"
        helps.append(f"join the parts with `{other}`")
    if isinstance(expression, WhenCompare) and expression.left == expression.right:
        helps.append("both sides are the same: compare with another name, or with a constant")
    helps.append("leave `when` out" if answer else "leave the evaluation out, or correct the condition")
    return Report(
        "constant-conditions",
        f"this condition is always {str(answer).lower()}",
        when.span,
        "the evaluation always runs" if answer else "the evaluation never runs",
        helps=tuple(helps),
    )


def _about_one_name(expression: WhenBoolean) -> bool:
    parts = expression.operands
    names = {part.left.name for part in parts if isinstance(part, WhenCompare) and isinstance(part.left, WhenName)}
    return len(names) == 1 and all(isinstance(part, WhenCompare) for part in parts)
