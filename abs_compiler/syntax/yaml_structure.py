"""YAML whose structure does not hold together: indentation, keys and colons, lists, what stands in brackets.

Each function takes a failure of one kind and says what most likely went wrong.
"""

from __future__ import annotations

import re

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import replace_help, shown
from abs_compiler.syntax.yaml_brackets import (
    CLOSERS,
    another_below,
    closes_nothing,
    ends_here,
    missing_comma,
    never_closed,
)
from abs_compiler.syntax.yaml_failure import Failure, SyntaxProblem, guess, quote_guess
from abs_compiler.syntax.yaml_indentation import lost_indentation
from abs_compiler.syntax.yaml_lines import Line, block_value, bracketed_value, line_at, line_before, name_span, quoted

_BLOCK_HEADER = re.compile(r"[^\r\n]*[|>][-+0-9]*[ \t]*(?:#[^\r\n]*)?\Z")
_NO_SPACE = re.compile(r"(?:-[ \t]+)*(?:[A-Za-z_$][\w$-]*:(?=[^\s:/])|-(?=[\w\"'{\[$]))")
_DASH = re.compile(r"(?:-[ \t]+)*-(?=[A-Za-z_\"'{\[$])")
_KEY_WITHOUT_COLON = re.compile(r"([a-z]\w*)[ \t]+[^\s:]+[ \t]*(?:\#.*)?")
_NEARLY_SEPARATOR = re.compile(r"--|-{4,20}|[\u2013\u2014]{1,3}-?|={3,20}")
_MOST_LINES = 200  # how far up to look for the start of a block of text
_MAX_KEY = 1024
_CURLY_QUOTES = ("“", "”", "„", "‘", "’")


def list_beside_key(failure: Failure) -> SyntaxProblem:
    """`key: - item`."""
    return SyntaxProblem(
        "a list cannot start on the line of its key",
        Span(failure.at, failure.at + 1),
        "`-` starts a list item",
        helps=(
            "put the list on the lines below, one `- ` a line",
            quote_guess(failure, "if it is meant as text, quote it"),
        ),
    )


def unexpected_colon(failure: Failure) -> SyntaxProblem:
    """A `:` where no key can be: inside a text, behind a text over two lines, or in a line indented too deep."""
    line = failure.line
    colon = Span(failure.at, failure.at + 1)
    value = block_value(failure.text, line)
    if line.key is not None and line.value <= failure.at:
        written = failure.text[value.start : value.end]
        helps: tuple[str | Help, ...] = (quote_guess(failure),)
        if written.startswith(_CURLY_QUOTES):
            helps = ("curly quotes are part of the text; YAML knows only `'` and `\"`", *helps)
        return SyntaxProblem(
            "a text that holds `: ` must be quoted", colon, "YAML takes this for a second key on the line", helps=helps
        )
    above = line_before(failure.text, line)
    if above is None:
        return SyntaxProblem("a key cannot stand here", colon, "this `:` makes a key of what stands before it")
    no_space = _missing_space(failure.text, above) or missing_space_after_dash(failure.text, above)
    if no_space is not None:
        return no_space
    if above.key is None and above.value < above.end and failure.text[above.value] in "\"'":
        return SyntaxProblem(
            "a key must stand on one line",
            Span(above.value, above.end),
            "the key starts here",
            also=(Label(colon),),
            helps=("put the key on one line; is a closing quote missing?",),
        )
    if above.key is None and above.value > above.first:
        word = _KEY_WITHOUT_COLON.fullmatch(failure.text, above.value, above.end)
        if word is not None and line.key_span.start - line.start == above.value - above.start:
            advice = "or quote the text, if it is one"
            return _colon_forgotten(Span(*word.span(1)), advice, Label(name_span(line), "goes on with that text"))
        return SyntaxProblem(
            f"{_named(line)} cannot be a key here: it goes on with the text above",
            name_span(line),
            "read as more of the text",
            also=(Label(Span(above.value, above.end), "the text starts here"),),
            helps=("indent it like the other keys, or quote the text",),
        )
    if above.key is None:
        return _no_colon(failure.text, above)
    return SyntaxProblem(
        f"{_named(line)} is indented deeper than {_named(above)}, which already has a value",
        name_span(line),
        f"indented by {line.indent + _dashes(line)}",
        also=(Label(name_span(above), f"indented by {above.indent + _dashes(above)}"),),
        helps=("indent both alike, or quote the value if it is one text over two lines",),
    )


def _colon_forgotten(word: Span, otherwise: str, *also: Label) -> SyntaxProblem:
    """`actor assistant` above another key of the same mapping."""
    return SyntaxProblem(
        "a colon is missing behind this key",
        word,
        "without a colon the line is a text",
        also=also,
        helps=(guess("put a colon behind it", ":", Span(word.end, word.end)), otherwise),
    )


def unexpected_colon_in_brackets(failure: Failure) -> SyntaxProblem:
    """`with:{x: 1}` within brackets."""
    colon = Span(failure.at, failure.at + 1)
    return SyntaxProblem(
        "a space is missing after `:`",
        colon,
        "without a space this is no key",
        helps=(replace_help("put a space behind it", ": ", colon),),
    )


def missing_colon(failure: Failure) -> SyntaxProblem:
    """A line among keys that holds no key."""
    line = line_at(failure.text, failure.context_at)
    no_space = _missing_space(failure.text, line)
    if no_space is not None:
        return no_space
    if failure.at - failure.context_at > _MAX_KEY and failure.at <= line.end:
        return SyntaxProblem(
            f"a key cannot be longer than {_MAX_KEY:,} characters",
            Span(failure.context_at, failure.context_at + 1),
            "this key",
            helps=("if it is a text, it needs a key before it",),
        )
    return _no_colon(failure.text, line)


def expected_key(failure: Failure) -> SyntaxProblem:
    """Among the keys of a mapping: something else."""
    if failure.char == ":":
        return SyntaxProblem(
            "a key is missing before `:`",
            failure.here,
            "no key here",
            helps=("write a key before it, or quote the text it belongs to",),
            name="non-string-keys",
        )
    if failure.char and failure.char in "]}":
        return closes_nothing(failure)
    line = failure.line
    if failure.at != line.first:
        return text_behind(failure)
    if failure.char == "-" and failure.text[failure.at + 1 : failure.at + 2] in (" ", "\n", "\r", ""):
        return SyntaxProblem(
            "a list item cannot stand among the keys of a mapping",
            Span(failure.at, failure.at + 1),
            "a list item",
            also=(Label(name_span(line_at(failure.text, failure.context_at)), "the mapping starts here"),),
            helps=("indent it below the key it belongs to",),
        )
    return _bad_indentation(failure, line)


def expected_item(failure: Failure) -> SyntaxProblem:
    """Among the items of a list: something else."""
    if failure.char and failure.char in "]}":
        return closes_nothing(failure)
    line = failure.line
    if failure.at != line.first:
        return text_behind(failure)
    no_space = missing_space_after_dash(failure.text, line)
    if no_space is not None:
        return no_space
    list_line = line_at(failure.text, failure.context_at)
    if failure.at - line.start > failure.context_at - list_line.start:
        return _bad_indentation(failure, line)
    above = line_before(failure.text, line)
    if line.key is not None and above is not None and above.key is not None and above.start >= list_line.start:
        return lost_indentation(failure.text, line, above, failure.context_at - list_line.start)
    return SyntaxProblem(
        f"{_named(line)} stands among the items of a list",
        name_span(line),
        "not a list item",
        also=(Label(Span(failure.context_at, failure.context_at + 1), "the list starts here"),),
        helps=("start the item with `- `, or indent the list deeper than its key",)
        if line.key
        else ("start the item with `- `",),
    )


def in_brackets(failure: Failure) -> SyntaxProblem:
    """Within `[` or `{`: something else than a comma or the end."""
    opening = failure.text[failure.context_at : failure.context_at + 1]
    closing = CLOSERS.get(opening, "]")
    opened = Span(failure.context_at, failure.context_at + 1)
    line = failure.line
    if failure.char and failure.char in "]}":
        return SyntaxProblem(
            f"`{failure.char}` cannot close `{opening}`",
            Span(failure.at, failure.at + 1),
            f"expected `{closing}`",
            also=(Label(opened, "opened here"),),
            helps=(f"close `{opening}` with `{closing}` before this, or in its place",),
        )
    starts_another = line.key is not None or failure.text.startswith("- ", line.first)
    if ends_here(failure):
        return never_closed(failure, failure.context_at)
    if _ends_a_quoted_text(failure, line):
        return text_behind(failure)
    if line.start > opened.start and starts_another:
        return another_below(failure, line, opened)
    if failure.char == ":":
        span = failure.value()
        first, _, word = failure.text[span.start : failure.at].rpartition(" ")
        if first.strip() and word and failure.text[failure.context_at] == "{":
            return missing_comma(failure, Span(failure.at - len(word), failure.at))
        return SyntaxProblem(
            "a text that holds `: ` must be quoted",
            Span(failure.at, failure.at + 1),
            "YAML takes this for a second key",
            helps=(quote_guess(failure),),
        )
    if failure.char and failure.char in "[{":
        if failure.text[: failure.at].rstrip()[-1:] in ("]", "}", "'", '"'):
            return missing_comma(failure, Span(failure.at, failure.at + 1))
        return SyntaxProblem(
            f"a text that holds `{failure.char}` must be quoted within brackets",
            Span(failure.at, failure.at + 1),
            "a bracket inside a text",
            helps=(quote_guess(failure, span=bracketed_value(failure.text, failure.at - 1, line)),),
        )
    return missing_comma(failure, failure.here)


def _ends_a_quoted_text(failure: Failure, line: Line) -> bool:
    """Whether a quoted text of several lines ends right here: most likely at the quote that opens the next one."""
    before = failure.previous
    if before is None or before.end != failure.at or before.start >= line.start:
        return False
    return failure.text[before.start : before.start + 1] in ("'", '"')


def expected_value(failure: Failure) -> SyntaxProblem:
    """Where a value must be: a comma or a closing bracket."""
    if failure.opened is not None and ends_here(failure):
        return never_closed(failure, failure.opened)
    if failure.char == "," and failure.opened is None:
        return SyntaxProblem(
            "a text that starts with `,` must be quoted",
            Span(failure.at, failure.at + 1),
            "YAML keeps `,` for lists",
            helps=(quote_guess(failure),),
        )
    if failure.char == ",":
        return SyntaxProblem(
            "a value is missing before this comma",
            Span(failure.at, failure.at + 1),
            "nothing stands before it",
            helps=("write the value, or remove the comma",),
        )
    if failure.char and failure.char in "]}":
        return closes_nothing(failure)
    above = line_before(failure.text, failure.line)
    if above is not None and failure.text[above.first : above.end].rstrip() == "-":
        return SyntaxProblem(
            f"{_named(failure.line)} is not indented deeper than the `-` above it",
            name_span(failure.line),
            f"indented by {failure.line.indent}",
            also=(Label(Span(above.first, above.first + 1), "so this item is empty"),),
            helps=("indent what belongs to the item deeper than its `-`",),
        )
    return SyntaxProblem("a value is missing here", failure.here, "expected a value before this")


def text_behind(failure: Failure) -> SyntaxProblem:
    """More text behind a value that has ended: a closed quote or bracket."""
    line, previous = failure.line, failure.previous
    last = failure.text[: failure.at].rstrip()[-1:]
    if failure.char and failure.char in "!&*" and last not in "\"']}":
        return SyntaxProblem(
            "a value takes at most one tag and one anchor, an alias none",
            failure.here,
            "one too many",
            helps=("remove it, or quote the whole text",),
        )
    if previous is not None and failure.text[previous.start : previous.start + 1] == "*":
        return SyntaxProblem(
            "a text that starts with `*` must be quoted",
            previous,
            "`*` starts an alias",
            helps=(quote_guess(failure),),
        )
    if last not in "\"'" or previous is None:
        what = f"`{last}`" if last in "]}" else "the value"
        return SyntaxProblem(
            f"there is more text behind {what}",
            failure.here,
            "the value has ended before this",
            helps=(_whole(failure, line),),
        )
    if previous.start < line.start:
        return SyntaxProblem(
            "a quoted text ends here, but more text follows",
            failure.here,
            "text behind the closing quote",
            also=(Label(Span(previous.start, previous.start + 1), "opened here: is the closing quote missing?"),),
            helps=(f"put `{last}` at the end of the text that begins in line {_line_number(failure, previous)}",),
        )
    helps: tuple[str | Help, ...] = (_whole(failure, line),)
    if last == "'" and previous.end == failure.at:
        helps = ("an apostrophe inside single quotes is written twice: `''`", *helps)
    elif previous.end == failure.at:
        helps = ('a double quote inside double quotes is written `\\"`', *helps)
    return SyntaxProblem(
        "there is more text behind the closing quote",
        failure.here,
        "the text has ended before this",
        helps=helps,
    )


def _line_number(failure: Failure, span: Span) -> int:
    return len(re.findall(r"\r\n|\r|\n", failure.text[: span.start])) + 1


def _whole(failure: Failure, line: Line) -> Help | str:
    span = block_value(failure.text, line)
    written = failure.text[span.start : span.end]
    if line.key is None:
        return "quote the whole text"
    within = failure.previous is not None and failure.previous.end == failure.at
    if within and len(written) > 1 and written[0] == written[-1]:  # one text with its own quotes inside, as in 'it's'
        inner = written[1:-1].replace("''", "'") if written[0] == "'" else written[1:-1]
        if "\\" not in inner:
            return guess("write", "'" + inner.replace("'", "''") + "'", span)
    return guess("quote the whole text", quoted(written), span)


def _bad_indentation(failure: Failure, line: Line) -> SyntaxProblem:
    """A line whose indentation fits none of the lines around it."""
    above = line_before(failure.text, line)
    for _ in range(_MOST_LINES):
        if above is None or above.indent <= line.indent:
            break
        upper = line_before(failure.text, above)
        if upper is not None and upper.indent < line.indent and _starts_block(failure.text, upper):
            return SyntaxProblem(
                "this line is indented less than the block of text it stands in",
                Span(line.first, line.end),
                f"indented by {line.indent}",
                also=(Label(Span(above.first, above.end), f"the block is indented by {above.indent}"),),
                helps=("indent the whole block alike",),
            )
        above = upper
    above = line_before(failure.text, line)
    also: tuple[Label, ...] = ()
    if above is not None and above.indent < line.indent and _starts_block(failure.text, above):
        return SyntaxProblem(
            "a block of text cannot start with a blank line that is indented deeper than its text",
            Span(line.first, line.end),
            f"indented by {line.indent}",
            also=(Label(Span(above.value, above.end), "the block starts here"),),
            helps=("empty the blank lines before it",),
        )
    if above is not None:
        level = above.indent + _dashes(above)
        also = (Label(name_span(above), f"indented by {level}"),)
    return SyntaxProblem(
        f"the indentation of {_named(line)} fits none of the lines before it",
        name_span(line),
        f"indented by {line.indent + _dashes(line)}",
        also=also,
        helps=("indent it exactly like the keys it belongs to",),
    )


def _starts_block(text: str, line: Line) -> bool:
    return _BLOCK_HEADER.match(text, line.first, line.end) is not None


def _missing_space(text: str, line: Line) -> SyntaxProblem | None:
    found = _NO_SPACE.match(text, line.first, line.end)
    if found is None or line.key is not None:
        return None
    sign = Span(found.end() - 1, found.end())
    char = found.group()[-1]
    return SyntaxProblem(
        f"a space is missing after `{char}`",
        sign,
        "without a space this is no key" if char == ":" else "without a space this is no list item",
        helps=(replace_help("put a space behind it", char + " ", sign),),
    )


def missing_space_after_dash(text: str, line: Line) -> SyntaxProblem | None:
    """`-actor: assistant`; the lines below it are indented like its key, which the fix moves."""
    found = _DASH.match(text, line.first, line.end)
    if found is None:
        return None
    sign = Span(found.end() - 1, found.end())
    edits = [Edit(sign, "- ")]
    at, column = line.end, sign.end - line.start
    while at < len(text) and len(edits) < _MOST_LINES:
        below = line_at(text, at + (2 if text.startswith("\r\n", at) else 1))
        if below.first < below.end:
            if below.indent < column or below.start <= at:
                break
            if below.indent == column:
                edits.append(Edit(Span(below.first, below.first), " "))
        at = below.end
    return SyntaxProblem(
        "a space is missing after `-`",
        sign,
        "without a space this is no list item",
        helps=(Help("put a space behind it", Fix("put a space behind it", tuple(edits), Applicability.UNSAFE)),),
    )


def _no_colon(text: str, line: Line) -> SyntaxProblem:
    span = Span(line.value if line.key is None else line.first, block_value(text, line).end)
    if line.first == line.start and _NEARLY_SEPARATOR.fullmatch(text, span.start, span.end):
        return SyntaxProblem(
            f"`{text[span.start : span.end]}` separates nothing",
            span,
            "neither a key nor the sign between two sessions",
            helps=(guess("between two sessions, write `---`", "---", span),),
        )
    word = _KEY_WITHOUT_COLON.fullmatch(text, span.start, span.end)
    if word is not None and line.key is None and line.first == line.value:
        return _colon_forgotten(Span(*word.span(1)), "if it goes on with the text above, indent it deeper")
    return SyntaxProblem(
        f"{shown(text[span.start : span.end])} stands where a key must be, but has no `:`",
        span,
        "expected `key: value`",
        helps=("if it goes on with the text above, indent it deeper",),
    )


def _named(line: Line) -> str:
    return "this line" if line.key is None else shown(line.key)


def _dashes(line: Line) -> int:
    """How far the dashes of a list item push its first key."""
    return 0 if line.key is None else line.key_span.start - line.first
