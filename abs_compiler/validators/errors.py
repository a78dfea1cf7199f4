"""What the validators raise: each error is an `AbsError` and the built-in error a Python user expects."""

from __future__ import annotations

from abs_compiler.runtime.errors import AbsError, TraceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ValidatorError(AbsError):
    """The base of the errors of this package: a mistake in what a validator was given."""


class ValidatorTypeError(ValidatorError, TypeError):
    """A value of the wrong type."""


class ValidatorValueError(ValidatorError, ValueError):
    """A value of the right type that is not allowed."""


class UnreadableCallsError(ValidatorError, TraceError, ValueError):
    """Recorded calls that cannot be read, or that were read in part where a pass needs all of them."""


def hidden_in_tests(failure: Any) -> bool:
    """The `__tracebackhide__` of every module here: pytest leaves their frames out where the error is the user's own
    mistake, so that a failure points at the test. `failure` is pytest's ExceptionInfo."""
    return isinstance(failure.value, ValidatorError)


def kind(value: object) -> str:
    """What a value is, in words."""
    match value:
        case None:
            return "None"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case bytes() | bytearray():
            return "bytes"
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a value of type {type(value).__name__}"
