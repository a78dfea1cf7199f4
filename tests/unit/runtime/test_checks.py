"""Checks as data: what the compiler emits is read, everything else is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest

from abs_compiler.runtime import ArtifactError, load_programs
from abs_compiler.runtime.checks import Selector, decode_checks, own_templates, templates_of, whens_of
from abs_compiler.runtime.program import ProgramError
from tests.support.programs import behavior, check, program, select

STEP = [
    check("exact_match", value={"a": "{{x}}"}),
    check("contains", value="x"),
    check("regex", pattern="a{{x}}"),
    check("schema", schema={"type": "string"}),
    check("tool_call", target="A", with_={"k": 1}, merged=True),
    check("judge", criteria=None, places={"query": 0, "response": None}),
    check("any_of", checks=[check("contains", value="x")], threshold=0.5),
]
CHAIN = [
    check("sequence", order=[select("user"), select(action="calls")]),
    check("eventually", match=select(target="A")),
    check("never", match=select("user")),
    check("count", match=select("user"), min=0, max=3),
    check("within", after=select("user"), match=select("tool"), max_steps=1),
    check("variable_consistency", variable="x"),
    check("expected", behavior=0, after=select("user"), reason="needed"),
    check("tool_call", target=None, with_={"k": "{{x}}"}),
    check("judge", criteria="good"),
    check("none_of", checks=[check("never", match=select("user"))], blocking=True),
]


def session(*, step: Any = (), chain: Any = ()) -> Any:
    return program([behavior("assistant", "informs", checks=step)], list(chain))


@pytest.mark.parametrize("made", STEP, ids=lambda made: made["type"])
def test_step_checks_are_read(made: Any) -> None:
    load_programs([session(step=[made])])


@pytest.mark.parametrize("made", CHAIN, ids=lambda made: made["type"])
def test_chain_checks_are_read(made: Any) -> None:
    load_programs([session(chain=[made])])


def test_types_stand_at_their_level() -> None:
    for made in (*STEP[:4], check("all_of", checks=[STEP[0]])):
        with pytest.raises(ArtifactError, match="not a check that may stand here"):
            load_programs([session(chain=[made])])
    for made in (*CHAIN[:7], check("all_of", checks=[CHAIN[0]])):
        with pytest.raises(ArtifactError, match="not a check that may stand here"):
            load_programs([session(step=[made])])


def changed(made: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**made, **fields}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ([], "checks[0]: not a check that may stand here"),
        (changed(STEP[0], type="exact"), "checks[0]: not a check that may stand here"),
        (changed(STEP[0], extra=1), "checks[0]: not the fields of exact_match"),
        ({key: value for key, value in STEP[0].items() if key != "value"}, "not the fields of exact_match"),
        (changed(STEP[0], name=1), "checks[0].name: not a text"),
        (changed(STEP[0], at=[1]), "checks[0].at: not a line and a column"),
        (changed(STEP[0], blocking=None), "checks[0].blocking: not a boolean"),
        (changed(STEP[0], threshold=1.5), "checks[0].threshold: not from 0 to 1"),
        (changed(STEP[0], threshold=True), "checks[0].threshold: not from 0 to 1"),
        (changed(STEP[0], when=["x"]), "when: not a condition"),
        (changed(STEP[0], value=1), "checks[0].value: not a template"),
        (changed(STEP[0], value=["obj", {"a": ["is", ["type", "string"]]}]), "checks[0].value: "),
        (changed(STEP[2], pattern=["=", 5]), "checks[0].pattern: not a text"),
        (changed(STEP[2], pattern=["arr", []]), "checks[0].pattern: not a text"),
        (changed(STEP[4], args={}), "checks[0].args: not a list"),
        (changed(STEP[4], args=[{}]), "checks[0].args[0]"),
        (changed(STEP[4], merged=0), "checks[0].merged: not a boolean"),
        (changed(STEP[4], target=5), "checks[0].target: not a text"),
        (changed(STEP[5], rule=None), "checks[0].rule: not a text"),
        (changed(STEP[5], criteria=["=", 5]), "checks[0].criteria: not a text"),
        (changed(STEP[5], places={"answer": 0}), "checks[0].places: not places of a judge"),
        (changed(STEP[5], places={"query": 1}), "checks[0].places: not a behavior"),
        (changed(STEP[6], checks=[]), "checks[0].checks: not a list with at least one entry"),
        (changed(STEP[6], checks=[1]), "checks[0].checks[0]: not a check that may stand here"),
    ],
)
def test_refused_at_a_step(made: Any, message: str) -> None:
    with pytest.raises(ArtifactError) as refused:
        load_programs([session(step=[made])])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (changed(CHAIN[0], order=[]), "checks[0].order: not a list with at least one entry"),
        (changed(CHAIN[0], order=[{"actor": "user"}]), "checks[0].order[0]: not a selector"),
        (changed(CHAIN[1], match=None), "checks[0].match: not a selector"),
        (changed(CHAIN[1], match=select()), "checks[0].match: an empty selector"),
        (changed(CHAIN[1], match=changed(select("user"), action=1)), "checks[0].match.action: not a text"),
        (changed(CHAIN[3], min=None, max=None), "checks[0]: a count without bounds"),
        (changed(CHAIN[3], min=-1), "checks[0].min: not a count"),
        (changed(CHAIN[3], max=True), "checks[0].max: not a count"),
        (changed(CHAIN[4], max_steps=0), "checks[0].max_steps: not a distance"),
        (changed(CHAIN[4], after=None), "checks[0].after: not a selector"),
        (changed(CHAIN[5], variable=None), "checks[0].variable: not a text"),
        (changed(CHAIN[6], behavior=1), "checks[0].behavior: not a behavior"),
        (changed(CHAIN[6], behavior=None), "checks[0].behavior: not a behavior"),
    ],
)
def test_refused_at_the_session(made: Any, message: str) -> None:
    with pytest.raises(ArtifactError) as refused:
        load_programs([session(chain=[made])])
    assert message in str(refused.value)


def test_depth_and_length_are_bounded() -> None:
    made = CHAIN[1]
    for _ in range(70):
        made = check("all_of", checks=[made])
    with pytest.raises(ProgramError):
        decode_checks([made], "checks", ("all_of", "eventually"), 0)
    with pytest.raises(ProgramError, match="bounded length"):
        decode_checks({}, "checks", ("all_of",), 0)


def test_templates_and_conditions() -> None:
    nested = check("all_of", when=["lit", True], checks=[STEP[0], changed(STEP[4], when=["lit", False])])
    (decoded,) = decode_checks([nested], "checks", ("all_of", "exact_match", "tool_call"), 0)
    assert own_templates(decoded) == []
    assert templates_of(decoded) == [["obj", {"a": ["ref", "x"]}], ["=", 1]]
    assert whens_of(decoded) == [["lit", True], ["lit", False]]


def test_selectors_in_words() -> None:
    assert Selector(select("user", "says", "A"), "x").title == "user says A"
    assert Selector(select(target="A"), "x").title == "anybody does anything A"
