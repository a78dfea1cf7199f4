"""Match options: reading them in either spelling, and merging layers of them.

A layer is a dictionary in camelCase (as the results and other tools write it) or snake_case, a `MatchOptions`, or
None. An option that is None says nothing, except `max_extra_tool_calls`, where None is "no limit".
"""

from __future__ import annotations

import math

from abs_compiler.runtime.nearness import nearest_name

from .errors import ValidatorTypeError, ValidatorValueError, hidden_in_tests, kind

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Layer: TypeAlias = "Mapping[str, Any] | MatchOptions | None"

ORDERS = ("ignore", "strict", "superset", "positional")
ARGUMENT_MATCHING = ("partial", "exact", "ignore")

_CAMEL = {
    "tool_call_order": "toolCallOrder",
    "argument_matching": "argumentMatching",
    "allow_extra_tool_calls": "allowExtraToolCalls",
    "max_extra_tool_calls": "maxExtraToolCalls",
    "is_negative_test": "isNegativeTest",
}
_SNAKE = {camel: snake for snake, camel in _CAMEL.items()}
_MAX, _ALLOW = "max_extra_tool_calls", "allow_extra_tool_calls"


class MatchOptions:
    """Resolved options. Treat it as immutable.

    `tool_call_order` is one of `ORDERS`, `argument_matching` one of `ARGUMENT_MATCHING`; `max_extra_tool_calls` is
    None (no limit) or a number; `is_negative_test` expects that no tool is called at all.
    """

    __slots__ = ("argument_matching", "is_negative_test", "max_extra_tool_calls", "tool_call_order")

    def __init__(
        self,
        tool_call_order: str = "ignore",
        argument_matching: str = "partial",
        max_extra_tool_calls: float | None = None,
        is_negative_test: bool = False,
    ) -> None:
        self.tool_call_order = _one_of("tool_call_order", tool_call_order, ORDERS)
        self.argument_matching = _one_of("argument_matching", argument_matching, ARGUMENT_MATCHING)
        self.max_extra_tool_calls = _limit(max_extra_tool_calls)
        self.is_negative_test = _flag("is_negative_test", is_negative_test)

    @property
    def allow_extra_tool_calls(self) -> bool:
        """Whether a call beyond the expected ones is allowed."""
        return self.max_extra_tool_calls != 0

    @property
    def key(self) -> tuple[str, str, int | None, bool]:
        """Equal for equal options."""
        return self.tool_call_order, self.argument_matching, self.max_extra_tool_calls, self.is_negative_test

    def to_dict(self) -> dict[str, Any]:
        """The options in camelCase; a limit of extra calls and a negative test only where there is one."""
        result: dict[str, Any] = {
            "toolCallOrder": self.tool_call_order,
            "allowExtraToolCalls": self.allow_extra_tool_calls,
            "argumentMatching": self.argument_matching,
        }
        if self.max_extra_tool_calls:
            result["maxExtraToolCalls"] = self.max_extra_tool_calls
        if self.is_negative_test:
            result["isNegativeTest"] = True
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchOptions) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return (
            f"MatchOptions(tool_call_order={self.tool_call_order!r}, argument_matching={self.argument_matching!r}, "
            f"max_extra_tool_calls={self.max_extra_tool_calls!r}, is_negative_test={self.is_negative_test!r})"
        )


def resolve_match_options(*layers: Layer) -> MatchOptions:
    """The options of all layers on top of the defaults; a later layer wins (suite, test case, run override).

    A limit of extra calls and the permission of any are one question: within a layer the limit answers it, and
    either of them replaces what an earlier layer said. Unknown names raise, unknown values where they would count.
    """
    merged: dict[str, Any] = {}
    for layer in layers:
        if layer is not None:
            _add(merged, layer)
    return MatchOptions(**merged)


def options_of(options: Layer, keywords: dict[str, Any]) -> MatchOptions:
    """The options of a call: a layer, and keywords on top of it."""
    if not keywords:
        if options is None:
            return DEFAULTS
        if isinstance(options, MatchOptions):
            return options
    return resolve_match_options(options, keywords)


def _add(merged: dict[str, Any], layer: Any) -> None:
    if isinstance(layer, MatchOptions):
        merged.update(zip(("tool_call_order", "argument_matching", _MAX, "is_negative_test"), layer.key, strict=True))
        return
    if not isinstance(layer, dict):
        raise ValidatorTypeError(f"match options are an object, not {kind(layer)}")
    given: dict[str, Any] = {}
    for name, value in layer.items():
        known = name if name in _CAMEL else _SNAKE.get(name) if isinstance(name, str) else None
        if known is None:
            raise ValidatorValueError(f"unknown match option {name!r}{_hint(name, (*_SNAKE, *_CAMEL))}")
        if known in given:
            raise ValidatorValueError(f"the match option {known} is given twice, as {_CAMEL[known]} too")
        given[known] = value
    allow = given.pop(_ALLOW, None)
    if _MAX not in given and allow is not None:
        given[_MAX] = (None if allow else 0) if isinstance(allow, bool) else _NotAFlag(allow)
    merged.update((name, value) for name, value in given.items() if value is not None or name == _MAX)


class _NotAFlag:
    """A wrong `allow_extra_tool_calls`, which is an error unless a later layer replaces it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _limit(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, _NotAFlag):
        _flag(_ALLOW, value.value)
    wanted = f"{_MAX} (maxExtraToolCalls) is None, for no limit, or a whole number from 0"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValidatorTypeError(f"{wanted}, not {kind(value)}")
    if value < 0 or not math.isfinite(value) or value != int(value):
        raise ValidatorValueError(f"{wanted}, not {value}")
    return int(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValidatorTypeError(f"{name} ({_CAMEL[name]}) is True or False, not {kind(value)}")
    return value


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> str:
    if not isinstance(value, str):
        raise ValidatorTypeError(f"{name} ({_CAMEL[name]}) is a text, not {kind(value)}")
    if value not in known:
        raise ValidatorValueError(
            f"unknown {name} {value[:80]!r}{_hint(value, known)}; it is one of {', '.join(known)}"
        )
    return value


def _hint(name: Any, known: tuple[str, ...]) -> str:
    near = nearest_name(name, known) if isinstance(name, str) else None
    return f" (did you mean {near[0]!r}?)" if near else ""


DEFAULTS = MatchOptions()
