"""What both readers find: findings held back until reading ends, and the wording of those that YAML and JSON share.

They are held back because a later token may show that they were about something else.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import attrs

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label, Sink
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.syntax.scalars import quoted

_LONGEST_SHOWN = 40
_ALL = 1 << 20
_ENOUGH = 201  # the sink shows 200 of one code and says that there are more
_CONFLICT = re.compile(r"^<{7} [^\r\n]*$(?=.*?^={7}$.*?^>{7} )", re.MULTILINE | re.DOTALL)
_NUMBER_PROBLEMS = {
    "infinite": ("infinity", "JSON has no infinity: write a finite number"),
    "nan": ("not a number", "JSON has no NaN: write a number or `null`"),
    "too-large": ("beyond the largest double, about 1.8e308", "write a smaller number"),
    "too-small": ("closer to 0 than any double", "write `0`"),
}


@attrs.frozen(slots=False, repr=False, eq=False)
class _Finding(ReprMixin):
    name: str
    message: str
    span: Span
    label: str
    more: dict[str, Any]


class Findings:
    """The findings of one reading, in the order in which they were made: of one code as many as can be shown, or all
    where it is decided later which are."""

    def __init__(self, text: str, *, all_of_them: bool = False) -> None:
        self.text = text
        self._most = _ALL if all_of_them else _ENOUGH
        self._found: list[_Finding] = []
        self._counts: Counter[str] = Counter()

    def mark(self) -> int:
        """A point to rewind to."""
        return len(self._found)

    def rewind(self, mark: int) -> None:
        """Forget what was found since the mark."""
        self._counts.subtract(item.name for item in self._found[mark:])
        del self._found[mark:]

    def forget(self, span: Span) -> None:
        """Forget what was found at a span. Marks lose their meaning."""
        self._found = [item for item in self._found if item.span != span]

    def enough(self, name: str) -> bool:
        """Whether more findings of a name would not be shown; for readers that can save the work."""
        return self._counts[name] >= self._most

    def flush(self, sink: Sink) -> None:
        """Report everything."""
        for item in self._found:
            sink.report(item.name, item.message, item.span, item.label, **item.more)

    def add(self, name: str, message: str, span: Span, label: str = "", **more: Any) -> None:
        """One finding; the arguments are those of the sink's `report`."""
        if self._counts[name] < self._most:
            self._counts[name] += 1
            self._found.append(_Finding(name, message, span, label, more))

    # Limits

    def empty_file(self) -> None:
        state = "holds nothing but comments" if self.text.strip() else "is empty"
        self.add(
            "empty-file", f"this file {state}", Span(0, 0), helps=["a spec needs at least `session` and `behaviors`"]
        )

    def scalar_too_long(self, size: int, limit: int, span: Span) -> None:
        self.add(
            "scalar-too-long",
            f"one text is {size:,} bytes long; at most {limit:,} are read",
            Span(span.start, min(span.end, span.start + 1)),
            "it starts here",
            helps=["shorten it, or raise `scalar-bytes` under `[limits]` of the configuration"],
        )

    def too_many_nodes(self, span: Span, limit: int) -> None:
        self.add(
            "too-many-nodes",
            f"the file holds more than {limit:,} values",
            span,
            "reading stopped here",
            helps=["split the file, or raise `nodes` under `[limits]` of the configuration"],
        )

    def too_deep(self, span: Span, limit: int, *, far: bool = False) -> None:
        label = "far beyond that here" if far else f"level {limit + 1} starts here"
        self.add(
            "too-deep",
            f"this is nested more than {limit} levels deep",
            span,
            label,
            helps=["nest less deeply; is a bracket opened by mistake?"],
        )

    # Values and keys

    def bad_number(self, problem: str, text: str, span: Span, limit: int) -> None:
        if problem == "too-long":
            label, advice = f"{len(text):,} characters; at most {limit} are read", "write fewer digits"
        else:
            label, advice = _NUMBER_PROBLEMS[problem]
        self.add(
            "bad-numbers",
            f"the number {shown(text)} cannot be kept",
            span,
            label,
            helps=[advice, quote_help("if it is meant as text, quote it", text, span, Applicability.UNSAFE)],
        )

    def duplicate_key(
        self, name: str, span: Span, first: Span, *, empty: tuple[str, Span] | None = None, holds: bool = False
    ) -> None:
        """A key that occurs again; `empty` is the key right before it, where that has no value; `holds`: the value is a
        list or a mapping."""
        if self.enough("duplicate-keys"):
            return
        also = [Label(first, "first here")]
        if name == "<<":
            helps = ["to merge several mappings write `<<: [*a, *b]`"]
        elif empty is not None:
            also.append(Label(empty[1], "without a value"))
            helps = [f"if it belongs to {shown(empty[0])}, indent it deeper; else remove or rename one of them"]
        elif self.text.endswith("- ", 0, first.start):
            helps = ["if it begins another item of the list, put `- ` before it; else remove or rename one of them"]
        else:
            helps = ["remove or rename one of them" + (", or put what both hold under one" if holds else "")]
        self.add(
            "duplicate-keys",
            f"the key {shown(name)} occurs twice in one mapping",
            span,
            "again here",
            also=also,
            helps=helps,
        )

    def not_text_key(self, text: str, kind: str, span: Span) -> None:
        what = "null" if kind == "null" else f"a {kind}"
        self.add(
            "non-string-keys",
            f"the key {shown(text)} is {what}, but keys must be text",
            span,
            what,
            helps=[quote_help("quote it", text, span)],
        )

    def unquoted_reference(self, text: str, span: Span, *, is_key: bool) -> None:
        if self.enough("bad-reference"):
            return
        if is_key:
            self.add(
                "bad-reference",
                f"the reference {shown(text)} cannot be a key",
                span,
                "used as a key here",
                helps=["references stand only in values, in quotes"],
            )
        else:
            self.add(
                "bad-reference",
                f"the reference {shown(text)} must be quoted",
                span,
                "without quotes the braces open a mapping",
                helps=[quote_help("quote it", text, span)],
            )


def conflict_marker(text: str) -> Span | None:
    """The first marker of a merge that was not finished."""
    found = _CONFLICT.search(text)
    return None if found is None else Span(found.start(), found.start() + 7)


def quote_help(text: str, value: str, span: Span, applicability: Applicability = Applicability.SAFE) -> Help:
    """A help whose fix puts the value of a span into quotes; not a safe one where a number may have been meant."""
    return replace_help(text, quoted(value), span, applicability)


def replace_help(text: str, replacement: str, span: Span, applicability: Applicability = Applicability.SAFE) -> Help:
    """A help whose fix replaces a span."""
    title = f"write {shown(replacement)}" if replacement else "remove it"
    return Help(text, Fix(title, (Edit(span, replacement),), applicability))


def shown(text: str) -> str:
    """A text in backticks, on one line, cut where it is long."""
    short = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
    return "`" + short.replace("\n", "\\n").replace("\r", "\\r") + "`"
