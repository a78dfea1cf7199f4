"""What the grammar of predicates lets through and the language does not: operands of the wrong type, flags and
patterns that are refused, `absent` where nothing can be absent, keys that occur twice.

Each check raises PredicateSyntaxError at the exact characters.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from abs_compiler.predicate import tree
from abs_compiler.predicate.errors import Advice, Edit, OneValueError, Place, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted, text_value
from abs_compiler.syntax.limits import Limits

CODE, WHAT = "predicate-syntax", "predicate"


def span_of(token: Any) -> tuple[int, int]:
    return token.start_pos, token.end_pos


def kind_of(operand: tree.Operand) -> str:
    match operand:
        case tree.Reference():
            return "reference"
        case tree.Literal(value=None):
            return "null"
        case tree.Literal(value=bool()):
            return "boolean"
        case tree.Literal(value=str()):
            return "text"
        case tree.Literal(value=list()):
            return "list"
        case tree.Literal(value=dict()):
            return "mapping"
        case _:
            return "number"


def wrong_type(operand: tree.Operand, message: str, help_: Advice | str) -> NoReturn:
    kind = kind_of(operand)
    label = "this is null" if kind == "null" else f"this is a {kind}"
    raise PredicateSyntaxError("operand-type", message, operand.start, operand.end, label, [help_])


def range_help(low: tree.Operand, high: tree.Operand) -> str:
    match low, high:
        case tree.Literal(value=str() as first), tree.Literal(value=str() as last):
            return f"for texts, write two comparisons, for example `>= {quoted(first)} and <= {quoted(last)}`"
        case _:
            return "write for example `in 1..5`"


def one_value(operand: tree.Literal, written: str, test: str) -> NoReturn:
    helps = [f"for one value, write `== {written}`"]
    if isinstance(operand.value, str):
        helps.append(f"for a part of a text, write `contains {written}`")
    takes = "a list or a range" if test == "in" else "a list"
    raise OneValueError(CODE, f"`{test}` takes {takes}", operand.start, operand.end, "this is one value", helps)


def pattern_in_quotes(token: Any) -> NoReturn:
    body = text_value(str(token), token.start_pos, CODE, WHAT)
    helps: list[Advice | str] = ["write the pattern between slashes: `matches /…/`"]
    if body and body.isprintable() and not body.endswith("\\"):
        right = "/" + re.sub(r"(?<!\\)/", r"\\/", body) + "/"
        helps = [Advice(f"write `{right}`", Edit(*span_of(token), right))]
    raise PredicateSyntaxError(
        "operand-type", "`matches` takes a pattern between slashes", *span_of(token), "this is a text", helps
    )


def check_flags(token: Any, flags: str) -> None:
    for index, flag in enumerate(flags):
        at = token.end_pos - len(flags) + index
        if flag == "i" and "i" not in flags[:index]:
            continue
        if flag == "i":
            label, help_ = "written twice", "remove it"
            message = "the flag `i` is written twice"
        else:
            message, label = f"the flag `{flag}` is not known", "only `i` is, which ignores case"
            help_ = "remove it; a pattern is always searched anywhere in the text"
            if flag in "msxU" and flag != "x":
                help_ = f"write it inside the pattern: `/(?{flag})…/`"
        edit = Edit(at, at + 1, "")
        raise PredicateSyntaxError("bad-regex", message, at, at + 1, label, [Advice(help_, edit)])


def check_pattern(body: str, start: int, ignore_case: bool, limits: Limits) -> None:
    if len(body) > limits.regex_chars:
        raise PredicateSyntaxError(
            "too-complex",
            f"the pattern is longer than {limits.regex_chars:,} characters",
            start,
            start + len(body),
            f"{len(body):,} characters",
            ["split it into several tests"],
        )
    found = re.search(r"\{\{\s*[A-Za-z_][^{}]*\}\}", body)
    if found is not None:
        raise PredicateSyntaxError(
            "misplaced-reference",
            "a reference cannot stand inside a pattern",
            start + found.start(),
            start + found.end(),
            "this would be taken literally",
            ["use `== {{…}}` or `starts with {{…}}`; for the characters, write `\\{\\{`"],
        )
    from abs_compiler.predicate.regex_errors import regex_problem  # only with a pattern

    problem = regex_problem(body, ignore_case=ignore_case)
    if problem is not None:
        raise PredicateSyntaxError(
            "bad-regex", problem.message, start + problem.start, start + problem.end, problem.label, [problem.help]
        )


def check_never_absent(item: tree.Test, where: str) -> None:
    """Inside `has` an inner `absent` speaks of a key, which may be missing."""
    pending = [item]
    while pending:
        test = pending.pop()
        if isinstance(test, tree.Absent):
            from abs_compiler.predicate.mistakes import misplaced_absent  # only on the way to an error

            raise misplaced_absent(test.start, test.end, where)
        if not isinstance(test, tree.Has | tree.Each | tree.Some):
            pending.extend(tree.children(test))


def repeated_key(entry: tree.HasEntry, earlier: tree.HasEntry) -> NoReturn:
    raise PredicateSyntaxError(
        CODE,
        f"the key `{entry.key}` occurs twice",
        entry.start,
        entry.end,
        "again here",
        [f"join the two tests: `{entry.key}: (… and …)`"],
        [Place(earlier.start, earlier.end, "first here")],
    )


def reference_inside(token: Any) -> NoReturn:
    raise PredicateSyntaxError(
        "misplaced-reference",
        "a reference cannot stand inside a value",
        *span_of(token),
        "it stands for a whole operand, or for an element after `in` and `same items as`",
        ["capture or bind the whole value under a name"],
    )
