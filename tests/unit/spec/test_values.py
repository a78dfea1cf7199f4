"""Values: constants are folded whatever their shape, references and reserved mappings are found at any depth."""

import json

from hypothesis import given
from hypothesis import strategies as st

from abs_compiler.diagnostics import Sink
from abs_compiler.ir.templates import template
from abs_compiler.source import SourceFile
from abs_compiler.spec import Context
from abs_compiler.spec.values import Place, read_value
from abs_compiler.spec.walk import predicates_in, references_in
from abs_compiler.syntax import Limits, parse

SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | st.sampled_from(["", "a", "}} {", "$is"])
KEYS = st.sampled_from(["a", "b", "c d", "is"])
REFERENCES = st.sampled_from(["{{x}}", "{{cases.y}}", "a{{x}}", "{{x}}{{z}} b"])


def trees(leaves):
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
    )


def read(data, place=Place.ARGUMENTS):
    text = json.dumps(data)
    sink = Sink(SourceFile("t.json", text), "t.json")
    (document,) = parse(sink.source, sink)
    value = read_value(Context(sink, Limits()), document.root, place)
    return value, sink.diagnostics()


def instantiate(shape, names):
    """The value of a template with every reference standing for its own text."""
    match shape:
        case ["=", value]:
            return value
        case ["ref", name]:
            names.append(name)
            return "{{" + name + "}}"
        case ["text", parts]:
            return "".join(part if isinstance(part, str) else instantiate(part, names) for part in parts)
        case ["obj", entries]:
            return {key: instantiate(item, names) for key, item in entries.items()}
        case ["arr", items]:
            return [instantiate(item, names) for item in items]


def references(data):
    """The names of the references in plain data, in order."""
    match data:
        case str():
            return [name.split("}}")[0] for name in data.split("{{")[1:]]
        case list():
            return [name for item in data for name in references(item)]
        case dict():
            return [name for item in data.values() for name in references(item)]
        case _:
            return []


def wrap(data):
    """Data with something in it, so that the text is a document that is not empty."""
    return {"value": data}


@given(trees(SCALARS))
def test_data_without_references_is_one_constant(data):
    value, diagnostics = read(wrap(data))
    assert diagnostics == []
    assert template(value) == ["=", wrap(data)]


@given(trees(SCALARS | REFERENCES))
def test_templates_say_what_was_written(data):
    value, diagnostics = read(wrap(data))
    assert diagnostics == []
    names = []
    assert instantiate(template(value), names) == wrap(data)
    assert names == references(data)
    assert [reference.name for reference in references_in(value)] == names
    assert (template(value)[0] == "=") == (not names)


def test_a_whole_placeholder_is_a_reference_and_text_around_it_makes_text():
    value, _ = read({"a": "{{x}}", "b": "{{x}} ", "c": "{{x}}{{y}}"})
    assert template(value) == [
        "obj",
        {
            "a": ["ref", "x"],
            "b": ["text", [["ref", "x"], " "]],
            "c": ["text", [["ref", "x"], ["ref", "y"]]],
        },
    ]


def test_literal_keeps_everything_inside_it():
    inside = {"$is": "string", "t": "{{ x }} {{y}}", "n": [{"$literal": 1}], "{{k}}": {"$from": "content"}}
    value, diagnostics = read({"a": {"$literal": inside}})
    assert diagnostics == []
    assert template(value) == ["=", {"a": inside}]


def test_predicates_are_found_in_arguments_at_any_depth():
    value, diagnostics = read({"a": [{"b": {"$is": "string"}}], "c": {"$is": "any"}})
    assert diagnostics == []
    assert [predicate.scalar.value for predicate in predicates_in(value)] == ["string", "any"]


def test_from_beside_other_keys_is_data():
    value, diagnostics = read({"a": {"$from": 1, "$to": 2}})
    assert diagnostics == []
    assert template(value) == ["=", {"a": {"$from": 1, "$to": 2}}]


def test_spans_of_references_are_exact():
    text = '{"a": "x\\u0041 {{first}} and {{second}}"}'
    sink = Sink(SourceFile("t.json", text), "t.json")
    (document,) = parse(sink.source, sink)
    value = read_value(Context(sink, Limits()), document.root, Place.ARGUMENTS)
    assert [text[item.span.start : item.span.end] for item in references_in(value)] == ["{{first}}", "{{second}}"]
