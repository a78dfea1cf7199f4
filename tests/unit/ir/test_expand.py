"""Expansion of fragments: against a naive recursive one, and within bounds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.ir.verify import verify
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import analyse, compile_source
from abs_compiler.syntax import Limits

NAMES = ("f", "g", "h")
ENTRIES = st.lists(st.sampled_from([*NAMES, "A", "B"]), min_size=1, max_size=3)


def entry(word):
    return {"include": word} if word in NAMES else {"actor": "assistant", "action": "calls", "target": word}


def document(fragments, behaviors):
    return {
        "session": "t",
        "abs_version": "0.2",
        "fragments": {name: [entry(word) for word in words] for name, words in fragments.items()},
        "behaviors": [entry(word) for word in behaviors],
    }


def naive(fragments, words):
    return [target for word in words for target in (naive(fragments, fragments[word]) if word in fragments else [word])]


def reaches(fragments, name, goal, seen=()):
    words = [word for word in fragments[name] if word in fragments]
    return goal in words or any(reaches(fragments, word, goal, (*seen, name)) for word in words if word not in seen)


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, ENTRIES)), ENTRIES)
def test_expansion_is_the_naive_one(fragments, behaviors):
    cyclic = any(reaches(fragments, name, name) for name in NAMES)
    programs, diagnostics = compile_source(json.dumps(document(fragments, behaviors)), "t.json")
    names = {item.name for item in diagnostics}
    if cyclic:
        assert programs == ()
        assert "fragment-cycle" in names
        return
    assert "fragment-cycle" not in names
    (program,) = programs
    assert verify(program) == []
    assert [behavior["target"] for behavior in program["behaviors"]] == naive(fragments, behaviors)


LEAVES = st.lists(st.sampled_from("AB"), min_size=1, max_size=3)


@given(LEAVES, st.lists(st.sampled_from(["f", "A", "B"]), min_size=1, max_size=4))
def test_fragments_are_shared_by_the_documents_of_a_file(first, second):
    shared = {"fragments": {"f": [entry(word) for word in first]}}
    session = {"session": "t", "abs_version": "0.2", "behaviors": [entry(word) for word in second]}
    text = "\n---\n".join(json.dumps(item) for item in (shared, session))
    programs, _ = compile_source("# a comment, so that this is no JSON\n" + text)
    assert [behavior["target"] for behavior in programs[0]["behaviors"]] == naive({"f": first}, second)


def test_ids_captures_evaluations_and_places_come_along():
    text = """\
session: t
abs_version: "0.2"
fragments:
  order:
    - {actor: user, action: says, id: ask, optional: true, capture: {orderId: "12"}}
    - actor: assistant
      action: calls
      target: Order MCP
      requires: ask
      with_only: {id: "{{orderId}}"}
behaviors:
  - {actor: assistant, action: greets}
  - include: order
"""
    programs, _ = compile_source(text)
    _, ask, call = programs[0]["behaviors"]
    assert (ask["id"], ask["optional"], ask["capture"], ask["at"]) == ("ask", True, {"orderId": ["=", "12"]}, [5, 7])
    assert (call["requires"], call["at"]) == (1, [6, 7])
    assert call["args"] == [{"only": True, "keys": {"id": ["ref", "orderId"]}, "at": [10, 7]}]
    assert programs[0]["parameters"] == []


def test_a_chain_of_thousands_of_fragments():
    fragments = {f"f{number}": [{"include": f"f{number + 1}"}] for number in range(5000)}
    fragments["f5000"] = [entry("A")]
    text = {"session": "t", "abs_version": "0.2", "fragments": fragments, "behaviors": [{"include": "f0"}]}
    programs, _ = compile_source(json.dumps(text), "t.json")
    assert len(programs[0]["behaviors"]) == 1


@pytest.mark.parametrize("sessions", [1, 3])
def test_expansion_is_bounded(sessions):
    fragments = {f"f{number}": [{"include": f"f{number + 1}"}] * 2 for number in range(40)}
    fragments["f40"] = [entry("A")]
    session = {"session": "t", "abs_version": "0.2", "behaviors": [{"include": "f0"}]}
    documents = [{"fragments": fragments}, *[session] * sessions]
    found = analyse(
        "# \n" + "\n---\n".join(json.dumps(item) for item in documents),
        options=CompileOptions(limits=Limits(nodes=2000)),
    )
    assert found.programs == ()
    assert {item.name for item in found.diagnostics} == {"too-many-nodes"}
    assert len(found.irs) == sessions
    assert sum(len(ir.steps) for ir in found.irs) <= 2000
