"""References to what nothing captures yet, and to what no event gives."""

import pytest

from tests.unit.lint.linting import HEAD, marked, named, names

ID = "{{id}}"
USES = f"{{actor: assistant, action: calls, target: a, with: {{id: '{ID}'}}}}"
CAPTURES = "{actor: tool, action: responds, target: a, capture: {id: '7'}}"
BOTH = f"{{actor: user, action: says, capture: {{id: '7'}}, evaluations: [{{type: contains, value: '{ID}'}}]}}"
FROM_ITSELF = f"{{actor: user, action: says, capture: {{id: '{ID}'}}}}"


def of(*behaviors, head=""):
    return f"{HEAD}{head}behaviors:\n" + "".join(f"  - {item}\n" for item in behaviors)


@pytest.mark.parametrize("behaviors", [(USES, CAPTURES), (USES, CAPTURES, USES), (USES, USES, CAPTURES), (BOTH, USES)])
def test_references_before_the_capture(behaviors):
    text = of(*behaviors)
    (item,) = named(text, "early-references")
    assert marked(item) == ID
    assert item.labels[0].span.start == text.index(ID)
    assert "unused-capture" not in names(text)


@pytest.mark.parametrize(
    "text",
    [
        of(CAPTURES, USES),
        of(CAPTURES, USES, CAPTURES, USES),
        of(FROM_ITSELF, USES),
        of(USES, FROM_ITSELF, USES),
        of(USES, CAPTURES, USES, head="dataset: {path: cases.jsonl}\n"),
        of(CAPTURES) + f"evaluations: [{{type: llm_judge, criteria: '{ID}'}}]\n",
    ],
)
def test_references_that_are_not_early(text):
    assert "early-references" not in names(text)


def test_a_later_capture_that_is_unused_beside_an_earlier_one():
    assert names(of(CAPTURES, USES, CAPTURES)) == ["unused-capture"]


@pytest.mark.parametrize(
    ("behavior", "dataset", "found"),
    [
        ("{actor: user, action: asks, capture: {a: '{{content.id}}'}}", "", ["{{content.id}}"]),
        ("{actor: user, action: asks, capture: {a: {b: '{{row.id}}'}}}", "", ["{{row.id}}"]),
        ("{actor: user, action: asks, capture: {a: 'x {{row.id}}'}}", "", ["{{row.id}}"]),
        ("{actor: user, action: asks, capture: {a: '{{row.id}}'}}", "dataset: {id: row, path: r.json}\n", []),
        ("{actor: user, action: asks, capture: {a: '{{row.id}}'}}", "dataset: {path: r.json}\n", []),
        ("{actor: assistant, action: calls, with: {a: '{{args.id}}', b: '{{row.id}}'}}", "", ["{{args.id}}"]),
        ("{actor: assistant, action: calls, with: {a: '{{args}}'}}", "", []),
        ('{actor: assistant, action: calls, with: {a: "\\x7b{with.id}}"}}', "", ["\\x7b{with.id}}"]),
        ("{actor: assistant, action: calls, with: {a: {$literal: '{{args.id}}'}}}", "", []),
    ],
)
def test_paths_in_braces(behavior, dataset, found):
    text = of(behavior, head=dataset)
    assert [marked(item) for item in named(text, "references-as-text")] == found
