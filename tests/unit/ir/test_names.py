"""Parameters and names: a reference is a parameter exactly where no earlier behavior captures its name."""

import json

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.ir.verify import verify
from abs_compiler.pipeline import compile_source

NAMES = st.sampled_from(["a", "b", "cases.c"])
BEHAVIORS = st.lists(
    st.tuples(st.lists(NAMES, max_size=2), st.lists(st.sampled_from("ab"), max_size=2, unique=True), st.booleans()),
    min_size=1,
    max_size=5,
)


def behavior(uses, captures, optional):
    found = {"actor": "user", "action": "says", "content": " ".join("{{" + name + "}}" for name in uses)}
    if captures:
        found["capture"] = dict.fromkeys(captures, "x")
    return {**found, "optional": optional}


@given(BEHAVIORS)
def test_parameters_follow_their_definition(parts):
    document = {"session": "t", "abs_version": "0.2", "behaviors": [behavior(*part) for part in parts]}
    (program,), _ = compile_source(json.dumps(document), "t.json")
    assert verify(program) == []
    expected = {
        name
        for index, (uses, _, _) in enumerate(parts)
        for name in uses
        if not any(name in captures for _, captures, _ in parts[:index])
    }
    mentioned = {name for uses, captures, _ in parts for name in (*uses, *captures)}
    assert program["parameters"] == sorted(expected)
    assert program["names"] == program["file_names"] == sorted(mentioned)


def test_every_place_of_a_reference_counts():
    text = """\
session: t
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, content: "{{a}}", capture: {b: "{{c}}"}}
  - {actor: assistant, action: calls, with_only: {x: ["{{d}}", {y: "z{{e}}"}]}}
  - {actor: tool, action: responds, content: {k: "{{f}}"}}
  - {actor: assistant, action: calls, evaluations: [{type: tool_call, with: {x: "{{g}}"}}]}
"""
    (program,), _ = compile_source(text)
    assert program["parameters"] == list("acdefg")
    assert program["names"] == list("abcdefg")


def test_the_names_of_a_file_are_those_of_all_its_sessions_and_fragments():
    text = """\
fragments:
  unused:
    - {actor: user, action: says, content: "{{u}}"}
---
session: one
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, content: "{{a}}"}
---
session: two
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, content: hi, capture: {b: x}}
"""
    programs, _ = compile_source(text)
    assert [program["names"] for program in programs] == [["a"], ["b"]]
    assert {tuple(program["file_names"]) for program in programs} == {("a", "b", "u")}
