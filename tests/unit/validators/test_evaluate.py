"""The structured matcher: pairing, order, extra calls, mismatches, row by row."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from abs_compiler.validators import Literal, ToolCall, compile_expected, evaluate_tool_calls


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"toolName": tool, "arguments": arguments}


def lists(expected: Any, actual: Any, **options: Any) -> tuple[list[Any], list[int], list[int], list[tuple[int, int]]]:
    """pairs, missing expected, extra actual, mismatches; all as indices."""
    result = evaluate_tool_calls(expected, actual, **options)
    rows = [(row.expected_index, row.actual_index) for row in result.argument_mismatches]
    assert [call.to_dict() for call in result.missing] == [expected[i] for i in result.findings.missing]
    assert [call.to_dict() for call in result.extra] == [actual[i] for i in result.findings.extra]
    return list(result.pairs), result.findings.missing, result.findings.extra, rows


def test_a_general_expectation_does_not_take_the_only_call_of_another() -> None:
    expected = [call("search"), call("search", q="x"), call("search", q="string")]
    actual = [call("search", q="x"), call("search", q="y"), call("search")]
    for order in itertools.permutations(expected):
        for run in itertools.permutations(actual):
            assert evaluate_tool_calls(order, run).passed


def test_pairs_are_the_earliest_of_the_largest_pairing() -> None:
    expected = [call("t"), call("t", a=1)]
    assert lists(expected, [call("t", a=1), call("t", a=1)]) == ([(0, 0), (1, 1)], [], [], [])
    assert lists(expected, [call("t", a=1), call("t")]) == ([(0, 1), (1, 0)], [], [], [])


def test_duplicates_need_a_call_each() -> None:
    assert lists([call("a")] * 2, [call("a")]) == ([(0, 0)], [1], [], [])
    assert lists([call("a")], [call("a")] * 2) == ([(0, 0)], [], [1], [])


def test_the_nearest_call_is_the_mismatch() -> None:
    expected = [call("t", q=1, r=1)]
    actual = [call("t", q=9, r=9), call("t", q=1, r=9), call("t", q=1, r=8)]
    assert lists(expected, actual) == ([], [], [0, 2], [(0, 1)])
    # Exactly: a key too many counts as well.
    actual = [call("t", q=1, r=1, s=1, u=1), call("t", q=1, s=1)]
    assert lists(expected, actual, argument_matching="exact") == ([], [], [1], [(0, 0)])
    assert lists(expected, actual[::-1], argument_matching="exact") == ([], [], [1], [(0, 0)])


def test_a_mismatch_is_neither_missing_nor_extra() -> None:
    expected = [call("t", a=1), call("t", a=2), call("t", a=3)]
    actual = [call("t", a=9), call("t", a=2), call("u")]
    assert lists(expected, actual) == ([(1, 1)], [2], [2], [(0, 0)])


def test_names_are_compared_exactly() -> None:
    assert lists([call("A")], [call("a")]) == ([], [0], [0], [])
    assert lists([call("any")], [call("a")]) == ([], [0], [0], [])


class TestOrder:
    def test_strict_finds_the_order_that_exists(self) -> None:
        expected = [call("a"), call("b")]
        actual = [call("b"), call("a"), call("b")]
        assert lists(expected, actual, tool_call_order="strict") == ([(0, 1), (1, 2)], [], [0], [])

    def test_strict_names_the_calls_that_came_too_early(self) -> None:
        result = evaluate_tool_calls(
            [call("a"), call("b"), call("c")], [call("c"), call("b"), call("a")], tool_call_order="strict"
        )
        assert not result
        assert [row.to_dict() for row in result.out_of_order] == [
            {"toolName": "b", "expectedIndex": 1, "actualIndex": 1},
            {"toolName": "c", "expectedIndex": 2, "actualIndex": 0},
        ]
        assert not result.missing
        assert not result.extra

    def test_mismatches_take_part_in_the_order(self) -> None:
        result = evaluate_tool_calls([call("a", x=1), call("b")], [call("b"), call("a", x=2)], tool_call_order="strict")
        assert [(row.expected_index, row.actual_index) for row in result.out_of_order] == [(1, 0)]

    def test_superset_leaves_a_call_out_of_place_extra_and_its_expectation_missing(self) -> None:
        expected = [call("a"), call("b"), call("c")]
        actual = [call("c"), call("b"), call("a")]
        result = evaluate_tool_calls(expected, actual, tool_call_order="superset")
        assert not result
        assert result.out_of_order == ()
        assert lists(expected, actual, tool_call_order="superset") == ([(0, 2)], [1, 2], [0, 1], [])
        assert evaluate_tool_calls(expected, [call("x"), *actual[::-1], call("x")], tool_call_order="superset")

    def test_a_call_out_of_place_is_nobodys_mismatch(self) -> None:
        expected = [call("b"), call("a", x=1), call("a", x=2)]
        actual = [call("a", x=1), call("b"), call("a", x=9)]
        assert lists(expected, actual, tool_call_order="superset") == ([(0, 1)], [1], [0], [(2, 2)])

    def test_positional_compares_place_by_place(self) -> None:
        expected = [call("a"), call("b", x=1), call("c"), call("d")]
        actual = [call("a"), call("b", x=2), call("d")]
        assert lists(expected, actual, tool_call_order="positional") == ([(0, 0)], [2, 3], [2], [(1, 1)])
        assert evaluate_tool_calls(expected[:1], actual, tool_call_order="positional")
        assert not evaluate_tool_calls(expected[:1], actual, tool_call_order="positional", max_extra_tool_calls=1)
        assert not evaluate_tool_calls([call("a")], [call("x"), call("a")], tool_call_order="positional")


class TestArguments:
    def test_partial_looks_at_top_level_keys_only(self) -> None:
        assert evaluate_tool_calls([call("t", a={"x": 1})], [call("t", a={"x": 1}, b=2)])
        assert not evaluate_tool_calls([call("t", a={"x": 1})], [call("t", a={"x": 1, "y": 2})])
        assert not evaluate_tool_calls([call("t", a=[1])], [call("t", a=[1, 2])])

    @pytest.mark.parametrize("word", ["number", " Number ", "NUMBER", "\tnumber\n", "\ufeffnumber\u00a0"])
    def test_placeholders_ignore_case_and_spaces_around(self, word: str) -> None:
        assert evaluate_tool_calls([call("t", a=word)], [call("t", a=5)])
        assert not evaluate_tool_calls([call("t", a=word)], [call("t", a=word)])
        assert not evaluate_tool_calls([call("t", a=word)], [call("t", a=True)])

    @pytest.mark.parametrize("word", ["integer", "float", "bool", "strings", "undefined", "", "num ber"])
    def test_other_words_are_texts(self, word: str) -> None:
        assert evaluate_tool_calls([call("t", a=word)], [call("t", a=word)])
        assert not evaluate_tool_calls([call("t", a=word)], [call("t", a=5)])

    def test_placeholders_are_nowhere_else(self) -> None:
        assert not evaluate_tool_calls([call("t", a=["string"])], [call("t", a=["x"])])
        assert not evaluate_tool_calls([call("t", a={"b": "any"})], [call("t", a={"b": 1})])
        assert not evaluate_tool_calls([call("t", a="string")], [call("t", a="x")], argument_matching="exact")
        assert evaluate_tool_calls([call("t", a="string")], [call("t", a="string")], argument_matching="exact")

    def test_a_literal_is_no_placeholder(self) -> None:
        expected = [ToolCall("t", {"a": Literal("number"), "b": [Literal("x")]})]
        assert evaluate_tool_calls(expected, [call("t", a="number", b=["x"])])
        assert not evaluate_tool_calls(expected, [call("t", a=5, b=["x"])])
        assert evaluate_tool_calls(expected, [call("t", a="number", b=["x"])], argument_matching="exact")
        missing = evaluate_tool_calls(expected, [call("u")]).to_dict()["missing"]
        assert missing == [{"toolName": "t", "arguments": {"a": "number", "b": ["x"]}}]

    def test_none_null_and_empty_are_the_same_exactly(self) -> None:
        forms: list[dict[str, Any]] = [{"toolName": "t"}, {"toolName": "t", "arguments": None}, call("t")]
        for expected, actual in itertools.product(forms, forms):
            assert evaluate_tool_calls([expected], [actual], argument_matching="exact")
            assert evaluate_tool_calls([expected], [actual])
            assert not evaluate_tool_calls([expected], [call("t", a=1)], argument_matching="exact")
        assert not evaluate_tool_calls([call("t", a=None)], forms[:1])

    def test_a_mismatch_without_arguments_shows_empty_ones(self) -> None:
        (row,) = evaluate_tool_calls([call("t", k=1)], [{"toolName": "t"}]).argument_mismatches
        assert row.to_dict() == {"toolName": "t", "expectedArgs": {"k": 1}, "actualArgs": {}}

    def test_ignored_arguments_are_not_compared(self) -> None:
        assert evaluate_tool_calls([call("t", a=1)], [call("t", b=[])], argument_matching="ignore")
        assert lists([call("t", a=1)] * 2, [call("t")], argument_matching="ignore") == ([(0, 0)], [1], [], [])


class TestWithoutCalls:
    def test_a_run_without_calls_fails_even_where_nothing_is_expected(self) -> None:
        assert not evaluate_tool_calls([], [])
        assert not evaluate_tool_calls([call("a")], [])
        assert evaluate_tool_calls([], [call("a")])
        assert not evaluate_tool_calls([], [call("a")], max_extra_tool_calls=0)

    def test_a_negative_test_passes_without_calls_only(self) -> None:
        assert evaluate_tool_calls([], [], is_negative_test=True)
        result = evaluate_tool_calls([call("a")], [], is_negative_test=True)
        assert result.passed
        assert result.missing == ()
        for limit in (None, 5):
            result = evaluate_tool_calls([call("a")], [call("a")], is_negative_test=True, max_extra_tool_calls=limit)
            assert not result.passed
            assert result.to_dict()["extra"] == [call("a")]
            assert result.to_dict()["argumentMismatches"] == []


@pytest.mark.parametrize(
    ("limit", "extra", "passed"), [(None, 9, True), (0, 0, True), (0, 1, False), (2, 2, True), (2, 3, False)]
)
def test_the_limit_of_extra_calls(limit: int | None, extra: int, passed: bool) -> None:
    result = evaluate_tool_calls([call("a")], [call("a")] + [call("b")] * extra, max_extra_tool_calls=limit)
    assert result.passed is passed
    assert len(result.extra) == extra


def test_properties_of_calls_survive() -> None:
    expected = {"toolName": "t", "arguments": {}, "id": 7}
    result = evaluate_tool_calls([expected], [{"toolName": "u", "arguments": {}, "callId": "z"}]).to_dict()
    assert result["missing"] == [expected]
    assert result["extra"] == [{"toolName": "u", "arguments": {}, "callId": "z"}]


def test_a_compiled_list_serves_many_runs() -> None:
    matcher = compile_expected([call("a", x=number) for number in range(20)], max_extra_tool_calls=0)
    run = [call("a", x=number) for number in reversed(range(20))]
    for _ in range(3):
        assert matcher.evaluate(run)
        assert not matcher.evaluate(run[1:])
        assert not matcher.evaluate([*run, call("a", x=1)])
    assert len(matcher) == 20
    assert matcher.calls[3] == ToolCall("a", {"x": 3})
