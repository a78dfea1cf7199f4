"""Conditions: what binds how, exact places, data that the runtime evaluates."""

import pytest

from abs_compiler.predicate import PredicateSyntaxError
from abs_compiler.predicate.when import lower_when, parse_when, type_of
from abs_compiler.predicate.when_tree import WhenBoolean, WhenCompare, WhenConstant, WhenName, WhenNot, when_names
from abs_compiler.runtime.when import WhenError, check_when, evaluate_when, names_of


def shape(expression):
    match expression:
        case WhenConstant(value=value):
            return repr(value)
        case WhenName(name=name):
            return name
        case WhenCompare(operator=operator, left=left, right=right):
            return f"({shape(left)} {operator} {shape(right)})"
        case WhenBoolean(operator=operator, operands=operands):
            return "(" + f" {operator} ".join(map(shape, operands)) + ")"
        case WhenNot(operand=operand):
            return f"(not {shape(operand)})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{a}}", "a"),
        ("{{a}} or {{b}} and {{c}}", "(a or (b and c))"),
        ("{{a}} || {{b}} && !{{c}}", "(a or (b and (not c)))"),
        ("not {{a}} == 1", "(not (a == 1))"),
        ("!({{a}} == 1 or {{b}} == 2)", "(not ((a == 1) or (b == 2)))"),
        ("{{a}} and {{b}} and {{c}}", "(a and b and c)"),
        ("({{a}} and {{b}}) and {{c}}", "((a and b) and c)"),
        ("{{cases.plan}} != 'go\\'ld'", '(cases.plan != "go\'ld")'),
        ("({{a}} == 1) == true", "((a == 1) == True)"),
        ("null == {{a}}\n and 1.0 <= 1e3", "((None == a) and (1 <= 1000))"),
    ],
)
def test_what_binds_how(text, expected):
    assert shape(parse_when(text)) == expected


def test_every_part_knows_its_place():
    text = "not ({{a}} == 'x') or {{cases.b}} < 5"
    expression = parse_when(text)
    assert [text[name.start : name.end] for name in when_names(expression)] == ["{{a}}", "{{cases.b}}"]
    first, second = expression.operands
    assert text[first.start : first.end] == "not ({{a}} == 'x')"
    assert text[second.start : second.end] == "{{cases.b}} < 5"


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("{{plan}} == 'gold' and {{n}} > 3", {"plan": "gold", "n": 4}, True),
        ("{{plan}} == 'gold' and {{n}} > 3", {"plan": "gold", "n": 3}, False),
        ("{{x}} != null and {{x}} > 3", {"x": None}, False),
        ("{{done}}", {"done": True}, True),
        ("not {{done}} || {{n}} >= 2.5", {"done": True, "n": 2.5}, True),
        ("{{o}} == {{p}}", {"o": {"a": [1]}, "p": {"a": [1.0]}}, True),
        ("{{a}} < {{b}}", {"a": "～", "b": "😀"}, True),
        ("true", {}, True),
    ],
)
def test_data_is_what_the_runtime_evaluates(text, values, expected):
    data = lower_when(parse_when(text))
    check_when(data)
    assert names_of(data) == set(values)
    assert evaluate_when(data, values.__getitem__) is expected


@pytest.mark.parametrize(
    ("text", "values"),
    [("{{a}} == 1", {"a": "1"}), ("{{a}} > 1", {"a": True}), ("{{a}} and {{a}}", {"a": 1}), ("{{a}}", {"a": "yes"})],
)
def test_types_that_only_bindings_show_are_found_at_run_time(text, values):
    with pytest.raises(WhenError):
        evaluate_when(lower_when(parse_when(text)), values.__getitem__)


def test_what_is_certain_before_binding():
    assert type_of(parse_when("{{a}}")) is None
    assert type_of(parse_when("{{a}} == 1")) == "boolean"
    parse_when("null == 1 and 'a' != null")


@pytest.mark.parametrize(
    "text", ["(" * 3000, "{{a}} and " * 400 + "{{a}}", "not " * 60 + "{{a}}", "1" * 3000 + " == 1"]
)
def test_bounds(text):
    with pytest.raises(PredicateSyntaxError) as caught:
        parse_when(text)
    assert caught.value.code_name in ("too-complex", "when-syntax")
