"""Predicates that stand where they are plain data: which texts are taken for one, and what the fix writes."""

import json

import pytest

from abs_compiler.lint.fixes import fix_text
from tests.unit.lint.linting import CALL, HEAD, named, shown


def findings(value):
    return named(f"{HEAD}{CALL}    with:\n      a: {value}\n", "predicates-as-text")


@pytest.mark.parametrize(
    "value",
    [
        "{is: 'integer > 5'}",
        "{IS: string}",
        "'> 5'",
        "'>5'",
        "\"{$is: 'integer > 5'}\"",
        "$is integer",
        "'$is: string'",
        "integer in 1..5",
        '\'in ["a", "b"]\'',
        "string or null",
        "not in 1..5",
        "array each string",
        "'== {{id}}'",
        "[{b: 'number > 0'}]",
        "string length > 3",
    ],
)
def test_a_predicate_is_found(value):
    assert len(findings(value)) == 1


@pytest.mark.parametrize(
    "value",
    [
        "integer",
        "some string",
        "each item",
        "2 or 3",
        "a > b",
        "x in 1..5",
        "in 5 days",
        "not now, or null",
        "'<b>bold</b>'",
        "'> quoted line of a mail'",
        "'-> 5'",
        "{is: open}",
        "{is: 'integer > 5', more: 1}",
        "{$literal: '> 5'}",
        "{$literal: {is: '> 5'}}",
        "{$is: '> 5'}",
        "{$Is: '> 5'}",
    ],
)
def test_data_is_left_alone(value):
    assert findings(value) == []


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("{total: 'number > 5', id: '{$is: integer}', n: integer in 1..5}", 3),
        ("{order: {total: {is: '> 5'}}}", 1),
        ("'array each string'", 1),
        ("{tags: ['number > 5']}", 0),
        ("{total: {$is: 'number > 5'}, note: {$literal: {a: '> 5'}}, filter: '> 5'}", 0),
        ("in 5 days", 0),
    ],
)
@pytest.mark.parametrize("actor", ["tool", "external", "assistant"])
def test_predicates_in_an_answer(content, found, actor):
    text = f"{HEAD}behaviors:\n  - {{actor: {actor}, action: responds, content: {content}}}\n"
    assert len(named(text, "predicates-as-text")) == (0 if actor == "assistant" else found)


@pytest.mark.parametrize(
    ("value", "test"),
    [
        (r"'^ORD-\d+$'", r"string matches /^ORD-\d+$/"),
        (r"'/^ORD-\d+$/'", r"string matches /^ORD-\d+$/"),
        (r"'/^ord-[0-9]{4}$/i'", r"string matches /^ord-[0-9]{4}$/i"),
        (r"'^a/b-\w+$'", r"string matches /^a\/b-\w+$/"),
        (r"'^.*refund.*$'", r"string matches /^.*refund.*$/"),
        (r"{b: ['^[A-Z]+$']}", r"string matches /^[A-Z]+$/"),
    ],
)
def test_a_pattern_is_found(value, test):
    (found,) = findings(value)
    assert found.message.startswith("this pattern is plain text")
    assert found.helps[0].text == f"to test the argument, write `{{$is: '{test}'}}`"
    assert not any(help_.fix for help_ in found.helps)


@pytest.mark.parametrize(
    "value", ["^ORD", "^start$", "'^ORD-[0-9]+'", "'[0-9]+$'", "/usr/bin/", "'^a(b\\d$'", "'$5'", "'/^a$/'", "'^[$'"]
)
def test_what_is_no_plain_pattern_is_left_alone(value):
    assert findings(value) == []


@pytest.mark.parametrize("key", ["pattern", "regex", "namePattern", "file_glob", "path", "search_query", "filter"])
def test_arguments_that_take_patterns_are_left_alone(key):
    assert named(f"{HEAD}{CALL}    with: {{{key}: '^ORD-\\d+$'}}\n", "predicates-as-text") == []


@pytest.mark.parametrize(
    "arguments",
    [
        "{python_requires: '>=3.8'}",
        "{minVersion: '>=3.8'}",
        "{dependencies: {requests: '>=2.0'}}",
        "{dependencies: ['>=2.0']}",
        "{versions: '>=3.8,<4'}",
        "{filter: '> 5'}",
        "{whereClause: 'in [1, 2]'}",
    ],
)
def test_conditions_of_other_languages_are_left_alone(arguments):
    assert named(f"{HEAD}{CALL}    with: {arguments}\n", "predicates-as-text") == []


@pytest.mark.parametrize(
    "text",
    [
        ">=3.8,<4",
        "~=1.4.2",
        "^1.2 || >2",
        "x > 5 and y < 3",
        "5 < x < 10",
        "a <= b",
        "number of users > 5",
        "in 2024, revenue was > 5% higher",
        "null or undefined values in the table",
        "string theory or any theory",
        "contains nuts",
        "matches played >= 10",
        "length of the trip > 3 days",
        "not in stock or on sale",
        "any flight under $500 or a train",
        "has more than 3 rooms",
        "= 5",
        "=> next",
        "<5 minutes",
        "> 5 people",
        ">100 stars",
        "< 10 USD",
        "some number in 1..5",
        "any or not null or null",
        "not (any or absent)",
        "number and string",
        "SELECT * FROM t WHERE a > 5",
    ],
)
def test_what_people_write_is_left_alone(text):
    assert findings(f'"{text}"') == []


def test_texts_elsewhere_are_left_alone():
    behavior = "behaviors:\n  - {actor: assistant, action: informs, content: '> 5', capture: {with: '> 5'}}\n"
    assert named(HEAD + behavior, "predicates-as-text") == []


@pytest.mark.parametrize(
    ("value", "mended"),
    [({"a": "> 5"}, {"a": {"$is": "> 5"}}), ({"a": {"is": 'in ["x"]'}}, {"a": {"$is": 'in ["x"]'}})],
)
def test_the_fix_in_json(value, mended):
    behavior = {"actor": "assistant", "action": "calls", "with": value}
    text = json.dumps({"session": "t", "abs_version": "0.2", "behaviors": [behavior]})
    fixed = json.loads(fix_text(text, lambda now: shown(now, name="t.abs.json").diagnostics, unsafe=True).text)
    assert fixed["behaviors"][0]["with"] == mended
