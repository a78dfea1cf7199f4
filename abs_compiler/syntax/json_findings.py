"""What the JSON reader finds: the wording of each slip and each mistake in the form of a JSON text."""

from __future__ import annotations

import json
import unicodedata

from abs_compiler.diagnostics import Applicability, Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import Findings, conflict_marker, quote_help, replace_help, shown
from abs_compiler.syntax.scalars import number_text

_SYNTAX = "json-syntax"


class JsonFindings(Findings):
    """The findings of one reading of a JSON text."""

    def expected(self, wanted: str, span: Span) -> None:
        found = shown(self.text[span.start : span.end])
        helps = ["is there a comma too many?"] if found == "`,`" else []
        self.add(_SYNTAX, f"expected {wanted}, found {found}", span, f"expected {wanted}", helps=helps)

    def unfinished(self, at: int, opened: tuple[str, Span]) -> None:
        bracket, span = opened
        at = len(self.text[:at].rstrip())
        closing = "`}`" if bracket == "{" else "`]`"
        self.add(
            _SYNTAX,
            f"the file ends before {closing}",
            Span(at, at),
            f"expected {closing}",
            also=[Label(span, "opened here")],
            helps=[f"put {closing} where what was opened ends"],
        )

    def wrong_close(self, char: str, span: Span, opened: tuple[str, Span] | None) -> None:
        if opened is None:
            self.add(_SYNTAX, f"`{char}` closes nothing", span, "nothing is open here", helps=["remove it"])
            return
        bracket, start = opened
        closing = "}" if bracket == "{" else "]"
        self.add(
            _SYNTAX,
            f"`{char}` cannot close `{bracket}`",
            span,
            f"expected `{closing}`",
            also=[Label(start, "opened here")],
            helps=[f"close `{bracket}` with `{closing}` before this, or in its place"],
        )

    def more_text(self, span: Span) -> None:
        self.add(
            _SYNTAX,
            "there is more text behind the end of the JSON value",
            span,
            "the value has ended before this",
            helps=["a JSON file holds one session; several go into a YAML file, with `---` between them"],
        )

    def missing_colon(self, key: str, key_span: Span, span: Span) -> None:
        self.add(
            _SYNTAX,
            f"the key {shown(key)} has no value",
            span,
            "expected `:` and a value",
            also=[Label(key_span, "the key")],
            helps=["put `:` and a value behind the key"],
        )

    def missing_comma(self, span: Span) -> None:
        end = len(self.text[: span.start].rstrip())
        self.add(
            _SYNTAX,
            "a comma is missing between two values",
            span,
            "this starts another one",
            helps=[replace_help("put a comma before it", ",", Span(end, end))],
        )

    def trailing_comma(self, span: Span) -> None:
        self.add(
            _SYNTAX, "nothing follows this comma", span, "the last comma", helps=[replace_help("remove it", "", span)]
        )

    def comment(self, span: Span) -> None:
        self.add(
            _SYNTAX,
            "JSON has no comments",
            span,
            helps=["remove it, or write the spec as YAML, where comments start with `#`"],
        )

    def foreign_word(self, word: str, value: bool | None, span: Span) -> None:
        right = json.dumps(value)
        sure = Applicability.UNSAFE if word == "undefined" else Applicability.SAFE
        help_ = replace_help("write", right, span, sure)
        self.add(_SYNTAX, f"JSON writes `{right}` for `{word}`", span, helps=[help_])

    def loose_number(self, text: str, value: int | float | None, span: Span) -> None:
        helps = [quote_help("if it is meant as text, quote it", text, span, Applicability.UNSAFE)]
        if value is not None and _has_leading_zero(text):  # most likely a code, which would lose its zeros
            helps.append(Help(f"if it is meant as a number, write it plainly: {shown(number_text(value))}"))
        elif value is not None:
            helps.insert(0, replace_help("write", number_text(value), span))
        self.add(_SYNTAX, f"{shown(text)} is not how JSON writes a number", span, _number_trouble(text), helps=helps)

    def single_quotes(self, text: str, span: Span) -> None:
        self.add(_SYNTAX, "JSON texts stand in double quotes", span, helps=[quote_help("write", text, span)])

    def unquoted(self, text: str, span: Span, *, is_key: bool) -> None:
        self.add(
            _SYNTAX,
            f"{shown(text)} must stand in double quotes",
            span,
            "a key without quotes" if is_key else "a text without quotes",
            helps=[quote_help("write", text, span)],
        )

    def unclosed_string(self, start: int) -> None:
        self.add(
            _SYNTAX,
            "this text is not closed on its line",
            Span(start, start + 1),
            "opened here",
            helps=['put `"` at its end; a line break inside a text is written `\\n`'],
        )

    def control_characters(self, span: Span) -> None:
        """The first raw control character inside a string."""
        at = next(at for at in range(span.start, span.end) if self.text[at] < " ")
        char = self.text[at]
        name = "a tab" if char == "\t" else f"the control character U+{ord(char):04X}"
        escape = json.dumps(char)[1:-1]
        self.add(
            _SYNTAX,
            f"{name} cannot stand in a JSON text",
            Span(at, at + 1),
            helps=[replace_help("write", escape, Span(at, at + 1))],
        )

    def bad_escape(self, char: str, span: Span) -> None:
        helps: list[str | Help] = ['JSON knows `\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` and `\\uXXXX`']
        if char not in "u\r\n":
            helps.insert(0, replace_help("for a backslash write two", "\\\\" + char, span, Applicability.UNSAFE))
        message = (
            "`\\u` needs four hexadecimal digits" if char == "u" else f"JSON has no escape {shown(chr(92) + char)}"
        )
        self.add(_SYNTAX, message, span, helps=helps)

    def strange_character(self, at: int) -> None:
        conflict = conflict_marker(self.text)
        if conflict is not None and conflict.start <= at:
            self.add(
                _SYNTAX,
                "a merge conflict was left in the file",
                conflict,
                "a conflict marker",
                helps=["keep one of the two sides and remove the markers"],
            )
            return
        char = self.text[at]
        name = unicodedata.name(char, "").lower()
        visible = char.isprintable() and not char.isspace() and not "\ud800" <= char <= "\udfff"
        what = f"`{char}`" if visible else f"the character U+{ord(char):04X}{f' ({name})' if name else ''}"
        helps = ["remove it, or put the text it belongs to in double quotes"]
        self.add(_SYNTAX, f"{what} means nothing here", Span(at, at + 1), "not JSON", helps=helps)


def _has_leading_zero(text: str) -> bool:
    digits = text.lstrip("+-")
    return digits.startswith("0") and digits[1:2].isdecimal()


def _number_trouble(text: str) -> str:
    digits = text.lstrip("+-")
    if text.startswith("+"):
        return "JSON allows no plus sign"
    if digits.startswith("."):
        return "a digit is missing before the point"
    if digits.lower().startswith(("0x", "0o", "0b")):
        return "JSON numbers are decimal"
    if digits.endswith("."):
        return "a digit is missing behind the point"
    if "_" in digits:
        return "JSON allows digits only"
    if _has_leading_zero(text):
        return "JSON allows no leading zero"
    return "not a number"
