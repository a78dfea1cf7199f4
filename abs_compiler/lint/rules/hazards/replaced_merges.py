"""`<<: *base` beside a key that the base has too: the whole value of the base is replaced, not merged into."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Label
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import walk_documents
from abs_compiler.spec.reading import listed
from abs_compiler.syntax import Entry, Mapping, Sequence


def check(context: FileContext) -> Iterator[Report]:
    """Report every written mapping or list that hides parts of a merged one."""
    for place in walk_documents(context.documents):
        if isinstance(place.node, Mapping):
            for replaced in place.node.replaced:
                written = place.node.entry(replaced.key)
                if written is not None:
                    yield from _lost(written, replaced)


def _lost(written: Entry, replaced: Entry) -> Iterator[Report]:
    match written.value, replaced.value:
        case Mapping() as new, Mapping() as old:
            kept = {entry.key for entry in new.entries}
            lost = [entry.key for entry in old.entries if entry.key not in kept]
            if lost:
                help_ = f"repeat what should stay, or merge inside: `{written.key}: {{<<: *args, …}}`"
                yield _report(
                    written, replaced, f"{listed(lost)} of it {'is' if len(lost) == 1 else 'are'} gone", help_
                )
        case Sequence(), Sequence(items=[_, *_]):
            yield _report(written, replaced, "its items are gone", "repeat the items that should stay")
        case _:
            return


def _report(written: Entry, replaced: Entry, lost: str, help_: str) -> Report:
    return Report(
        "replaced-merges",
        f"`{written.key}` replaces the whole `{written.key}` that `<<` brings: {lost}",
        written.key_span,
        "this takes its place",
        also=(Label(replaced.key_span, "not merged"),),
        helps=(help_,),
    )
