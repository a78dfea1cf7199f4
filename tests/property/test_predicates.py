"""Predicates by random trees and values: every way to decide the same question gives the same answer.

The reference evaluation is the definition; sets of values, compiled data and printed text are held against it. Plain
seeded randomness: many thousand cases in seconds, the same in every run.
"""

import collections
import json
import os
import random

import attrs
import pytest

from abs_compiler.predicate import Predicate, PredicateSyntaxError, findings, parse
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import Known, complement, contains, difference, emptiness, members
from abs_compiler.predicate.lowering import lower_test
from abs_compiler.predicate.printer import print_test
from abs_compiler.predicate.reference import holds
from abs_compiler.predicate.when import parse_when
from abs_compiler.runtime.predicates import (
    ABSENT,
    admits_absent,
    check_predicate,
    compile_predicate,
    describe_predicate,
    equality_literals,
    explain_predicate,
    reference_names,
)
from abs_compiler.runtime.values import json_equal
from tests.support.predicates import REFERENCES, TEXTS, Draw, Respell

# Fewer rounds for a first look; every number below is a number of random predicates.
SCALE = float(os.environ.get("PREDICATE_ROUNDS", "1"))
VALUES = [Draw(seed).value() for seed in range(4000)]


def rounds(count):
    return range(int(count * SCALE))


def drawn(seed, **options):
    draw = Draw(seed, **options)
    return draw.test(draw.random.choice([0, 1, 1, 2, 2, 3]))


def some_values(seed, count=4):
    chosen = random.Random(seed)
    return [ABSENT, *(chosen.choice(VALUES) for _ in range(count))]


def test_sets_data_and_definition_agree_and_nothing_is_unknown():
    """Without references, with one or no pattern to a place: 50,000 predicates."""
    answers = collections.Counter()
    for seed in rounds(50_000):
        test = drawn(seed, patterns=1)
        domain = denote(test).inside
        empty = emptiness(domain)
        answers[empty] += 1
        assert empty is not Known.UNKNOWN, print_test(test)
        data = lower_test(test)
        compiled = compile_predicate(data, {})
        for value in some_values(seed):
            expected = holds(test, value)
            assert contains(domain, value) is expected, (print_test(test), value)
            assert compiled(value) is expected, (print_test(test), value, data)
            assert not (expected and empty is Known.YES), (print_test(test), value)
        assert admits_absent(data) is holds(test, ABSENT)
        check_predicate(data)
    assert min(answers[Known.YES], answers[Known.NO]) > 5_000 * SCALE, answers


def test_a_set_that_is_not_empty_has_members_and_only_such():
    for seed in rounds(12_000):
        test = drawn(seed + 1_000_000)
        domain = denote(test).inside
        for side, wanted in ((domain, True), (complement(domain), False)):
            found = list(members(side, 3))
            assert all(holds(test, value) is wanted for value in found), (print_test(test), found)
            keys = {json.dumps(value, sort_keys=True) for value in found}
            assert len(keys) == len(found), (print_test(test), found)
            there = attrs.evolve(side, absent=False)
            assert bool(found) is (emptiness(there) is Known.NO), print_test(test)


def test_small_sets_are_found_in_full():
    """Emptiness by search: whatever is in the set among all small values is also said to be."""
    universe = [None, True, False, 0, 1, 2, 0.5, *TEXTS, [], [0], [1], ["a"], [0, 1], [1, 0], {}, {"a": 1}, {"a": 0}]
    for seed in rounds(6_000):
        left, right = denote(drawn(seed + 2_000_000)).inside, denote(drawn(seed + 2_500_000)).inside
        for name, domain in (("difference", difference(left, right)), ("complement", complement(left))):
            inside = [value for value in universe if contains(domain, value)]
            if emptiness(domain) is Known.YES:
                assert not inside, (name, seed)
            for value in universe:
                outside = contains(right if name == "difference" else left, value)
                assert contains(domain, value) is (not outside and (name == "complement" or contains(left, value)))


def test_equal_predicates_in_different_spellings_have_one_form():
    for seed in rounds(15_000):
        test = drawn(seed + 3_000_000)
        other = Respell(seed)(test)
        assert lower_test(test) == lower_test(other), (print_test(test), print_test(other))


def test_what_is_printed_parses_to_the_same_tree():
    for seed in rounds(8_000):
        test = drawn(seed + 4_000_000, references=True)
        text = print_test(test)
        parsed = parse(text).root
        assert parsed == test, text
        assert print_test(parsed) == text


def test_references_bound_later_are_like_literals_written_before():
    unknown = collections.Counter()
    for seed in rounds(15_000):
        test = drawn(seed + 5_000_000, references=True)
        data = lower_test(test)
        check_predicate(data)
        compiled = compile_predicate(data, REFERENCES)
        bounds = denote(test)
        if not bounds.is_exact:
            empty = emptiness(bounds.around) is Known.YES
            full = emptiness(complement(bounds.inside)) is Known.YES
            unknown["known" if empty or full else "unknown"] += 1
        for value in some_values(seed):
            expected = holds(test, value, REFERENCES)
            assert compiled(value) is expected, (print_test(test), value, data)
            assert not (expected and not contains(bounds.around, value)), (print_test(test), value)
            assert expected or not contains(bounds.inside, value), (print_test(test), value)
        assert admits_absent(data) is holds(test, ABSENT, REFERENCES)
        assert set(reference_names(data)) <= set(REFERENCES)
    print("predicates with references:", dict(unknown))


def test_patterns_against_patterns_are_known_almost_always():
    """Several patterns in one place; the share of what is not known is printed."""
    answers = collections.Counter()
    for seed in rounds(4_000):
        test = drawn(seed + 6_000_000, patterns=12)
        domain = denote(test).inside
        answers[emptiness(domain)] += 1
        for value in some_values(seed):
            assert contains(domain, value) is holds(test, value)
    print("emptiness with many patterns:", {answer.value: count for answer, count in answers.items()})
    assert answers[Known.UNKNOWN] <= 0.01 * answers.total()


def test_findings_and_words_are_total_and_findings_true():
    for seed in rounds(6_000):
        test = drawn(seed + 7_000_000, references=seed % 2 == 0)
        predicate = parse(print_test(test))
        data = lower_test(test)
        describe_predicate(data)
        for value in some_values(seed, 2):
            assert explain_predicate(data, value, REFERENCES)
        literals = equality_literals(data)
        if literals is not None:
            compiled = compile_predicate(data, {})
            assert all(compiled(value) for value in literals)
            assert not any(
                compiled(value) for value in VALUES[:50] if not any(json_equal(value, literal) for literal in literals)
            )
        for finding in findings(predicate):
            assert 0 <= finding.start <= finding.end <= len(predicate.text)
            if finding.code_name == "redundant-parts" and finding.helps[0].edit is not None:
                assert_same_set(predicate, finding.helps[0].edit)


def assert_same_set(predicate, edit):
    """Without a part that adds nothing, the set is the same (but for strings with lone surrogates)."""
    text = predicate.text[: edit.start] + edit.text + predicate.text[edit.end :]
    shorter = parse(text)
    for value in [ABSENT, *VALUES[:60]]:
        if "\\ud8" not in json.dumps("" if value is ABSENT else value) and "\\udc" not in json.dumps(
            "" if value is ABSENT else value
        ):
            expected = holds(predicate.root, value, REFERENCES)
            assert holds(shorter.root, value, REFERENCES) is expected, (predicate.text, text, value)


PIECES = [
    "string", "number", "integer", "absent", "any", "null", "or", "and", "not", "in", "contains", "starts", "with",
    "ends", "matches", "length", "each", "some", "has", "same", "items", "as", "==", "!=", "<", ">=", "=", "&&", "||",
    "(", ")", "[", "]", "{", "}", ",", ":", "..", "1", "-2.5", "05", "1e9", '"a"', "'b'", '"', "'", "/a/", "/", "//",
    "/(?=a)/", "{{x}}", "{{ x }}", "{{", "}}", "true", "None", "strng", "x", "\\", "\n", "\t", "é", "“", "`", "@",
    "\ud800", "\x00", "\u2028", "..", ".", "-", "+", "&", "|", "!", "~", "≥",
]  # fmt: skip


@pytest.mark.parametrize("read", [parse, parse_when], ids=["predicate", "condition"])
def test_no_text_crashes_the_parser(read):
    """Words strung together, and sound texts with characters changed, dropped or doubled."""
    sound = [print_test(drawn(seed, references=True)) for seed in rounds(1_500)]
    chosen = random.Random(7)
    texts = [" ".join(chosen.choices(PIECES, k=chosen.randrange(1, 9))) for _ in rounds(6_000)]
    texts += ["".join(chosen.choices(PIECES, k=chosen.randrange(1, 9))) for _ in rounds(3_000)]
    texts += [mutated(text, chosen) for text in sound for _ in range(3)]
    errors = [(text, error) for text in texts if (error := mistake_in(read, text)) is not None]
    assert len(errors) > len(texts) / 3
    for text, error in errors:
        assert 0 <= error.start <= error.end <= len(text), (text, error.message)
        assert error.message
        assert error.label
        for advice in error.helps:
            if advice.edit is not None:
                assert 0 <= advice.edit.start <= advice.edit.end <= len(text), text


def mistake_in(read, text):
    try:
        read(text)
    except PredicateSyntaxError as error:
        return error
    return None


def mutated(text, chosen):
    at = chosen.randrange(len(text) + 1)
    match chosen.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + chosen.choice(PIECES) + text[at:]
        case 2:
            return text[:at] + text[at : at + 4] + text[at:]
        case _:
            return text[:at]


def test_a_parsed_predicate_is_what_was_drawn():
    test = drawn(3)
    assert parse(print_test(test)) == Predicate("", test)
