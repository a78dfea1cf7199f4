"""Backslashes that double quotes have eaten: which texts are reported, and what the fix writes."""

import pytest

from abs_compiler.lint.fixes import fix_text
from tests.unit.lint.linting import CALL, HEAD, marked, named, shown


def spec(value):
    return f"{HEAD}{CALL}    with:\n      a: {value}\n"


def findings(value):
    return named(spec(value), "eaten-backslashes")


@pytest.mark.parametrize(
    ("value", "first", "mended"),
    [
        (r'"C:\temp\new"', r"\t", r'"C:\\temp\\new"'),
        (r'"d:\new folder\bin"', r"\n", r'"d:\\new folder\\bin"'),
        (r'"C:\ean\\x.txt"', r"\e", r'"C:\\ean\\x.txt"'),
        (r'"copy C:\file.txt here\n"', r"\f", r'"copy C:\\file.txt here\n"'),
        (r'"\bword\b"', r"\b", r'"\\bword\\b"'),
        (r'["\alpha"]', r"\a", r'["\\alpha"]'),
    ],
)
def test_what_is_eaten(value, first, mended):
    (found,) = findings(value)
    assert marked(found) == first
    assert fix_text(spec(value), lambda now: shown(now).diagnostics, unsafe=True).text == spec(mended)


@pytest.mark.parametrize(
    "value",
    [
        r'"line one\nline two"',
        r'"Q:\nyes"',
        r'"A:\tno"',
        r'"x:\t5"',
        r'"name:\tvalue"',
        r'"see C:\n it is there"',
        r'"C:\\temp"',
        r'"C:/temp\n"',
        r"'C:\temp\new'",
        r"C:\temp\new",
        r'"\e[31mred"',
        r'"\b"',
        r'"\x08word"',
    ],
)
def test_what_is_meant(value):
    assert findings(value) == []


def test_single_quotes_are_no_help_where_other_escapes_stand():
    (found,) = findings(r'"C:\temp\\x"')
    assert [help_.text for help_ in found.helps] == [r"for a backslash and a letter, write `\\t`"]
