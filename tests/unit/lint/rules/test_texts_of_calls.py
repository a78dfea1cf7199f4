"""Evaluations that look for a text where a call has arguments."""

import pytest

from tests.support.findings import HEAD, findings
from tests.unit.lint.linting import marked

CONTAINS = "{type: contains, value: x}"
CALL = "{actor: assistant, action: calls, target: pay, with: {a: 1}, evaluations: [%s]}"


def of(behavior, tools=None):
    found = findings(f"{HEAD}behaviors:\n  - {behavior}\n", tools)
    return [(item.name, item.severity.value, marked(item)) for item in found if "looks for a text" in item.message]


@pytest.mark.parametrize(
    ("evaluation", "name", "place"),
    [
        (CONTAINS, "contradicting-evaluations", "x"),
        ("{type: regex, pattern: 'x$'}", "contradicting-evaluations", "'x$'"),
        ("{type: exact_match, value: '{{a}}.'}", "contradicting-evaluations", "'{{a}}.'"),
        (f"{{type: any_of, evaluations: [{CONTAINS}]}}", "contradicting-evaluations", "x"),
        (f"{{type: none_of, evaluations: [{CONTAINS}]}}", "vacuous-evaluations", "x"),
    ],
)
def test_arguments_have_no_text(evaluation, name, place):
    assert of(CALL % evaluation) == [(name, "warning", place)]
    # A tool may take free text, which some recordings give as it is; not one that describes an object.
    free = CALL.replace("with: {a: 1}, ", "")
    assert of(free % evaluation) == []
    assert of(free % evaluation, [{"name": "pay", "input_schema": {"type": "object"}}]) == [(name, "warning", place)]
    assert of(free % evaluation, [{"name": "refund", "input_schema": {"type": "object"}}]) == []


@pytest.mark.parametrize(
    "behavior",
    [
        f"{{actor: assistant, action: informs, evaluations: [{CONTAINS}]}}",
        f"{{actor: tool, action: responds, target: pay, evaluations: [{CONTAINS}]}}",
        f"{{actor: user, action: submits, target: form, evaluations: [{CONTAINS}]}}",
        f"{{actor: assistant, action: calls, target: pay, content: x, evaluations: [{CONTAINS}]}}",
        CALL % "{type: exact_match, value: {a: 1}}",
        CALL % "{type: exact_match, value: '{{a}}'}",
        CALL % "{type: schema, schema: {type: object}}",
    ],
)
def test_what_has_a_text_or_needs_none(behavior):
    assert of(behavior) == []
