"""Events whose action is not known exactly, and optional steps with something that depends on them."""

import pytest

import abs_compiler as absc

SPEC = """
session: track a parcel
abs_version: "0.2"
behaviors:
  - {id: ask, actor: assistant, action: asks, optional: true}
  - {id: tell, actor: user, action: says, requires: ask}
  - {actor: assistant, action: calls, target: track}
"""
CALL = {"actor": "assistant", "action": "calls", "target": "track"}
SOME_TEXT = {"actor": "assistant", "category": "communication", "content": "let me look"}
SOME_ANSWER = {"actor": "user", "category": "communication", "content": "parcel 7"}


def states(events):
    (matcher,) = absc.compile_text(SPEC)
    verdict = matcher.match(events)
    monitor = matcher.monitor()
    for event in events:
        monitor.feed(event)
    assert monitor.finish().status == verdict.status
    return verdict.status, [step.state for step in verdict.steps]


def test_a_text_that_may_be_the_question_is_not_held_against_the_agent():
    assert states([SOME_TEXT, CALL]) == ("passed", ["skipped", "skipped", "matched"])


def test_it_is_the_question_where_everything_fits():
    assert states([SOME_TEXT, SOME_ANSWER, CALL]) == ("passed", ["matched", "matched", "matched"])


@pytest.mark.parametrize("known", ["asks"])
def test_a_known_question_demands_its_answer(known):
    question = {"actor": "assistant", "action": known, "content": "which parcel?"}
    assert states([question, CALL])[0] == "failed"


def test_required_steps_still_take_what_they_can():
    spec = SPEC.replace("behaviors:", "behaviors:\n  - {actor: user, action: says}")
    (matcher,) = absc.compile_text(spec)
    assert matcher.match([SOME_ANSWER, SOME_TEXT, CALL]).status == "passed"
