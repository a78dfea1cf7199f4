"""Why RE2 refuses a pattern, in plain words and at the exact character.

Takes the text of a pattern; gives a problem whose offsets count the characters of that text, or None.
"""

from __future__ import annotations

import re

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.patterns import PatternError, compile_pattern

# The pieces of a pattern that matter here; classes and quoted runs are passed over whole.
_PIECE = re.compile(
    r"""\\Q.*?(?:\\E|\Z)
      | (?P<escape>\\(?:p\{[^}]*\}?|P\{[^}]*\}?|k[<'{][^>'}]*[>'}]?|x\{[^}]*\}?|[0-9]+|.|\Z))
      | (?P<class>\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*(?P<class_end>\]?))
      | (?P<group>\(\?(?:P?<?[=!]|P?[<=>][^>=!)]*[>)]?|[^:)]*[:)]?)?|\()
      | (?P<close>\))
      | (?P<repeat>(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})[*+?]?)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


_MOST = 1000


@attrs.frozen(slots=False, repr=False)
class RegexProblem(ReprMixin):
    """What is wrong with a pattern; `start` and `end` are offsets in it."""

    message: str
    start: int
    end: int
    label: str
    help: str


def regex_problem(pattern: str, *, ignore_case: bool = False) -> RegexProblem | None:
    """The problem of a pattern, or None when RE2 takes it."""
    try:
        compile_pattern(pattern, ignore_case=ignore_case)
    except PatternError as error:
        reason = str(error)
    else:
        return None
    whole = (0, len(pattern))
    kind, _, detail = reason.partition(": ")
    match kind:
        case "invalid perl operator" | "invalid named capture group":
            return _operator_problem(pattern, detail)
        case "invalid escape sequence":
            return _escape_problem(pattern, detail)
        case "invalid repetition size":
            swapped = re.fullmatch(r"\{([0-9]+),([0-9]+)\}", detail)
            if swapped is not None and int(swapped[1]) > int(swapped[2]):
                return RegexProblem(
                    "a repeat count runs from the larger to the smaller",
                    *_find(pattern, detail, "repeat"),
                    f"nothing is repeated at least {swapped[1]} and at most {swapped[2]} times",
                    f"write `{{{swapped[2]},{swapped[1]}}}`",
                )
            if all(int(count) <= _MOST for count in re.findall("[0-9]+", detail)):
                return RegexProblem(
                    "nested repeat counts multiply to more than 1,000",
                    *_find(pattern, detail, "repeat"),
                    "this one repeats what is repeated already",
                    "use smaller counts, or `*` or `+` for one of them, and `length` for the whole text",
                )
            return RegexProblem(
                "a repeat count is too large",
                *_find(pattern, detail, "repeat"),
                "at most 1,000 times",
                f"use `length` for long texts, for example `length <= {_digits(detail)}`",
            )
        case "no argument for repetition operator":
            return RegexProblem(
                "nothing stands before this repetition",
                *_find(pattern, detail, "repeat"),
                "it repeats nothing",
                f"write `\\{detail[:1]}` for the character",
            )
        case "bad repetition operator":
            return RegexProblem(
                "a repetition cannot be repeated",
                *_find(pattern, detail, None),
                "RE2 has no possessive repetition" if detail.endswith("+") else "one repetition behind another",
                "put what is repeated in a group: `(?:…)`",
            )
        case "missing )":
            return RegexProblem(
                "a group is not closed",
                *_unclosed_group(pattern),
                "opened here",
                "close it with `)`, or write `\\(` for the character",
            )
        case "unexpected )":
            return RegexProblem(
                "`)` closes nothing", *_stray_close(pattern), "no group is open here", "write `\\)` for the character"
            )
        case "missing ]":
            start = len(pattern) - len(detail)
            return RegexProblem(
                "a character class is not closed",
                start,
                start + 1,
                "opened here",
                "close it with `]`, or write `\\[` for the character",
            )
        case "invalid character class range" if detail[:2] in ("\\p", "\\P"):
            return RegexProblem(
                f"the class `{detail}` does not exist",
                *_find(pattern, detail, None),
                "no category or script of Unicode",
                "write a category such as `\\p{Lu}`, or a script such as `\\p{Greek}`",
            )
        case "invalid character class range":
            return RegexProblem(
                f"the range `{detail}` is not known",
                *_find(pattern, detail, None),
                "not in RE2's syntax",
                "write the lower character first; for a dash, write `\\-`",
            )
        case "trailing \\ at end of regexp":
            return RegexProblem(
                "nothing stands behind the last backslash",
                len(pattern) - 1,
                len(pattern),
                "it escapes nothing",
                "write `\\\\` for the character",
            )
        case "pattern too large - compile failed":
            return RegexProblem(
                "the pattern is too large", *whole, "it needs too much memory", "use smaller repeat counts"
            )
        case _:
            return RegexProblem(
                "RE2 cannot read this pattern", *whole, reason, "patterns are written in the syntax of RE2"
            )


def _operator_problem(pattern: str, detail: str) -> RegexProblem:
    for found in _PIECE.finditer(pattern):
        text = found.group("group")
        if text is None or not text.startswith("(?"):
            continue
        span = found.span("group")
        if re.match(r"\(\?<?[=!]", text):
            where = "behind" if "<" in text[:3] else "ahead"
            return RegexProblem(
                f"patterns cannot look {where}",
                *span,
                "RE2 has no look-around",
                "test the parts apart: `matches /…/ and matches /…/`, or `not matches /…/`",
            )
        if text.startswith("(?P="):
            return _back_reference(*span)
        if text.startswith("(?>"):
            return RegexProblem(
                "patterns have no atomic groups", *span, "RE2 never backtracks", "write an ordinary group: `(?:…)`"
            )
        if text.startswith("(?("):
            return RegexProblem(
                "patterns have no conditions", *span, "not in RE2's syntax", "write both cases: `(?:…|…)`"
            )
        if text.startswith("(?#"):
            return RegexProblem("patterns have no comments", *span, "not in RE2's syntax", "leave it out")
        if detail and detail.startswith(text[: len(detail)]):
            return RegexProblem(f"`{text}` does not exist", *span, "not in RE2's syntax", "the flags are i, m, s and U")
    return RegexProblem(
        f"`{detail}` does not exist", *_find(pattern, detail, None), "not in RE2's syntax", "see RE2's syntax"
    )


def _back_reference(start: int, end: int) -> RegexProblem:
    return RegexProblem(
        "patterns cannot refer back to a group",
        start,
        end,
        "RE2 has no back-references",
        "write out what the group may be",
    )


def _escape_problem(pattern: str, detail: str) -> RegexProblem:
    start, end = _find(pattern, detail, "escape")
    if re.match(r"\\[1-9k]", detail):
        return _back_reference(start, end)
    if detail == "\\Z":
        return RegexProblem("`\\Z` does not exist", start, end, "not in RE2's syntax", "the end of the text is `$`")
    return RegexProblem(
        f"the escape `{detail}` does not exist",
        start,
        end,
        "not in RE2's syntax",
        "write a backslash only before signs and before known letters such as `\\d`",
    )


def _find(pattern: str, detail: str, group: str | None) -> tuple[int, int]:
    """Where RE2's detail stands: as a piece of its kind, else as text, else everywhere."""
    if group is not None:
        for found in _PIECE.finditer(pattern):
            text = found.group(group)
            if text is not None and (text == detail or text.startswith(detail) or detail.startswith(text)):
                return found.start(group), found.start(group) + min(len(text), len(detail))
    at = pattern.find(detail) if detail else -1
    return (at, at + len(detail)) if at >= 0 else (0, len(pattern))


def _digits(detail: str) -> str:
    found = re.search(r"[0-9]+(?=\}$)|[0-9]+", detail)
    return found.group() if found else "1000"


def _unclosed_group(pattern: str) -> tuple[int, int]:
    stack: list[int] = []
    for found in _PIECE.finditer(pattern):
        if found.group("group") is not None and not re.match(r"\(\?[a-zA-Z-]*\)", found.group("group")):
            stack.append(found.start())
        elif found.group("close") and stack:
            stack.pop()
    return (stack[-1], stack[-1] + 1) if stack else (0, len(pattern))


def _stray_close(pattern: str) -> tuple[int, int]:
    depth = 0
    for found in _PIECE.finditer(pattern):
        if found.group("group") is not None and not re.match(r"\(\?[a-zA-Z-]*\)", found.group("group")):
            depth += 1
        elif found.group("close"):
            depth -= 1
            if depth < 0:
                return found.span()
    return 0, len(pattern)
