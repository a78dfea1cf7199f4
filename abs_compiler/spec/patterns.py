"""Regular expressions: is a pattern one that RE2 runs, and if not, why, in words.

All patterns run on RE2, which is linear in the text; look-around and back-references do not exist there.
"""

from __future__ import annotations

import re

from abs_compiler.spec.model import Literal, Value
from abs_compiler.spec.reading import Context
from abs_compiler.spec.references import place
from abs_compiler.syntax import Scalar

_UNSUPPORTED = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "test the two parts with two evaluations or predicates"),
    (re.compile(r"\\[1-9]"), "a back-reference", "write the repeated part out, or test it with another evaluation"),
    (re.compile(r"\(\?>|[*+?}]\+"), "an atomic group or possessive repetition", "RE2 never backtracks; leave it out"),
    (re.compile(r"\(\?\("), "a conditional", "write both cases as alternatives: `a|b`"),
)


def check_pattern(ctx: Context, scalar: Scalar, value: Value) -> bool:
    """Whether a pattern is sound; reports what is wrong. One that holds a reference is checked when it is bound."""
    if not isinstance(value, Literal) or not isinstance(value.value, str):
        return True
    text = value.value
    if len(text) > ctx.limits.regex_chars:
        ctx.sink.report(
            "too-complex",
            f"the pattern is longer than {ctx.limits.regex_chars} characters",
            scalar.span,
            f"{len(text)} characters",
            helps=("split it into several checks",),
        )
        return False
    problem = pattern_problem(text)
    if problem is None:
        return True
    message, help_, where = problem
    span = scalar.span if where is None else place(ctx, scalar, *where)
    ctx.sink.report("bad-regex", f"this pattern cannot be used: {message}", span, "refused by RE2", helps=(help_,))
    return False


def pattern_problem(text: str) -> tuple[str, str, tuple[int, int] | None] | None:
    """What is wrong with a pattern: message, help, and the characters to blame; None when RE2 takes it."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(text, options)
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair", "write the whole character", None
    except re2.error as error:
        for pattern, name, help_ in _UNSUPPORTED:
            found = pattern.search(text)
            if found is not None:
                return f"RE2 has no {name.removeprefix('a ').removeprefix('an ')}", help_, found.span()
        detail = error.args[0] if error.args else ""
        reason = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        return reason or "it cannot be parsed", "patterns use the syntax of RE2", None
    return None
