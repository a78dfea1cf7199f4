"""The bounds of an expression; beyond them there is a clean error, never a hang."""

from __future__ import annotations

from abs_compiler.predicate.errors import PredicateSyntaxError
from abs_compiler.syntax.limits import Limits

DEFAULT = Limits()


def check_length(text: str, what: str, limits: Limits) -> None:
    """Refuse an expression that is too long."""
    if len(text) > limits.predicate_chars:
        raise PredicateSyntaxError(
            "too-complex",
            f"this {what} is longer than {limits.predicate_chars:,} characters",
            limits.predicate_chars,
            len(text),
            f"{len(text):,} characters in all",
            ["split it: say one part for each argument, or bind a list to a reference"],
        )


def too_deep(start: int, end: int, what: str, limits: Limits) -> PredicateSyntaxError:
    """The error for an expression, or a value in one, that is nested too deeply."""
    advice = "join several `and` or `or` on one level, or look at a deeper argument on its own"
    if what == "value":
        advice = "bind the value to a reference, or test a part of it with `has` or `some`"
    return PredicateSyntaxError(
        "too-complex",
        f"this {what} is nested more than {limits.predicate_depth} levels deep",
        start,
        end,
        f"level {limits.predicate_depth + 1} starts here",
        [advice],
    )
