"""`evaluate_tool_calls` and `assert_tool_calls`: one-off matches, compiled behind a small cache.

The cache is keyed by content, so that a list that is changed between two calls is compiled again.
"""

from __future__ import annotations

import marshal

from .calls import ToolCall
from .errors import hidden_in_tests
from .expected import ExpectedCalls
from .literal import Literal
from .options import options_of

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .options import Layer, MatchOptions
    from .result import ToolCallMatchResult

CACHE_LIMIT = 64
MAX_KEY_BYTES = 256 * 1024

_cache: dict[bytes, ExpectedCalls] = {}


def evaluate_tool_calls(expected: Any, actual: Any, options: Layer = None, **keywords: Any) -> ToolCallMatchResult:
    """Match the calls of a run with expected calls, and say what differs.

    `expected` is a list of `ToolCall`s or objects `{toolName, arguments}`; `actual` the same, or anything the trace
    readers understand: a `Trace`, a list of events, decoded messages, a path, bytes. Options are a layer (see
    `resolve_match_options`), keywords, or both:

    - `tool_call_order`: "ignore" (the default), "strict" (matched calls in the order of expected ones), "superset"
      (the same, without rows for calls out of order) or "positional" (expected[i] is actual[i]);
    - `argument_matching`: "partial" (the default: the expected keys; a word such as "string" tests the type),
      "exact" or "ignore";
    - `allow_extra_tool_calls` (default True), or `max_extra_tool_calls`: None, for no limit, or a number;
    - `is_negative_test`: passes only where no tool was called.
    """
    return _compiled(expected, options_of(options, keywords)).evaluate(actual)


def assert_tool_calls(expected: Any, actual: Any, options: Layer = None, **keywords: Any) -> ToolCallMatchResult:
    """Match as `evaluate_tool_calls` does, and fail a test with the explanation; gives the result of a pass."""
    __tracebackhide__ = True
    result = evaluate_tool_calls(expected, actual, options, **keywords)
    if not result:
        raise AssertionError(result.explain())
    return result


def _compiled(expected: Any, options: MatchOptions) -> ExpectedCalls:
    key = _key(expected, options)
    if key is None:
        return ExpectedCalls(expected, options)
    found = _cache.get(key)
    if found is None:
        found = ExpectedCalls(expected, options)
        if len(_cache) >= CACHE_LIMIT:
            _cache.clear()
        _cache[key] = found
    return found


def _key(expected: Any, options: MatchOptions) -> bytes | None:
    """The content as bytes, type by type (1, 1.0 and True differ); None where it has none or is too large."""
    if expected.__class__ is not list and expected.__class__ is not tuple:
        return None
    try:
        key = marshal.dumps((expected, None, options.key), 2)
    except ValueError:  # a ToolCall, a Literal, or what no call may hold
        try:
            marks: list[tuple[int, str | None]] = []
            plain = [_plain(item, index, marks) for index, item in enumerate(expected)]
            key = marshal.dumps((plain, marks, options.key), 2)
        except ValueError:
            return None
    return key if len(key) <= MAX_KEY_BYTES else None


def _plain(item: Any, index: int, marks: list[tuple[int, str | None]]) -> Any:
    """A call without the types marshal does not know; `marks` remembers where they were."""
    if item.__class__ is ToolCall:
        marks.append((index, None))
        item = {"toolName": item.tool_name, "arguments": item.arguments, "properties": item.properties}
    arguments = item.get("arguments") if item.__class__ is dict else None
    if arguments.__class__ is dict:
        for key, value in arguments.items():
            if value.__class__ is Literal:
                marks.append((index, key))
                item = {**item, "arguments": {**item["arguments"], key: value.value}}
    return item
