"""A text written as a block (`|` or `>`) where it is compared to the letter: it ends with a line break.

`value: |` and an indented line give `"refunded\n"`, which equals nothing that an agent says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, walk_documents
from abs_compiler.source import Span
from abs_compiler.syntax import Scalar

_HEADER = re.compile(r"[|>]([0-9]?)(\+?)([0-9]?)")
# Texts that people or judges read, and expressions in which white space means nothing.
_FREE = frozenset(("description", "criteria", "prompt", "reason", "content", "$is", "when", "adapter"))
_DATA = frozenset(("with", "with_only", "schema", "capture"))


def check(context: FileContext) -> Iterator[Report]:
    """Report every block of text whose last line break takes part in a comparison."""
    for place in walk_documents(context.documents):
        node = place.node
        if not isinstance(node, Scalar) or node.style not in ("literal", "folded") or not node.text.endswith("\n"):
            continue
        header = _HEADER.match(context.source.text, node.span.start)
        if header is not None and _is_compared(place):
            yield _report(place, node, header)


def _is_compared(place: Place) -> bool:
    if place.key == "$is":
        return False
    inside_data = any(key in _DATA for key in place.keys[:-1])
    return inside_data or place.key not in _FREE


def _report(place: Place, node: Scalar, header: re.Match[str]) -> Report:
    sign = header[0][0]
    without = f"{sign}{header[1]}{header[3]}-"
    fix = Fix(f"write `{without}`", (Edit(Span(*header.span()), without),))
    lines = node.text.rstrip("\n").count("\n") + 1
    what = "the text" if not place.key else f"the text of `{place.key}`"
    return Report(
        "block-scalar-surprise",
        f"{what} ends with a line break, and it is compared to the letter",
        Span(*header.span()),
        f"`{header[0]}` keeps the last line break",
        helps=(
            Help("to leave the line break out, write", fix),
            "a text of one line needs no block: write it behind the key" if lines == 1 else "or write it in quotes",
        ),
    )
