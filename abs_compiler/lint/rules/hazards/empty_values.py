"""A key of data without a value, as in `coupon:`. It means null, which is rarely what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, is_blank, walk_documents
from abs_compiler.lint.rules.hazards.text_lost_to_comment import lost_text
from abs_compiler.source import Span

# What lies between a key and the value that is not there: a colon, an anchor or a tag.
_BETWEEN = re.compile(r":?\s*(?:[&!]\S*\s*)*")


def check(context: FileContext) -> Iterator[Report]:
    """Report every value of data that is not written, unless a comment has swallowed it."""
    text = context.source.text
    for place in walk_documents(context.documents):
        if is_blank(place.node) and place.node.alias_of is None and lost_text(text, place.node) is None:
            yield _report(text, place)


def _report(text: str, place: Place) -> Report:
    at = place.node.span.start
    between = "-" if place.key_span is None else text[place.key_span.end : at].strip("\"' ")
    alone = _BETWEEN.fullmatch(between) is None  # an item of a list
    span = Span(at, at) if alone or place.key_span is None else place.key_span
    written = "null" if text[at - 1 : at] == " " and between else " null" if between else ": null"
    fix = Fix(
        "write `null`", (Edit(Span(at, at), written),), Applicability.DISPLAY
    )  # for editors: who knows that it is meant
    return Report(
        "empty-values",
        "nothing is written here, which means null" if alone else f"`{place.key}` has no value, which means null",
        span,
        "no value here" if alone else "no value behind this key",
        helps=("write the value that is meant; `''` is the empty text", Help("to mean null, write `null`", fix)),
    )
