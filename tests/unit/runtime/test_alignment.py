"""The alignment table against brute force over all assignments."""

import itertools
import random

import pytest

from abs_compiler.runtime.alignment import Item, align, first_by_listing

LARGEST = 3_000


def random_problem(rng):
    """A problem whose assignments can all be tried."""
    while True:
        segments, rows = any_problem(rng)
        count = 1
        for item in (item for segment in segments for item in segment):
            count *= sum(bool(mask & item.bit) for _, mask, _ in rows) + (not item.required)
        if count <= LARGEST:
            return segments, rows


def any_problem(rng):
    """Segments of items with weights, and rows; sharing runs hold single items."""
    segments, index = [], 0
    run = 0
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        if kind < 0.35:
            size = rng.randint(2, 3)
            segments.append([Item(index + k, rng.randint(0, 5), rng.random() < 0.5, None) for k in range(size)])
            index += size
        elif kind < 0.6:
            run += 1
            for _ in range(rng.randint(2, 3)):
                segments.append([Item(index, rng.randint(0, 5), rng.random() < 0.2, run)])
                index += 1
        else:
            segments.append([Item(index, rng.randint(0, 5), rng.random() < 0.6, None)])
            index += 1
    rows = [(number * 10, rng.getrandbits(index), rng.random() < 0.5) for number in range(rng.randint(0, 6))]
    return segments, rows


def brute_force(segments, rows, counted_weight):
    """The largest weight over all ways to give items rows, by the definition."""
    items = [item for segment in segments for item in segment]
    place = {item.index: number for number, segment in enumerate(segments) for item in segment}
    options = []
    for item in items:
        fitting = [number for number, row in enumerate(rows) if row[1] & item.bit]
        options.append(fitting if item.required else [None, *fitting])
    best = None
    for choice in itertools.product(*options):
        chosen = {item.index: row for item, row in zip(items, choice, strict=True) if row is not None}
        if legal(items, place, chosen):
            weight = sum(item.weight for item in items if item.index in chosen)
            weight += counted_weight * sum(rows[row][2] for row in set(chosen.values()))
            best = weight if best is None else max(best, weight)
    return best


def legal(items, place, chosen):
    by_index = {item.index: item for item in items}
    matched = sorted(chosen)
    for a, b in itertools.combinations(matched, 2):
        if chosen[a] == chosen[b]:
            left, right = by_index[a], by_index[b]
            if left.shares is None or left.shares != right.shares:
                return False
        elif place[a] < place[b] and chosen[a] > chosen[b]:
            return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_alignment_has_the_largest_weight(seed):
    rng = random.Random(seed)
    for _ in range(400):
        segments, rows = random_problem(rng)
        counted_weight = rng.choice([0, 1, 7])
        expected = brute_force(segments, rows, counted_weight)
        result = align(segments, rows, counted_weight)
        if expected is None:
            assert result is None
            continue
        assert result is not None
        assert result.weight == expected
        check_assignment(segments, rows, result, counted_weight)


def check_assignment(segments, rows, result, counted_weight):
    """The assignment is legal, takes fitting rows, and has the weight it claims."""
    items = [item for segment in segments for item in segment]
    place = {item.index: number for number, segment in enumerate(segments) for item in segment}
    assert legal(items, place, result.rows)
    assert all(item.index in result.rows for item in items if item.required)
    weight = counted_weight * sum(rows[row][2] for row in set(result.rows.values()))
    for item in items:
        row = result.rows.get(item.index)
        if row is not None:
            assert rows[row][1] & item.bit
            weight += item.weight
    assert weight == result.weight


@pytest.mark.parametrize("seed", range(4))
def test_listing_order_breaks_ties_inside_a_group(seed):
    rng = random.Random(seed)
    checked = 0
    for _ in range(400):
        size = rng.randint(1, 5)
        items = [Item(index, 0, True, None) for index in range(size)]
        kept = {number: rng.getrandbits(size) | 1 << rng.randrange(size) for number in range(size)}
        perfect = [
            order
            for order in itertools.permutations(range(size))
            if all(kept[row] >> index & 1 for index, row in enumerate(order))
        ]
        if not perfect:
            continue
        checked += 1
        assert tuple(first_by_listing(items, kept)[index] for index in range(size)) == min(perfect)
    assert checked > 50


@pytest.mark.parametrize("seed", range(4))
def test_the_rows_a_group_keeps_do_not_depend_on_the_order_of_its_members(seed):
    rng = random.Random(seed)
    for _ in range(400):
        size = rng.randint(2, 4)
        rows = [(number, rng.getrandbits(size), rng.random() < 0.5) for number in range(rng.randint(size, 7))]
        order = rng.sample(range(size), size)
        renamed = [
            (event, sum(1 << new for new, old in enumerate(order) if mask >> old & 1), counted)
            for event, mask, counted in rows
        ]
        one, other = (align([[Item(k, 0, True, None) for k in range(size)]], table, 1) for table in (rows, renamed))
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert set(one.rows.values()) == set(other.rows.values())


def test_a_large_fully_overlapping_group_is_quick():
    items = [Item(index, 1, True, None) for index in range(200)]
    every = (1 << 200) - 1
    result = align([items], [(number, every, True) for number in range(200)], 1)
    assert result is not None
    assert result.rows == {index: index for index in range(200)}
