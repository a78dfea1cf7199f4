"""A key of data without a value, as in `coupon:`. It means null, which is rarely what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import is_blank, scalars
from abs_compiler.lint.rules.hazards.text_lost_to_comment import lost_text
from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax import Entry, Scalar

# What lies between a key and the value that is not there: a colon, an anchor or a tag.
_BETWEEN = re.compile(r":?\s*(?:[&!]\S*\s*)*")


def check(context: FileContext) -> Iterator[Report]:
    """Report every value of data that is not written, unless a comment has swallowed it."""
    text = context.source.text
    for node, owner in scalars(context.documents):
        if is_blank(node) and node.alias_of is None and lost_text(text, node) is None:
            yield _run_together(context.source, owner) or _report(text, node, owner)


def _run_together(source: SourceFile, owner: Entry | None) -> Report | None:
    """`{x:1}`, where the value stands in the key."""
    if owner is None or ":" not in owner.key:
        return None
    from abs_compiler.spec.run_together import separated  # most files need none of it

    found = separated(source, owner)
    if found is None:
        return None
    key, colon, help_ = found
    return Report(
        "empty-values",
        f"a space is missing after `{key}:`",
        colon,
        "without a plain space all of it is one key without a value",
        helps=(help_, "or quote the key, and write its value"),
    )


def _report(text: str, node: Scalar, owner: Entry | None) -> Report:
    at = node.span.start
    between = "-" if owner is None else text[owner.key_span.end : at].strip("\"' ")
    alone = _BETWEEN.fullmatch(between) is None  # an item of a list
    span = Span(at, at) if alone or owner is None else owner.key_span
    written = "null" if text[at - 1 : at] == " " and between else " null" if between else ": null"
    fix = Fix(
        "write `null`", (Edit(Span(at, at), written),), Applicability.DISPLAY
    )  # for editors: who knows that it is meant
    return Report(
        "empty-values",
        "nothing is written here, which means null"
        if alone or owner is None
        else f"`{owner.key}` has no value, which means null",
        span,
        "no value here" if alone else "no value behind this key",
        helps=("write the value that is meant; `''` is the empty text", Help("to mean null, write `null`", fix)),
    )
