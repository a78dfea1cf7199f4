"""Runs of calls and runs of sharing behaviors, against regular expressions that define them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.ir.verify import verify
from abs_compiler.pipeline import compile_source

HEAD = 'session: t\nabs_version: "0.2"\nbehaviors:\n'
LINES = {
    # a call that says nothing about order, in several ways; a carrier; a written `ordered: true`; something else
    "n": "{actor: assistant, action: calls, target: A}",
    "N": "{actor: assistant, action: calls, evaluations: [{type: tool_call, with: {a: 1}}]}",
    "c": "{actor: assistant, action: calls, evaluations: [{type: tool_call, ordered: false}]}",
    "C": "{actor: user, action: calls, evaluations: [{type: tool_call, target: A}, {type: tool_call, ordered: false}]}",
    "o": "{actor: assistant, action: calls, evaluations: [{type: tool_call, ordered: true}]}",
    "x": "{actor: tool, action: responds, target: A}",
    "s": "{actor: assistant, action: informs, optional: true}",
    "r": "{actor: assistant, action: informs}",
    "u": "{actor: assistant, action: submits, optional: true}",
}


def compiled(word):
    text = HEAD + "".join(f"  - {LINES[letter]}\n" for letter in word)
    programs, diagnostics = compile_source(text)
    (program,) = programs
    assert verify(program) == []
    return program, [item.message for item in diagnostics]


def groups(word):
    """A group is a stretch of calls that ends in carriers, two members or more."""
    return [list(found.span()) for found in re.finditer("[nN]*[cC]+", word) if found.end() - found.start() > 1]


def shares(word):
    numbers = [None] * len(word)
    for number, found in enumerate(re.finditer("s{2,}", word)):
        numbers[found.start() : found.end()] = [number] * (found.end() - found.start())
    return numbers


@given(st.text("nNcCox", min_size=1, max_size=9))
def test_groups_follow_their_definition(word):
    program, _ = compiled(word)
    assert program["groups"] == groups(word)


@given(st.text("nNcCox", min_size=1, max_size=9))
def test_warnings_follow_their_definition(word):
    _, messages = compiled(word)
    singles = [found for found in re.finditer("[nN]*[cC]+", word) if found.end() - found.start() == 1]
    rests = re.findall("(?:[nN]+[cC]|[cC]{2})[nN]+(?![nNcC])", word)
    assert sum("covers a single call" in message for message in messages) == len(singles)
    assert sum("stay in their order" in message for message in messages) == len(rests)


@given(st.text("srunx", min_size=1, max_size=9))
def test_shares_follow_their_definition(word):
    program, _ = compiled(word)
    assert [behavior["shares"] for behavior in program["behaviors"]] == shares(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("nc", [[0, 2]]),
        ("nnc", [[0, 3]]),
        ("cn", []),
        ("ccc", [[0, 3]]),
        ("ncnc", [[0, 2], [2, 4]]),
        ("nccnc", [[0, 3], [3, 5]]),
        ("noc", []),
        ("nonc", [[2, 4]]),
        ("nxc", []),
        ("ncn", [[0, 2]]),
        ("Nc", [[0, 2]]),
        ("nC", [[0, 2]]),
    ],
)
def test_examples_of_groups(word, expected):
    assert compiled(word)[0]["groups"] == expected


def test_a_run_reaches_across_an_include():
    programs, _ = compile_source(
        HEAD.replace("behaviors:", f"fragments:\n  f:\n    - {LINES['n']}\nbehaviors:")
        + f"  - include: f\n  - {LINES['c']}\n"
    )
    assert programs[0]["groups"] == [[0, 2]]
