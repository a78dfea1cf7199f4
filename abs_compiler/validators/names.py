"""The five validators of tool names. `actual` is a list of names, or anything `read_calls` understands."""

from __future__ import annotations

import math

from .actual import certain, read_names
from .errors import ValidatorTypeError, ValidatorValueError, hidden_in_tests, kind

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def match_tool_calls(expected: Iterable[str], actual: Any) -> bool:
    """Whether exactly these tools were called, in this order."""
    wanted = _expected_names(expected)
    names, doubt = read_names(actual)
    return certain(wanted == names, doubt)


def match_tool_calls_subset(expected: Iterable[str], actual: Any) -> bool:
    """Whether each of these tools was called, in any order; a name that is listed twice needs one call."""
    wanted = _expected_names(expected)
    names, _ = read_names(actual)
    return set(wanted) <= set(names)


def match_any_tool_call(expected: Iterable[str], actual: Any) -> bool:
    """Whether at least one of these tools was called; False where none is listed."""
    wanted = _expected_names(expected)
    names, _ = read_names(actual)
    return not set(wanted).isdisjoint(names)


def match_tool_call_count(tool_name: str, actual: Any, count: float) -> bool:
    """Whether a tool was called exactly `count` times. -1 and 1.5 are numbers of which no run has so many: False; NaN
    and infinity are errors."""
    require_text(tool_name, "tool_name")
    if isinstance(count, bool) or not isinstance(count, (int, float)):
        raise ValidatorTypeError(f"count is a number, not {kind(count)}")
    if count != count or abs(count) == math.inf:  # not isfinite, which overflows on large integers
        raise ValidatorValueError(f"count is {count}, which is no number of calls")
    names, doubt = read_names(actual)
    return certain(names.count(tool_name) == count, doubt)


def match_no_tool_calls(actual: Any) -> bool:
    """Whether no tool was called."""
    names, doubt = read_names(actual)
    return certain(not names, doubt)


def require_text(value: Any, name: str) -> None:
    """Refuse a value that is no text."""
    if not isinstance(value, str):
        raise ValidatorTypeError(f"{name} is a text, not {kind(value)}")


def _expected_names(expected: Any) -> list[str]:
    if isinstance(expected, (str, bytes, dict)) or expected is None:
        raise ValidatorTypeError(f"expected is a list of tool names, not {kind(expected)}")
    try:
        names = list(expected)
    except TypeError:
        raise ValidatorTypeError(f"expected is a list of tool names, not {kind(expected)}") from None
    for index, name in enumerate(names):
        require_text(name, f"expected[{index}]")
    return names
