"""Constant conditions: whatever is said to be constant is, for every binding that was tried."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from abs_compiler.lint.rules.sequence.constant_conditions import constant_truth
from abs_compiler.predicate.errors import PredicateSyntaxError
from abs_compiler.predicate.when import lower_when, parse_when
from abs_compiler.runtime.when import WhenError, evaluate_when

VALUES = (None, True, False, -1, 0, 1, 1.2, 1.5, 1.7, 2, 3, 10**20, 10**20 + 1, "", "A", "a", "a\0", "b", "c", [], {})


def random_condition(random: Random, depth: int = 2) -> str:
    if depth and random.random() < 0.6:
        operator = random.choice(("and", "or"))
        return f"({random_condition(random, depth - 1)}) {operator} ({random_condition(random, depth - 1)})"
    if random.random() < 0.15:
        return f"not ({random_condition(random, 0)})"
    if random.random() < 0.1:
        return random.choice(("{{x}}", "true", "false"))
    name = random.choice(("{{x}}", "{{x}}", "{{y}}"))
    if random.random() < 0.1:
        return f"{name} {random.choice(('==', '!=', '<', '<='))} {name}"
    operator = random.choice(("==", "!=", "<", "<=", ">", ">="))
    value = random.choice(("1", "2", "1.5", "100000000000000000000", '"a"', '"b"', "null", "true"))
    if value in ("null", "true") and operator not in ("==", "!="):
        operator = "=="
    return f"{name} {operator} {value}"


@pytest.mark.parametrize("seed", range(6))
def test_constant_conditions_are_constant(seed: int) -> None:
    random = Random(seed)
    constant = 0
    for _ in range(200):
        text = random_condition(random)
        try:
            expression = parse_when(text)
        except PredicateSyntaxError:
            continue
        answer = constant_truth(expression)
        answers = set()
        for x, y in itertools.product(VALUES, VALUES):
            try:
                answers.add(evaluate_when(lower_when(expression), {"x": x, "y": y}.__getitem__))
            except WhenError:
                continue
        if answer is not None:
            constant += 1
            assert answers <= {answer}, text
        else:
            assert len(answers) != 1, text
    assert constant > 10


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("{{cases.n}} == {{cases.n}}", True),
        ("{{n}} != {{n}}", False),
        ("{{n}} < {{n}}", False),
        ("not ({{n}} <= {{n}})", False),
        ("{{n}} == {{n}} and {{n}} > 3", None),
        ("{{n}} == {{m}}", None),
    ],
)
def test_a_name_compared_with_itself(condition: str, answer: bool | None) -> None:
    assert constant_truth(parse_when(condition)) is answer


def test_names_compared_with_names_are_left_alone() -> None:
    assert constant_truth(parse_when("{{x}} == {{y}} or {{x}} != {{y}}")) is None


def test_what_has_a_truth_value_for_some_values_only_is_judged_by_these() -> None:
    assert constant_truth(parse_when('{{x}} > 1 and {{x}} > "a"')) is False
