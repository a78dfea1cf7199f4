"""YAML streams: values by the 1.2 core schema, spans, merge keys, aliases, streams of documents, limits."""

from __future__ import annotations

import builtins
import json
import re
import sys

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from abs_compiler.source import SourceFile
from abs_compiler.syntax import Document, JsonValue, Limits, Mapping, Node, Scalar, Sequence, kind_name, to_json
from tests.unit.syntax.reading import findings, fixed, nodes, read, scalars, value, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("2026-07-30", "2026-07-30"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("012", 12),
        ("1e3", 1000),
        ("0o10", 8),
        ("0x1F", 31),
        ("-012", -12),
        ("+7", 7),
        (".5", 0.5),
        ("5.", 5.0),
        ("-1.5E-3", -0.0015),
        ("12345678901234567890123", 12345678901234567890123),
        ("true", True),
        ("TRUE", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("Null", None),
        ("", None),
        ("tRue", "tRue"),
        ("0o8", "0o8"),
        ("0xG", "0xG"),
        ("1e", "1e"),
        (".", "."),
        ("-", [None]),
        ("- -", [[None]]),
        ("+", "+"),
        ("+.5", 0.5),
        ("٣", "٣"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("NaN", "NaN"),
        ("!!str 12", "12"),
        ("!!int '12'", 12),
        ("!!float 3", 3),
        ("!!null ''", None),
        ("! 12", "12"),
        ("a\n  b", "a b"),
        ("|\n  a\n  b\n", "a\nb\n"),
        (">-\n  a\n  b\n\n  c\n", "a b\nc"),
        ('"\\U0001F600\\x41\\e"', "😀A\x1b"),
        ("'it''s'", "it's"),
        ("{a, b: , 'c':1}", {"a": None, "b": None, "c": 1}),
        ("[a, [b], {c: d}, e: f]", ["a", ["b"], {"c": "d"}, {"e": "f"}]),
    ],
)
def test_values(text: str, expected: JsonValue) -> None:
    if text == "":
        assert value("k:\n") == {"k": None}
        return
    got = value(f"k: {text}\n") if not text.startswith("-") or text[1:2] not in ("", " ") else {"k": value(text)}
    assert got == {"k": expected}
    assert isinstance(got, dict)
    assert isinstance(got["k"], bool) == isinstance(expected, bool)


def test_integers_and_floats_stay_apart() -> None:
    read_back = value("[1, 1.0, 1e0, 012, -0]")
    assert [type(item) for item in read_back] == [int, float, float, int, int]


SAFE_WORDS = st.from_regex(r"[a-z][a-z0-9 ]{0,8}[a-z0-9]", fullmatch=True)
DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | SAFE_WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | SAFE_WORDS, inner, max_size=4),
    max_leaves=15,
)


@example([[], {"\x85": None}], True, 20, True)  # nor do lists of lists
@example([{"\x85" + "a" * 130: 1}], True, 80, True)  # `[{` starts JSON only before a quote or a brace
@given(DATA, st.sampled_from([None, True, False]), st.sampled_from([20, 80]), st.booleans())
def test_what_an_emitter_writes_reads_back(data: JsonValue, flow: bool | None, width: int, unicode: bool) -> None:
    text = yaml.dump(data, default_flow_style=flow, width=width, allow_unicode=unicode, sort_keys=False)
    # PyYAML writes keys and texts over several lines, and what YAML 1.1 could not mistake, in ways of its own.
    documents, found = read(text)
    errors = [item for item in found if item.severity.value == "error"]
    if any(item.name == "forbidden-characters" for item in errors):
        assert re.search("[\x85\u2028\u2029]", text)
        return
    assert not errors, (text, errors[0].message)
    assert to_json(documents[0].root) == data if documents else data is None


@given(DATA)
def test_json_is_yaml(data: JsonValue) -> None:
    text = "# a comment makes it YAML\n" + json.dumps(data)
    if re.search(r"\\u[dD][89abAB]", text) or re.search(r"\d[eE]\d", text):
        return
    assert value(text) == data


@pytest.mark.parametrize("text", ["a: 1\nb: [x, 'y']\n", "- a: {b: |\n  x\n", "&x a: !!str b\n"])
def test_spans_of_odd_documents(text: str) -> None:
    documents, _ = read(text)
    for document in documents:
        check_spans(text, document)


def check_spans(text: str, document: Document) -> None:
    """Children lie within their parents and in order; every span lies inside the text."""
    for node in nodes(document.root):
        assert 0 <= node.span.start <= node.span.end <= len(text)
        if node.alias_of is not None:
            assert text[node.span.start] == "*"
            continue
        at = node.span.start
        children: list[tuple[int, int]] = []
        if isinstance(node, Mapping):
            for entry in node.entries:
                children += [(entry.key_span.start, entry.key_span.end), (entry.value.span.start, entry.value.span.end)]
        elif isinstance(node, Sequence):
            children = [(item.span.start, item.span.end) for item in node.items]
        for start, end in children:
            assert at <= start <= end <= node.span.end
            at = end


@given(DATA, st.sampled_from([None, True, False]))
def test_spans_nest(data: JsonValue, flow: bool | None) -> None:
    text = yaml.dump(data, default_flow_style=flow, allow_unicode=True)
    for document in read(text)[0]:
        check_spans(text, document)
        for scalar in scalars(document.root):
            written = text[scalar.span.start : scalar.span.end]
            if scalar.style == "plain" and "\n" not in written:
                assert written == scalar.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("session: x\n", "session: x"),
        ("a:\n  b: 1\n\n# end\nc: 2\n", "b: 1"),
        ("a: &x !!map  # note\n  b: 1\n\nc: 2\n", "b: 1"),
        ("a: !!seq &x [1, 2] # end\n", "[1, 2]"),
        ("a:\n- 1\n- 2 # end\nb: 1\n", "- 1\n- 2"),
        ("a: |\n  x\n  y\n\n\nb: 1\n", "|\n  x\n  y"),
        ("a: &x 'q' # end\n", "'q'"),
        ("a: !!str\nb: 1\n", ""),
        ("a: # end\nb: 1\n", ""),
        ("a: one\n  two  \nb: 1\n", "one\n  two"),
    ],
)
def test_the_span_of_the_first_value(text: str, expected: str) -> None:
    documents, _ = read(text)
    root = documents[0].root
    assert isinstance(root, Mapping)
    node: Node = root if expected.startswith("session") else root.entries[0].value
    assert text[node.span.start : node.span.end] == expected


def test_line_ends_and_positions() -> None:
    text = "a: é\r\nb: 😀x\r\n  y\r\nc: 3\r\n"
    documents, _ = read(text)
    assert to_json(documents[0].root) == {"a": "é", "b": "😀x y", "c": 3}
    root = documents[0].root
    assert isinstance(root, Mapping)
    assert SourceFile("x", text).position(root.entries[2].key_span.start) == (4, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d: &d {x: 1, y: 2}\na: {<<: *d, y: 3}", {"x": 1, "y": 3}),
        ("d: &d {x: 1, y: 2}\na: {y: 3, <<: *d}", {"y": 3, "x": 1}),
        ("d: [&d {x: 1}, &e {x: 2, z: 3}]\na: {<<: [*d, *e]}", {"x": 1, "z": 3}),
        ("d: [&d {x: 1}, &e {<<: *d, z: 3}]\na: {<<: *e, x: 5}", {"z": 3, "x": 5}),
        ("d: &d {x: {p: 1}}\na: {<<: *d, x: {q: 2}}", {"x": {"q": 2}}),
        ("d: 1\na: {<<: {x: 1}}", {"x": 1}),
        ("d: 1\na: {<<: []}", {}),
        ("d: 1\na: {'<<': 1}", {"<<": 1}),
    ],
)
def test_merge_keys(text: str, expected: JsonValue) -> None:
    read_back = value(text)
    assert isinstance(read_back, dict)
    assert read_back["a"] == expected


def test_merged_entries_stand_where_the_merge_key_stood() -> None:
    documents, _ = read("d: &d {x: 1, w: 2}\na: {k: 0, <<: *d, z: 3}")
    root = documents[0].root
    assert isinstance(root, Mapping)
    merged = root.get("a")
    assert isinstance(merged, Mapping)
    assert [entry.key for entry in merged] == ["k", "x", "w", "z"]


def test_aliases() -> None:
    text = "a: &x {b: [1]}\nc: *x\nd: &x 2\ne: *x\n"
    documents, found = read(text)
    assert to_json(documents[0].root) == {"a": {"b": [1]}, "c": {"b": [1]}, "d": 2, "e": 2}
    assert found == []
    root = documents[0].root
    assert isinstance(root, Mapping)
    alias, anchored = root.get("c"), root.get("a")
    assert alias is not None
    assert anchored is not None
    assert text[alias.span.start : alias.span.end] == "*x"
    assert alias.alias_of == anchored.span


def test_an_anchor_ends_with_its_document() -> None:
    assert findings("a: &x 1\nb: *x\n---\nc: *x\n") == ["unknown-aliases@4:4 *x"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\n---\na: 1\n---\n", [{"a": 1}]),
        ("--- {a: 1}\n...\n--- # note\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: '---'\nb: |\n  ---\n  x\nc: x --- y\n", [{"a": "---", "b": "---\nx\n", "c": "x --- y"}]),
        ("# ---\na: 1\n", [{"a": 1}]),
        ("--- ~\n", [None]),
        ("%YAML 1.2\n---\na: 1\n", [{"a": 1}]),
    ],
)
def test_streams(text: str, expected: list[JsonValue]) -> None:
    assert values(text) == expected


def test_the_span_of_a_document() -> None:
    text = "a: 1\n---\nb: 2\n...\n"
    first, second = read(text)[0]
    assert (first.span.start, text[second.span.start :][:3]) == (0, "---")


@pytest.mark.parametrize("text", ["", "# only\n", "---\n", "---\n---\n# x\n", " \n\n"])
def test_nothing_to_read(text: str) -> None:
    documents, found = read(text)
    assert documents == []
    assert [item.name for item in found] == ["empty-file"]


def test_limits() -> None:
    small = Limits(depth=2, nodes=6, scalar_bytes=4, number_chars=3)
    assert findings("a: {b: 1}", limits=small) == []
    assert findings("a: {b: {c: 1}}", limits=small) == ["too-deep@1:8 {"]
    assert findings("a: &x {b: 1}\nc: [*x]", limits=Limits(depth=2)) == ["too-deep@2:5 *x"]
    assert findings("[1, 2, 3, 4, 5]", limits=small) == []
    assert findings("[1, 2, 3, 4, 5, 6]", limits=small) == ["too-many-nodes@1:17 6"]
    assert findings("- &x [1, 2]\n- *x\n", limits=small) == ["alias-expansion-limit@2:3 *x"]
    assert findings("a: éé", limits=small) == []
    assert findings("a: ééé", limits=small) == ["scalar-too-long@1:4 é"]
    assert findings("ééé: 1", limits=small) == ["scalar-too-long@1:1 é"]
    assert findings("[123, 1234]", limits=small) == ["bad-numbers@1:7 1234"]
    assert findings("a: b\n", limits=Limits(file_bytes=4)) == ["too-large"]


@pytest.mark.parametrize("levels", [70, 2000, 50_000])
@pytest.mark.parametrize("before", ["", "x: [[1]], ", "'[': {y: ']'}, "])
def test_the_bracket_that_passes_the_limit_is_named(levels: int, before: str):
    limits = Limits(depth=64)
    column = len("a: {" + before + "b: ") + 63
    assert findings(f"a: {{{before}b: " + "[" * levels + "]" * levels + "}", limits=limits) == [
        f"too-deep@1:{column} ["
    ]


def test_fixes_make_it_plain() -> None:
    text = "on: yes\na: [1.5e3, 0o10, 2026-07-30, {{x}}]\n1: .inf\nb: 1.0e300\n"
    expected = '"on": "yes"\na: [1500, 8, "2026-07-30", "{{x}}"]\n"1": ".inf"\nb: 1.0e+300\n'
    assert fixed(text) == expected
    assert findings(expected) == []
    assert value(expected) == {
        "on": "yes", "a": [1500, 8, "2026-07-30", "{{x}}"], "1": ".inf", "b": 1e300
    }  # fmt: skip


@pytest.mark.parametrize("broken", ["$is: != 5", "$is: !5", "$is: >5", "$is: |2"])
def test_a_predicate_that_yaml_took_apart_is_read_as_written(broken: str) -> None:
    documents, found = read(f"a:\n  {broken}\nb: 1\n")
    assert [item.name for item in found] == ["unquoted-predicate"]
    assert to_json(documents[0].root) == {"a": {"$is": broken.removeprefix("$is: ")}, "b": 1}


def test_several_mistakes_are_all_reported_and_the_tree_is_kept() -> None:
    text = "a: 1\na: 2\nb: !x 3\nc: .nan\n2: {{x}}\nd: {<<: 1}\n"
    documents, found = read(text)
    assert [item.name for item in found] == [
        "duplicate-keys", "unknown-tags", "bad-numbers", "non-string-keys", "bad-reference", "bad-merge-keys"
    ]  # fmt: skip
    assert to_json(documents[0].root) == {"a": 1, "b": 3, "c": 0, "2": "{{x}}", "d": {}}


def test_kinds() -> None:
    documents, _ = read("[{}, [], a, 1, 1.5, true, null]")
    root = documents[0].root
    assert isinstance(root, Sequence)
    kinds = [kind_name(item) for item in root.items]
    assert kinds == ["mapping", "list", "text", "number", "number", "boolean", "null"]
    assert isinstance(root.items[2], Scalar)
    assert root.items[2].style == "plain"


def test_without_the_c_parser_there_is_one_clean_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: object, **kwargs: object) -> object:
        if name == "yaml._yaml":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "yaml._yaml", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    documents, found = read("a: 1\n")
    monkeypatch.undo()
    assert documents == []
    assert [item.name for item in found] == ["missing-yaml-parser"]
