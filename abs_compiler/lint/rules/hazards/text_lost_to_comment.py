"""A `#` in an unquoted text: YAML takes the rest of the line for a comment, as in `value: order #1234 is late`.

A comment that people write for people starts with `# `. What starts with a number, a placeholder or one word alone
right behind the `#` was most likely a part of the text. Where it may as well be a remark (the number of a ticket, a
text before a colon, something behind a name), there is no fix.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import is_blank, scalars
from abs_compiler.source import Span
from abs_compiler.syntax import Entry, Node, Scalar
from abs_compiler.syntax.scalars import quoted

_COMMENT = re.compile(r"[ \t]+(#(\{\{|[^\s#!\-=*]+)[^\r\n]*)")
_NEXT = re.compile(r"[ \t]+(?=#)")
_REMARKS = frozenset(("todo", "fixme", "xxx", "hack", "note", "noqa", "nosec"))
_WORDS = frozenset(("actor", "action", "type"))  # words of the language hold no `#`
_NAMES = frozenset(("target", "id", "requires", "include"))
_TICKET = re.compile(r"#(?:[A-Za-z]+-?\d|\d+[:.)\]])")


def check(context: FileContext) -> Iterator[Report]:
    """Report every text that most likely goes on behind a `#`."""
    text = context.source.text
    if _COMMENT.search(text) is None:
        return
    for node, owner in scalars(context.documents):
        lost = lost_text(text, node)
        if lost is None or (owner is not None and owner.key in _WORDS and not is_blank(node)):
            continue
        yield _report(text, node, owner, lost)


def lost_text(text: str, node: Node) -> Span | None:
    """What a comment has most likely swallowed of a text or of a value that is not written: up to a comment that is
    one."""
    if not isinstance(node, Scalar) or node.style != "plain" or node.alias_of is not None:
        return None
    if not isinstance(node.value, str) and not is_blank(node):
        return None
    found = _COMMENT.match(text, node.span.end)
    if found is None or (not is_blank(node) and text[node.span.end : found.start(1)] != " "):
        return None
    start = end = found.start(1)
    for piece in _pieces(found[1]):
        if not _is_text(piece):
            break
        end += len(piece)
    end = start + len(text[start:end].rstrip())
    return None if end == start else Span(start, end)


def _pieces(comment: str) -> list[str]:
    """The comment, cut before every `#` that stands behind a blank; the blanks stay at the end of a piece."""
    cuts = [0, *(found.end() for found in _NEXT.finditer(comment)), len(comment)]
    return [comment[start:end] for start, end in itertools.pairwise(cuts)]


def _is_text(piece: str) -> bool:
    if _COMMENT.fullmatch(f" {piece}") is None:
        return False
    first, _, rest = piece[1:].partition(" ")
    alone = not rest.strip() and first.rstrip(":").lower() not in _REMARKS
    return alone or first.startswith("{{") or any(char.isdigit() for char in first)


def _report(text: str, node: Scalar, owner: Entry | None, lost: Span) -> Report:
    swallowed = text[lost.start : lost.end]
    kept = node.span
    blank = is_blank(node)
    advice: str | Help = "to keep it, quote the whole text"
    if not _may_be_a_remark(swallowed, owner, blank=blank):
        written = quoted(swallowed if blank else f"{node.text}{text[kept.end : lost.start]}{swallowed}")
        whole = Span(lost.start if blank else kept.start, lost.end)
        advice = Help("to keep it, quote the whole text", Fix(f"write {_short(written)}", (Edit(whole, written),)))
    return Report(
        "text-lost-to-comment",
        f"`{_short(swallowed)}` is a comment here, not a part of the text",
        lost,
        "YAML drops this, and no value is left" if blank else "YAML drops this",
        helps=(advice, "for a comment, put a space behind `#`"),
    )


def _may_be_a_remark(swallowed: str, owner: Entry | None, *, blank: bool) -> bool:
    if " " in swallowed and _TICKET.match(swallowed):
        return True
    if swallowed.endswith(",") or any(swallowed.count(end) > swallowed.count(start) for start, end in ("[]", "{}")):
        return True  # within brackets, whose end it may be
    return not blank and owner is not None and owner.key in _NAMES


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
