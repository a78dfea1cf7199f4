"""What a pattern means in another engine and not on RE2.

Catches: `\\w` and `\\b` beside letters beyond ASCII, of which RE2 knows ASCII alone, so that `/\\bétage\\b/` never
holds; the slashes and flags of JavaScript, `/refund/i`, which are part of a pattern that stands by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.portability.patterns import Pattern, patterns
from abs_compiler.lint.rules.portability.slashes import without_slashes

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_INSTEAD = {
    "w": r"for letters and digits of every language, write `[\pL\pN_]`",
    "W": r"for anything but letters and digits, write `[^\pL\pN_]`",
    "b": r"for the border of a word, write `(?:^|[^\pL])` before it and `(?:[^\pL]|$)` behind it",
    "B": r"`\B` finds borders of ASCII words only; leave it out",
}


def check(context: FileContext) -> Iterator[Report]:
    """Report slashes around a pattern, and the first escape of ASCII in one that holds letters beyond."""
    for pattern in context.shared(patterns):
        if not pattern.in_predicate:
            slashed = _slashed(context, pattern)
            if slashed is not None:
                yield slashed
                continue
        foreign = next((char for char in pattern.text if not char.isascii() and char.isalpha()), None)
        if foreign is None:
            continue
        found = next((item for item in _ESCAPE.finditer(pattern.text) if item[1] in _INSTEAD), None)
        if found is not None:
            yield Report(
                "regex-dialect-difference",
                f"`{found[0]}` knows ASCII letters only, and this pattern holds `{foreign}`",
                pattern.place(*found.span()),
                f"`{foreign}` is no word character here",
                notes=("patterns run on RE2; other engines take all letters into account",),
                helps=(_INSTEAD[found[1]],),
            )


def _slashed(context: FileContext, pattern: Pattern) -> Report | None:
    found = without_slashes(pattern.text)
    if found is None:
        return None
    inner, flags = found
    opening, closing = pattern.place(0, 1), pattern.place(len(inner) + 1, len(pattern.text))
    text = context.source.text
    exact = (
        text[opening.start : opening.end] == "/" and text[closing.start : closing.end] == pattern.text[len(inner) + 1 :]
    )
    fix = Fix("take the slashes off", (Edit(opening, flags), Edit(closing, ""))) if exact else None
    return Report(
        "regex-dialect-difference",
        "the slashes are part of this pattern",
        pattern.place(0, len(pattern.text)),
        "looks for a text with these slashes in it",
        notes=("slashes stand around a pattern only in predicates: `matches /…/`",),
        helps=(Help(f"write `{flags}{inner}`", fix),),
    )
