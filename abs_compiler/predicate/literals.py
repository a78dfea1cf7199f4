"""Literals of expressions: the text of a token in, a JSON value out; mistakes at their exact character."""

from __future__ import annotations

import json
import re

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.syntax.limits import Limits

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def text_value(token: str, start: int, code_name: str, what: str) -> str:
    """The text of a quoted token that begins at `start`. `code_name` and `what` name the language it stands in."""
    quote, body = token[0], token[1:-1]
    if "{{" in body:
        raise quoted_reference(token, start, what)
    if "\\" not in body:
        return body
    pieces: list[str] = []
    done = 0
    for found in _ESCAPE.finditer(body):
        pieces.append(body[done : found.start()])
        escape = found.group(1)
        if escape in _SIMPLE:
            pieces.append(_SIMPLE[escape])
        elif len(escape) == 5:
            pieces.append(chr(int(escape[1:], 16)))
        elif escape == "'" == quote:
            pieces.append("'")
        else:
            raise _bad_escape(found.group(), start + 1 + found.start(), code_name)
        done = found.end()
    pieces.append(body[done:])
    # Two escapes may be the halves of one character.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def quoted_reference(token: str, start: int, what: str) -> PredicateSyntaxError:
    """The error for `{{` between quotes."""
    advice: Advice | str = "write the reference without quotes: `{{name}}`"
    inner = token[1:-1]
    if re.fullmatch(r"\{\{[A-Za-z_][A-Za-z0-9_.]*\}\}", inner):
        advice = Advice(f"write `{inner}`", Edit(start, start + len(token), inner))
    return PredicateSyntaxError(
        "misplaced-reference",
        f"a reference is written without quotes in a {what}",
        start,
        start + len(token),
        "inside quotes it would be taken literally",
        [advice],
    )


def _bad_escape(escape: str, start: int, code_name: str) -> PredicateSyntaxError:
    advice = Advice("for a backslash, write `\\\\`", Edit(start, start + 1, "\\\\"))
    if escape == "\\u":
        return PredicateSyntaxError(
            code_name,
            "`\\u` is followed by four hexadecimal digits",
            start,
            start + 2,
            "they are missing here",
            [advice],
        )
    if escape == "\\'":
        advice = Advice("write the quote without a backslash", Edit(start, start + 2, "'"))
    return PredicateSyntaxError(
        code_name,
        f"`{escape}` is not an escape of texts",
        start,
        start + len(escape),
        "escapes are those of JSON",
        [advice],
    )


def number_value(token: str, start: int, code_name: str, limits: Limits) -> int | float:
    """The number of a token in JSON's form; integral numbers are integers, whatever their spelling."""
    end = start + len(token)
    if len(token) > limits.number_chars:
        raise PredicateSyntaxError(
            "too-complex",
            f"a number is longer than {limits.number_chars} characters",
            start,
            end,
            f"{len(token)} characters",
            ["write fewer digits"],
        )
    value: int | float = json.loads(token)
    if isinstance(value, int):
        return value
    if value in (float("inf"), float("-inf")):
        raise PredicateSyntaxError(
            code_name, f"the number `{token}` is too large", start, end, "at most about 1.8e308 in size"
        )
    if value == 0 and re.search("[1-9]", re.split("[eE]", token)[0]):
        raise PredicateSyntaxError(
            code_name, f"the number `{token}` is too small", start, end, "closer to 0 than any double", ["write `0`"]
        )
    return int(value) if value.is_integer() else value


def quoted(text: str) -> str:
    """A text as it is written in an expression."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else json.dumps(text)
