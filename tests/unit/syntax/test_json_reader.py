"""JSON texts: the values that `json` reads, with places; slips and mistakes with plain words."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from abs_compiler.syntax import Limits, Mapping, Scalar, Sequence, to_json
from tests.unit.syntax.reading import findings, fixed, nodes, read, value

NAME = "spec.abs.json"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
WORDS = r"""
{ } [ ] : , "a" "b" "\u00e9" "\ud83d\ude00" "\ud800" 1 -0 1.5E3 true null 012 NaN 'a' a True " \ é {{x}} +1 .5
"""
PIECES = st.lists(st.sampled_from([*WORDS.split(), " ", "\n", "\t", "//c\n"]), max_size=25)


def same(left: Any, right: Any) -> bool:
    """Equal with equal types all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return math.copysign(1, left) == math.copysign(1, right) and left == right
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


@given(JSON, st.booleans(), st.sampled_from([None, 0, 1, "\t"]))
def test_it_reads_what_json_reads(data: object, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    assert same(value(text, NAME), json.loads(text))


@given(PIECES)
@example(["1", "2"])
@example(["-"])
@example(["[", "1", ","])
def test_it_refuses_exactly_what_json_refuses(pieces: list[str]) -> None:
    text = "".join(pieces)
    documents, found = read(text, NAME)
    for item in found:
        for label in item.labels:
            assert 0 <= label.span.start <= label.span.end <= len(text)
    try:
        expected = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        assert found
    else:
        if "NaN" not in text:
            assert not found, [item.message for item in found]
            assert same(to_json(documents[0].root), expected)


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate")
    return dict(pairs)


@given(JSON)
def test_every_node_knows_its_text(data: object) -> None:
    text = json.dumps(data, indent=1)
    documents, _ = read(text, NAME)
    for node in nodes(documents[0].root):
        assert json.loads(text[node.span.start : node.span.end]) == to_json(node)
        if isinstance(node, Mapping):
            for entry in node.entries:
                assert json.loads(text[entry.key_span.start : entry.key_span.end]) == entry.key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\ud83d x \\ude00"', "\ud83d x \ude00"),
        ('"\\uDe00\\uD83d"', "\ude00\ud83d"),
        ('"\u2028"', "\u2028"),
        ("1E3", 1000.0),
        ("-0", 0),
        ("12345678901234567890123", 12345678901234567890123),
        ("\t[\t1\t]\t", [1]),
        ('{"<<": 1, "*a": {"&b": null}}', {"<<": 1, "*a": {"&b": None}}),
    ],
)
def test_values(text: str, expected: object) -> None:
    assert same(value(text, NAME), expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["empty-file@1:1"]),
        (" \n ", ["empty-file@1:1"]),
        ('{"a": 1, "a": 2}', ['duplicate-keys@1:10 "a"']),
        ('{"a": 1,}', ["json-syntax@1:8 ,"]),
        ("[1, 2, ]", ["json-syntax@1:6 ,"]),
        ("[1 2]", ["json-syntax@1:4 2"]),
        ('{"a": 1 "b": 2}', ['json-syntax@1:9 "b"']),
        ('{"a": 1 "b"}', ['json-syntax@1:9 "b"']),
        ('{"a" 1}', ["json-syntax@1:6 1"]),
        ('{"a": }', ["json-syntax@1:7 }"]),
        ('{"a"}', ["json-syntax@1:5 }"]),
        ("[1", ["json-syntax@1:3"]),
        ('{"a": [1, {"b": 2]}', ["json-syntax@1:18 ]"]),
        ("]", ["json-syntax@1:1 ]"]),
        ("[1] 2", ["json-syntax@1:5 2"]),
        ("{} {}", ["json-syntax@1:4 {"]),
        ('["abc', ['json-syntax@1:2 "']),
        ('["a\nb"]', ['json-syntax@1:2 "']),
        ('["a\tb\tc"]', ["json-syntax@1:4 \t"]),
        ('["\\x"]', ["json-syntax@1:3 \\x"]),
        ('["\\u12"]', ["json-syntax@1:3 \\u"]),
        ("{a: 1}", ["json-syntax@1:2 a"]),
        ("{'a': 'b'}", ["json-syntax@1:2 'a'", "json-syntax@1:7 'b'"]),
        ("{1: 2}", ["non-string-keys@1:2 1"]),
        (
            "[NaN, -Infinity, 1e999, 1e-999]",
            ["bad-numbers@1:2 NaN", "bad-numbers@1:7 -Infinity", "bad-numbers@1:18 1e999", "bad-numbers@1:25 1e-999"],
        ),
        ("[True, None]", ["json-syntax@1:2 True", "json-syntax@1:8 None"]),
        (
            "[012, +1, .5, 5., 0x1F, 1_0]",
            [
                f"json-syntax@1:{column} {text}"
                for column, text in ((2, "012"), (7, "+1"), (11, ".5"), (15, "5."), (19, "0x1F"), (25, "1_0"))
            ],
        ),
        ("// c\n{} # d\n/* e */", ["json-syntax@1:1 // c", "json-syntax@2:4 # d", "json-syntax@3:1 /* e */"]),
        ("[\u00a01]", ["json-syntax@1:2 \u00a0"]),
        ('{"a": {{x}}, "b": [{{ y }}]}', ["bad-reference@1:7 {{x}}", "bad-reference@1:20 {{ y }}"]),
        ("{{{x}}: 1}", ["bad-reference@1:2 {{x}}"]),
        ("[1, 2\n, ,]", ["json-syntax@2:3 ,"]),
        ('{"a": 1, "b": tru}', ["json-syntax@1:15 tru"]),
    ],
)
def test_findings(text: str, expected: list[str]) -> None:
    assert findings(text, NAME) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', '{"a": 1}'),
        ("[1 2]", "[1, 2]"),
        ("[True, None]", "[true, null]"),
        ("[012, +1, .5, 5., 12:30, 2026-07-30]", '["012", 1, 0.5, 5, "12:30", "2026-07-30"]'),
        ("{'a': b}", '{"a": "b"}'),
        ('["a\tb"]', '["a\\tb"]'),
        ('["\\d"]', '["\\\\d"]'),
        ('{"a": {{x}}}', '{"a": "{{x}}"}'),
    ],
)
def test_fixes_make_it_json(text: str, expected: str) -> None:
    assert fixed(text, NAME) == expected
    assert findings(expected, NAME) == []


def test_limits() -> None:
    small = Limits(depth=2, nodes=5, scalar_bytes=4, number_chars=3)
    assert findings("[[1]]", NAME, small) == []
    assert findings("[[[1]]]", NAME, small) == ["too-deep@1:3 ["]
    assert findings("[1,2,3,4]", NAME, small) == []
    assert findings("[1,2,3,4,5]", NAME, small) == ["too-many-nodes@1:10 5"]
    assert findings('["éé"]', NAME, small) == []
    assert findings('["ééé"]', NAME, small) == ['scalar-too-long@1:2 "']
    assert findings("[123, 1234]", NAME, small) == ["bad-numbers@1:7 1234"]


def test_a_text_that_starts_like_json_may_be_yaml() -> None:
    assert value("{a: 1, b: [x, 012],}") == {"a": 1, "b": ["x", 12]}
    assert value('{"a": 1}\n# a comment') == {"a": 1}
    assert value('{"a": "\\ud83d\\ude00", "b": 1E3}') == {"a": "😀", "b": 1000.0}


def test_where_neither_reads_the_likelier_one_speaks() -> None:
    assert findings('{"a": 1, // one\n "b": [}') == ["json-syntax@1:10 // one", "json-syntax@2:8 }"]
    assert findings("{a: [}")[0].startswith("yaml-syntax")


def test_kinds() -> None:
    documents, _ = read('{"a": [1]}', NAME)
    root = documents[0].root
    assert isinstance(root, Mapping)
    items = root.get("a")
    assert isinstance(items, Sequence)
    assert isinstance(items.items[0], Scalar)
    assert items.items[0].style == "json"
