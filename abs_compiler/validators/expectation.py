"""Expected calls to constraints: what one expected call asks of the arguments.

The constraints are those of ABS sessions (`with`, `with_only`, type predicates), so that both answer alike.
"""

from __future__ import annotations

from abs_compiler.runtime.program import Arguments
from abs_compiler.runtime.templates import ResolvedArguments

from .calls import ToolCall, read_call
from .errors import ValidatorTypeError, hidden_in_tests, kind
from .literal import Literal
from .values import copy_json

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .values import Place

# What a placeholder word stands for, as the data of a predicate.
_KINDS: dict[str, tuple[str, ...]] = {
    "any": ("null", "boolean", "integer", "fraction", "string", "array", "object"),
    "string": ("string",),
    "number": ("integer", "fraction"),
    "boolean": ("boolean",),
    "object": ("object",),
    "array": ("array",),
    "null": ("null",),
}
PLACEHOLDERS = tuple(_KINDS)

# What counts as space around a placeholder word: as in JavaScript, the byte order mark too.
_SPACES = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


class Expectation:
    """One expected call: `call` as it was given, a copy; `constraint` on its arguments, None where any will do."""

    __slots__ = ("call", "constraint")

    def __init__(self, call: ToolCall, constraint: ResolvedArguments | None) -> None:
        self.call = call
        self.constraint = constraint


def read_expectations(expected: Any, argument_matching: str) -> list[Expectation]:
    """The expectations of a list of calls."""
    if isinstance(expected, (str, bytes, dict, set, frozenset, ToolCall)) or expected is None:
        raise ValidatorTypeError(f"expected is a list of tool calls, not {kind(expected)}")
    try:
        items = list(expected)
    except TypeError:
        raise ValidatorTypeError(f"expected is a list of tool calls, not {kind(expected)}") from None
    return [_read(item, argument_matching, ("expected", index)) for index, item in enumerate(items)]


def _read(item: Any, argument_matching: str, place: Place) -> Expectation:
    name, given = read_call(item, place)
    arguments: dict[str, Any] = {}
    if given:
        for key, value in given.items():
            if not isinstance(key, str):
                raise ValidatorTypeError(f"the name of an argument of {name!r} is a text, not {kind(key)}")
            copy = copy_json(value, ((place, "arguments"), key))
            arguments[key] = Literal(copy) if isinstance(value, Literal) else copy
    call = ToolCall.observed(name, None if given is None else arguments, item)
    if call is item:
        call = ToolCall(name, None if given is None else arguments, item.properties)
    return Expectation(call, _constraint(arguments, argument_matching))


def _constraint(arguments: dict[str, Any], argument_matching: str) -> ResolvedArguments | None:
    match argument_matching:
        case "exact":
            templates = {key: ["=", _plain(value)] for key, value in arguments.items()}
            return ResolvedArguments(Arguments(True, templates, None, (0, 0)), _no_names)
        case "partial" if arguments:
            templates = {key: _template(value) for key, value in arguments.items()}
            return ResolvedArguments(Arguments(False, templates, None, (0, 0)), _no_names)
        case _:
            return None


def _template(value: Any) -> list[Any]:
    word = placeholder(value)
    return ["=", _plain(value)] if word is None else ["is", ["set", dict.fromkeys(_KINDS[word], True)]]


def placeholder(value: Any) -> str | None:
    """The placeholder word an expected argument is in partial matching, or None."""
    if value.__class__ is not str:
        return None
    word: str = value.strip(_SPACES).lower()
    return word if word in _KINDS else None


def _plain(value: Any) -> Any:
    return value.value if value.__class__ is Literal else value


def _no_names(name: str) -> Any:
    raise AssertionError(f"expected calls hold no reference: {name}")
