"""The four validators of one tool's arguments. `tool_calls` is a list of calls, or anything `read_calls` understands.

Values are compared as JSON values, whole and without placeholders. A call without arguments has no keys.
"""

from __future__ import annotations

from abs_compiler.runtime.values import json_equal

from .actual import read_calls
from .errors import ValidatorTypeError, hidden_in_tests, kind
from .names import require_text
from .values import copy_json

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def match_tool_call_with_args(tool_name: str, expected_args: dict[str, Any], tool_calls: Any) -> bool:
    """Whether some call of the tool has exactly these arguments. `{}` expects an empty object, not none at all."""
    wanted = _expected_object(expected_args)
    return any(json_equal(arguments, wanted) for arguments in _arguments(tool_name, tool_calls))


def match_tool_call_with_partial_args(tool_name: str, expected_args: dict[str, Any], tool_calls: Any) -> bool:
    """Whether some call of the tool has at least these arguments, each with an equal value."""
    wanted = _expected_object(expected_args)
    return any(
        all(key in arguments and json_equal(arguments[key], value) for key, value in wanted.items())
        for arguments in _objects(tool_name, tool_calls)
    )


def match_tool_argument(tool_name: str, arg_name: str, expected_value: Any, tool_calls: Any) -> bool:
    """Whether some call of the tool has this argument with an equal value."""
    require_text(arg_name, "arg_name")
    wanted = copy_json(expected_value, "expected_value")
    return any(
        arg_name in arguments and json_equal(arguments[arg_name], wanted)
        for arguments in _objects(tool_name, tool_calls)
    )


def match_tool_argument_with(
    tool_name: str, arg_name: str, predicate: Callable[[Any], object], tool_calls: Any
) -> bool:
    """Whether some call of the tool has this argument with a value of which the predicate is true.

    Any true result counts; the predicate is asked in the order of calls until then, and what it raises is raised."""
    require_text(arg_name, "arg_name")
    if not callable(predicate):
        raise ValidatorTypeError(f"predicate is a function, not {kind(predicate)}")
    return any(
        arg_name in arguments and predicate(arguments[arg_name]) for arguments in _objects(tool_name, tool_calls)
    )


def _expected_object(expected_args: Any) -> dict[str, Any]:
    if not isinstance(expected_args, dict):
        raise ValidatorTypeError(f"expected_args is an object, not {kind(expected_args)}")
    wanted: dict[str, Any] = copy_json(expected_args, "expected_args")
    return wanted


def _arguments(tool_name: Any, tool_calls: Any) -> Iterator[Any]:
    """The arguments of every call of a tool, all calls having been read."""
    require_text(tool_name, "tool_name")
    calls = read_calls(tool_calls, "tool_calls")
    return (arguments for name, arguments in zip(calls.names, calls.arguments, strict=True) if name == tool_name)


def _objects(tool_name: Any, tool_calls: Any) -> Iterator[dict[str, Any]]:
    """The same as objects: none is `{}`, and what is no object is left out."""
    for arguments in _arguments(tool_name, tool_calls):
        if arguments is None:
            yield {}
        elif arguments.__class__ is dict:
            yield arguments
