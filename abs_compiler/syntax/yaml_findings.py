"""What the YAML reader finds: the wording of each problem that is not a syntax error.

Findings are held back until reading ends, because a later event may show that they were about something else.
"""

from __future__ import annotations

import difflib
import unicodedata
from typing import Any

import attrs

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label, Sink
from abs_compiler.source import Span
from abs_compiler.syntax.scalars import ScalarValue, number_text, quoted
from abs_compiler.syntax.tree import Mapping, Node, Scalar, kind_name
from abs_compiler.syntax.yaml_errors import SyntaxProblem
from abs_compiler.syntax.yaml_tags import shown_tag

_LONGEST_SHOWN = 40


@attrs.frozen(slots=True)
class _Finding:
    name: str
    message: str
    span: Span
    label: str
    more: dict[str, Any]


class Findings:
    """The findings of one reading, in the order in which they were made."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[_Finding] = []

    def mark(self) -> int:
        """A point to rewind to."""
        return len(self._found)

    def rewind(self, mark: int) -> None:
        """Forget what was found since the mark."""
        del self._found[mark:]

    def flush(self, sink: Sink) -> None:
        """Report everything."""
        for item in self._found:
            sink.report(item.name, item.message, item.span, item.label, **item.more)

    def _report(self, name: str, message: str, span: Span, label: str = "", **more: Any) -> None:
        self._found.append(_Finding(name, message, span, label, more))

    def add(self, problem: SyntaxProblem) -> None:
        """A syntax error."""
        self._report(
            problem.name, problem.message, problem.span, problem.label, also=problem.also, helps=problem.helps
        )

    def empty_file(self) -> None:
        state = "holds nothing but comments" if self._text.strip() else "is empty"
        self._report(
            "empty-file",
            f"this file {state}",
            Span(0, 0),
            helps=["a spec needs at least `session` and `behaviors`"],
        )

    def forbidden_character(self, at: int) -> None:
        char = self._text[at]
        surrogate = "\ud800" <= char <= "\udfff"
        escape = f"x{ord(char):02X}" if char <= "\xff" else f"u{ord(char):04X}"
        self._report(
            "forbidden-characters",
            f"{_character_name(char)} cannot stand in a YAML file",
            Span(at, at + 1),
            "this character",
            helps=["remove it" if surrogate else f"remove it, or write it as `\\{escape}` inside double quotes"],
        )

    def scalar_too_long(self, size: int, limit: int, span: Span) -> None:
        self._report(
            "scalar-too-long",
            f"one text is {size:,} bytes long; at most {limit:,} are read",
            Span(span.start, min(span.end, span.start + 1)),
            "it starts here",
        )

    def too_many_nodes(self, span: Span, limit: int) -> None:
        self._report("too-many-nodes", f"the file holds more than {limit:,} values", span, "reading stopped here")

    def too_deep(self, span: Span, limit: int) -> None:
        self._report("too-deep", f"this is nested more than {limit} levels deep", span, f"level {limit + 1} starts here")

    # Numbers and words

    def bad_number(self, problem: str, text: str, span: Span, limit: int) -> None:
        label, advice = {
            "infinite": ("infinity is not a number here", "JSON has no infinity; write a finite number"),
            "nan": ("not a number", "JSON has no NaN; write a number or `null`"),
            "too-long": (f"{len(text):,} characters; at most {limit} are read", "write fewer digits"),
            "too-large": ("beyond about 1.8e308", "write a smaller number"),
            "too-small": ("closer to 0 than any double", "write `0`"),
        }[problem]
        self._report(
            "bad-numbers",
            f"the number {_shown(text)} cannot be kept",
            span,
            label,
            helps=[advice, _quote_help("if it is text, quote it", text, span)],
        )

    def ambiguous(self, text: str, value: ScalarValue, older: str, span: Span, *, is_key: bool) -> None:
        if isinstance(value, str):
            now = "text"
            advice = _quote_help("quote it", text, span)
        else:
            assert value is not None
            plain = number_text(value)
            now = f"the number {plain}"
            advice = _replace_help("write the number plainly", plain, span)
        self._report(
            "ambiguous-scalars",
            f"{_shown(text)} is {now} here, but older YAML readers take it for {older}",
            span,
            f"{'a key, ' if is_key else ''}read as {now}",
            helps=[advice],
        )

    # Tags

    def unknown_tag(self, tag: str, span: Span) -> None:
        self._report(
            "unknown-tags",
            f"the tag `{shown_tag(tag)}` is not known",
            span,
            "only the core tags are read: `!!str` `!!int` `!!float` `!!bool` `!!null` `!!seq` `!!map`",
            helps=["remove the tag"],
        )

    def mistagged(self, tag: str, tag_span: Span | None, expected: str, text: str | None, span: Span) -> None:
        what = "this" if text is None else _shown(text)
        self._report(
            "mistagged-values",
            f"the tag `{shown_tag(tag)}` asks for {expected}, but {what} is not",
            span,
            f"not {expected}",
            also=[Label(tag_span, "asked for here")] if tag_span and tag_span != span else [],
            helps=["remove the tag"],
        )

    # Keys

    def duplicate_key(self, name: str, span: Span, first: Span) -> None:
        self._report(
            "duplicate-keys",
            f"the key {_shown(name)} occurs twice in one mapping",
            span,
            "again here",
            also=[Label(first, "first here")],
            helps=["merge mappings with a list: `<<: [*a, *b]`" if name == "<<" else "remove or rename one of them"],
        )

    def not_text_key(self, key: Scalar) -> None:
        if key.text == "":
            self._report("non-string-keys", "a key is missing before `:`", key.span, "no key here")
            return
        self._report(
            "non-string-keys",
            f"the key {_shown(key.text)} is a {kind_name(key)}, but keys must be text",
            key.span,
            f"a {kind_name(key)}",
            helps=[_quote_help("quote it", key.text, key.span)],
        )

    def complex_key(self, key: Node) -> None:
        self._report(
            "non-string-keys",
            f"a {kind_name(key)} cannot be a key; keys must be text",
            key.span,
            f"a {kind_name(key)} used as a key",
            helps=["quote it if it is meant as text"],
        )

    def bad_merge(self, value: Node, *, in_list: bool) -> None:
        what = "null" if kind_name(value) == "null" else f"a {kind_name(value)}"
        self._report(
            "bad-merge-keys",
            f"`<<` merges mappings, but {'this item' if in_list else 'its value'} is {what}",
            value.span,
            "not a mapping",
            helps=["write `<<: *name`, where `&name` marks a mapping", 'for a key named "<<", quote it'],
        )

    def unquoted_reference(self, text: str, span: Span, *, is_key: bool) -> None:
        if is_key:
            self._report("bad-reference", f"a reference cannot be a key: {_shown(text)}", span, "used as a key here")
            return
        self._report(
            "bad-reference",
            f"the reference {_shown(text)} must be quoted",
            span,
            "without quotes YAML reads a mapping here",
            helps=[_quote_help("quote it", text, span)],
        )

    # Anchors and aliases

    def unused_anchor(self, name: str, span: Span) -> None:
        end = span.end
        while end < len(self._text) and self._text[end] == " ":
            end += 1
        fix = Fix(f"remove `&{name}`", (Edit(Span(span.start, end), ""),), Applicability.SAFE)
        self._report(
            "unused-anchors", f"the anchor `&{name}` is never used", span, helps=[Help(f"remove `&{name}`", fix)]
        )

    def unknown_alias(self, name: str, span: Span, known: list[str], earlier: Span | None) -> None:
        close = difflib.get_close_matches(name, known[:1000], 1)
        self._report(
            "unknown-aliases",
            f"the alias `*{name}` names no anchor",
            span,
            f"no `&{name}` comes before this" + (" in this document" if earlier else ""),
            also=[Label(earlier, "an anchor is not seen beyond `---`")] if earlier else [],
            helps=[_replace_help(f"there is an anchor `&{close[0]}`: write", f"*{close[0]}", span)] if close else [],
        )

    def cyclic_alias(self, name: str, span: Span, anchor: Span) -> None:
        self._report(
            "cyclic-aliases",
            f"the alias `*{name}` stands inside the node it names",
            span,
            "this would hold itself",
            also=[Label(anchor, "named here")],
        )

    def alias_expansion(self, name: str, span: Span, anchor: Span, limit: int) -> None:
        self._report(
            "alias-expansion-limit",
            f"with its aliases written out this file holds more than {limit:,} values",
            span,
            f"`*{name}` passes the limit",
            also=[Label(anchor, "named here")],
        )


def _quote_help(text: str, value: str, span: Span) -> Help:
    return _replace_help(text, quoted(value), span)


def _replace_help(text: str, replacement: str, span: Span) -> Help:
    return Help(text, Fix(f"write {_shown(replacement)}", (Edit(span, replacement),), Applicability.SAFE))


def _shown(text: str) -> str:
    """A text in backticks, on one line, cut where it is long."""
    short = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
    return "`" + short.replace("\n", "\\n").replace("\r", "\\r") + "`"


def _character_name(char: str) -> str:
    point = f"U+{ord(char):04X}"
    if char == "\ufeff":
        return f"a byte order mark ({point}) inside the text"
    if char in "\x85\u2028\u2029":
        return f"the line separator {point}"
    if "\ud800" <= char <= "\udfff":
        return f"half of a surrogate pair ({point})"
    return f"the {'control ' if unicodedata.category(char) == 'Cc' else ''}character {point}"
