"""Expected calls as an ABS session in YAML, for a spec file that gives the same verdicts.

Every expected call becomes `assistant calls NAME`; without order they form one unordered group. Texts are quoted, so
that no value is read as something else; `$literal` keeps values that the language would take for more than data.

The text is compiled before it is given away, so that it is one that `absc` takes: the limits are the compiler's own.
The compiler is loaded on that way only.
"""

from __future__ import annotations

import bisect
import itertools
import json

from abs_compiler.runtime.values import show

from .calls import call_text, plain_arguments
from .errors import ValidatorTypeError, ValidatorValueError, hidden_in_tests, kind
from .expectation import placeholder
from .literal import Literal
from .options import options_of

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .expectation import Expectation
    from .expected import ExpectedCalls
    from .options import Layer, MatchOptions

RESERVED = ("$is", "$literal", "$from")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
MAX_NUMBER = 10**99
MAX_SHOWN = 80
MAX_KEY_CHARS = 1000  # YAML's limit for a key on one line is 1024

_ANY_CALL = """evaluations:
  - type: eventually
    match:
      actor: assistant
      action: calls
"""
_UNORDERED = """    evaluations:
      - type: tool_call
        ordered: false
"""


def to_abs(expected: Any, options: Layer = None, *, session: str = "expected tool calls", **keywords: Any) -> str:
    """The ABS session, as YAML, that passes on the same runs as `evaluate_tool_calls` with these options, as far as
    every call in them is made by `assistant` with `calls`: a session says one actor and one action. An invocation by
    another actor, or with another action (`submits`, `retrieves`, ...), is a call here; in the session it counts as
    an extra call and is no expected one.

    Raises ValidatorValueError where there is no such session: "positional" beside extra calls, a tool that has no
    name, and whatever is beyond the compiler's limits (depth, the size of a text and of the file, extra calls)."""
    from .expected import ExpectedCalls

    return abs_text(ExpectedCalls(expected, options_of(options, keywords)), session)


def abs_text(expected: ExpectedCalls, session: str) -> str:
    """The text for compiled expected calls."""
    if not isinstance(session, str):
        raise ValidatorTypeError(f"session is a text, the name of the session, not {kind(session)}")
    options = expected.options
    items = () if options.is_negative_test else expected.expectations
    if options.tool_call_order == "positional" and items and options.max_extra_tool_calls != 0:
        raise ValidatorValueError(
            "an ABS session lets other calls come between: 'positional' has one only with max_extra_tool_calls 0"
        )
    head = ['abs_version: "0.2"\n', f"session: {_quoted(session)}\n", _match(options)]
    head.append("behaviors:\n" if items else "behaviors: []\n")
    behaviors = [_behavior(item, index, options) for index, item in enumerate(items)]
    tail = []
    if len(items) > 1 and options.tool_call_order == "ignore":
        tail.append(_UNORDERED)
    if not items and not options.is_negative_test:
        tail.append(_ANY_CALL)
    text = "".join((*head, *behaviors, *tail))
    _refuse_what_absc_refuses(text, sum(map(len, head)), behaviors, expected)
    return text


def _refuse_what_absc_refuses(text: str, start: int, behaviors: list[str], expected: ExpectedCalls) -> None:
    """Raise the first error of the compiler, with the expected call it is about; `start` is where behaviors begin."""
    from abs_compiler import CompileError, compile_text  # the public surface, which loads the compiler when asked

    try:
        compile_text(text)
        return
    except CompileError as refused:
        error = next(found for found in refused.diagnostics if found.severity.value == "error")
    place, detail = "", ""
    if error.labels:
        label = error.labels[0].text
        if label and not label.endswith("here"):  # else it points into a text that nobody sees
            detail = f" ({label})"
        starts = itertools.accumulate(map(len, behaviors), initial=start)
        index = bisect.bisect_right(list(starts), error.labels[0].span.start) - 1
        if 0 <= index < len(behaviors):
            place = f"expected[{index}] {call_text(expected.calls[index].tool_name[:MAX_SHOWN], None)}: "
    raise ValidatorValueError(f"no ABS session can hold this: {place}{error.message}{detail}")


def _match(options: MatchOptions) -> str:
    if options.is_negative_test:
        return "match:\n  extras: forbid\n  allow_empty: true\n"
    limit = options.max_extra_tool_calls
    return "" if limit is None else f"match:\n  extras: {limit or 'forbid'}\n"


def _behavior(item: Expectation, index: int, options: MatchOptions) -> str:
    name = item.call.tool_name
    if not name or "{{" in name:
        problem = "a name that ABS takes for a reference" if name else "no name"
        raise ValidatorValueError(f"expected[{index}] {call_text(name, None)}: the tool has {problem}")
    text = f"  - actor: assistant\n    action: calls\n    target: {_name(name)}\n"
    arguments = item.call.arguments or {}
    match options.argument_matching:
        case "exact":
            return text + _exact(plain_arguments(arguments))
        case "partial" if arguments:
            return text + _partial(arguments)
        case _:
            return text


def _exact(arguments: dict[str, Any]) -> str:
    if not arguments:
        return "    with: {$is: 'length == 0'}\n"
    if not all(_is_plain_key(key) for key in arguments):
        return f"    with_only: {{$literal: {_json(arguments, _quoted)}}}\n"
    rows = [f"      {_name(key)}: {_value(value)}\n" for key, value in arguments.items()]
    return "    with_only:\n" + "".join(rows)


def _partial(arguments: dict[str, Any]) -> str:
    if not all(_is_plain_key(key) for key in arguments):
        if any(placeholder(value) for value in arguments.values()):
            return f"    with: {{$is: {_quoted(_has(arguments))}}}\n"
        return f"    with: {{$literal: {_json(plain_arguments(arguments), _quoted)}}}\n"
    rows = []
    for key, value in arguments.items():
        word = placeholder(value)
        written = f"{{$is: '{word}'}}" if word else _value(_plain(value))
        rows.append(f"      {_name(key)}: {written}\n")
    return "    with:\n" + "".join(rows)


def _has(arguments: dict[str, Any]) -> str:
    """The arguments as one predicate, for names that cannot be keys of `with`."""
    tests = []
    for key, value in arguments.items():
        test = placeholder(value) or f"== {_json(_plain(value), _in_predicate)}"
        tests.append(f"{_in_predicate(key)}: {test}")
    return f"has {{{', '.join(tests)}}}"


def _plain(value: Any) -> Any:
    return value.value if value.__class__ is Literal else value


def _is_plain_key(key: str) -> bool:
    return key not in RESERVED and "{{" not in key and len(key) <= MAX_KEY_CHARS


def _value(value: Any) -> str:
    return f"{{$literal: {_json(value, _quoted)}}}" if _needs_literal(value) else _json(value, _quoted)


def _needs_literal(value: Any) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if item.__class__ is str and "{{" in item:
            return True
        if item.__class__ is list:
            pending.extend(item)
        elif item.__class__ is dict:
            if not all(_is_plain_key(key) for key in item):
                return True
            pending.extend(item.values())
    return False


def _json(value: Any, quote: Callable[[str], str]) -> str:
    """A value as JSON, with texts as `quote` writes them."""
    match value:
        case str():
            return quote(value)
        case list():
            return f"[{', '.join(_json(item, quote) for item in value)}]"
        case dict():
            return f"{{{', '.join(f'{quote(key)}: {_json(item, quote)}' for key, item in value.items())}}}"
        case int() if abs(value) >= MAX_NUMBER:
            raise ValidatorValueError("a number of 100 digits or more cannot be written in ABS")
        case _:
            return json.dumps(value)


def _in_predicate(text: str) -> str:
    """A text inside a predicate; with its braces escaped, none looks like a reference."""
    return json.dumps(_whole(text)).replace("{", "\\u007b")


def _whole(text: str) -> str:
    """The text, refused where it holds half a surrogate pair, which no file can hold."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValidatorValueError(f"{show(text)} holds half a surrogate pair, which cannot be written in ABS")
    return text


def _name(text: str) -> str:
    """A name, plain where it can be read as nothing else."""
    plain = text.isascii() and text.isidentifier() and text.lower() not in _WORDS
    return text if plain else _quoted(text)


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(char) for char in _whole(text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
