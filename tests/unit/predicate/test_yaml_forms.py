"""Predicates that YAML breaks when they are written without quotes: each is refused, and quoting mends it."""

import json

import pytest

import abs_compiler as absc

HEAD = 'session: t\nabs_version: "0.2"\nbehaviors:\n  - actor: assistant\n    action: calls\n    target: S\n    with:\n'

# The lines under `with`, and the predicate that was meant.
FORMS = [
    ("      v: {$is: > 5}\n", "> 5"),
    ("      v: {$is: >= 5}\n", ">= 5"),
    ("      v: {$is: != 5}\n", "!= 5"),
    ("      v:\n        $is: >5\n", ">5"),
    ("      v:\n        $is: > 5\n", "> 5"),
    ('      v: {$is: in ["USD", "EUR"]}\n', 'in ["USD", "EUR"]'),
    ('      v: {$is: "x" or "y"}\n', '"x" or "y"'),
    ("      v: {$is: null}\n", "null"),
    ("      v: {$is: string, absent}\n", "string, absent"),
    ("      v:\n        $is: string matches /a #b/\n", "string matches /a #b/"),
    ("      v: {$is: string matches /a{2,3}/}\n", "string matches /a{2,3}/"),
]
# What is no predicate even between quotes.
STILL_WRONG = ("string, absent", '"x" or "y"')


def errors(text):
    return [item for item in absc.check_text(text) if item.severity.value == "error"]


@pytest.mark.parametrize(("lines", "meant"), FORMS, ids=[meant for _, meant in FORMS])
def test_quoting_is_offered_and_mends_it(lines, meant):
    text = HEAD + lines
    (item,) = errors(text)
    edits = [edit for help_ in item.helps if help_.fix is not None for edit in help_.fix.edits]
    (edit,) = [edit for edit in edits if edit.text in (f"'{meant}'", json.dumps(meant))]
    mended = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert [item.code for item in errors(mended)] == (["ABS401"] if meant in STILL_WRONG else [])


@pytest.mark.parametrize("lines", ['      v:\n        $is: in ["USD", "EUR"]\n', "      v: {$is: integer > 5}\n"])
def test_what_yaml_reads_whole_needs_no_quotes(lines):
    assert errors(HEAD + lines) == []
