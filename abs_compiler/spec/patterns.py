"""Regular expressions of a spec: is a pattern one that RE2 runs, and if not, which part of it is to blame and why.

All patterns run on RE2, which is linear in the text; look-around and back-references do not exist there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abs_compiler.source import Span
from abs_compiler.spec.model import Literal, Value
from abs_compiler.spec.reading import Context
from abs_compiler.spec.references import place
from abs_compiler.spec.values import read_text_field
from abs_compiler.syntax import Entry, Mapping, Scalar

if TYPE_CHECKING:
    from abs_compiler.predicate.regex_errors import RegexProblem


def read_pattern(ctx: Context, mapping: Mapping) -> Value | None:
    """A regular expression; checked here unless a reference is part of it."""
    value = read_text_field(ctx, mapping, "pattern")
    node = mapping.get("pattern")
    if value is None or not isinstance(node, Scalar):
        return None
    return value if check_pattern(ctx, node, value) else None


def check_pattern(ctx: Context, scalar: Scalar, value: Value) -> bool:
    """Whether a pattern is sound; reports what is wrong. One that holds a reference is checked when it is bound."""
    if not isinstance(value, Literal) or not isinstance(value.value, str):
        return True
    text = value.value
    if len(text) > ctx.limits.regex_chars:
        return _report_length(ctx, scalar.span, len(text))
    problem = _problem(text)
    if problem is None:
        return True
    span = place(ctx, scalar, problem.start, problem.end)
    ctx.sink.report("bad-regex", problem.message, span, problem.label, helps=(_advice(problem),))
    return False


def check_pattern_key(ctx: Context, entry: Entry) -> bool:
    """Whether a key that is a pattern is sound; reports what is wrong."""
    if len(entry.key) > ctx.limits.regex_chars:
        return _report_length(ctx, entry.key_span, len(entry.key))
    problem = _problem(entry.key)
    if problem is None:
        return True
    ctx.sink.report("bad-regex", problem.message, entry.key_span, problem.label, helps=(_advice(problem),))
    return False


def _problem(pattern: str) -> RegexProblem | None:
    from abs_compiler.predicate.regex_errors import regex_problem  # a spec without patterns needs nothing of it

    return regex_problem(pattern)


def _advice(problem: RegexProblem) -> str:
    """The help of a problem; advice written for predicates does not fit a pattern that stands by itself."""
    if "`matches" not in problem.help:
        return problem.help
    return "test the parts with two patterns, what must not be there with one under `none_of`"


def _report_length(ctx: Context, span: Span, length: int) -> bool:
    limit = ctx.limits.regex_chars
    message = f"the pattern is longer than {limit:,} characters"
    ctx.sink.report("too-complex", message, span, f"{length:,} characters", helps=("split it into several checks",))
    return False
