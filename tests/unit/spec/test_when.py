"""`when` conditions: what the accepted ones mean, and that no text does more than be refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.diagnostics import Sink
from abs_compiler.predicate.when_tree import WhenBoolean, WhenCompare, WhenConstant, WhenName, WhenNot
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec import Context
from abs_compiler.spec.when import read_when
from abs_compiler.syntax import Limits, Scalar


def read(text):
    sink = Sink(SourceFile("t.yaml", text), "t.yaml")
    scalar = Scalar(Span(0, len(text)), text, text, "plain")
    return read_when(Context(sink, Limits()), scalar, text), sink.diagnostics()


def shown(node):
    """A condition with every parenthesis written out."""
    match node:
        case WhenConstant(value=value):
            return repr(value)
        case WhenName(name=name):
            return name
        case WhenCompare(operator=operator, left=left, right=right):
            return f"({shown(left)} {operator} {shown(right)})"
        case WhenBoolean(operator=operator, operands=operands):
            return "(" + f" {operator} ".join(shown(item) for item in operands) + ")"
        case WhenNot(operand=operand):
            return f"(not {shown(operand)})"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("{{p}}", "p"),
        ("{{cases.p}} == 'a'", "(cases.p == 'a')"),
        ('{{p}} != "it\'s"', '(p != "it\'s")'),
        (r"{{p}} == 'it\'s'", '(p == "it\'s")'),
        ("{{p}} == 'say \"x\"'", "(p == 'say \"x\"')"),
        ('{{p}} == "\\u00e9"', "(p == 'é')"),
        ("{{a}} == 1 or {{b}} == 2 and {{c}} == 3", "((a == 1) or ((b == 2) and (c == 3)))"),
        ("{{a}} || {{b}} && !{{c}}", "(a or (b and (not c)))"),
        ("({{a}} or {{b}}) and {{c}}", "((a or b) and c)"),
        ("not {{a}} == 1", "(not (a == 1))"),
        ("not not {{a}}", "(not (not a))"),
        ("{{a}} == null", "(a == None)"),
        ("null == 1", "(None == 1)"),
        ("1 < 2.5e0", "(1 < 2.5)"),
        ("{{a}} >= -3", "(a >= -3)"),
        ("'a' < 'b'", "('a' < 'b')"),
        ("({{a}} == 1) == true", "((a == 1) == True)"),
        ("true", "True"),
        ("\n  {{a}}\t==\n1 ", "(a == 1)"),
    ],
)
def test_meaning(text, meaning):
    found, diagnostics = read(text)
    assert diagnostics == []
    assert shown(found.expression) == meaning


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "{{a}} ==", "== 1", "{{a}} = 1", "{{a}} 1", "(", ")", "({{a}}", "{{a}})", "a", "True", "'x", '"x'),
        *(
            "1 < 2 < 3",
            "1 == 'a'",
            "true == 1",
            "{{a}} < null",
            "true < false",
            "'a'",
            "1",
            "null",
            "not 1",
            "{{a}} and 1",
        ),
        *("{{ a }}", "{{a", "'{{a}}' == 'x'", "{{a.b.c}} == 1", "().__class__", "1e999 == {{a}}", "01 == {{a}}", "a.b"),
        *("{{a}} == 'a\\q'", "{{a}};", "{{a}}\u00a0", "!", "and", "{{a}} & {{b}}", "\u00a0"),
    ],
)
def test_refused(text):
    found, diagnostics = read(text)
    assert found.expression is None
    assert len(diagnostics) == 1


@pytest.mark.parametrize("opening", ["!", "not "])
def test_depth_is_bounded(opening):
    assert [item.name for item in read(opening * 200 + "{{a}}")[1]] == ["too-complex"]
    assert read(opening * 20 + "{{a}}")[1] == []


def test_length_is_bounded():
    assert [item.name for item in read("{{a}}" + " " * 3000)[1]] == ["too-complex"]


TOKENS = [
    "{{a}}",
    "{{ b }}",
    "'x'",
    '"y"',
    "1",
    "-2.5",
    "true",
    "null",
    "==",
    "<",
    "and",
    "||",
    "not",
    "!",
    "(",
    ")",
    "x",
]


@given(st.lists(st.sampled_from(TOKENS), max_size=9))
def test_any_text_is_either_understood_or_refused(tokens):
    found, diagnostics = read(" ".join(tokens))
    assert (found.expression is None) == bool(diagnostics)
    if found.expression is not None:
        assert [item.name for item in found.references] == ["a"] * tokens.count("{{a}}")


@given(st.text(max_size=30))
def test_no_text_is_a_crash(text):
    found, diagnostics = read(text)
    assert (found.expression is None) == bool(diagnostics)
