"""What this compiler understands beyond the public format: other ABS tools refuse it. For those who want none of it."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, walk_documents
from abs_compiler.source import Span
from abs_compiler.spec.vocabulary import GROUP_KEYS
from abs_compiler.syntax import Mapping, Scalar

_RESERVED = {
    "$is": "predicates (`$is`)",
    "$literal": "`$literal`",
    "$from": "captures from the matched event (`$from`)",
}
_DATA = frozenset(("with", "with_only", "content", "capture", "schema", "value"))


def check(context: FileContext) -> Iterator[Report]:
    """Report every use of an extension."""
    for place in walk_documents(context.documents):
        what = _extension(place)
        if what is not None and place.key_span is not None:
            yield _report(what, place.key_span)
        if isinstance(place.node, Mapping) and not place.node.alias_of:
            merge = context.source.text.find("<<:", place.node.span.start, place.node.span.end)
            own = any(not _within(entry.key_span, place.node.span) for entry in place.node.entries)
            if own and merge >= 0:
                yield Report(
                    "extension-not-portable",
                    "merge keys (`<<`) are no part of YAML 1.2",
                    Span(merge, merge + 2),
                    "some readers keep it as a key",
                    helps=("write the entries out where other tools read this spec",),
                )


def _extension(place: Place) -> str | None:
    """What the key of a value stands for beyond the public format; None for all others."""
    *above, key = place.keys or ("",)
    if key in _RESERVED and isinstance(place.node, Scalar | Mapping):
        return _RESERVED[key]
    if any(name in _DATA for name in above):
        return None
    owner = above[-1] if above else ""
    if not above and key == "match":
        return "`match`"
    if key in GROUP_KEYS and owner in ("behaviors", *GROUP_KEYS):
        return f"groups (`{key}`)"
    if key == "status" and owner not in ("match",):
        return "`status`"
    if key == "type" and isinstance(place.node, Scalar) and place.node.value == "preceded":
        return "`preceded` evaluations"
    return None


def _report(what: str, span: Span) -> Report:
    return Report(
        "extension-not-portable",
        f"{what} {'are' if what.split()[0].endswith('s') else 'is'} an extension of this compiler",
        span,
        "other ABS tools refuse it",
        helps=("leave it out where other tools read this spec",),
    )


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start < outer.end
