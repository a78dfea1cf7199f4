"""Where YAML cannot be read: one plain-worded problem for each way in which libyaml refuses a text.

libyaml says what its parser missed; the line it stopped at mostly shows what the author meant.
"""

from __future__ import annotations

import json
import re
import unicodedata

from abs_compiler.diagnostics import Help
from abs_compiler.source import Span
from abs_compiler.syntax import yaml_structure
from abs_compiler.syntax.findings import conflict_marker, replace_help, shown
from abs_compiler.syntax.yaml_comments import swallowed_bracket
from abs_compiler.syntax.yaml_failure import Failure, SyntaxProblem, guess, quote_guess
from abs_compiler.syntax.yaml_lines import (
    block_value,
    bracketed_value,
    line_at,
    line_before,
    predicate_at,
    quoted,
    reference_near,
)

_BLOCK = re.compile(r"[>|][+-]?\s*(?:\n|\Z)")
_TYPE = r"""["']?(?:string|number|integer|boolean|array|object|null|any)["']?"""
_QUOTED_TYPES = re.compile(rf"{_TYPE}(?:\s+(?:or|and)\s+{_TYPE})+\Z")
_CONFLICT = re.compile(r"<{7}|={7}|>{7}|\|{7}")
# Spaces that YAML takes for letters, where one of its own must stand.
_STRANGE_SPACE = re.compile(r"[ \t]*(?:-[ \t]*)?(?:[\w$-]+[ \t]*:[ \t]*)?[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_ESCAPED = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_SIGNS = {
    "*": "an alias",
    "&": "an anchor",
    "!": "a tag",
    "|": "a block of text",
    ">": "a block of text",
    "%": "a directive",
}


def syntax_error(failure: Failure) -> SyntaxProblem:
    """The problem behind a failure."""
    for look in (_tab, _conflict, _strange_space, swallowed_bracket, _predicate, _reference):
        found = look(failure)
        if found is not None:
            return found
    match failure.problem:
        case "found character that cannot start any token":
            return _bad_start(failure)
        case "block sequence entries are not allowed in this context":
            return yaml_structure.list_beside_key(failure)
        case "mapping values are not allowed in this context":
            return yaml_structure.unexpected_colon(failure)
        case "could not find expected ':'":
            return yaml_structure.missing_colon(failure)
        case "did not find expected key":
            return yaml_structure.expected_key(failure)
        case "did not find expected '-' indicator":
            return yaml_structure.expected_item(failure)
        case "did not find expected ',' or ']'" | "did not find expected ',' or '}'":
            return yaml_structure.in_brackets(failure)
        case "found unexpected ':'":
            return yaml_structure.unexpected_colon_in_brackets(failure)
        case "did not find expected node content":
            return yaml_structure.expected_value(failure)
        case "found unexpected end of stream" | "found unexpected document indicator":
            return _unclosed_quote(failure)
        case "found unknown escape character" | "did not find expected hexdecimal number":
            return _bad_escape(failure)
        case "found invalid Unicode character escape code":
            return _bad_code_point(failure)
        case "did not find expected comment or line break" if "block scalar" in failure.context:
            return _text_behind_block_sign(failure)
        case "did not find expected alphabetic or numeric character":
            return _bad_start(failure)
        case "found undefined tag handle":
            return _unknown_tag(failure)
        case "did not find expected <document start>":
            return _expected_document(failure)
        case _:
            return _other(failure)


# What the line shows, whatever libyaml missed


def _tab(failure: Failure) -> SyntaxProblem | None:
    line = failure.line
    before = failure.text[line.start : failure.at + 1]
    if "\t" not in before or before.strip(" \t-"):
        return None
    at = line.start + before.index("\t")
    end = at + 1
    while failure.text[end : end + 1] == "\t":
        end += 1
    if "-" in before:
        return SyntaxProblem(
            "a tab cannot stand between `-` and a key",
            Span(at, end),
            "a tab",
            helps=(replace_help("put a space in its place", " ", Span(at, end)),),
        )
    return SyntaxProblem(
        "a tab cannot indent a line in YAML", Span(at, end), "a tab", helps=("indent with spaces only",)
    )


def _conflict(failure: Failure) -> SyntaxProblem | None:
    marker = conflict_marker(failure.text)
    for at in (failure.at, failure.context_at):
        line = line_at(failure.text, at)
        found = _CONFLICT.match(failure.text, line.start)
        if found is not None and marker is None:
            marker = Span(*found.span())
    if marker is None or marker.start > failure.at:
        return None
    return SyntaxProblem(
        "a merge conflict was left in the file",
        marker,
        "a conflict marker",
        helps=("keep one of the two sides and remove the markers",),
    )


def _strange_space(failure: Failure) -> SyntaxProblem | None:
    """A space of another kind behind a sign of YAML, or before a key: to YAML it is a letter."""
    line = failure.line
    lines = [line_at(failure.text, failure.context_at), line_before(failure.text, line), line]
    for one in lines:
        found = None if one is None else _STRANGE_SPACE.match(failure.text, one.start, one.end)
        if found is not None:
            at = found.end() - 1
            name = unicodedata.name(failure.text[at]).lower().replace("no-break", "non-breaking")
            return SyntaxProblem(
                f"a {name} (U+{ord(failure.text[at]):04X}) stands where YAML needs a plain space",
                Span(at, at + 1),
                "to YAML this is a letter",
                helps=(guess("put a plain space in its place", " ", Span(at, at + 1)),),
            )
    return None


def _predicate(failure: Failure) -> SyntaxProblem | None:
    if "quoted scalar" in failure.context:
        return None
    span = predicate_at(failure.text, failure.at, failure.line)
    return None if span is None else unquoted_predicate(failure.text, span)


def _reference(failure: Failure) -> SyntaxProblem | None:
    if "quoted scalar" in failure.context:
        return None
    span = reference_near(failure.text, failure.at, failure.line)
    if span is None:
        return None
    whole = block_value(failure.text, failure.line)
    advice: Help | str = "quote the whole text"
    if failure.in_brackets:
        advice = quote_guess(failure, span=bracketed_value(failure.text, max(span.start - 1, 0), failure.line))
    elif whole.start <= span.start and failure.text[whole.start] not in "\"'":
        advice = guess("quote the whole text", quoted(failure.text[whole.start : whole.end]), whole)
    return SyntaxProblem(
        f"a text with the reference {shown(failure.text[span.start : span.end])} must be quoted",
        span,
        "without quotes the braces open a mapping",
        helps=(advice,),
        name="bad-reference",
    )


def unquoted_predicate(text: str, span: Span) -> SyntaxProblem:
    """A predicate that YAML does not read as one text."""
    written = text[span.start : span.end]
    sign = written[0]
    if sign in _SIGNS:
        reason = f"in YAML `{sign}` starts {_SIGNS[sign]}"
    elif sign in "\"'":
        reason = "in YAML the text ends at its closing quote"
    else:
        reason = "YAML reads its signs first"
    return SyntaxProblem(
        "this predicate must be quoted",
        span,
        reason,
        helps=(_quoted_predicate(written, span),),
        name="unquoted-predicate",
    )


def _quoted_predicate(written: str, span: Span) -> Help | str:
    """The predicate that was meant, in quotes."""
    if _BLOCK.match(written):
        return "in braces there are no blocks of text: write the predicate in quotes, on one line"
    body = written[1:-1]
    if written[0] == written[-1] == "'" and "'" in body and '"' not in body:
        return guess("inside single quotes, write texts in double quotes", quoted(body.replace("'", '"')), span)
    if _QUOTED_TYPES.match(written):
        types = written.replace('"', "").replace("'", "")
        return guess("quote the whole of it; types are words, not texts", quoted(types), span)
    return guess("quote the whole of it", quoted(written), span)


# Single texts and signs


def _bad_start(failure: Failure) -> SyntaxProblem:
    """A sign that means something to YAML, or is reserved, at the start of a text."""
    at = failure.at if failure.problem.startswith("found character") else failure.context_at
    sign = failure.text[at : at + 1]
    if failure.text.startswith("```", at):
        return SyntaxProblem(
            "a Markdown fence is not YAML",
            Span(at, at + 3),
            "the fence",
            helps=("keep only the text between the fences",),
        )
    line = line_at(failure.text, at)
    if sign == "*" and line.first == at and failure.text[at + 1 : at + 2] == " ":
        return SyntaxProblem(
            "an item of a list begins with `- `, not with `* `",
            Span(at, at + 1),
            "in YAML `*` starts an alias",
            helps=(guess("write `-`", "-", Span(at, at + 1)),),
        )
    starts = f"`{sign}` starts {_SIGNS[sign]}" if sign in _SIGNS else f"YAML reserves `{sign}`"
    return SyntaxProblem(
        f"a text that starts with `{sign}` must be quoted", Span(at, at + 1), starts, helps=(quote_guess(failure),)
    )


def _unclosed_quote(failure: Failure) -> SyntaxProblem:
    at = failure.context_at
    quote = failure.text[at : at + 1]
    kind, inside = (
        ("single", "an apostrophe in the text is written twice: `''`")
        if quote == "'"
        else ("double", 'a double quote in the text is written `\\"`')
    )
    return SyntaxProblem(
        f"a text in {kind} quotes is never closed",
        Span(at, at + 1),
        "opened here",
        helps=(f"put `{quote}` at its end", inside),
    )


def _bad_escape(failure: Failure) -> SyntaxProblem:
    start = failure.text.rfind("\\", failure.context_at, failure.at + 1)
    if start + 1 >= len(failure.text):
        return _unclosed_quote(failure)
    span = Span(start, start + 2)
    escape = failure.text[span.start : span.end]
    if failure.problem != "found unknown escape character":
        digits = {"x": 2, "u": 4, "U": 8}.get(escape[1:], 2)
        return SyntaxProblem(
            f"`{escape}` needs {digits} hexadecimal digits behind it",
            span,
            "incomplete",
            helps=(
                guess("for a backslash write two", "\\" + escape, span),
                "inside single quotes a backslash stands for itself",
            ),
        )
    return SyntaxProblem(
        f"{shown(escape)} means nothing inside double quotes",
        span,
        "not an escape",
        helps=(
            guess("for a backslash write two", "\\" + escape, span),
            "inside single quotes a backslash stands for itself",
        ),
    )


def _bad_code_point(failure: Failure) -> SyntaxProblem:
    start = failure.text.rfind("\\", failure.context_at, failure.at + 1)
    pair = _ESCAPED.match(failure.text, start)
    if pair is None:
        span = Span(start, start + (10 if failure.text.startswith("\\U", start) else 6))
        return SyntaxProblem("this escape stands for no character", span, "not a character")
    char = json.loads(f'"{pair.group()}"')
    return SyntaxProblem(
        "YAML does not join two `\\u` escapes into one character, as JSON does",
        Span(*pair.span()),
        f"JSON reads `{char}` here",
        helps=(replace_help("write the character itself", char, Span(*pair.span())),),
    )


def _text_behind_block_sign(failure: Failure) -> SyntaxProblem:
    at = failure.context_at
    sign = failure.text[at : at + 1]
    return SyntaxProblem(
        f"a text that starts with `{sign}` must be quoted",
        Span(at, at + 1),
        f"`{sign}` starts a block of text on the next line",
        helps=(quote_guess(failure), f"or write the text on the lines below `{sign}`, indented"),
    )


def _unknown_tag(failure: Failure) -> SyntaxProblem:
    found = re.compile(r"![^\s,\[\]{}]*").match(failure.text, failure.at)
    span = failure.here if found is None else Span(*found.span())
    return SyntaxProblem(
        f"the tag {shown(failure.text[span.start : span.end])} is not known",
        span,
        "`!` starts a tag",
        helps=("remove the tag", quote_guess(failure, "if it is meant as text, quote it")),
        name="unknown-tags",
    )


def _expected_document(failure: Failure) -> SyntaxProblem:
    first = line_at(failure.text, failure.line.start)
    if failure.text.startswith("...", first.start):
        return SyntaxProblem(
            "nothing can follow `...` on its line",
            failure.here,
            "text behind the end of a document",
            helps=("`...` ends a document; put the text on a line of its own behind `---`, or quote it",),
        )
    if failure.previous is not None and failure.previous.end > failure.line.start:
        return yaml_structure.text_behind(failure)
    return SyntaxProblem(
        "`---` is missing before this",
        failure.here,
        "this starts another document",
        helps=("put `---` on a line of its own before it",),
    )


def _other(failure: Failure) -> SyntaxProblem:
    """What needs no closer look: directives, and what only malformed tags and anchors bring up."""
    known = {
        "found duplicate %YAML directive": "`%YAML` stands here twice",
        "found duplicate %TAG directive": "this `%TAG` stands here twice",
        "found incompatible YAML document": "only YAML 1.1 and 1.2 can be read",
        "found unknown directive name": "a line that starts with `%` is a directive, and this one is not known",
        "found an indentation indicator equal to 0": "the indentation of a block of text cannot be 0",
        "found a tab character where an indentation space is expected": "a tab cannot indent a block of text",
    }
    message = known.get(failure.problem)
    if message is None:
        what = "tag" if "tag" in failure.context else "directive" if "directive" in failure.context else "YAML"
        message = f"this is no valid {what}"
    at = failure.context_at if "directive" in failure.context else failure.at
    return SyntaxProblem(message, Span(at, max(failure.here.end, at)), helps=_advice(failure))


def _advice(failure: Failure) -> tuple[str, ...]:
    if "indentation" in failure.problem:
        return ("indent it with spaces, and write `|` or `>` without a number",)
    if "directive" in f"{failure.context} {failure.problem}" or "incompatible" in failure.problem:
        return ("a spec needs no directive: remove the line, or quote the text it belongs to",)
    return ("quote the text, if it is meant as one",)
