"""Mistakes in predicates and conditions: for each, the exact place and every word that is said about it.

The rows are in `predicate/*.txt`; their layout is explained at the top of `predicate/mistakes.txt`.
With UPDATE_GOLDEN=1 in the environment they are written anew, to be read before they are committed.
"""

import os
import re
from pathlib import Path

import attrs
import pytest

from abs_compiler.diagnostics import code_named
from abs_compiler.predicate import PredicateSyntaxError, parse
from abs_compiler.predicate.analysis import findings
from abs_compiler.predicate.errors import apply
from abs_compiler.predicate.when import parse_when

FOLDER = Path(__file__).parent / "predicate"
INDENT = "    "
WHOLE = "(whole) "


@attrs.frozen(slots=True)
class Row:
    title: str
    expression: str
    report: str


def read_rows(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    preamble, *blocks = re.split(r"(?m)^## ", text)
    rows = []
    for block in blocks:
        title, expression, *rest = block.rstrip("\n").split("\n", 2)
        report = "".join(rest)
        rows.append(Row(title, expression.removeprefix(INDENT), report))
    return preamble, rows


def report(expression, read):
    try:
        found = read(expression)
    except PredicateSyntaxError as error:
        found = [error]
    return "\n".join(line for finding in found for line in lines_of(expression, finding))


def lines_of(expression, error):
    carets = INDENT + " " * error.start + "^" * max(1, error.end - error.start)
    lines = [carets, f"{code_named(error.code_name).code} {error.code_name}: {error.message}", f"  here: {error.label}"]
    for place in error.also:
        lines.append(f"  also: `{expression[place.start : place.end]}` {place.label}")
    for advice in error.helps:
        lines.append(f"  help: {advice.text}")
        if advice.edit is not None:
            lines.append(f"   fix: {apply(advice.edit, expression)}")
    return lines


def write(name, read):
    preamble, rows = read_rows(name)
    blocks = []
    for row in rows:
        found = report(row.expression, read)
        blocks.append(f"## {row.title}\n{(INDENT + row.expression).rstrip()}\n" + (f"{found}\n" if found else ""))
    (FOLDER / name).write_text(preamble + "\n".join(blocks), encoding="utf-8")


def find(expression):
    """The findings of a predicate; `(whole)` before it says that it stands for all arguments."""
    whole = expression.startswith(WHOLE)
    expression = expression.removeprefix(WHOLE)
    found = findings(parse(expression), whole=whole)
    return [shifted(finding, len(WHOLE)) for finding in found] if whole else found


def shifted(finding, by):
    """A finding in a text with something before it."""
    return attrs.evolve(
        finding,
        start=finding.start + by,
        end=finding.end + by,
        helps=tuple(
            attrs.evolve(advice, edit=advice.edit and attrs.evolve(advice.edit, start=advice.edit.start + by))
            for advice in finding.helps
        ),
    )


FILES = {
    "mistakes.txt": lambda expression: parse(expression) and [],
    "findings.txt": find,
    "conditions.txt": lambda expression: parse_when(expression) and [],
}

if os.environ.get("UPDATE_GOLDEN"):
    for file, reader in FILES.items():
        write(file, reader)

ROWS = [(name, row) for name in FILES for row in read_rows(name)[1]]


ids = [f"{Path(name).stem}: {row.title}" for name, row in ROWS]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=ids)
def test_what_is_said_and_where(name, row):
    assert report(row.expression, FILES[name]) == row.report


# A fix that mends one mistake of several.
UNFINISHED = {
    "an upper-case word",
    "two slashes inside a pattern",
    "two bare texts",
    "two bounds in words",
    "a name before a comparison in words",
    'an "or" sign between three types',
    'an "or" sign between booleans without spaces',
    'an "or" sign behind a type of another language',
}


@pytest.mark.parametrize(("name", "row"), ROWS, ids=ids)
def test_every_fix_leads_to_a_sound_expression(name, row):
    for line in row.report.splitlines():
        if line.startswith("   fix: ") and row.title not in UNFINISHED:
            FILES[name](line.removeprefix("   fix: "))
