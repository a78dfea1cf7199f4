"""Lines that are not indented below the key they belong to.

In `with:` above `order_id: "1"`, both in one column, `with` is empty and `order_id` another key beside it. That is said
once, and reading goes on as if the lines were indented.
"""

from __future__ import annotations

from collections.abc import Collection

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.reading import Context, listed
from abs_compiler.spec.suggest import nearest
from abs_compiler.syntax import Entry, Mapping, Node, Sequence

_OF_MAPPINGS = frozenset(
    (
        "with",
        "with_only",
        "capture",
        "content",
        "match",
        "after",
        "by",
        "matches_when",
        "dataset",
        "fragments",
        "schema",
    )
)
_OF_LISTS = frozenset(("behaviors", "evaluations", "order"))
_OF_EVALUATIONS = frozenset(("match", "after", "min", "max", "value", "pattern", "criteria", "schema", "variable"))
_MOST_LINES = 200


def mended(ctx: Context, mapping: Mapping, known: Collection[str]) -> Mapping:
    """The mapping with the keys that are not known in it below the empty key before them, after reporting each such
    place; the mapping itself where there is none, which is nearly always."""
    for entry in mapping.entries:
        if entry.value.span.start == entry.value.span.end and entry.key in known and _takes_keys(entry.key):
            return _mended(ctx, mapping, known)
    return mapping


def _takes_keys(key: str) -> bool:
    return key in _OF_MAPPINGS or key in _OF_LISTS


def _mended(ctx: Context, mapping: Mapping, known: Collection[str]) -> Mapping:
    source = ctx.sink.source
    entries: list[Entry] = []
    at = 0
    while at < len(mapping.entries):
        entry = mapping.entries[at]
        at += 1
        lost = [] if source is None else _lost(source, mapping, at, known)
        if source is None or not lost:
            entries.append(entry)
            continue
        at += len(lost)
        _report(ctx, source, entry, lost)
        below: Node = Mapping(Span(lost[0].key_span.start, lost[-1].value.span.end), tuple(lost))
        if entry.key in _OF_LISTS:
            below = Sequence(below.span, (below,))
        entries.append(Entry(entry.key, entry.key_span, below))
    return Mapping(mapping.span, tuple(entries), mapping.alias_of)


def _lost(source: SourceFile, mapping: Mapping, at: int, known: Collection[str]) -> list[Entry]:
    """The entries from `at` on that belong to the empty one before it."""
    owner = mapping.entries[at - 1]
    if not _takes_keys(owner.key) or owner.key not in known or owner.value.span.start < owner.value.span.end:
        return []
    line, column = source.position(owner.key_span.start)
    lost: list[Entry] = []
    for entry in mapping.entries[at:]:
        here = source.position(entry.key_span.start)
        if here[0] <= line or here[1] != column:
            break
        if entry.key in known:
            if not (lost and owner.key == "evaluations" and entry.key in _OF_EVALUATIONS):
                break
        elif not _belongs(owner, entry, known):
            break
        line = here[0]
        lost.append(entry)
    return lost


def _belongs(owner: Entry, entry: Entry, known: Collection[str]) -> bool:
    """Whether a key that is not known is one of those below; no word that demands something, and where the owner may
    be empty, no slip of a known one."""
    from abs_compiler.spec.telling_words import NEGATION, OBLIGATION, kind_of_word  # most files need none of it

    if kind_of_word(entry.key) in (NEGATION, OBLIGATION):
        return False
    return owner.key != "content" or nearest(entry.key, known) is None


def _report(ctx: Context, source: SourceFile, owner: Entry, lost: list[Entry]) -> None:
    dash = owner.key in _OF_LISTS
    keys = listed([entry.key for entry in lost])
    advice = f"indent what belongs to `{owner.key}` deeper than it" + (", behind a `- `" if dash else "")
    ctx.sink.report(
        "wrong-kind",
        f"{keys} {'stands' if len(lost) == 1 else 'stand'} beside `{owner.key}`, not below it",
        lost[0].key_span,
        f"indented like `{owner.key}`",
        also=(Label(owner.key_span, "so this is empty"),),
        helps=(Help(advice, _indented(source, lost, dash=dash)),),
    )


def _indented(source: SourceFile, lost: list[Entry], *, dash: bool) -> Fix | None:
    """The lines from the first key to the end of the last value, moved to the right."""
    text = source.text
    start = lost[0].key_span.start
    end = max(lost[-1].value.span.end, lost[-1].key_span.end)
    edits: list[Edit] = []
    at = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if text[at:start].strip(" "):
        return None
    while 0 <= at < end:
        stop = text.find("\n", at)
        if text[at : stop if stop >= 0 else end].strip():
            edits.append(Edit(Span(at, at), "    " if dash and edits else "  "))
        if len(edits) > _MOST_LINES:
            return None
        at = stop + 1 if stop >= 0 else end
    if dash:
        edits.append(Edit(Span(start, start), "- "))
    return Fix("indent it", tuple(edits), Applicability.UNSAFE)


def gathered(ctx: Context, items: tuple[Node, ...]) -> tuple[Node, ...]:
    """The items of a list of behaviors, with evaluations that stand among them below the empty `evaluations` of the
    behavior before them, after reporting each such place."""
    if not any(_is_evaluation(item) for item in items):
        return items
    kept: list[Node] = []
    at = 0
    while at < len(items):
        item = items[at]
        at += 1
        end = at
        while end < len(items) and _is_evaluation(items[end]):
            end += 1
        last = item.entries[-1] if isinstance(item, Mapping) and item.entries else None
        if isinstance(item, Mapping) and last is not None and end > at and _is_open(last):
            _report_evaluations(ctx, items[at], last)
            below = Sequence(Span(items[at].span.start, items[end - 1].span.end), items[at:end])
            item = Mapping(item.span, (*item.entries[:-1], Entry(last.key, last.key_span, below)), item.alias_of)
            at = end
        kept.append(item)
    return tuple(kept)


def _is_open(entry: Entry) -> bool:
    return entry.key == "evaluations" and entry.value.span.start == entry.value.span.end


def _is_evaluation(node: Node) -> bool:
    """Whether an item is an evaluation and no behavior."""
    if not isinstance(node, Mapping) or node.get("type") is None:
        return False
    return all(node.get(key) is None for key in ("actor", "action", "include"))


def _report_evaluations(ctx: Context, item: Node, owner: Entry) -> None:
    ctx.sink.report(
        "wrong-kind",
        "this evaluation stands among the behaviors, not below `evaluations`",
        item.entries[0].key_span if isinstance(item, Mapping) else item.span,
        "indented like the behaviors",
        also=(Label(owner.key_span, "so this is empty"),),
        helps=("indent the evaluations deeper than the `evaluations` they belong to",),
    )
