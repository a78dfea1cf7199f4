"""Pairings against enumeration: the largest, and among those the earliest."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from abs_compiler.runtime.pairing import pair, pair_in_order, size


def best(masks: list[int], count: int, *, in_order: bool) -> list[int | None]:
    """By trying everything: most pairs, then each item on the earliest row, none being the latest."""
    end = len(masks)
    found: list[tuple[int, list[int]]] = []

    def extend(item: int, used: int, last: int, rows: list[int]) -> None:
        if item == count:
            found.append((rows.count(end), rows))
            return
        extend(item + 1, used, last, [*rows, end])
        for row, mask in enumerate(masks):
            if mask >> item & 1 and not used >> row & 1 and (not in_order or row > last):
                extend(item + 1, used | 1 << row, row, [*rows, row])

    extend(0, 0, -1, [])
    return [None if row == end else row for row in min(found)[1]]


problems = st.integers(0, 5).flatmap(
    lambda count: st.tuples(st.lists(st.integers(0, (1 << count) - 1), max_size=6), st.just(count))
)


@given(problems)
@example(([0b001, 0b110, 0b010], 3))  # first come, first served leaves an item over
@example(([0b011, 0b100], 3))  # three items, two rows: the pairing with item 0 earliest is not the one of items 0 and 1
def test_the_earliest_of_the_largest_pairings(problem: tuple[list[int], int]) -> None:
    masks, count = problem
    assert pair(masks, count) == best(masks, count, in_order=False)


@given(problems)
@example(([0b100, 0b010, 0b001], 3))
def test_the_earliest_of_the_largest_pairings_in_order(problem: tuple[list[int], int]) -> None:
    masks, count = problem
    assert pair_in_order(masks, count) == best(masks, count, in_order=True)


def test_an_item_moves_along_a_path_through_all_others() -> None:
    count = 300
    # Item k fits rows k and k+1, the last one row 0 only: everyone has to move on.
    masks = [1 << (count - 1) | 1] + [1 << (row - 1) | (1 << row if row < count - 1 else 0) for row in range(1, count)]
    assert pair(masks, count) == [*range(1, count), 0]


def test_many_items_on_many_rows() -> None:
    count, rows = 300, 3000
    assert pair([(1 << count) - 1] * rows, count) == list(range(count))
    assert pair_in_order([1 << (row % count) for row in range(rows)], count) == list(range(count))
    backwards = [1 << (count - 1 - row % count) for row in range(rows)]
    assert size(pair_in_order(backwards, count)) == rows // count
