"""Did-you-mean: the distance against its definition, and which words are near enough to be named."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.predicate.negation import changes_negation, without_negation
from abs_compiler.spec.suggest import distance, nearest
from abs_compiler.spec.vocabulary import ACTIONS, BEHAVIOR_KEYS

WORDS = st.text("abc_", max_size=7)


def defined(left, right):
    """Optimal string alignment, straight from the recurrence."""

    @cache
    def cost(i, j):
        if not i or not j:
            return i + j
        best = min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (left[i - 1] != right[j - 1]))
        if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
            best = min(best, cost(i - 2, j - 2) + 1)
        return best

    return cost(len(left), len(right))


@given(WORDS, WORDS)
def test_the_distance_is_the_one_defined(left, right):
    assert distance(left, right, 20) == defined(left, right)


@given(WORDS, WORDS, st.integers(0, 5))
def test_a_limit_only_cuts_what_lies_above_it(left, right, limit):
    exact = defined(left, right)
    found = distance(left, right, limit)
    assert found == exact if exact <= limit else found > limit


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("targte", BEHAVIOR_KEYS, "target"),
        ("Target", BEHAVIOR_KEYS, "target"),
        ("with-only", BEHAVIOR_KEYS, "with_only"),
        ("withOnly", BEHAVIOR_KEYS, "with_only"),
        ("matches when", BEHAVIOR_KEYS, "matches_when"),
        ("optinal", BEHAVIOR_KEYS, "optional"),
        ("handsoff", ACTIONS, "hands_off"),
        ("call", ACTIONS, "calls"),
        ("refunds", ACTIONS, None),
        ("min", ("max",), None),
        ("with", ("when",), None),
        ("target", BEHAVIOR_KEYS, None),
        ("", BEHAVIOR_KEYS, None),
        ("x" * 5000, BEHAVIOR_KEYS, None),
    ],
)
def test_nearest(word, known, expected):
    assert nearest(word, known) == expected


@pytest.mark.parametrize(
    ("word", "candidate"),
    [("min_stps", "min_steps"), ("maxitms", "maxItems"), ("al_of", "all_of"), ("stp_1", "step_1")],
)
def test_a_slip_within_one_of_two_opposites_is_suggested(word, candidate):
    assert nearest(word, [candidate]) == candidate


def test_nothing_is_suggested_from_very_many_words():
    assert nearest("word1x", [f"word{number}" for number in range(1000)]) is None


@given(WORDS, st.lists(WORDS, max_size=6))
def test_a_suggestion_is_a_known_word_other_than_the_one_written(word, known):
    found = nearest(word, known)
    assert found is None or (found in known and found != word)
    if word in known:
        assert found is None


@pytest.mark.parametrize(
    ("word", "candidate"),
    [
        ("not_contains", "contains"),
        ("notcontains", "contains"),
        ("mustNotMatch", "match"),
        ("no_stock", "stock"),
        ("one_of", "none_of"),
        ("ever", "never"),
        ("unordered", "ordered"),
        ("ordered", "unordered"),
        ("disallow", "allow"),
    ],
)
def test_the_opposite_of_a_word_is_never_suggested(word, candidate):
    assert changes_negation(word, candidate)
    assert nearest(word, [candidate]) is None


@pytest.mark.parametrize(
    ("word", "candidate"),
    [
        ("min_steps", "max_steps"),
        ("minsteps", "max_steps"),
        ("minItmes", "maxItems"),
        ("minitems", "maxItems"),
        ("any", "only"),
        ("with_any", "with_only"),
        ("anyOf", "all_of"),
        ("noneof", "oneOf"),
        ("before", "after"),
        ("atleast", "atmost"),
        ("gte", "lte"),
        ("includes", "excludes"),
        ("increase", "decrease"),
        ("step_2", "step_1"),
    ],
)
def test_a_word_that_demands_something_else_is_never_suggested(word, candidate):
    assert nearest(word, [candidate]) is None
    assert nearest(candidate, [word]) is None


@pytest.mark.parametrize(("word", "candidate"), [("nver", "never"), ("nne_of", "none_of"), ("no_stok", "no_stock")])
def test_a_slip_within_a_negation_is_suggested(word, candidate):
    assert nearest(word, [candidate]) == candidate


@pytest.mark.parametrize(
    ("word", "rest"),
    [("does_not_contain", "contain"), ("not", ""), ("notContains", "contains"), ("contains", None), ("notes", "es")],
)
def test_what_a_negated_word_negates(word, rest):
    assert without_negation(word) == rest
