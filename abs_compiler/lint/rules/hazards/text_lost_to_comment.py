"""A `#` in an unquoted text: YAML takes the rest of the line for a comment, as in `value: order #1234 is late`.

A comment that people write for people starts with `# `. What starts with a number, a placeholder or one word alone
right behind the `#` was most likely a part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import is_blank, scalars
from abs_compiler.source import Span
from abs_compiler.syntax import Node, Scalar
from abs_compiler.syntax.scalars import quoted

_COMMENT = re.compile(r"[ \t]+(#(\{\{|[^\s#!\-=*]+)[^\r\n]*)")
_REMARKS = frozenset(("todo", "fixme", "xxx", "hack", "note", "noqa", "nosec"))


def check(context: FileContext) -> Iterator[Report]:
    """Report every text that most likely goes on behind a `#`."""
    text = context.source.text
    if _COMMENT.search(text) is None:
        return
    for node, _ in scalars(context.documents):
        lost = lost_text(text, node)
        if lost is None:
            continue
        kept = node.span
        whole = Span(kept.start if kept.end > kept.start else lost.start, lost.end)
        written = quoted(text[whole.start : whole.end])
        yield Report(
            "text-lost-to-comment",
            f"`{_short(text[lost.start : lost.end])}` is a comment here, not a part of the text",
            lost,
            "YAML drops this" if kept.end > kept.start else "YAML drops this, and no value is left",
            helps=(
                Help("to keep it, quote the whole text", Fix(f"write {_short(written)}", (Edit(whole, written),))),
                "for a comment, put a space behind `#`",
            ),
        )


def lost_text(text: str, node: Node) -> Span | None:
    """What a comment has most likely swallowed of a text or of a value that is not written."""
    if not isinstance(node, Scalar) or node.style != "plain" or node.alias_of is not None:
        return None
    if not isinstance(node.value, str) and not is_blank(node):
        return None
    found = _COMMENT.match(text, node.span.end)
    if found is None or (not is_blank(node) and text[node.span.end : found.start(1)] != " "):
        return None
    first, _, rest = found[1][1:].partition(" ")
    alone = not rest.strip() and first.rstrip(":").lower() not in _REMARKS
    if not (alone or first.startswith("{{") or any(char.isdigit() for char in first)):
        return None
    return Span(found.start(1), found.start(1) + len(found[1].rstrip()))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
