"""The best assignment against enumeration of all of them."""

import itertools
import random

import pytest

from abs_compiler.runtime.assignment import best_assignment


@pytest.mark.parametrize("seed", range(4))
def test_largest_weight_and_then_listing_order(seed):
    rng = random.Random(seed)
    checked = 0
    for _ in range(400):
        size = rng.randint(1, 5)
        weights = [[rng.choice([None, 0, 1, 1, 2, 50]) for _ in range(size)] for _ in range(size)]
        complete = [
            order
            for order in itertools.permutations(range(size))
            if all(weights[row][column] is not None for row, column in enumerate(order))
        ]
        if not complete:
            continue
        checked += 1
        best = max(sum(weights[row][column] for row, column in enumerate(order)) for order in complete)
        expected = min(
            order for order in complete if sum(weights[row][column] for row, column in enumerate(order)) == best
        )
        assert tuple(best_assignment(weights)) == expected
    assert checked > 100


def test_a_large_table_is_quick():
    weights = [[(row * column) % 7 for column in range(120)] for row in range(120)]
    assert sorted(best_assignment(weights)) == list(range(120))
