"""Operators of query languages as data: which mappings are reported, and the predicate that is shown instead."""

import pytest

from tests.unit.lint.linting import CALL, HEAD, marked, named


def findings(arguments):
    return named(f"{HEAD}{CALL}    with: {arguments}\n", "predicates-as-text")


@pytest.mark.parametrize(
    ("value", "predicate"),
    [
        ("{$gt: 0}", "> 0"),
        ("{$lt: b}", '< "b"'),
        ("{$gte: 1, $lte: 5}", ">= 1 and <= 5"),
        ("{$in: [open, paid]}", 'in ["open", "paid"]'),
        ("{$nin: [1]}", "not in [1]"),
        ("{$exists: false}", "absent"),
        ("{$exists: true}", "any"),
        ("{$regex: '^ORD'}", "matches /^ORD/"),
        ("{$matches: 'a/b'}", "matches /a\\/b/"),
        ("{$regex: '['}", "…"),
        ("{$ne: it's}", "!= \"it''s\""),
        ("{$eq: null}", "== null"),
        ("{$type: int}", "integer"),
        ("{$type: date}", "…"),
        ("{$contains: a}", 'contains "a"'),
        ("{$not: {$gt: 5}}", "…"),
        ("{$in: open}", "…"),
        ("{$gt: [1]}", "…"),
        ("[{$size: 2}]", "array length == 2"),
    ],
)
def test_an_operator_is_found(value, predicate):
    (found,) = findings(f"{{a: {value}}}")
    assert marked(found).startswith("$")
    assert found.helps[0].text == f"to test the argument, write a predicate: `{{$is: '{predicate}'}}`"
    assert all(help_.fix is None for help_ in found.helps)


@pytest.mark.parametrize(
    "arguments",
    [
        "{filter: {amount: {$gt: 0}}}",
        "{findQuery: {$or: [{a: {$gt: 0}}]}}",
        "{pipeline: [{$match: {a: {$in: [1]}}}]}",
        "{where: {a: {$exists: false}}}",
        "{a: {$literal: {$gt: 0}}}",
        "{a: {$gt: 0, b: 1}}",
        "{a: {$set: {b: 1}}}",
        "{$gt: 0}",
        "{a: {$is: '> 0'}}",
    ],
)
def test_data_is_left_alone(arguments):
    assert findings(arguments) == []


def test_an_answer():
    text = (
        f"{HEAD}behaviors:\n  - {{actor: tool, action: responds, content: {{total: {{$gt: 0}}, list: [{{$gt: 0}}]}}}}\n"
    )
    (found,) = named(text, "predicates-as-text")
    assert found.helps[0].text == "to test the answer, write a predicate: `{$is: '> 0'}`"
