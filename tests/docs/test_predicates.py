"""The examples of specs/predicates.md, executed."""

import json
import re
from pathlib import Path

import pytest

from abs_compiler.predicate import findings, lower, parse
from abs_compiler.predicate.reference import holds
from abs_compiler.predicate.when import lower_when, parse_when
from abs_compiler.runtime.predicates import ABSENT, compile_predicate
from abs_compiler.runtime.when import WhenError, evaluate_when
from abs_compiler.syntax.limits import Limits

TEXT = (Path(__file__).parents[2] / "specs" / "predicates.md").read_text(encoding="utf-8")


def rows(header):
    """The rows of the table with a header; cells without the pipes between them."""
    table = TEXT.split(header, 1)[1].split("\n\n", 1)[0]
    lines = [line for line in table.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def code(cell):
    (found,) = re.fullmatch(r"`(.*)`", cell).groups()
    return found


def values(cell):
    return [
        ABSENT if piece == "*absent*" else json.loads(piece.strip("`"))
        for piece in re.findall(r"`[^`]*`|\*absent\*", cell)
    ]


EXAMPLES = [(code(a), values(b), values(c)) for a, b, c in rows("| predicate | admits | does not admit |\n")]
CONDITIONS = [(code(a), json.loads(code(b)), c) for a, b, c in rows("| condition | with | is |\n")]


@pytest.mark.parametrize(("text", "inside", "outside"), EXAMPLES, ids=[row[0] for row in EXAMPLES])
def test_examples_of_predicates(text, inside, outside):
    predicate = parse(text)
    assert findings(predicate) == []
    compiled = compile_predicate(lower(predicate), {})
    assert inside
    assert outside
    for value in inside:
        assert compiled(value) is True, value
        assert holds(predicate.root, value) is True, value
    for value in outside:
        assert compiled(value) is False, value
        assert holds(predicate.root, value) is False, value


def test_there_are_thirty_examples():
    assert len(EXAMPLES) >= 30


@pytest.mark.parametrize(("text", "bound", "expected"), CONDITIONS, ids=[row[0] for row in CONDITIONS])
def test_examples_of_conditions(text, bound, expected):
    data = lower_when(parse_when(text))
    if expected == "an error":
        with pytest.raises(WhenError):
            evaluate_when(data, bound.__getitem__)
    else:
        assert evaluate_when(data, bound.__getitem__) is json.loads(code(expected))


PREDICATES = TEXT.split("# Conditions")[0]
WRITTEN = re.findall(r"`((?:each|some|has|not|length|array|integer|string|number) [^`…]*)`", PREDICATES)
# What the text shows to say that something is found out about it.
WITH_FINDINGS = {
    "array some > 3 and < 5",
    "integer > 5 and < 3",
    "string and number",
    "string or not string",
    "number and integer",
    'not in ["a"]',
    "not > 5",
    'integer in [1, "3"]',
}


@pytest.mark.parametrize("text", sorted({text for text in WRITTEN if not re.search(r"\b[TP]\b", text)}))
def test_every_predicate_in_the_text_is_one(text):
    assert bool(findings(parse(text))) is (text in WITH_FINDINGS)


def test_limits_are_those_of_the_text():
    limits = Limits()
    for number in (limits.predicate_chars, limits.predicate_depth, limits.number_chars, limits.regex_chars):
        assert f"{number:,} " in TEXT
