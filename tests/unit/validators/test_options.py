"""Options: both spellings, layers, and every way to get one wrong."""

from __future__ import annotations

from typing import Any

import pytest

from abs_compiler.runtime.errors import AbsError
from abs_compiler.validators import (
    MatchOptions,
    ValidatorError,
    assert_tool_calls,
    compile_expected,
    evaluate_tool_calls,
    resolve_match_options,
)


def test_both_spellings() -> None:
    camel = {"toolCallOrder": "strict", "argumentMatching": "exact", "maxExtraToolCalls": 2}
    snake = {"tool_call_order": "strict", "argument_matching": "exact", "max_extra_tool_calls": 2}
    assert resolve_match_options(camel) == resolve_match_options(snake) == MatchOptions("strict", "exact", 2)
    assert resolve_match_options(camel).to_dict() == {**camel, "allowExtraToolCalls": True}


def test_what_to_dict_gives_resolves_to_the_same() -> None:
    for limit in (None, 0, 3):
        for negative in (False, True):
            options = MatchOptions("superset", "ignore", limit, negative)
            assert resolve_match_options(options.to_dict()) == options
            assert hash(resolve_match_options(options)) == hash(options)


@pytest.mark.parametrize(
    ("layers", "limit"),
    [
        ([], None),
        ([{}], None),
        ([None, None], None),
        ([{"allowExtraToolCalls": True}], None),
        ([{"allowExtraToolCalls": False}], 0),
        ([{"maxExtraToolCalls": 0}], 0),
        ([{"maxExtraToolCalls": 2.0}], 2),
        ([{"maxExtraToolCalls": -0.0}], 0),
        ([{"maxExtraToolCalls": 1e300}], int(1e300)),
        # Within a layer the limit wins, no limit too.
        ([{"allowExtraToolCalls": True, "maxExtraToolCalls": 0}], 0),
        ([{"allowExtraToolCalls": False, "maxExtraToolCalls": None}], None),
        # A later layer's answer to the question replaces an earlier one, in either form.
        ([{"maxExtraToolCalls": 2}, {"allowExtraToolCalls": False}], 0),
        ([{"allowExtraToolCalls": False}, {"maxExtraToolCalls": 3}], 3),
        ([{"allowExtraToolCalls": False}, {"maxExtraToolCalls": None}], None),
        ([{"allowExtraToolCalls": False}, {"allowExtraToolCalls": None}], 0),
        ([{"allowExtraToolCalls": False}, {"argumentMatching": "exact"}], 0),
        # An option that counts for nothing in the end is not looked at.
        ([{"maxExtraToolCalls": -1}, {"maxExtraToolCalls": 1}], 1),
        ([{"allowExtraToolCalls": "no"}, {"allowExtraToolCalls": False}], 0),
    ],
)
def test_the_limit_of_extra_calls(layers: list[Any], limit: int | None) -> None:
    assert resolve_match_options(*layers).max_extra_tool_calls == limit


def test_none_says_nothing() -> None:
    options = resolve_match_options(
        {"toolCallOrder": "strict", "isNegativeTest": True}, {"toolCallOrder": None, "isNegativeTest": None}
    )
    assert (options.tool_call_order, options.is_negative_test) == ("strict", True)


def test_keywords_lie_on_top_of_a_layer() -> None:
    calls = [{"toolName": "b"}, {"toolName": "a"}]
    expected = [{"toolName": "a"}, {"toolName": "b"}]
    layer = {"toolCallOrder": "strict"}
    assert not evaluate_tool_calls(expected, calls, layer)
    assert evaluate_tool_calls(expected, calls, layer, tool_call_order="ignore")
    assert evaluate_tool_calls(expected, calls, MatchOptions("strict"), toolCallOrder="ignore")
    assert compile_expected(expected, layer, tool_call_order="ignore").evaluate(calls)
    assert assert_tool_calls(expected, calls, layer, tool_call_order="ignore").passed


WRONG: list[tuple[dict[Any, Any], type[Exception], str]] = [
    ({"maxExtraToolCalls": -1}, ValueError, "max_extra_tool_calls .* whole number from 0, not -1"),
    ({"maxExtraToolCalls": 0.5}, ValueError, "not 0.5"),
    ({"maxExtraToolCalls": float("inf")}, ValueError, "not inf"),
    ({"maxExtraToolCalls": float("nan")}, ValueError, "not nan"),
    ({"maxExtraToolCalls": True}, TypeError, "not a boolean"),
    ({"maxExtraToolCalls": "2"}, TypeError, "not a text"),
    ({"allowExtraToolCalls": "false"}, TypeError, "allow_extra_tool_calls .* is True or False, not a text"),
    ({"allowExtraToolCalls": 0}, TypeError, "not a number"),
    ({"isNegativeTest": 1}, TypeError, "is_negative_test .* is True or False"),
    ({"toolCallOrder": "Strict"}, ValueError, r"unknown tool_call_order 'Strict' \(did you mean 'strict'\?\)"),
    ({"toolCallOrder": "exact"}, ValueError, "it is one of ignore, strict, superset, positional"),
    ({"argumentMatching": "partail"}, ValueError, r"did you mean 'partial'\?"),
    ({"argumentMatching": ["partial"]}, TypeError, "is a text, not a list"),
    ({"toolCallsOrder": "strict"}, ValueError, r"unknown match option 'toolCallsOrder' \(did you mean 'toolCallOrder'"),
    ({"allow_extra_tool_call": False}, ValueError, r"did you mean 'allow_extra_tool_calls'\?"),
    ({"order": "strict"}, ValueError, "unknown match option 'order'"),
    ({5: "strict"}, ValueError, "unknown match option 5"),
    ({"toolCallOrder": "strict", "tool_call_order": "strict"}, ValueError, "given twice"),
]


@pytest.mark.parametrize(("layer", "kind", "message"), WRONG)
def test_a_wrong_option_never_passes(layer: dict[Any, Any], kind: type[Exception], message: str) -> None:
    for ask in (
        lambda: resolve_match_options(layer),
        lambda: evaluate_tool_calls([{"toolName": "a"}], [{"toolName": "a"}], layer),
        lambda: (
            evaluate_tool_calls([], [], layer, is_negative_test=True)
            if "isNegativeTest" not in layer
            else compile_expected([], layer)
        ),
    ):
        with pytest.raises(kind, match=message) as caught:
            ask()
        assert isinstance(caught.value, AbsError)
        assert isinstance(caught.value, ValidatorError)


@pytest.mark.parametrize("layer", ["strict", 5, [("toolCallOrder", "strict")], True])
def test_a_layer_that_is_no_object(layer: Any) -> None:
    with pytest.raises(TypeError, match="match options are an object, not"):
        resolve_match_options(layer)


def test_an_unknown_option_counts_in_every_layer() -> None:
    with pytest.raises(ValueError, match="unknown match option 'strict'"):
        resolve_match_options({"strict": True}, {"toolCallOrder": "strict"})
