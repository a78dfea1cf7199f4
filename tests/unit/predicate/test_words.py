"""What is suggested for words that predicates do not have: never the opposite of what was written."""

import pytest

from abs_compiler.predicate.words import suggest


@pytest.mark.parametrize(
    ("word", "replacement"),
    [
        ("not_contains", "not contains"),
        ("notcontains", "not contains"),
        ("doesNotContain", "not contains"),
        ("not_matches", "not matches"),
        ("not_startswith", "not starts with"),
        ("not_null", "not null"),
        ("not_equals", "!="),
        ("notin", "not in"),
        ("containz", "contains"),
    ],
)
def test_a_word_for_a_negation_keeps_it(word, replacement):
    found = suggest(word)
    assert found is not None
    assert found.replacement == replacement


def test_a_negation_of_something_unknown_has_no_suggestion():
    assert suggest("not_polite") is None
