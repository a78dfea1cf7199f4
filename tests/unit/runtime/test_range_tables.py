"""Range tables against the predicates they stand for."""

import random

import pytest

from abs_compiler.predicate import lower, parse
from abs_compiler.runtime.predicates import compile_predicate
from abs_compiler.runtime.range_tables import is_number_set, range_masks

BOUNDS = ["-2", "0", "0.5", "1", "1.5", "2", "7", "9007199254740993", "1e300"]


def random_set(rng):
    parts = [f"{rng.choice(['<', '<=', '>', '>=', '!='])} {rng.choice(BOUNDS)}" for _ in range(rng.randint(1, 3))]
    text = f"{rng.choice(['number', 'integer'])} ({rng.choice([' and ', ' or ']).join(parts)})"
    return lower(parse(text))


@pytest.mark.parametrize("seed", range(4))
def test_every_number_gets_the_mask_of_its_predicates(seed):
    rng = random.Random(seed)
    values = [-3, -2, -1.5, 0, -0.0, 0.25, 0.5, 1, 1.0, 1.25, 1.5, 2, 3, 6.5, 7, 8, 2**53, 2**53 + 1, 2**53 + 2]
    values += [1e300, 10**300, 10**300 + 1, 1e308, float("inf"), float("-inf"), float("nan"), -(10**400)]
    for _ in range(150):
        predicates = [random_set(rng) for _ in range(rng.randint(1, 5))]
        tests = [compile_predicate(data, {}) for data in predicates]
        sets = [(1 << number, data[1]) for number, data in enumerate(predicates) if is_number_set(("is", data, {}))]
        look_up = range_masks(sets)
        for value in values:
            expected = sum(bit for bit, _ in sets if tests[bit.bit_length() - 1](value))
            assert look_up(value) == expected, (value, predicates)


def test_only_closed_sets_of_numbers_fit():
    assert is_number_set(("is", lower(parse("number > 3")), {}))
    assert not is_number_set(("is", lower(parse('number > 3 or == "a"')), {}))
    assert not is_number_set(("is", lower(parse("> {{low}}")), {"low": 1}))
    assert not is_number_set(("=", 3))
