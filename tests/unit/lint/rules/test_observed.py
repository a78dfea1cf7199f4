"""Sessions that no recording of tools passes: what is said of them holds for a run that has all that they demand."""

import pytest

from abs_compiler import CompileOptions, Event, Trace, compile_text
from abs_compiler.lint.analysis import analyse_bytes
from tests.unit.lint.linting import HEAD, marked, named

BEHAVIORS = "behaviors:\n  - {actor: assistant, action: calls, target: a}\n  - {id: ask, actor: user, action: asks}\n"
RUN = Trace([Event("assistant", "calls", target="a"), Event("tool", "responds", target="a", content="x")])


def of(evaluation, observe="match: {observe: tools}\n"):
    return f"{HEAD}{observe}{BEHAVIORS}evaluations:\n  - {evaluation}\n"


def status(text):
    (matcher,) = compile_text(text)
    return matcher.match(RUN).status


@pytest.mark.parametrize(
    "evaluation",
    [
        "{type: never, match: {action: rejects}}",
        "{type: never, match: {target: b}}",
        "{type: never, match: {action: responds, target: b}}",
        "{type: count, match: {actor: assistant}, max: 3}",
        "{type: count, match: {actor: assistant, action: informs}, min: 1}",
        "{type: eventually, match: {actor: assistant, action: informs}}",
        "{type: eventually, match: {actor: assistant, action: responds}}",
        "{type: sequence, order: [{action: asks}, {action: calls}]}",
        "{type: within, after: {action: calls}, match: {actor: tool, action: responds}, max_steps: 3}",
        "{type: expected, behavior: ask}",
        "{type: all_of, evaluations: [{type: expected, behavior: ask}]}",
    ],
)
def test_evaluations_of_what_is_not_observed(evaluation):
    text = of(evaluation)
    (item,) = named(text, "vacuous-sessions")
    assert marked(item) in evaluation
    assert status(text) == "inconclusive"
    assert not named(of(evaluation, ""), "vacuous-sessions")


@pytest.mark.parametrize(
    "evaluation",
    [
        "{type: never, match: {action: calls, target: b}}",
        "{type: never, match: {actor: external, action: responds}}",
        "{type: count, match: {target: a}, min: 1}",
        "{type: eventually, match: {action: responds}}",
        "{type: eventually, match: {actor: tool}}",
        "{type: sequence, order: [{action: calls}, {target: a}]}",
        "{type: any_of, evaluations: [{type: expected, behavior: ask}, {type: eventually, match: {action: calls}}]}",
        "{type: never, match: {action: escalates}}",
        "{type: never, match: {action: rejects}, when: 'false'}",
    ],
)
def test_evaluations_that_tools_decide(evaluation):
    text = of(evaluation)
    assert not named(text, "vacuous-sessions")
    assert status(text) == "passed"


def test_evaluations_of_behaviors_that_are_not_observed():
    text = of("{type: never, match: {action: calls, target: b}}")
    text = text.replace("action: asks}", "action: asks, evaluations: [{type: contains, value: x}]}")
    (item,) = named(text, "vacuous-sessions")
    assert marked(item) == "contains"
    assert status(text) == "inconclusive"


def test_what_the_caller_says_is_observed():
    text = of("{type: never, match: {action: rejects}}", "match: {observe: all}\n")
    found = analyse_bytes(text.encode(), "s.abs.yaml", CompileOptions(observe="tools"))
    assert "vacuous-sessions" in [item.name for item in found.diagnostics]


@pytest.mark.parametrize("more", ["", "evaluations: [{type: never, match: {action: calls}}]\n"])
def test_conversation_alone(more):
    text = f"{HEAD}match: {{observe: tools}}\nbehaviors: [{{actor: user, action: asks}}]\n{more}"
    (item,) = named(text, "vacuous-sessions")
    assert "none of its behaviors" in item.message
    assert status(text.replace("action: calls", "action: calls, target: b")) == "inconclusive"
