"""Wildcards and patterns where texts are compared as they stand, and names and texts that only look a little like
them."""

import pytest

from tests.unit.lint.linting import HEAD, marked, named

BEHAVIOR = "behaviors:\n  - {actor: assistant, action: calls, target: get_order}\n"


def with_target(target, head=HEAD):
    return f"{head}{BEHAVIOR}evaluations:\n  - {{type: count, match: {{target: {target}}}, max: 3}}\n"


def with_text(text):
    check = f"[{{type: contains, value: {text}}}]"
    return f"{HEAD}behaviors:\n  - {{actor: assistant, action: informs, evaluations: {check}}}\n"


@pytest.mark.parametrize(
    "target",
    ["delete_*", '"*"', '"get_.*"', '"^delete"', '"get_[a-z]+"', '"delete|remove"', '"(get|set)_order"', "'orders/*'"],
)
def test_a_target_with_a_wildcard(target):
    (item,) = named(with_target(target), "patterns-as-text")
    assert marked(item) == target


@pytest.mark.parametrize("target", ["get_order", "orders/list", "Order MCP", "get-order.v2", '"/api/orders"', '"a?"'])
def test_a_target_that_is_a_name(target):
    assert not named(with_target(target), "patterns-as-text")


def test_a_target_that_stands_for_recorded_names():
    head = f"{HEAD}match: {{targets: {{'delete_*': ['delete_*']}}}}\n"
    assert not named(with_target("'delete_*'", head), "patterns-as-text")


@pytest.mark.parametrize(
    "behavior",
    [
        "{actor: assistant, action: calls, target: 'get_*'}",
        "{actor: tool, action: responds, target: 'get_*'}",
        "{actor: assistant, action: calls, evaluations: [{type: tool_call, target: 'get_*'}]}",
    ],
)
def test_where_targets_stand(behavior):
    (item,) = named(f"{HEAD}behaviors:\n  - {behavior}\n", "patterns-as-text")
    assert marked(item) == "'get_*'"


def test_an_element_may_be_named_by_signs():
    text = f"{HEAD}behaviors:\n  - {{actor: user, action: selects, target: 'a[0] > *'}}\n"
    assert not named(text, "patterns-as-text")


@pytest.mark.parametrize(
    "text",
    [r"'ORD-\d+'", r"'ORD-\d{4}'", "'order.*late'", "/order/i", r"'\border\b'", "refund|return", "'[0-9]+ items'",
     "ORD-*", "'^order$'", "'(?i)order'"],
)  # fmt: skip
def test_a_pattern_that_is_looked_for_as_a_text(text):
    (item,) = named(with_text(text), "patterns-as-text")
    assert marked(item) == text


@pytest.mark.parametrize(
    "text",
    ["order", "'* first item'", "'**bold**'", r"'C:\data'", "'$20.'", "'Total | 20'", "'[see below]'", "a+b",
     "/orders/", "'what?'", "and/or", "'5 * 3'", "'(yes)'", "'c++.'"],
)  # fmt: skip
def test_a_text_with_signs(text):
    assert not named(with_text(text), "patterns-as-text")
