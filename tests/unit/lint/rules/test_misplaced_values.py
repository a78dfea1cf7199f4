"""Arguments and content where nothing compares them, names of types as content, and tools that only answer."""

import pytest

from abs_compiler.lint.fixes import best_fix
from tests.unit.lint.linting import HEAD, marked, named, names

CALL = "{actor: assistant, action: calls, target: get_order, with: {id: 1}}"


def of(*behaviors):
    return f"{HEAD}behaviors:\n" + "".join(f"  - {item}\n" for item in behaviors)


@pytest.mark.parametrize(
    ("behavior", "place"),
    [
        ("{actor: tool, action: responds, target: get_order, with: {id: 1}}", "with"),
        ("{actor: external, action: responds, with_only: {id: 1}}", "with_only"),
        ("{actor: assistant, action: informs, with: {text: hello}}", "with"),
        ("{actor: assistant, action: calls, target: get_order, content: {id: 1}}", "content"),
        ("{actor: assistant, action: informs, content: {id: '{{id}}'}}", "content"),
        ("{actor: assistant, action: stores, content: [1]}", "content"),
    ],
)
def test_values_that_play_no_part(behavior, place):
    (item,) = named(of(behavior), "misplaced-values")
    assert marked(item) == place
    assert item.helps


@pytest.mark.parametrize(
    "behavior",
    [
        CALL,
        "{actor: tool, action: responds, content: {id: 1}}",
        "{actor: assistant, action: calls, content: Looking up the order}",
        "{actor: assistant, action: informs, content: On its way}",
        "{actor: user, action: uploads, target: photo, with: {size: 1}}",
        "{actor: assistant, action: hands_off, with: {reason: angry}}",
    ],
)
def test_values_in_their_place(behavior):
    assert not named(of(behavior), "misplaced-values")


@pytest.mark.parametrize(
    ("content", "written", "example"),
    [("{total: number}", "number", "0"), ("{order: {paid: boolean}}", "boolean", "true"), ("object", "object", "{}"),
     ("{items: array}", "array", "[]"), ('{n: "integer"}', '"integer"', "0")],
)  # fmt: skip
def test_the_name_of_a_type_is_no_example(content, written, example):
    (item,) = named(of(f"{{actor: tool, action: responds, content: {content}}}"), "types-as-text")
    assert marked(item) == written
    fix = best_fix(item, unsafe=True)
    assert fix is not None
    assert fix.edits[0].text == example
    assert best_fix(item, unsafe=False) is None


@pytest.mark.parametrize(
    "content",
    ["string", "{id: string}", "{type: number}", "{object: list}", "{n: {$is: integer}}", "{n: {$literal: int}}"],
)
def test_texts_that_may_be_meant(content):
    assert not named(of(f"{{actor: tool, action: responds, content: {content}}}"), "types-as-text")


def test_a_tool_that_only_answers():
    (item,) = named(of(CALL, "{actor: tool, action: responds, target: get_ordr}"), "near-miss-names")
    assert marked(item) == "get_ordr"


@pytest.mark.parametrize(
    "behavior",
    [
        "{actor: tool, action: responds, target: get_order}",
        "{actor: tool, action: responds, target: get_orders}",
        "{actor: tool, action: responds, target: search}",
        "{actor: assistant, action: calls, target: get_oder}",
    ],
)
def test_tools_that_are_called_themselves_or_have_other_names(behavior):
    assert names(of(CALL, behavior)) == []
