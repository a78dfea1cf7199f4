"""Merging of `tool_call` constraints into their step."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import compile_source

HEAD = 'session: t\nabs_version: "0.2"\n'


def step(text, head=HEAD, options=None):
    programs, diagnostics = compile_source(f"{head}behaviors:\n  - {text}\n", options=options or CompileOptions())
    return programs[0]["behaviors"][0], [item.name for item in diagnostics]


def test_both_constraints_apply_in_the_order_written():
    found, names = step(
        "{actor: assistant, action: calls, target: A, with: {a: 1}, "
        "evaluations: [{type: tool_call, with_only: {a: 1, b: '{{x}}'}}, {type: tool_call, target: A, with: {b: 2}}]}"
    )
    assert names == []
    assert [(item["only"], item["keys"]) for item in found["args"]] == [
        (False, {"a": ["=", 1]}),
        (True, {"a": ["=", 1], "b": ["ref", "x"]}),
        (False, {"b": ["=", 2]}),
    ]


def test_a_target_said_only_by_the_evaluation_is_the_target_of_the_step():
    found, _ = step("{actor: assistant, action: calls, evaluations: [{type: tool_call, target: A}]}")
    assert found["target"] == "A"


@pytest.mark.parametrize(("first", "second"), [("Order MCP", "get_order"), ("get_order", "Order MCP")])
def test_of_a_target_and_one_of_its_recorded_names_the_narrower_one_stays(first, second):
    text = f"{{actor: assistant, action: calls, target: {first}, evaluations: [{{type: tool_call, target: {second}}}]}}"
    found, names = step(text, HEAD + "match: {targets: {Order MCP: [get_order, 'orders/*']}}\n")
    assert (found["target"], names) == ("get_order", [])
    options = CompileOptions(targets={"Order MCP": ("get_*",)})
    assert step(text, HEAD, options)[0]["target"] == "get_order"


def test_targets_that_overlap_in_part_are_refused():
    text = "{actor: assistant, action: calls, target: P, evaluations: [{type: tool_call, target: Q}]}"
    programs, diagnostics = compile_source(
        f"{HEAD}match: {{targets: {{P: [a, b], Q: [b, c]}}}}\nbehaviors:\n  - {text}\n"
    )
    assert programs == ()
    assert [item.name for item in diagnostics] == ["unsupported-feature"]


CONSTRAINTS = st.lists(
    st.tuples(
        st.sampled_from(["with", "with_only"]), st.dictionaries(st.sampled_from("abc"), st.integers(0, 1), min_size=1)
    ),
    min_size=1,
    max_size=4,
)


def satisfiable(constraints):
    """Whether some arguments satisfy all constraints: each key is taken from the values that the constraints name."""
    values = {key: {value for _, keys in constraints for name, value in keys.items() if name == key} for key in "abc"}
    allowed = set("abc")
    for kind, keys in constraints:
        if kind == "with_only":
            allowed &= set(keys)
    return all(len(found) <= 1 for found in values.values()) and all(
        key in allowed for key, found in values.items() if found
    )


@given(CONSTRAINTS)
def test_a_warning_says_when_no_arguments_satisfy_all(constraints):
    behavior = {
        "actor": "assistant",
        "action": "calls",
        "evaluations": [{"type": "tool_call", kind: keys} for kind, keys in constraints],
    }
    text = json.dumps({"session": "t", "abs_version": "0.2", "behaviors": [behavior]})
    programs, diagnostics = compile_source(text, "t.json")
    assert len(programs) == 1
    assert [item.name for item in diagnostics] == [] if satisfiable(constraints) else ["contradicting-constraints"]
