"""`\\w` and `\\b` beside letters beyond ASCII: on RE2 they know ASCII alone, so `/\\bétage\\b/` never holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.portability.patterns import patterns

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_INSTEAD = {
    "w": r"for letters and digits of every language, write `[\pL\pN_]`",
    "W": r"for anything but letters and digits, write `[^\pL\pN_]`",
    "b": r"for the border of a word, write `(?:^|[^\pL])` before it and `(?:[^\pL]|$)` behind it",
    "B": r"`\B` finds borders of ASCII words only; leave it out",
}


def check(context: FileContext) -> Iterator[Report]:
    """Report the first such escape of every pattern that holds letters beyond ASCII."""
    for pattern in context.shared(patterns):
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
