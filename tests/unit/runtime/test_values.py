"""JSON equality, keys and texts against direct definitions."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.runtime.values import as_text, json_equal, json_key, kind_of, show

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(2**53 - 2, 2**53 + 2),
    st.sampled_from([0.0, 1.0, -0.0, 0.5, 2.0**53, 1e300]),
    st.sampled_from(["", "1", "true", "a", "é"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


def by_definition(left, right):
    """JSON equality said slowly: same kind, then by kind."""
    if kind_of(left) != kind_of(right):
        return False
    if isinstance(left, dict):
        return sorted(left) == sorted(right) and all(by_definition(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(by_definition(a, b) for a, b in zip(left, right, strict=True))
    return left == right


@given(VALUES, VALUES)
def test_equality_follows_the_definition(left, right):
    assert json_equal(left, right) == by_definition(left, right)
    assert json_equal(left, left)


@given(VALUES, VALUES)
def test_keys_are_equal_exactly_when_values_are(left, right):
    assert (json_key(left) == json_key(right)) == json_equal(left, right)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ("1", 1, False),
        (9007199254740993, 9007199254740992.0, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": [1]}, {"a": [True]}, False),
    ],
)
def test_equality_by_type(left, right, equal):
    assert json_equal(left, right) is equal
    assert json_equal(right, left) is equal


def test_equality_of_deep_values_does_not_recurse():
    left, right = [], []
    for _ in range(200_000):
        left, right = [left], [right]
    assert json_equal(left, right)
    assert not json_equal(left, [right])


def test_keys_refuse_what_is_too_deep_or_not_json():
    deep = []
    for _ in range(1000):
        deep = [deep]
    with pytest.raises(ValueError, match="too deeply"):
        json_key(deep)
    with pytest.raises(ValueError, match="not a JSON value"):
        json_key({1, 2})


@pytest.mark.parametrize(
    ("value", "text"),
    [("a b", "a b"), (5, "5"), (5.0, "5"), (0.5, "0.5"), (True, "true"), (None, "null"), (1e30, f"{int(1e30)}")],
)
def test_text_inside_a_longer_text(value, text):
    assert as_text(value) == text


def test_structures_have_no_text():
    with pytest.raises(ValueError, match="object"):
        as_text({"a": 1})


@given(VALUES)
def test_show_is_short_and_is_json_where_it_fits(value):
    text = show(value)
    assert len(text) <= 121
    if "…" not in text:
        assert json_equal(json.loads(text), value)


def test_show_survives_odd_values():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert show(deep) == "<array>"
    assert show("\ud800\n\x07") == '"\\ud800\\n\\u0007"'
    assert show(math.nan) == "NaN"
    assert show({1, 2}).startswith("<")
