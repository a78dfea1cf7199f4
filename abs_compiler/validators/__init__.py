"""The tool-call validators: what tools did an agent call, and was that what a test expects?

    from abs_compiler.validators import assert_tool_calls, match_tool_calls

    match_tool_calls(["add", "multiply"], ["add", "multiply"])                       # True
    assert_tool_calls([{"toolName": "add", "arguments": {"a": 2}}], "run.json")      # or fails with an explanation

Nine yes-or-no functions, `evaluate_tool_calls` with its structured result, `compile_expected` for a list that is
matched with many runs, `assert_tool_calls` for tests, and `to_abs` for the same as an ABS session. Built on the
value tests and the pairing of the runtime; importing it loads the standard library only (`to_abs` loads the compiler).
"""

from .abs_text import to_abs
from .arguments import (
    match_tool_argument,
    match_tool_argument_with,
    match_tool_call_with_args,
    match_tool_call_with_partial_args,
)
from .calls import ToolCall
from .errors import UnreadableCallsError, ValidatorError, ValidatorTypeError, ValidatorValueError
from .expected import ExpectedCalls, compile_expected
from .literal import Literal
from .matching import assert_tool_calls, evaluate_tool_calls
from .names import (
    match_any_tool_call,
    match_no_tool_calls,
    match_tool_call_count,
    match_tool_calls,
    match_tool_calls_subset,
)
from .options import MatchOptions, resolve_match_options
from .result import ArgumentMismatch, OutOfOrderToolCall, ToolCallMatchResult

__all__ = [
    "ArgumentMismatch",
    "ExpectedCalls",
    "Literal",
    "MatchOptions",
    "OutOfOrderToolCall",
    "ToolCall",
    "ToolCallMatchResult",
    "UnreadableCallsError",
    "ValidatorError",
    "ValidatorTypeError",
    "ValidatorValueError",
    "assert_tool_calls",
    "compile_expected",
    "evaluate_tool_calls",
    "match_any_tool_call",
    "match_no_tool_calls",
    "match_tool_argument",
    "match_tool_argument_with",
    "match_tool_call_count",
    "match_tool_call_with_args",
    "match_tool_call_with_partial_args",
    "match_tool_calls",
    "match_tool_calls_subset",
    "resolve_match_options",
    "to_abs",
]
