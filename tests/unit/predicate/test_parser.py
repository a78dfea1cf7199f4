"""Parsing: what binds how, exact places, literals, bounds."""

import time

import attrs
import pytest

from abs_compiler.predicate import PredicateSyntaxError, findings, parse, references
from abs_compiler.predicate.printer import print_test
from abs_compiler.predicate.tree import And, Compare, Length, Literal, Member, Not, Or, Typed, TypeTest, walk
from abs_compiler.syntax.limits import Limits


def shape(text):
    """The tree with every group in parentheses."""
    return grouped(parse(text).root)


def grouped(test):
    match test:
        case And(parts=parts):
            return "(" + " and ".join(map(grouped, parts)) + ")"
        case Or(parts=parts):
            return "(" + " or ".join(map(grouped, parts)) + ")"
        case Not(operand=operand):
            return f"(not {grouped(operand)})"
        case Typed(type=type_, test=inner):
            return f"({type_.word} {grouped(inner)})"
        case _:
            return print_test(test)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("string or number and > 3", "(string or (number and > 3))"),
        ("not string or number", "((not string) or number)"),
        ("not string and > 3", "((not string) and > 3)"),
        ("not integer > 3", "(not (integer > 3))"),
        ("not not string", "(not (not string))"),
        ("not (string or number)", "(not (string or number))"),
        ("integer < 3 or > 5", "((integer < 3) or > 5)"),
        ("integer (< 3 or > 5)", "(integer (< 3 or > 5))"),
        ('string not in ["a"]', '(string (not in ["a"]))'),
        ('string not contains "a"', '(string (not contains "a"))'),
        ("string not (length > 3 or length < 1)", "(string (not (length > 3 or length < 1)))"),
        ("a" * 0 + "array some > 3 and < 5", "((array some > 3) and < 5)"),
        ("each string length > 2 and length < 9", "(each string length > 2 and length < 9)"),
        ("(string or null) and (any or absent)", "((string or null) and (any or absent))"),
        ("((string))", "string"),
        ("string and number and any", "(string and number and any)"),
        ("(string and number) and any", "((string and number) and any)"),
        ("length in 1..2 or length != 3", "(length in 1..2 or length != 3)"),
        ("null and null > 3", "(null and (null > 3))"),
    ],
)
def test_what_binds_how(text, expected):
    assert shape(text) == expected


def test_spaces_and_line_breaks_do_not_matter():
    assert parse(" \t\nstring\r\n and\tlength>3").root == parse("string and length > 3").root
    assert parse("in[1,2]").root == parse("in [ 1 , 2 ]").root
    assert parse("not(string)").root == parse("not string").root


def test_every_part_knows_its_place():
    text = 'string not in ["é", "b"] or has {a: (absent or > 3), "c d": {{x}}}'
    predicate = parse(text)
    pieces = {text[part.start : part.end] for part in walk(predicate.root)}
    assert {
        text,
        'string not in ["é", "b"]',
        'not in ["é", "b"]',
        "(absent or > 3)",
        "> 3",
        "{{x}}",
        "absent",
    } <= pieces
    (reference,) = references(predicate)
    assert (reference.name, text[reference.start : reference.end]) == ("x", "{{x}}")


def test_references_in_the_order_in_which_they_are_written():
    predicate = parse("integer in {{low}}..{{high}} or in [1, {{one}}] or length == {{n}} or has {a: {{cases.a}}}")
    assert [item.name for item in references(predicate)] == ["low", "high", "one", "n", "cases.a"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"a"', "a"),
        ("'a'", "a"),
        (r"'it\'s \"x\"'", 'it\'s "x"'),
        (r'"\u00e9\"\\\/\b\f\n\r\t"', 'é"\\/\b\f\n\r\t'),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\ud800x"', "\ud800x"),
        (r'"\u007b{x}}"', "{{x}}"),
        ("1.0", 1),
        ("1e3", 1000),
        ("-0", 0),
        ("-0.0", 0),
        ("2.50", 2.5),
        ("9007199254740993", 9007199254740993),
        ('{"a": [1.0, {"b": null}]}', {"a": [1, {"b": None}]}),
        ("[]", []),
        ("{}", {}),
    ],
)
def test_literals(text, value):
    literal = parse(f"== {text}").root.operand
    assert literal == Literal(0, 0, value)
    assert isinstance(literal.value, type(value))


def test_literals_compare_as_json_does():
    assert Literal(0, 0, 1) == Literal(5, 9, 1.0)
    assert Literal(0, 0, 1) != Literal(0, 0, True)
    assert Literal(0, 0, [1]) != Literal(0, 0, [True])
    assert hash(Literal(0, 0, {"a": 1, "b": 2})) == hash(Literal(0, 0, {"b": 2.0, "a": 1}))


def test_a_bare_value_in_has_means_equal():
    assert (
        parse('has {a: 1, b: "x", c: [1], d: {"e": 1}, f: true, g: {{x}}}').root
        == parse('has {a: == 1, b: == "x", c: == [1], d: == {"e": 1}, f: == true, g: == {{x}}}').root
    )
    assert parse("has {a: null}").root.entries[0].test == TypeTest(0, 0, "null")


def test_any_word_is_a_key():
    predicate = parse('has {string: 1, in: 2, absent: 3, and: 4, has: 5, "same items": 6}')
    assert [entry.key for entry in predicate.root.entries] == ["string", "in", "absent", "and", "has", "same items"]


def test_lengths_take_a_comparison_or_candidates():
    assert parse("length in [1, 2]").root == Length(0, 0, Member(0, 0, parse("in [1, 2]").root.values))
    assert isinstance(parse("length != 3").root.test, Compare)


# --- bounds ---------------------------------------------------------------------------------------------------------


def refused(text, limits=None):
    with pytest.raises(PredicateSyntaxError) as caught:
        parse(text) if limits is None else parse(text, limits)
    return caught.value


def test_long_texts_are_refused_at_once():
    parse("string or " * 100 + "string")
    for text in ("string or " * 10_000 + "string", "(" * 100_000, '"' + "a" * 100_000, "/" * 100_000):
        started = time.process_time()
        error = refused(text)
        assert error.code_name == "too-complex"
        assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("string", "not {}"),
        ("string", "not ({})"),
        ("string", "each {}"),
        ("> 1", "has {{a: {}}}"),
        ("any", "some ({})"),
    ],
)
def test_deep_nesting_is_refused(inner, outer):
    text = inner
    for _ in range(31):
        text = outer.format(text)
    parse(text)
    error = refused(outer.format(outer.format(text)))
    assert error.code_name == "too-complex"
    assert "32 levels" in error.message
    for _ in range(100):
        text = outer.format(text)
    assert refused(text).code_name == "too-complex"


@pytest.mark.parametrize(
    ("inner", "outer", "test"),
    [
        ("1", "[{}]", "== {}"),
        ("1", '{{"a": {}}}', "!= {}"),
        ("1", "[{}]", "in [{}]"),
        ("1", "[{}]", "array each contains {}"),
        ("1", "[{}]", "has {{a: {}}}"),
        ("1", "[{}]", "same items as [{}]"),
    ],
)
def test_deep_values_are_refused(inner, outer, test):
    text = inner
    for _ in range(32):
        text = outer.format(text)
    assert findings(parse(test.format(text))) == []
    text = outer.format(text)
    error = refused(test.format(text))
    assert error.code_name == "too-complex"
    assert error.message == "this value is nested more than 32 levels deep"
    assert error.end == error.start + 1
    sign = "[" if outer == "[{}]" else "{"
    around = test.replace("{}", "").replace("{{", "{").count(sign)
    assert test.format(text)[: error.start].count(sign) == 32 + around
    for _ in range(300 if outer == "[{}]" else 100):
        text = outer.format(text)
    assert refused(test.format(text)).code_name == "too-complex"


def test_many_parentheses_are_no_depth():
    parse("(" * 500 + "string" + ")" * 500)


def test_patterns_have_bounds_of_their_own():
    parse("matches /" + "a" * 1000 + "/")
    assert refused("matches /" + "a" * 1001 + "/").code_name == "too-complex"
    assert refused("> " + "1" * 101).code_name == "too-complex"
    assert refused("matches /(?:a{1000}){1000}/").code_name == "bad-regex"
    assert refused(r"matches /(?:\pL{1000}){10}/").code_name == "bad-regex"


def test_bounds_can_be_set():
    limits = attrs.evolve(Limits(), predicate_chars=10, predicate_depth=2)
    assert refused("string or null", limits).code_name == "too-complex"
    assert refused("not (not any)"[:13], attrs.evolve(limits, predicate_chars=99)).code_name == "too-complex"


@pytest.mark.parametrize("char", ["\x00", "\x01", "\x1f", "\x7f", "\u2028", "\xa0", "\ud800", "\ufeff"])
def test_odd_characters_are_mistakes_or_text(char):
    assert refused(f"string {char} > 1").code_name == "predicate-syntax"
    if char >= " ":
        assert parse(f'== "{char}"').root.operand.value == char
    else:
        assert refused(f'== "{char}"').code_name == "predicate-syntax"
