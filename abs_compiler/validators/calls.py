"""Tool calls: the `ToolCall` value, and reading one from what a user hands over.

A call is a `ToolCall` or an object `{toolName, arguments}` (`tool_name` too); its other properties are kept, but what
looks like a misspelt `arguments` is refused: it would silently be no arguments at all.
"""

from __future__ import annotations

import functools

from abs_compiler.runtime.nearness import difference, nearest_name
from abs_compiler.runtime.values import json_equal, show

from .errors import ValidatorTypeError, ValidatorValueError, hidden_in_tests, kind
from .literal import Literal
from .values import path

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .values import Place

_OTHER_NAME_KEYS = ("name", "tool", "function", "target")
# What other interfaces call the arguments of a call.
_OTHER_ARGUMENTS_KEYS = frozenset(
    ("arg", "args", "input", "inputs", "kwargs", "parameter", "parameters", "param", "params", "with")
)
_LONGEST_SLIP = 20


class ToolCall:
    """A call of a tool: `ToolCall("add", {"a": 2, "b": 3})`. Treat it as immutable.

    `arguments` is an object or None (no arguments); `properties` holds whatever else a call came with, an id say.
    """

    __slots__ = ("_given", "arguments", "properties", "tool_name")

    def __init__(
        self, tool_name: str, arguments: dict[str, Any] | None = None, properties: dict[str, Any] | None = None
    ) -> None:
        if not isinstance(tool_name, str):
            raise ValidatorTypeError(f"the name of a tool is a text, not {kind(tool_name)}")
        if arguments is not None and not isinstance(arguments, dict):
            raise ValidatorTypeError(wrong_arguments(arguments, "arguments"))
        self.tool_name = tool_name
        self.arguments: Any = arguments
        self.properties: dict[str, Any] = {} if properties is None else properties
        self._given = arguments is not None

    @classmethod
    def observed(cls, tool_name: str, arguments: Any, source: Any) -> ToolCall:
        """The call that was read as this name and these arguments from a call, an object or an event."""
        if isinstance(source, ToolCall):
            return source
        call = cls(tool_name)
        call.arguments = arguments
        if isinstance(source, dict):
            call._given = "arguments" in source
            known = ("arguments", name_key(source))
            call.properties = {key: value for key, value in source.items() if key not in known}
        else:
            call._given = arguments is not None
        return call

    def to_dict(self) -> dict[str, Any]:
        """The call as an object `{toolName, arguments}`, with the properties it came with."""
        result: dict[str, Any] = {"toolName": self.tool_name}
        if self._given:
            result["arguments"] = plain_arguments(self.arguments)
        result.update(self.properties)
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCall) and json_equal(self.to_dict(), other.to_dict())

    def __hash__(self) -> int:
        return hash(self.tool_name)

    def __repr__(self) -> str:
        arguments = f", {self.arguments!r}" if self._given else ""
        return f"ToolCall({self.tool_name!r}{arguments})"

    def __str__(self) -> str:
        return call_text(self.tool_name, self.arguments)


def call_text(tool_name: str, arguments: Any) -> str:
    """A call in one line: `add {"a": 2}`."""
    name = tool_name if tool_name.isprintable() and tool_name.strip() == tool_name != "" else show(tool_name)
    return f"{name} {show(plain_arguments(arguments))}" if arguments else name


def plain_arguments(arguments: Any) -> Any:
    """Arguments without the marks of literals."""
    if arguments.__class__ is not dict:
        return arguments
    return {key: value.value if value.__class__ is Literal else value for key, value in arguments.items()}


def name_key(call: dict[Any, Any]) -> str:
    """The key of a call's name: toolName, or tool_name where only that is there."""
    return "tool_name" if "tool_name" in call and "toolName" not in call else "toolName"


def read_call(item: Any, place: Place) -> tuple[str, Any]:
    """The name and the arguments of a call: an object or None. Their values are not looked at here."""
    if isinstance(item, ToolCall):
        return item.tool_name, item.arguments
    if not isinstance(item, dict):
        hint = f"; write {{'toolName': {item!r}}} or ToolCall({item!r})" if isinstance(item, str) else ""
        raise ValidatorTypeError(f"{path(place)}: a tool call is an object with 'toolName', not {kind(item)}{hint}")
    key = name_key(item)
    if key not in item:
        raise ValidatorValueError(f"{path(place)}: the call has no 'toolName'{_similar_key(item)}")
    if "tool_name" in item and "toolName" in item:
        raise ValidatorValueError(f"{path(place)}: the call has both 'toolName' and 'tool_name'; leave one of them out")
    if "arguments" not in item:
        _refuse_misspelt_arguments(item, place)
    name, arguments = item[key], item.get("arguments")
    if not isinstance(name, str):
        raise ValidatorTypeError(f"{path(place)}: the name of a tool is a text, not {kind(name)}")
    if arguments is not None and not isinstance(arguments, dict):
        raise ValidatorTypeError(wrong_arguments(arguments, path((place, "arguments"))))
    return str(name), arguments


def wrong_arguments(arguments: Any, place: str) -> str:
    """What is wrong with arguments that are no object."""
    hint = "; decode it with json.loads first" if isinstance(arguments, str) else ""
    return f"{place}: the arguments of a call are an object, not {kind(arguments)}{hint}"


def _refuse_misspelt_arguments(item: dict[Any, Any], place: Place) -> None:
    for key in item:
        if isinstance(key, str) and len(key) <= _LONGEST_SLIP and _is_misspelt_arguments(key):
            raise ValidatorValueError(
                f"{path(place)}: the call has no 'arguments', but {key!r} (did you mean 'arguments'?)"
            )


@functools.lru_cache(maxsize=256)  # the calls of a run have the same few properties
def _is_misspelt_arguments(key: str) -> bool:
    return key.casefold() in _OTHER_ARGUMENTS_KEYS or difference("arguments", key) is not None


def _similar_key(item: dict[Any, Any]) -> str:
    keys = [key for key in item if isinstance(key, str)]
    near = nearest_name("toolName", keys)
    found = near[0] if near else next((key for key in _OTHER_NAME_KEYS if key in keys), None)
    return f" (is it {found[:40]!r}?)" if found is not None else ""
