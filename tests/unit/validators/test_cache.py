"""One-off matches: compiled once for the same content, again where anything about it differs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from abs_compiler.validators import Literal, ToolCall, evaluate_tool_calls, matching


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    matching._cache.clear()
    yield
    matching._cache.clear()


def call(**arguments: Any) -> dict[str, Any]:
    return {"toolName": "t", "arguments": arguments}


def test_the_same_content_is_compiled_once() -> None:
    for _ in range(3):
        assert evaluate_tool_calls([call(x=[1])], [call(x=[1])])
    assert len(matching._cache) == 1
    evaluate_tool_calls([call(x=[1])], [call(x=[1])], argument_matching="exact")
    assert len(matching._cache) == 2


def test_a_changed_list_is_compiled_again() -> None:
    expected = [call(x=[1])]
    assert evaluate_tool_calls(expected, [call(x=[1])])
    expected[0]["arguments"]["x"].append(2)
    assert not evaluate_tool_calls(expected, [call(x=[1])])
    assert evaluate_tool_calls(expected, [call(x=[1, 2])])


# Pairs of expectations that Python takes for the same, or that look alike without their marks.
LOOK_ALIKES: list[tuple[Any, Any, Any]] = [
    (call(x=1), call(x=True), 1),
    (call(x=0), call(x=False), False),
    (ToolCall("t", {"x": "number"}), ToolCall("t", {"x": Literal("number")}), 5),
    ({"toolName": "t", "arguments": {"x": Literal("number")}}, call(x="number"), "number"),
    (ToolCall("t", {"x": Literal("string")}), call(x="string"), "string"),
]


@pytest.mark.parametrize(("first", "second", "value"), LOOK_ALIKES)
def test_look_alikes_are_kept_apart(first: Any, second: Any, value: Any) -> None:
    alone = [evaluate_tool_calls([item], [call(x=value)]).passed for item in (first, second)]
    matching._cache.clear()
    together = [evaluate_tool_calls([item], [call(x=value)]).passed for item in (first, second) * 2]
    assert together == alone * 2
    assert len(matching._cache) == 2


def test_the_cache_is_bounded() -> None:
    for number in range(3 * matching.CACHE_LIMIT):
        assert evaluate_tool_calls([call(x=number)], [call(x=number)])
    assert len(matching._cache) <= matching.CACHE_LIMIT
    matching._cache.clear()
    assert evaluate_tool_calls([call(x="y" * matching.MAX_KEY_BYTES)], [call(x="y" * matching.MAX_KEY_BYTES)])
    assert not matching._cache


def test_bad_expectations_are_not_kept() -> None:
    for bad in (call(x=float("nan")), call(x={1}), call(x=object()), {"toolName": 5}):
        with pytest.raises((TypeError, ValueError)):
            evaluate_tool_calls([bad], [call()])
    assert not matching._cache


def test_many_threads() -> None:
    def ask(number: int) -> bool:
        wanted = number % 100
        return (
            evaluate_tool_calls([call(x=wanted)], [call(x=wanted)]).passed
            and not evaluate_tool_calls([call(x=wanted)], [call(x=wanted + 1)]).passed
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(2000)))
