"""Predicates at run time: total on every value, bound references, the whitelist of data, words."""

import collections
import copy
import json
import math
import random
import re
import subprocess
import sys

import pytest

from abs_compiler.predicate import lower, parse
from abs_compiler.predicate.lowering import lower_test
from abs_compiler.runtime.errors import BindError
from abs_compiler.runtime.patterns import PatternError, compile_pattern
from abs_compiler.runtime.predicates import (
    ABSENT,
    PredicateDataError,
    admits_absent,
    check_predicate,
    compile_predicate,
    describe_predicate,
    equality_literals,
    explain_predicate,
    reference_names,
)
from tests.support.absc import environment
from tests.support.predicates import Draw


def test(text, value, **values):
    return compile_predicate(lower(parse(text)), values)(value)


test.__test__ = False


# --- values ---------------------------------------------------------------------------------------------------------


def nested(depth, leaf=1):
    value = leaf
    for _ in range(depth):
        value = [value]
    return value


class Odd(str):
    """A string of a subclass: no JSON value of its own."""

    __slots__ = ()


ODD = [
    math.nan, math.inf, -math.inf, -0.0, 5e-324, 10**400, nested(900), {"a": nested(900)}, "\ud800", "a\udfff", "\x00",
    Odd("a"), (1, 2), {1, 2}, b"a", object(), collections.OrderedDict(a=1), range(3), 1j, ABSENT,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(300))
def test_no_value_makes_a_predicate_raise(seed):
    data = lower_test(Draw(seed).test(2))
    compiled = compile_predicate(data, {})
    for value in ODD:
        assert compiled(value) in (True, False)
        assert isinstance(explain_predicate(data, value), str)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("integer", [1, 1.0, -0.0, 10**30, 1e300], [True, 1.5, "1", None, math.inf, math.nan]),
        ("number", [1, 1.5], [True, "1", None, [1]]),
        ("boolean", [True, False], [0, 1, "true"]),
        ("== 1", [1, 1.0], [True, "1", 1.5]),
        ("in [0, 1]", [0, 0.0, 1], [False, True, "0"]),
        ("== true", [True], [1, 1.0, "true"]),
        ("== null", [None], [0, "", False, [], ABSENT]),
        ("!= 1", [True, "1", None, [], {}], [1, 1.0, ABSENT]),
        (">= 1", [1, 1.5, 10**400], [True, "1", 0.5, -(10**400)]),
        ('>= "b"', ["b", "c", "b\0", "\U0001f600"], ["a", "", 5, "b\ud800"]),
        ("== 9007199254740993", [9007199254740993], [9007199254740992, 9007199254740992.0]),
        ("in 9007199254740993..9007199254740995", [9007199254740994.0], [9007199254740992]),
        ('contains "a"', ["xax", ["a"], [1, "a"]], ["b", ["ab"], {"a": 1}, "a\ud800"]),
        ("contains 1", [[1], [1.0, 2]], [[True], "1", [[1]]]),
        ('contains ""', ["", "a", [""]], ["\ud800", [], [" "]]),
        ("length == 1", ["😀", [1], {"a": 1}], ["e\u0301", "", 1, None, "\ud800"]),
        ("length != 1", ["", [], {}], ["a", 5, None]),
        ('== "\\ud800"', ["\ud800"], ["\udfff", "x"]),
        ("matches /./", ["a", "😀"], ["", "\n", "\ud800", 1]),
        ("matches /^a\\/b$/", ["a/b"], ["ab"]),
        ("each string", [[], ["a"]], [["a", 1], "a", None]),
        ("some any", [[None]], [[], "a"]),
        ("same items as [1, true, 1]", [[1.0, 1, True]], [[1, True], [1, 1, 1], [True, True, 1]]),
        ("same items as []", [[]], [{}, [1]]),
        ('has {a: (absent or string)}', [{}, {"a": "x"}, {"b": 1}], [{"a": None}, [], None]),
        ('has {a: {"b": 1}}', [{"a": {"b": 1.0}}], [{"a": {"b": 1, "c": 2}}]),
        ("absent or null", [ABSENT, None], [0]),
        ("not absent", [None, 0, ""], [ABSENT]),
        ("not (absent or string)", [1, None], [ABSENT, "a"]),
        ("not not (absent or string)", ["a"], [ABSENT, 1]),
        ("number not in [1, 2]", [3, 1.5], [1, 2.0, True, "3"]),
        ("number != 5 and not in 7..9", [6, 5.5, 9.5], [5, 7, 8.5, True]),
        ("number (in 1..2 or in 4..5.5 or == 0.25)", [1, 1.5, 5.25, 0.25], [3, 0.5, 5.75, 6]),
        ("integer (in 1..2 or in 400..800)", [2, 400, 800.0], [3, 399, 500.5]),
        ("== 1.5 or == 2.5", [1.5, 2.5], [2, 1, 1.25]),
    ],
)  # fmt: skip
def test_what_is_in_and_what_is_not(text, inside, outside):
    compiled = compile_predicate(lower(parse(text)), {})
    for value in inside:
        assert compiled(value) is True, value
    for value in outside:
        assert compiled(value) is False, value


def test_deep_values_compare_exactly():
    deep = compile_predicate(lower(parse("same items as [1, [2]]")), {})
    assert deep([[2], 1])
    assert not deep([nested(900), nested(900)])
    assert not compile_predicate(lower(parse("== [[1]]")), {})(nested(900))


# --- references -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "bound", "inside", "outside"),
    [
        ("== {{x}}", 1, [1, 1.0], [True, "1"]),
        ("== {{x}}", [1, {"a": None}], [[1.0, {"a": None}]], [[1], [1, {}]]),
        ("!= {{x}}", "a", ["b", 1, None], ["a", ABSENT]),
        ("in [{{x}}, null]", True, [True, None], [1, ABSENT]),
        ("in {{x}}", ["a", "b"], ["a"], ["c", ["a"]]),
        ("in {{x}}", [], [], [None, ABSENT]),
        ("not in {{x}}", ["a"], ["b", 1], ["a", ABSENT]),
        ("integer in 1..{{x}}", 5, [5, 1.0], [6, 1.5]),
        ("> {{x}}", "b", ["c"], ["a", 5, "c\ud800"]),
        ("<= {{x}}", 2.5, [2.5, -1], [3, True, "1"]),
        ("< {{x}}", "\ud800", [], ["a", "\ud7ff"]),
        ("starts with {{x}}", "a", ["ab"], ["b", ["a"], "a\ud800"]),
        ("ends with {{x}}", "\ud800", [], ["a\ud800"]),
        ("contains {{x}}", "a", ["ba", ["a"]], ["b", [1], {"a": 1}]),
        ("contains {{x}}", 1, [[1, 2]], ["1", [True]]),
        ("length <= {{x}}", 2, ["ab", [], {"a": 1}], ["abc", 1, "\ud800"]),
        ("length == {{x}}", 2.0, ["ab"], ["a"]),
        ("length != {{x}}", 1.5, ["ab", ""], [1]),
        ("length in [{{x}}, 3]", 1, ["a", "abc"], ["ab"]),
        ("length in {{x}}", [1, 2], ["a"], [""]),
        ("same items as {{x}}", [1, "a"], [["a", 1.0]], [[1], ["a", True]]),
        ("same items as [{{x}}, 2]", 1, [[2, 1]], [[1, 1]]),
        ("array each (== {{x}} or string)", 1, [[1, "a"], []], [[2]]),
        ("array some {{y}}".replace("{{y}}", "== {{x}}"), 1, [[0, 1]], [[], 1]),
        ("has {a: {{x}}, b: (absent)}", 1, [{"a": 1}], [{"a": 2}, {"a": 1, "b": 1}, {}, 5]),
        ("not has {a: {{x}}}", 1, [{}, 5, {"a": 2}], [{"a": 1}, ABSENT]),
        ("not (string and != {{x}})", "a", ["a", 5], ["b", ABSENT]),
        ("not not (absent or == {{x}})", "a", ["a"], [ABSENT, "b"]),
        ("absent or == {{x}}", "a", ["a", ABSENT], ["b"]),
        ("integer > 5 and < {{x}}", 3, [], [4, 6]),
    ],
)  # fmt: skip
def test_bound_references(text, bound, inside, outside):
    data = lower(parse(text))
    check_predicate(data)
    assert reference_names(data) == ("x",)
    compiled = compile_predicate(data, {"x": bound})
    for value in inside:
        assert compiled(value) is True, value
        assert explain_predicate(data, value, {"x": bound})
    for value in outside:
        assert compiled(value) is False, value
        assert explain_predicate(data, value, {"x": bound})
    assert "{{x}}" in describe_predicate(data)
    assert "{{x}}" not in describe_predicate(data, {"x": bound})


@pytest.mark.parametrize(
    ("text", "bound", "message"),
    [
        ("integer in 1..{{x}}", "9", "`x` is the end of a range and must be a number, but it is a text"),
        ("in {{x}}", "ab", "`x` is the list here and must be a list, but it is a text"),
        ("> {{x}}", True, "`x` is the value after `>` and must be a number or a text, but it is a boolean"),
        ("> {{x}}", None, "`x` is the value after `>` and must be a number or a text, but it is null"),
        ("starts with {{x}}", 5, "`x` is the text after `starts with` and must be a text, but it is a number"),
        ("length == {{x}}", "5", "`x` is the length here and must be a number, but it is a text"),
        ("length in {{x}}", [1, "2"], "`x` is the length here and must be a number, but it is a text"),
        ("length in [1, {{x}}]", "2", "`x` is the length here and must be a number, but it is a text"),
        ("same items as {{x}}", {"a": 1}, "`x` is the list here and must be a list, but it is an object"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_when_it_is_bound(text, bound, message):
    with pytest.raises(BindError, match=re.escape(message)):
        compile_predicate(lower(parse(text)), {"x": bound})
    with pytest.raises(BindError, match="`x` has no value"):
        compile_predicate(lower(parse(text)), {})


def test_names_that_look_like_operators():
    data = lower(parse('has {ref: {{a}}, set: {{b}}, "=": {{c}}, in: {{d}}}'))
    check_predicate(data)
    assert reference_names(data) == ("a", "b", "c", "d")
    assert compile_predicate(data, {"a": 1, "b": 2, "c": 3, "d": 4})({"ref": 1, "set": 2, "=": 3, "in": 4})


# --- literals for tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('== "a"', ["a"]),
        ('in ["b", "a", "b"]', ["a", "b"]),
        ("in [1, 2.5, 1.0]", [2.5, 1]),
        ("integer in 1..4", [1, 2, 3, 4]),
        ('in [1, "a", null, true, [1]]', [[1], True, 1, None, "a"]),
        ("boolean", [False, True]),
        ('string matches /^(USD|EUR)$/', ["EUR", "USD"]),
        ("integer in 1..1000", None),
        ("number in 1..2", None),
        ("string", None),
        ('absent or == "a"', None),
        ('!= "a"', None),
        ("== {{x}}", None),
        ("in [{{x}}]", None),
        ("any", None),
        ('== "a" or starts with "b"', None),
    ],
)  # fmt: skip
def test_equality_literals(text, expected):
    assert equality_literals(lower(parse(text))) == expected


# --- data from elsewhere --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        None, 5, "set", [], {}, ["set"], ["set", []], ["set", {"strange": True}], ["set", {"string": False}],
        ["set", {"absent": 1}], ["set", {"boolean": []}], ["set", {"boolean": [1]}],
        ["set", {"boolean": [True, False]}],
        ["set", {"integer": [[1.5, 2]]}], ["set", {"integer": [[1, 2, 3]]}], ["set", {"integer": [[2, 1]]}],
        ["set", {"integer": [[3, 4], [1, 2]]}], ["set", {"integer": [[None, None], [1, 2]]}],
        ["set", {"integer": [True]}],
        ["set", {"integer": [[True, 2]]}], ["set", {"fraction": [["a", None]]}],
        ["set", {"fraction": [[math.inf, None]]}],
        ["set", {"string": ["starts", 5]}], ["set", {"string": ["starts"]}], ["set", {"string": ["eval", "x"]}],
        ["set", {"string": ["in", [1]]}], ["set", {"string": ["matches", "a", "g", ""]}],
        ["set", {"string": ["text", 1]}],
        ["set", {"string": ["matches", "a" * 1001, "", ""]}], ["set", {"string": ["each", ["set", {}]]}],
        ["set", {"string": ["length", [[-1, 2]]]}], ["set", {"string": ["length", [[None, 2]]]}],
        ["set", {"array": ["in", ["a"]]}], ["set", {"array": ["key", "a", ["set", {}]]}],
        ["set", {"array": ["same", 5]}],
        ["set", {"object": ["key", 1, ["set", {}]]}], ["set", {"object": ["starts", "a"]}],
        ["set", {"object": ["key", "a"]}],
        ["and", 5], ["and", [5]], ["not"], ["not", ["set", {}], 1], ["==", ["=", 1], 2], ["==", 1], ["==", ["lit", 1]],
        ["==", ["ref", 5]], ["<", ["=", True]], ["<", ["=", None]], ["in", ["=", 1]], ["in", ["list", [1]]],
        ["in", ["list"]],
        ["between", ["=", 1]], ["between", ["=", "a"], ["=", 1]], ["starts", ["=", 1]], ["length", ["~", ["=", 1]]],
        ["length", ["==", ["=", "a"]]], ["length", ["in", ["list", [["=", "a"]]]]],
        ["key", "a"], ["key", 1, ["set", {}]],
        ["__import__", "os"], ["==", ["=", object()]], ["==", ["=", {1: 2}]], ["==", ["=", math.nan]],
    ],
)  # fmt: skip
def test_data_that_is_no_predicate_is_refused(data):
    with pytest.raises(PredicateDataError):
        check_predicate(data)


def test_deep_and_large_data_is_refused():
    deep = ["set", {}]
    for _ in range(500):
        deep = ["not", deep]
    with pytest.raises(PredicateDataError, match="deep"):
        check_predicate(deep)
    with pytest.raises(PredicateDataError, match="deep"):
        check_predicate(["==", ["=", nested(500)]])
    with pytest.raises(PredicateDataError, match="large"):
        check_predicate(["in", ["list", [["=", 1]] * 30_000]])


def test_what_the_check_lets_through_can_be_used():
    """Data with parts dropped, doubled or exchanged is refused, or compiles, tests and explains without a crash."""
    chosen = random.Random(11)
    kept = 0
    for seed in range(4_000):
        data = lower_test(Draw(seed, references=seed % 3 == 0).test(2))
        other = mutated(copy.deepcopy(data), chosen)
        try:
            check_predicate(other)
        except PredicateDataError:
            continue
        kept += 1
        json.dumps(other)
        equality_literals(other)
        describe_predicate(other)
        values = {name: [1] for name in reference_names(other)}
        try:
            compiled = compile_predicate(other, values)
        except (BindError, PatternError):
            continue
        for value in (ABSENT, None, 1, 1.5, "a", [1], {"a": 1}, True):
            assert compiled(value) in (True, False)
            explain_predicate(other, value, values)
        assert compiled(ABSENT) is admits_absent(other)
    assert kept > 400


def mutated(data, chosen):
    places = []

    def collect(node):
        if isinstance(node, list):
            places.extend((node, index) for index in range(len(node)))
            for item in node:
                collect(item)
        elif isinstance(node, dict):
            places.extend((node, key) for key in node)
            for item in node.values():
                collect(item)

    collect(data)
    if not places:
        return data
    node, at = chosen.choice(places)
    other, where = chosen.choice(places)
    match chosen.randrange(3):
        case 0:
            node[at] = copy.deepcopy(other[where])
        case 1:
            del node[at]
        case _:
            node[at] = chosen.choice([None, True, 1, -1, "", "in", "not", [], {}, [None, 3], ["set", {}], ["=", "a"]])
    return data


@pytest.mark.parametrize(
    ("text", "value", "words", "reason"),
    [
        ("string length == 1", "\ud800", "a text of length 1", "half of a surrogate pair"),
        ("not some string", ["a"], "any value but a list with an item that is a text", "item 1"),
        ("absent", 5, "no value at all", "5 is there, but there must be no value"),
        ("absent", ABSENT, "no value at all", "there must be none"),
        ("absent or string", ABSENT, "no value at all or a text", "there is no value, and none is needed"),
        ("in {{l}}", 3, "one of {{l}}", "the list is empty"),
        ("!= 1.5", 1.5, "any value but 1.5", "1.5 is refused"),
        ("number != 1.5", 1.5, "a number other than 1.5", "1.5 is not a number other than 1.5"),
    ],
)
def test_what_is_admitted_and_why_not_in_plain_words(text, value, words, reason):
    data = lower(parse(text))
    assert describe_predicate(data) == words
    assert reason in explain_predicate(data, value, {"l": []})


# --- patterns -------------------------------------------------------------------------------------------------------


def test_patterns_never_raise_on_text_and_tell_what_is_no_text():
    pattern = compile_pattern("a+")
    assert pattern.search("xaa") is True
    assert pattern.search("b") is False
    assert pattern.search("a\ud800") is None
    assert pattern.test("a\ud800") is False
    assert compile_pattern("A", ignore_case=True).test("a")
    assert not compile_pattern("A").test("a")
    large = compile_pattern(r"\pL{1,30}$")
    assert large.test("é" * 5)
    assert large.test("\ud800") is False


def test_patterns_are_linear():
    import time

    started = time.process_time()
    assert not compile_pattern("^(a+)+$").test("a" * 50_000 + "!")
    assert not compile_pattern("(x+x+)+y").test("x" * 50_000)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("text", ["(?=a)", r"(a)\1", "a{1001}", "(", "*", "[z-a]", "\ud800", "a" * 1001])
def test_patterns_that_re2_refuses(text):
    with pytest.raises(PatternError):
        compile_pattern(text)


@pytest.mark.parametrize(
    ("body", "said"),
    [("import re\nfrom re import *\nVERSION = (0, 2)\ndef set_fallback_notification(level): pass\n", "not RE2"),
     ("raise ImportError('no re2')\n", "google-re2")],
)  # fmt: skip
def test_a_module_of_the_same_name_is_refused(tmp_path, body, said):
    (tmp_path / "re2.py").write_text(body)
    code = (
        "from abs_compiler.runtime.errors import AbsError\n"
        "from abs_compiler.runtime.patterns import compile_pattern\n"
        "try:\n    compile_pattern('(a+)+$')\n"
        "except AbsError as error:\n    print(error)\n"
    )
    place = {"PYTHONPATH": f"{tmp_path}:{environment()['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(place), capture_output=True, text=True, check=True, timeout=60
    )
    assert said in done.stdout
    assert str(tmp_path) in done.stdout or said == "google-re2"
