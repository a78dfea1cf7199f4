"""Lowering: what the data of predicates is, one form for all spellings, words for it."""

import json

import pytest

from abs_compiler.predicate import admits_absent, lower, parse
from abs_compiler.predicate.explain import set_in_words, try_predicate
from abs_compiler.runtime.predicates import ABSENT

ANY = dict.fromkeys(("array", "boolean", "fraction", "integer", "null", "object", "string"), True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("integer in 1..500", {"integer": [[1, 500]]}),
        ("number > 0", {"fraction": [[0, None]], "integer": [[1, None]]}),
        ("number >= 1.5", {"fraction": [[1.5, None]], "integer": [[2, None]]}),
        ("absent or string", {"absent": True, "string": True}),
        ("not string", {**{kind: True for kind in ANY if kind != "string"}}),
        ('!= "a"', {**ANY, "string": ["not", ["in", ["a"]]]}),
        (r"string matches /^ORD-\d{4,8}$/", {"string": ["matches", r"^ORD-\d{4,8}$", "", "ORD-"]}),
        (r"matches /^a\/b/", {"string": ["starts", "a/b"]}),
        ("matches /ABC/i", {"string": ["matches", "ABC", "i", ""]}),
        ("matches /^[0-9]+$/i", {"string": ["matches", "^[0-9]+$", "", ""]}),
        ("array each string", {"array": ["each", ["set", {"string": True}]]}),
        ('has {a: 1, b: (absent or null)}', {"object": ["and", [
            ["key", "a", ["set", {"integer": [[1, 1]]}]], ["key", "b", ["set", {"absent": True, "null": True}]]]]}),
        ("not any", {}),
    ],
)  # fmt: skip
def test_the_data_of_sets(text, expected):
    assert lower(parse(text)) == ["set", expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("== {{x}}", ["==", ["ref", "x"]]),
        ("!= {{x}}", ["not", ["==", ["ref", "x"]]]),
        ("not != {{x}}", ["==", ["ref", "x"]]),
        ("in [{{x}}, 1.0]", ["in", ["list", [["ref", "x"], ["=", 1]]]]),
        ("in {{x}}", ["in", ["ref", "x"]]),
        ("in 1..{{x}}", ["between", ["=", 1], ["ref", "x"]]),
        ("length < {{x}}", ["length", ["<", ["ref", "x"]]]),
        ("integer > 5 and < {{x}}", ["and", [["<", ["ref", "x"]], ["set", {"integer": [[6, None]]}]]]),
        ("any and == {{x}}", ["==", ["ref", "x"]]),
        ("not not (absent or == {{x}})",
         ["and", [["or", [["==", ["ref", "x"]], ["set", {"absent": True}]]], ["set", ANY]]]),
    ],
)  # fmt: skip
def test_the_data_of_tests_with_references(text, expected):
    assert lower(parse(text)) == expected


@pytest.mark.parametrize(
    "spellings",
    [
        ["integer in 1..500", "integer >= 1 and <= 500", "integer (>= 1 and <= 500)", "number in 1..500 and integer",
         "integer > 0 and < 501", "integer > 0.5 and integer < 500.5", "not (not integer or < 1 or > 500)"],
        ['in ["a", "b"]', '== "b" or == "a"', 'string in ["b", "a", "a"]', 'not (!= "a" and != "b")',
         "matches /^(a|b)$/", "matches /^[ab]$/", 'string length == 1 and in ["a", "b", "ab"]'],
        ["integer (< 3 or > 5)", "integer not in 3..5", "integer > 5 or integer < 3", "integer and not in [3, 4, 5]"],
        ["string length in 1..64", "string length >= 1 and length <= 64", 'string (length <= 64 and != "")',
         "string length < 65 and not length == 0 and length >= 0"],
        ["not (string or number)", "not string and not number", "null or boolean or array or object"],
        ["array each (string length > 2)", "array each string and each length > 2",
         "array not some (not (string length > 2))"],
        ["array some in [1, 2]", "array (some == 1 or some == 2)", "array contains 1 or array contains 2"],
        ["has {a: > 3, b: null}", "has {b: null} and has {a: > 3}", "object has {a: > 3} and has {b: == null}"],
        ["same items as [1, 2]", "in [[1, 2], [2, 1]]", "array same items as [2, 1.0]"],
        ['starts with "ab"', "matches /^ab/", 'string starts with "a" and starts with "ab"',
         'starts with "ab" and length > 1'],
        ["any", "not absent", "string or not string", "null or not null"],
        ["absent or any", "not absent or absent"],
        ["length == 0", '== "" or == [] or == {}', 'in ["", [], {}]', "length < 1"],
    ],
    ids=range(13),
)  # fmt: skip
def test_equal_predicates_have_one_form(spellings):
    forms = {json.dumps(lower(parse(text))) for text in spellings}
    assert len(forms) == 1


def test_different_predicates_have_different_forms():
    texts = ["any", "absent or any", "string", 'starts with ""', "length >= 0", "integer", "number", "not string"]
    assert len({json.dumps(lower(parse(text))) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("absent", True), ("absent or == {{x}}", True), ("any", False), ("not absent", False), ("absent and any", False),
     ("not == {{x}}", False), ("has {a: (absent)}", False), ("absent or {{x}}".replace("{{x}}", "> {{x}}"), True),
     ("not not absent", False), ("(absent or string) and (absent or == {{x}})", True)],
)  # fmt: skip
def test_which_predicates_admit_absence(text, expected):
    assert admits_absent(parse(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("integer in 1..500", "an integer from 1 to 500"),
        ("number > 0 and <= 1.5", "a number above 0 and of at most 1.5"),
        ("number in 1..2.5", "a number from 1 to 2.5"),
        ("integer (< 3 or > 5)", "an integer of at most 2 or of at least 6"),
        ("number != 5", "a number other than 5"),
        ("!= 5", "any value but 5"),
        ("not (string or null)", "any value but a text or null"),
        ('in ["USD", "EUR", null]', 'one of "EUR", "USD", null'),
        ("absent or string", "no value at all or a text"),
        ("absent", "no value at all"),
        ("length == 0", "an empty text, list or mapping"),
        ("length > 3", "a text, list or mapping of length 4 or more"),
        ('string starts with "a" and not contains "b"', 'a text that does not contain "b" and that starts with "a"'),
        ("array each integer > 3", "a list each item of which is an integer of at least 4"),
        ("has {a: string, b: (absent or null), c: (absent), d: any}",
         "a mapping whose `a` is a text and whose `b`, if there, is null and without `c` and with a `d`"),
        ("integer in 1..{{max}}", "a number from 1 to {{max}} and an integer"),
        ("in [{{x}}, 1]", "one of {{x}}, 1"),
        ("not any", "nothing at all"),
    ],
)  # fmt: skip
def test_sets_in_words(text, expected):
    assert set_in_words(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "value", "holds", "reason"),
    [
        ("integer in 1..500", 7, True, "7 is an integer from 1 to 500"),
        ("integer in 1..500", 501, False, "501 is not an integer from 1 to 500"),
        ("integer", "5", False, '"5" (a text) is not an integer'),
        ("absent or string", 5, False, "5 (a number) is refused; it must be no value at all or a text"),
        ("string", ABSENT, False, "there is no value, but it must be a text"),
        ("absent", ABSENT, True, "there is no value, and there must be none"),
        ("string length in 1..3", "abcd", False, '"abcd" has length 4, not 1 to 3'),
        ("array each string", ["a", 5], False, "item 2: 5 (a number) is not a text"),
        ("has {a: has {b: > 3}}", {"a": {"b": 1}}, False, "`a`: `b`: 1 is not a number above 3"),
        ("has {a: any}", {}, False, "`a` is missing; it must be any value"),
        ("has {a: (absent)}", {"a": None}, False, "`a` is there, but must not be"),
        ("integer and <= {{max}}", 9, False, "9 is refused; it must be at most 8"),
    ],
)  # fmt: skip
def test_one_predicate_tried_on_one_value(text, value, holds, reason):
    answer = try_predicate(parse(text), value, {"max": 8})
    assert answer.holds is holds
    assert answer.reason == reason
