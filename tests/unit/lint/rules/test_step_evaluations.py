"""What is said of the evaluations of one step holds for every content that was tried."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from abs_compiler.pipeline import analyse
from abs_compiler.runtime import load_programs
from tests.support.findings import findings
from tests.unit.lint.linting import HEAD, names

CONTENTS: tuple[Any, ...] = (
    "", "a", "yes", "no", "yes no", "Your order has shipped", "5", 5, 3.5, True, None, [], ["yes"], {}, {"status": "a"},
    {"status": 5}, "x\ny",
)  # fmt: skip
LEAVES: tuple[dict[str, Any], ...] = (
    *({"type": "regex", "pattern": text} for text in ("^yes", "^no", "no$", "[0-9]*", "a$b", "^$", "x|", "^[a-z]+$")),
    *({"type": "contains", "value": text} for text in ("yes", "YES", "shipped", "5")),
    *({"type": "exact_match", "value": value} for value in ("yes", "no", 5, {"status": "a"}, ["yes"], None)),
    *(
        {"type": "schema", "schema": schema}
        for schema in (
            {"type": "string"}, {"type": "object", "required": ["status"]}, {"type": "integer", "minimum": 9,
            "maximum": 1},
            {"title": "t"}, {"enum": ["yes", 5]}, {"required": ["status"]}, {"not": {}}, {"minLength": 2},
        )
    ),
)  # fmt: skip
DECLARED: tuple[Any, ...] = ({"status": "a"}, {"status": 1}, "text", ["a"], 5)


def states(matcher: Any, event: dict[str, Any]) -> list[str]:
    """What each evaluation of the one behavior says, where the event matches it."""
    verdict = matcher.match([event])
    return [str(item.state) for item in verdict.checks] if verdict.steps[0].state == "matched" else []


@pytest.mark.parametrize("seed", range(8))
def test_random_evaluations(seed: int) -> None:
    random = Random(seed)
    said = 0
    for _ in range(60):
        answer = random.random() < 0.5
        head = {"actor": "tool", "action": "responds"} if answer else {"actor": "assistant", "action": "informs"}
        behavior: dict[str, Any] = {**head, "evaluations": random.sample(LEAVES, random.choice((1, 2, 2)))}
        if answer and random.random() < 0.5:
            behavior["content"] = random.choice(DECLARED)
        document = json.dumps({"session": "s", "abs_version": "0.2", "behaviors": [behavior]})
        found = analyse(document, "s.abs.json")
        assert found.programs, document
        (matcher,) = load_programs([dict(found.programs[0])])
        seen = [states(matcher, {**head, "content": content}) for content in CONTENTS]
        seen = [each for each in seen if each]
        for item in findings(document, name="s.abs.json"):
            said += item.code in ("ABS605", "ABS606")
            place = item.labels[0].span.start
            owner = sum(document.find(json.dumps(leaf)) <= place for leaf in behavior["evaluations"]) - 1
            if item.name == "vacuous-evaluations":
                looked_at = [c for c in CONTENTS if isinstance(c, str) or ("schema" in item.message and c is not None)]
                for content in looked_at:
                    each = states(matcher, {**head, "content": content})
                    assert not each or each[owner] == "passed", document
            elif item.name == "contradicting-evaluations" and "both" in item.message:
                assert not any(all(state == "passed" for state in each) for each in seen), document
            elif item.name == "contradicting-evaluations":
                assert not any(each[owner] == "passed" for each in seen), document
    assert said > 8


@pytest.mark.parametrize(
    "behavior",
    [
        "{actor: assistant, action: informs, evaluations: [{type: contains, value: ''}]}",
        "{actor: assistant, action: informs, matches_when: {type: contains, value: ''}}",
        "{actor: assistant, action: informs, matches_when: {type: regex, pattern: '.*'}}",
    ],
)
def test_the_empty_text_is_in_every_text(behavior: str) -> None:
    assert names(f"{HEAD}behaviors:\n  - {behavior}\n") == ["vacuous-evaluations"]


@pytest.mark.parametrize("test", ["{type: contains, value: ' '}", "{type: regex, pattern: 'a*b'}"])
def test_a_text_that_some_texts_lack(test: str) -> None:
    assert names(f"{HEAD}behaviors:\n  - {{actor: assistant, action: informs, matches_when: {test}}}\n") == []
