"""Random programs through the bytes of an artifact: the same decisions, the same reports, the same bytes again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abs_compiler.runtime.artifact import canonical, encode, load
from tests.support.oracle.compare import bound_matcher, differences, runtime_event
from tests.support.oracle.generate import random_case

CASES = 4_000

# Any JSON value; floats without NaN and infinities, which JSON does not have.
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**60), 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("chunk", range(4))
def test_the_decisions_of_random_cases(chunk: int) -> None:
    wrong = {}
    for seed in range(chunk * CASES // 4, (chunk + 1) * CASES // 4):
        case = random_case(Random(seed))
        kept = bound_matcher(case.program, case.bindings, seed % 5 + 1).to_bytes()
        (loaded,) = load(kept)
        events = [runtime_event(event) for event in case.events]
        verdict = loaded.match(events)
        # The compiler's own matchers have the keys of mappings in the order of artifacts too.
        program = json.loads(canonical(case.program))
        direct = bound_matcher(program, case.bindings).match(events)
        found = differences(case.program, case.bindings, case.events, verdict)
        if verdict.to_dict() != direct.to_dict() or verdict.explain() != direct.explain():
            found.append("the report is not that of the program itself")
        if loaded.to_bytes() != kept:
            found.append("the bytes change on the way")
        if found:
            wrong[seed] = found
    assert not wrong


def same(left: Any, right: Any) -> bool:
    """Equal with every type, every digit and every sign; the order of keys aside."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return repr(left) == repr(right)


@given(value=json_values)
@settings(max_examples=400)
def test_values_keep_their_types_and_digits(value: Any) -> None:
    data = canonical(value)
    assert data.isascii()
    assert b"\n" not in data
    assert same(json.loads(data), value)
    assert canonical(json.loads(data)) == data


@given(value=json_values, seed=st.integers(0, 10_000))
@settings(max_examples=150)
def test_constants_and_bound_values_mean_the_same(value: Any, seed: int) -> None:
    case = random_case(Random(seed))
    behavior = {
        **case.program["behaviors"][0],
        "actor": "assistant",
        "action": "calls",
        "target": "t",
        "optional": False,
        "capture": {},
        "shares": None,
        "args": [{"only": True, "keys": {"constant": ["=", value], "bound": ["ref", "x"]}, "at": [1, 1]}],
    }
    behavior.pop("content", None)
    program = {
        **case.program,
        "parameters": ["x"],
        "names": ["x"],
        "file_names": ["x"],
        "behaviors": [behavior],
        "groups": [],
        "match": {**case.program["match"], "extras": None},
    }
    event = {"actor": "assistant", "action": "calls", "target": "t", "with": {"constant": value, "bound": value}}
    for kept in (encode([program]), encode([program], bindings={"x": value})):
        (loaded,) = load(kept)
        assert loaded.bind({"x": value}).match([event]).status == "passed"
        assert loaded.bind({"x": [value]}).match([event]).status == "failed"
