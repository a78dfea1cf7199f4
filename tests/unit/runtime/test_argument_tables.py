"""The tables of arguments give the same masks as testing every constraint on its own."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.runtime.argument_tables import argument_masks, screen
from abs_compiler.runtime.program import Arguments
from abs_compiler.runtime.templates import ResolvedArguments

# Values that tables could confuse: Python's 1 == True == 1.0, texts of numbers, structures with those inside.
VALUES: list[Any] = [0, 1, 1.0, 2, True, False, None, "1", "", "a", [], [1], [True], {}, {"x": 1}, {"x": True}]
KEYS = ["x", "y", "z"]

PREDICATES: list[Any] = [
    {"string": True},
    {"absent": True, "string": True},
    {"integer": [[1, 2]], "boolean": [True]},
    {"integer": [[1, 1]], "null": True},
    {"string": ["in", ["1", "a"]]},
    {"array": True, "object": True},
]
templates = st.sampled_from([*(["=", value] for value in VALUES), *(["is", ["set", item]] for item in PREDICATES)])
constraints = st.builds(
    lambda keys, only: Arguments(only, keys, None, (1, 1)),
    st.dictionaries(st.sampled_from(KEYS), templates, max_size=3),
    st.booleans(),
)
observed = st.one_of(
    st.dictionaries(st.sampled_from([*KEYS, "w"]), st.sampled_from(VALUES), max_size=4),
    st.sampled_from([None, "text", 3, [], True]),
)


def no_reference(name: str) -> object:
    raise AssertionError(f"no references here: {name}")


def one_by_one(full: int, resolved: list[tuple[int, ResolvedArguments]], arguments: Any) -> int:
    for bits, item in resolved:
        if not item.test()(arguments):
            full &= ~bits
    return full


@given(st.lists(st.tuples(st.integers(0, 5), constraints), max_size=8), st.lists(observed, max_size=12))
def test_tables_agree_with_testing_one_by_one(steps: list[tuple[int, Arguments]], events: list[Any]) -> None:
    # Several constraints may belong to one step: its own and those of its evaluations.
    resolved = [(1 << step, ResolvedArguments(item, no_reference)) for step, item in steps]
    full = 0b111111
    masks = argument_masks(full, resolved)
    for arguments in events:
        assert masks(arguments) == one_by_one(full, resolved, arguments)


@given(st.lists(constraints, min_size=1, max_size=4), st.lists(observed, max_size=12))
def test_what_is_screened_out_matches_nothing(items: list[Arguments], events: list[Any]) -> None:
    resolved = [(1 << step, ResolvedArguments(item, no_reference)) for step, item in enumerate(items)]
    full = (1 << len(items)) - 1
    screened = screen(full, resolved)
    if screened is None:
        return
    key, values = screened
    for arguments in events:
        if isinstance(arguments, dict):
            value = arguments.get(key)
            if value.__class__ not in (list, dict) and value not in values:
                assert one_by_one(full, resolved, arguments) == 0


def test_a_screen_needs_an_argument_of_every_step() -> None:
    items = [Arguments(False, {"x": ["=", n], "y": ["=", "a"]}, None, (1, 1)) for n in range(3)]
    resolved = [(1 << step, ResolvedArguments(item, no_reference)) for step, item in enumerate(items)]
    assert screen(0b111, resolved) == ("x", {0, 1, 2})
    assert screen(0b1111, resolved) is None


def test_a_contradictory_step_matches_nothing_beside_others() -> None:
    steps = [(0, "a"), (0, "b"), (1, "c")]
    resolved = [
        (1 << s, ResolvedArguments(Arguments(False, {"x": ["=", v]}, None, (1, 1)), no_reference)) for s, v in steps
    ]
    masks = argument_masks(0b11, resolved)
    assert [masks({"x": value}) for value in ("a", "b", "c")] == [0, 0, 0b10]


def test_values_deeper_than_any_constraint_equal_none_of_them() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    steps = [ResolvedArguments(Arguments(False, {"x": ["=", [n]]}, None, (1, 1)), no_reference) for n in range(4)]
    masks = argument_masks(0b1111, [(1 << n, item) for n, item in enumerate(steps)])
    assert masks({"x": deep}) == 0
    assert masks({"x": [2]}) == 0b100
