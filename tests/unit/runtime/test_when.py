"""Conditions: their truth, and what has none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.runtime import BindError
from abs_compiler.runtime.program import ProgramError
from abs_compiler.runtime.when import WhenError, check_when, evaluate_when, names_of
from tests.support.evaluation_model.steps import condition
from tests.support.programs import behavior, check, match, matcher, program, says

VALUES = {"n": 5, "s": "text", "t": True, "z": None, "l": [1], "o": {"a": 1}}


def compare(operator: str, left: Any, right: Any) -> Any:
    return ["cmp", operator, _operand(left), _operand(right)]


def _operand(value: Any) -> Any:
    return ["ref", value[1:]] if isinstance(value, str) and value.startswith("$") else ["lit", value]


@pytest.mark.parametrize(
    ("data", "holds"),
    [
        (compare("==", "$n", 5.0), True),
        (compare("!=", "$n", 5), False),
        (compare("==", "$z", None), True),
        (compare("==", "$n", None), False),
        (compare("!=", "$s", None), True),
        (compare("<", 1, 1.5), True),
        (compare(">=", "b", "a"), True),
        (compare("<", "Z", "a"), True),
        (compare("==", "$l", "$l"), True),
        (["ref", "t"], True),
        (["not", ["ref", "t"]], False),
        (["and", [["ref", "t"], compare(">", "$n", 4)]], True),
        (["and", [["lit", False], ["ref", "missing"]]], False),
        (["or", [["lit", True], compare("==", 1, "1")]], True),
    ],
)
def test_truth(data: Any, holds: bool) -> None:
    check_when(data)
    assert evaluate_when(data, VALUES.__getitem__) is holds


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (compare("==", "$n", "5"), '`==` compares 5 (number) with "5" (string), which can never be equal'),
        (compare("!=", "$t", 1), "`!=` compares true (boolean) with 1 (number), which can never be equal"),
        (compare("<", "$n", "6"), '`<` orders two numbers or two texts, not 5 (number) and "6" (string)'),
        (compare("<", "$t", True), "`<` orders two numbers or two texts, not true (boolean) and true (boolean)"),
        (compare(">", "$z", None), "`>` orders two numbers or two texts, not null (null) and null (null)"),
        (["ref", "s"], 'the condition is "text" (string), not true or false'),
        (["lit", 1], "the condition is 1 (number), not true or false"),
        (["not", ["ref", "n"]], "`not` needs true or false, not 5 (number)"),
        (["and", [["lit", True], ["ref", "z"]]], "`and` needs true or false, not null (null)"),
    ],
)
def test_no_truth(data: Any, message: str) -> None:
    with pytest.raises(WhenError) as raised:
        evaluate_when(data, VALUES.__getitem__)
    assert str(raised.value) == message


SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, 2, "", "a", "1"])
OPERANDS = st.tuples(st.just("lit"), SCALARS).map(list) | st.sampled_from([["ref", name] for name in VALUES])
CONDITIONS = st.recursive(
    st.tuples(st.just("cmp"), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), OPERANDS, OPERANDS).map(list)
    | OPERANDS,
    lambda inner: (
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3)).map(list)
        | st.tuples(st.just("not"), inner).map(list)
    ),
    max_leaves=6,
)


@given(CONDITIONS)
def test_conditions_against_their_definition(data: Any) -> None:
    check_when(data)
    try:
        found: bool | None = evaluate_when(data, VALUES.__getitem__)
    except WhenError:
        found = None
    assert found is condition(data, VALUES.__getitem__)


@pytest.mark.parametrize(
    "data",
    [None, [], ["lit"], ["lit", [1]], ["ref", 1], ["not"], ["and", []], ["cmp", "=", ["lit", 1], ["lit", 1]], ["x", 1]],
)
def test_no_conditions(data: Any) -> None:
    with pytest.raises(ProgramError):
        check_when(data)


def test_depth_is_bounded() -> None:
    data: Any = ["lit", True]
    for _ in range(200):
        data = ["not", data]
    with pytest.raises(ProgramError):
        check_when(data)


def test_names() -> None:
    assert names_of(["or", [compare("==", "$a", "$b"), ["not", ["ref", "c"]]]]) == {"a", "b", "c"}


# In a session


def session(when: Any, **fields: Any) -> Any:
    return program([behavior("assistant", "informs", checks=[check("contains", value="x", when=when, **fields)])])


def test_a_condition_that_does_not_hold_skips_the_check() -> None:
    made = session(compare("==", "$plan", "pro"))
    assert match(made, [says("y")], plan="free").status == "passed"
    assert match(made, [says("y")], plan="pro").status == "failed"
    (result,) = match(made, [says("y")], plan="free").checks
    assert (result.state, result.reason) == ("skipped", "`when` does not hold")


def test_a_condition_without_truth_is_a_mistake_in_the_binding() -> None:
    with pytest.raises(BindError, match=r"`when` of `contains` at 1:1: `==` compares \"false\" \(string\)"):
        match(session(compare("==", "$flag", False)), [says("y")], flag="false")


def test_the_same_where_no_name_is_bound() -> None:
    with pytest.raises(BindError, match="the condition is 1"):
        matcher(session(["lit", 1])).match([says("y")])


def test_what_only_a_run_can_tell_is_decided_when_reached() -> None:
    optional = behavior("assistant", "greets", optional=True, capture={"x": "hello"})
    made = program(
        [optional, behavior("assistant", "informs", checks=[check("contains", value="y", when=compare("<", "$x", 5))])],
        [check("never", match={"actor": "user", "action": None, "target": None}, when=compare("==", "$x", "hello"))],
    )
    greets = {"actor": "assistant", "action": "greets"}
    first, second = match(made, [says("y")]).checks
    assert (first.state, first.reason) == ("inconclusive", "`when`: `x` has no value here")
    assert second.state == "inconclusive"
    first, second = match(made, [greets, says("y")]).checks
    assert (
        first.reason
        == '`when` has no truth value: `<` orders two numbers or two texts, not "hello" (string) and 5 (number)'
    )
    assert second.state == "passed"


def test_parts_of_a_skipped_composition_have_lines_of_their_own() -> None:
    parts = [check("contains", value="a"), check("any_of", checks=[check("contains", value="b")])]
    made = program([behavior("assistant", "informs", checks=[check("all_of", when=["lit", False], checks=parts)])])
    (result,) = match(made, [says("y")]).checks
    assert [result.state, *(child.state for child in result.children)] == ["skipped"] * 3
    assert result.children[1].children[0].reason == "`when` does not hold"
