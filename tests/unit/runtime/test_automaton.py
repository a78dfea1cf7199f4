"""The lazily built automaton against brute force over injective assignments, under every budget."""

import itertools
import random

import pytest

from abs_compiler.runtime.automaton import Automaton, Segment


def random_shape(rng):
    """Segments as lists of bits; identical members of a group share one class."""
    segments, bits = [], 0
    for _ in range(rng.randint(1, 3)):
        size = rng.choice([1, 1, 2, 3, 4])
        segments.append([bits + k for k in range(size)])
        bits += size
    return segments, bits


def build(shape, identical, budget):
    segments = []
    for members in shape:
        classes = {}
        for index in members:
            classes.setdefault(identical.get(index, index), []).append(1 << index)
        segments.append(Segment({bits[0]: tuple(bits) for bits in classes.values()}))
    return Automaton(tuple(segments), budget)


def runs_to_the_end(automaton, masks):
    state = automaton.start
    advanced = 0
    for mask in masks:
        if mask & state.open:
            state = automaton.advance(state, mask)
            advanced += 1
    return state.done, advanced


def exists(shape, masks):
    """Whether distinct events can be given to all members, every segment wholly after the one before."""
    total = sum(map(len, shape))
    for positions in itertools.permutations(range(len(masks)), total):
        used = iter(positions)
        last, fine = -1, True
        for members in shape:
            mine = [next(used) for _ in members]
            fine = fine and min(mine) > last
            fine = fine and all(masks[place] >> index & 1 for place, index in zip(mine, members, strict=True))
            last = max(mine)
        if fine:
            return True
    return False


@pytest.mark.parametrize("budget", [1, 2, 3, 5, 20_000])
def test_the_automaton_decides_as_enumeration_does(budget):
    rng = random.Random(budget)
    outcomes = set()
    for _ in range(300):
        shape, bits = random_shape(rng)
        identical = {}
        for members in shape:
            if len(members) > 1 and rng.random() < 0.4:
                identical[members[1]] = members[0]
        masks = []
        for _ in range(rng.randint(0, 6)):
            mask = rng.getrandbits(bits) & rng.getrandbits(bits) | rng.getrandbits(bits) & (1 << rng.randrange(bits))
            for copy, original in identical.items():
                mask = mask & ~(1 << copy) | (mask >> original & 1) << copy
            masks.append(mask)
        automaton = build(shape, identical, budget)
        expected = exists(shape, masks)
        for _ in range(2):
            done, advanced = runs_to_the_end(automaton, masks)
            assert done == expected
            assert not done or advanced == bits
        outcomes.add(expected)
    assert outcomes == {True, False}


def test_the_budget_bounds_what_is_kept():
    automaton = build([list(range(10))], {}, 5)
    rng = random.Random(1)
    for _ in range(500):
        runs_to_the_end(automaton, [rng.getrandbits(10) for _ in range(30)])
    assert automaton.flushes > 10
    assert sum(len(state.next) for state in automaton._states.values()) <= 6


def test_identical_members_are_one_class():
    automaton = build([list(range(12))], dict.fromkeys(range(12), 0), 1000)
    done, advanced = runs_to_the_end(automaton, [(1 << 12) - 1] * 12)
    assert done
    assert advanced == 12
    assert len(automaton._states) == 13
