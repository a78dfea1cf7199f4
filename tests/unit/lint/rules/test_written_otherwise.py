"""Texts, roles and lists that are allowed and hardly meant: what is found, and what is left alone."""

import json

import pytest

from abs_compiler.lint.fixes import fix_text
from tests.unit.lint.linting import CALL, HEAD, marked, named, names, shown

STEP = "behaviors:\n  - actor: assistant\n    action: informs\n    evaluations:\n"
CAPTURE = "behaviors:\n  - {actor: user, action: asks, capture: {order_id: A7}}\n"


def lists(*evaluations, at_session=False):
    rows = "".join(f"      - {item}\n" for item in evaluations)
    return HEAD + ("behaviors:\n  - {actor: user, action: asks}\nevaluations:\n" if at_session else STEP) + rows


@pytest.mark.parametrize(
    "text",
    [
        lists("{type: contains, value: a}", "{type: contains, value: a}"),
        lists("{type: contains, value: a}", "{value: a, type: contains, blocking: true}"),
        lists("{type: any_of, evaluations: [{type: contains, value: a}, {type: contains, value: a}]}"),
        lists("{type: never, match: {action: calls}}", "{type: never, match: {action: calls}}", at_session=True),
    ],
)
def test_an_evaluation_that_stands_twice(text):
    assert names(text).count("vacuous-evaluations") == 1


@pytest.mark.parametrize(
    "text",
    [
        lists("{type: contains, value: a}", "{type: contains, value: b}"),
        lists("{type: llm_judge, criteria: a}", "{type: llm_judge, criteria: a}"),
        lists("{type: all_of, threshold: 0.5, evaluations: [{type: contains, value: a}, {type: contains, value: a}]}"),
        lists("{type: contains, value: a}", "{type: contains, value: a, when: '{{x}}'}"),
        HEAD + CALL + "    with: {evaluations: [{type: contains}, {type: contains}]}\n",
    ],
)
def test_evaluations_that_may_stand_twice(text):
    assert "vacuous-evaluations" not in names(text)


@pytest.mark.parametrize(
    ("demand", "denied", "found"),
    [
        ("{type: contains, value: a refund}", "{type: contains, value: REFUND}", True),
        ("{type: regex, pattern: ^a}", "{type: regex, pattern: ^a}", True),
        ("{type: contains, value: refund}", "{type: contains, value: a refund}", False),
        ("{type: contains, value: '{{x}}'}", "{type: contains, value: x}", False),
        ("{type: contains, value: a, when: '{{x}}'}", "{type: contains, value: a}", False),
    ],
)
def test_a_check_beside_its_denial(demand, denied, found):
    text = lists(demand, f"{{type: none_of, evaluations: [{{type: contains, value: sorry}}, {denied}]}}")
    assert ("contradicting-evaluations" in names(text)) is found


@pytest.mark.parametrize(
    "value",
    [
        *("${order_id}", "{order_id}", "order #{order_id}", "<%= order_id %>", "%{order_id}", "${ order_id }"),
        *("<order_id>", "$order_id", "order $order_id,", "[[order_id]]", "%(order_id)s"),
    ],
)
def test_a_reference_in_another_notation(value):
    text = HEAD + CAPTURE + f"  - {{actor: assistant, action: calls, with: {{id: '{value}'}}}}\n"
    assert names(text) == ["references-as-text"]
    mended = fix_text(text, lambda now: shown(now).diagnostics, unsafe=True).text
    assert "{{order_id}}" in mended
    assert names(mended) == []


@pytest.mark.parametrize(
    "value",
    [
        *("${HOME}", "{name}", "{{order_id}}", "{{order_id}}}", "{order id}", "$HOME", "<name>", "%(name)s"),
        *("a$order_id", "$order_id.x", "$$order_id", "<order_id>A7</order_id>", "<<order_id>>", "list<order_id>"),
        "[[name]]",
    ],
)
def test_other_braces(value):
    text = HEAD + CAPTURE + f"  - {{actor: assistant, action: calls, with: {{id: '{value}', n: '{{{{order_id}}}}'}}}}\n"
    assert names(text) == []


@pytest.mark.parametrize(
    "arguments",
    [
        "{pipeline: [{$group: {_id: $order_id}}]}",
        "{graphql: 'query($order_id: ID) { order(id: $order_id) }'}",
        "{a: {$eq: ['$order_id', 5]}}",
        "{sql_query: 'select %(order_id)s', n: '{{order_id}}'}",
    ],
)
def test_signs_of_other_languages(arguments):
    text = HEAD + CAPTURE + f"  - {{actor: assistant, action: calls, target: run, with: {arguments}}}\n"
    assert "references-as-text" not in names(text)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("{body: 'Order {order_id} is on its way', values: {order_id: '{{order_id}}'}}", False),
        ("{body: 'Order ${order_id}', order_id: A7}", False),
        ("{body: 'Order {order_id}', params: [order_id]}", False),
        ("{url: '/orders/{order_id}', path: {order_id: '{{order_id}}'}}", False),
        ("{body: 'Order {order_id}', note: '{{order_id}}'}", True),
        ("{id: '{order_id}', order_id: A7}", True),
        ("{body: 'Order {order_id}', values: {id: '{{order_id}}'}}", True),
    ],
)
def test_a_template_whose_name_is_passed_beside(arguments, found):
    text = HEAD + CAPTURE + f"  - {{actor: assistant, action: calls, target: send, with: {arguments}}}\n"
    assert ("references-as-text" in names(text)) is found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("$.content.id", True),
        ("content.id", True),
        ("result[0].id", True),
        ("response.items[0]", True),
        ("content", False),
        ("example.com", False),
        ("$5.20", False),
        ("content.", False),
        ("the content.id", False),
    ],
)
def test_a_captured_path(value, found):
    text = HEAD + f"behaviors:\n  - {{actor: tool, action: responds, capture: {{id: '{value}'}}}}\n"
    assert ("references-as-text" in names(text)) is found


def test_curly_quotes_and_spaces_in_json():
    behavior = {"actor": "assistant", "action": "calls", "target": "a\u00a0", "with": {"city": "“Oslo”"}}
    document = {"session": "t", "abs_version": "0.2", "behaviors": [behavior]}
    plain = json.dumps(document, ensure_ascii=False)
    found = shown(plain, name="t.abs.json").diagnostics
    assert [(item.name, marked(item)) for item in found] == [("lookalike-characters", "\u00a0")]
    assert shown(json.dumps(document), name="t.abs.json").diagnostics == ()


def test_a_chain_that_hangs_on_an_impossible_behavior():
    text = HEAD + (
        "behaviors:\n"
        "  - {actor: user, action: asks, capture: {n: 3}}\n"
        "  - {id: a, actor: assistant, action: calls, optional: true, with: {x: {$is: '> 5 and == {{n}}'}}}\n"
        "  - {id: b, actor: assistant, action: calls, target: tb, requires: a}\n"
        "  - {id: c, actor: assistant, action: calls, target: tc, requires: b}\n"
        "  - {id: d, actor: assistant, action: calls, target: td, requires: c}\n"
    )
    first, second = named(text, "unreachable-behaviors")
    assert (marked(first), marked(second)) == ("{{n}}", "a")
    assert second.notes


@pytest.mark.parametrize(
    ("behavior", "found"),
    [
        ("{actor: tool, action: calls, target: a}", True),
        ("{actor: tool, action: stores}", True),
        ("{actor: tool, action: responds, target: a, content: {id: 1}}", False),
        ("{actor: assistant, action: responds, target: a, content: {id: 1}}", True),
        ("{actor: assistant, action: responds, target: a, content: [1]}", True),
        ("{actor: assistant, action: responds, target: a, content: done}", False),
        ("{actor: external, action: calls}", False),
    ],
)
def test_roles(behavior, found):
    assert ("mismatched-roles" in names(HEAD + f"behaviors:\n  - {behavior}\n")) is found


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("cases.orderId", "cases.order_id", 1),
        ("cases.orderId", "cases.orderId", 0),
        ("cases.orderId", "rows.order_id", 0),
        ("cases.order", "cases.orders", 0),
    ],
)
def test_columns_in_two_ways(one, other, found):
    text = f"{HEAD}{CALL}    with:\n      a: '{{{{{one}}}}}'\n      b: '{{{{{other}}}}}'\n"
    assert len(named(text, "near-miss-names")) == found
