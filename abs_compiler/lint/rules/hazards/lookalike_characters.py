"""Characters that look like those of YAML and are part of the text: curly quotes around a value, and spaces at its end
that are no plain ones (`target: a` and a non-breaking space).

Both come with text that was copied from a document. No recording holds them, so nothing ever matches.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import scalars
from abs_compiler.source import Span
from abs_compiler.syntax import Entry, Scalar

_QUOTED = re.compile(r"[“”„‟](?P<double>[^“”„‟]*)[“”‟]|[‘’‚‛](?P<single>[^‘’‚‛]*)[‘’‛]")
_SPACES = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff"
_AT_ENDS = re.compile(rf"[{_SPACES}]+(?=[{_SPACES}\s]*\Z)|\A[{_SPACES}]+")
_WITHIN = re.compile(f"[{_SPACES}]")
# Values that name something, in which such a space is as bad in the middle.
_NAMES = frozenset(("actor", "action", "target", "id", "requires", "include", "type", "behavior", "variable"))


def check(context: FileContext) -> Iterator[Report]:
    """Report values in curly quotes, and spaces of other kinds at the ends of values and within names."""
    for node, owner in scalars(context.documents):
        if not isinstance(node.value, str) or node.alias_of is not None or node.value.isascii():
            continue
        report = _quotes(context, node) or _spaces(context, node, owner)
        if report is not None:
            yield report


def _quotes(context: FileContext, node: Scalar) -> Report | None:
    found = _QUOTED.fullmatch(node.text) if node.style == "plain" else None
    if found is None or context.source.text[node.span.start : node.span.end] != node.text:
        return None
    inner = found["double"] if found["double"] is not None else found["single"]
    fix = None
    if inner.isprintable() and not any(char in inner for char in '"\\'):
        fix = Fix("write plain quotes", (Edit(node.span, f'"{inner}"'),))
    return Report(
        "lookalike-characters",
        "these curly quotes are part of the text",
        node.span,
        "YAML knows only `'` and `\"`",
        helps=(Help(f'write `"{inner}"`', fix),),
    )


def _spaces(context: FileContext, node: Scalar, owner: Entry | None) -> Report | None:
    written = context.source.text[node.span.start : node.span.end]
    quote = 1 if node.style in ("single", "double", "json") else 0
    inner = written[quote : len(written) - quote]
    if inner != node.text:
        return None  # written with escapes, so on purpose, or as a block
    found = _AT_ENDS.search(inner)
    names = owner is not None and owner.key in _NAMES
    replacement = ""
    if found is None and names:
        found, replacement = _WITHIN.search(inner), " "
    if found is None:
        return None
    start = node.span.start + quote + found.start()
    span = Span(start, start + len(found.group()))
    char = found.group()[0]
    name = unicodedata.name(char, "character").lower().replace("no-break", "non-breaking")
    help_ = "put a plain space in its place" if replacement else "remove it"
    return Report(
        "lookalike-characters",
        f"a {name} (U+{ord(char):04X}) is part of this text",
        span,
        "not a plain space",
        helps=(
            Help(help_, Fix(help_, (Edit(span, replacement),))),
            f'if it is meant, write it as an escape in double quotes: `"\\u{ord(char):04X}"`',
        ),
    )
