"""What the YAML reader finds beyond syntax errors: the wording of each problem."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.findings import Findings, quote_help, replace_help, shown
from abs_compiler.syntax.scalars import ScalarValue, number_text, quoted
from abs_compiler.syntax.tree import Node, Scalar, kind_name
from abs_compiler.syntax.yaml_tags import shown_tag

if TYPE_CHECKING:
    from abs_compiler.syntax.yaml_failure import SyntaxProblem


class YamlFindings(Findings):
    """The findings of one reading of a YAML stream."""

    def problem(self, found: SyntaxProblem) -> None:
        self.add(found.name, found.message, found.span, found.label, also=found.also, helps=found.helps)

    def last_problem(self, found: SyntaxProblem) -> None:
        """A syntax error, which ends the reading of a document. The same cause may have been found before it, as when
        text follows an unquoted reference."""
        self.forget(found.span)
        self.problem(found)

    def forbidden_character(self, at: int) -> None:
        char = self.text[at]
        surrogate = "\ud800" <= char <= "\udfff"
        escape = f"x{ord(char):02X}" if char <= "\xff" else f"u{ord(char):04X}"
        self.add(
            "forbidden-characters",
            f"{_character_name(char)} cannot stand in a YAML file",
            Span(at, at + 1),
            "this character",
            helps=["remove it" if surrogate else f"remove it, or write it as `\\{escape}` inside double quotes"],
        )

    def ambiguous(self, text: str, value: ScalarValue, older: str, span: Span, *, is_key: bool) -> None:
        if self.enough("ambiguous-scalars"):
            return
        if isinstance(value, str):
            now = "text"
            helps = _helps_for_text(text, older, span)
        else:
            assert value is not None
            now = f"the number {number_text(value)}"
            helps = _helps_for_number(text, number_text(value), span)
        self.add(
            "ambiguous-scalars",
            f"{shown(text)} is {now} here, but older YAML readers take it for {older}",
            span,
            f"{'a key, ' if is_key else ''}read as {now}",
            helps=helps,
        )

    # Tags

    def unknown_tag(self, tag: str, span: Span) -> None:
        self.add(
            "unknown-tags",
            f"the tag `{shown_tag(tag)}` is not known",
            span,
            "not a core tag",
            notes=["the core tags are `!!str` `!!int` `!!float` `!!bool` `!!null` `!!seq` `!!map`"],
            helps=["remove the tag"],
        )

    def mistagged(self, tag: str, tag_span: Span | None, expected: str, text: str | None, span: Span) -> None:
        what = "this" if text is None else shown(text)
        self.add(
            "mistagged-values",
            f"the tag `{shown_tag(tag)}` asks for {expected}, but {what} is not",
            span,
            f"not {expected}",
            also=[Label(tag_span, "asked for here")] if tag_span and tag_span != span else [],
            helps=["remove the tag"],
        )

    # Keys

    def bad_key(self, key: Scalar) -> None:
        if key.text:
            self.not_text_key(key.text, kind_name(key), key.span)
        else:
            helps = ["write a key before it, or quote the text it belongs to"]
            self.add("non-string-keys", "a key is missing before `:`", key.span, "no key here", helps=helps)

    def complex_key(self, key: Node) -> None:
        self.add(
            "non-string-keys",
            f"a {kind_name(key)} cannot be a key; keys must be text",
            key.span,
            f"a {kind_name(key)} used as a key",
            helps=["quote it if it is meant as text"],
        )

    def bad_merge(self, value: Node, *, in_list: bool) -> None:
        what = "null" if kind_name(value) == "null" else f"a {kind_name(value)}"
        self.add(
            "bad-merge-keys",
            f"`<<` merges mappings, but {'this item' if in_list else 'its value'} is {what}",
            value.span,
            "not a mapping",
            helps=["write `<<: *name`, where `&name` marks a mapping", 'for a key named "<<", quote it'],
        )

    # Anchors and aliases

    def unused_anchor(self, name: str, span: Span) -> None:
        if self.enough("unused-anchors"):
            return
        end = span.end
        while end < len(self.text) and self.text[end] == " ":
            end += 1
        fix = Fix(f"remove `&{name}`", (Edit(Span(span.start, end), ""),), Applicability.SAFE)
        self.add("unused-anchors", f"the anchor `&{name}` is never used", span, helps=[Help(f"remove `&{name}`", fix)])

    def unknown_alias(self, name: str, span: Span, known: Iterable[str], earlier: Span | None) -> None:
        if self.enough("unknown-aliases"):
            return
        import difflib

        advice = replace_help("if it is meant as text, quote it", f"'*{name}'", span, Applicability.UNSAFE)
        close = difflib.get_close_matches(name, itertools.islice(known, 1000), 1)
        self.add(
            "unknown-aliases",
            f"the alias `*{name}` names no anchor",
            span,
            f"no `&{name}` comes before this" + (" in this document" if earlier else ""),
            also=[Label(earlier, "an anchor is not seen beyond `---`")] if earlier else [],
            helps=[f"there is an anchor `&{close[0]}`: write `*{close[0]}` if that is meant"] if close else [advice],
        )

    def cyclic_alias(self, name: str, span: Span, anchor: Span) -> None:
        self.add(
            "cyclic-aliases",
            f"the alias `*{name}` stands inside the node it names",
            span,
            "this would hold itself",
            also=[Label(anchor, "named here")],
            helps=[f"write the value here, or put `&{name}` at the part that is meant"],
        )

    def alias_expansion(self, name: str, span: Span, anchor: Span, limit: int) -> None:
        self.add(
            "alias-expansion-limit",
            f"with its aliases written out this file holds more than {limit:,} values",
            span,
            f"`*{name}` passes the limit",
            also=[Label(anchor, "named here")],
            helps=["use fewer aliases of aliases, or raise `nodes` under `[limits]` of the configuration"],
        )


def _helps_for_text(text: str, older: str, span: Span) -> list[Help]:
    """What to write for text that was a number before. Digits in groups, and those of a base, are hardly ever meant as
    text, and once they are quoted nothing tells of the mistake any more."""
    number = older.removeprefix("the number ")
    if number == older or not ("_" in text or text.lstrip("+-").startswith(("0b", "0x"))):
        return [quote_help("quote it", text, span)]
    return [
        replace_help("write the number plainly", number, span, Applicability.UNSAFE),
        Help(f"if it is meant as text, quote it: {shown(quoted(text))}"),
    ]


def _helps_for_number(text: str, plain: str, span: Span) -> list[Help]:
    """What to write for a number that was something else before. Codes begin with 0, and identifiers may look like
    `12e4`: written plainly these would have lost for good what was typed."""
    as_number = replace_help("write the number plainly", plain, span)
    as_text = replace_help("if it is meant as text, quote it", quoted(text), span, Applicability.UNSAFE)
    digits = text.lstrip("+-")
    if digits.startswith("0o"):
        return [as_number, as_text]
    if digits[0] == "0" and digits[1:2].isdigit():
        return [as_text, Help(f"if it is meant as a number, write it plainly: {shown(plain)}")]
    return (
        [as_number, as_text]
        if "." in text
        else [Help(f"{as_number.text}: {shown(plain)}"), Help(f"{as_text.text}: {shown(quoted(text))}")]
    )


def _character_name(char: str) -> str:
    point = f"U+{ord(char):04X}"
    if char == "\ufeff":
        return f"a byte order mark ({point}) inside the text"
    if char in "\x85\u2028\u2029":
        return f"the line separator {point}"
    if "\ud800" <= char <= "\udfff":
        return f"half of a surrogate pair ({point})"
    import unicodedata

    return f"the {'control ' if unicodedata.category(char) == 'Cc' else ''}character {point}"
