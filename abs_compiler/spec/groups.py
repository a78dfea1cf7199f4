"""Groups as entries of `behaviors`: `unordered`, `ordered`, `one_of`, `repeat`.

Takes the mapping of the entry; gives a typed `Group`. The reader of nested entries is handed in, because groups,
fragments and documents all hold the same kind of list.
"""

from __future__ import annotations

from collections.abc import Callable

from abs_compiler.spec.model import Group, Item, Name
from abs_compiler.spec.reading import (
    Context,
    check_keys,
    lacking,
    missing,
    read_count,
    read_list,
    read_mapping,
    report_reversed,
)
from abs_compiler.spec.vocabulary import GROUP_KEYS, REPEAT_KEYS
from abs_compiler.syntax import Entry, Mapping, Node, Scalar

_BOUNDS = {
    **dict.fromkeys(("minimum", "at_least", "atLeast"), "min"),
    **dict.fromkeys(("maximum", "at_most", "atMost", "limit"), "max"),
}
_HINTS = dict.fromkeys(("times", "count", "exactly", "n"), "for an exact number, write both bounds: `min: 2, max: 2`")
ANY_ORDER = (
    "behaviors happen in the order of the list; for calls in any order, list them one after the other, the last with "
    "`evaluations: [{type: tool_call, ordered: false}]`"
)
ReadItems = Callable[[Context, Node, str], tuple[Item, ...]]


def group_entry(node: Mapping) -> Entry | None:
    """The entry that makes a mapping a group."""
    for entry in node.entries:
        if entry.key in GROUP_KEYS:
            return entry
    return None


def read_group(ctx: Context, node: Mapping, entry: Entry, read_items: ReadItems) -> Group:
    """A group; nested entries are read with `read_items`."""
    kind = Name(entry.key, entry.key_span)
    if isinstance(entry.value, Scalar) and isinstance(entry.value.value, bool):
        _report_flag(ctx, entry)
        return Group(node.span, kind, ())
    check_keys(ctx, node, (entry.key,), f"`{entry.key}`", otherwise="a group stands alone in its entry")
    match entry.key:
        case "one_of":
            return Group(node.span, kind, _alternatives(ctx, entry, read_items))
        case "repeat":
            return _repeat(ctx, node, entry, kind, read_items)
        case _:
            return Group(node.span, kind, (read_items(ctx, entry.value, f"`{entry.key}`"),))


def _report_flag(ctx: Context, entry: Entry) -> None:
    """Whoever writes `ordered: false` and a list beside it has one finding: the list is not wrong by itself."""
    ctx.sink.report(
        "wrong-kind",
        f"`{entry.key}` takes a list, not a boolean",
        entry.value.span,
        "this is a boolean",
        helps=(ANY_ORDER,) if entry.key in ("ordered", "unordered") else (),
    )


def _alternatives(ctx: Context, entry: Entry, read_items: ReadItems) -> tuple[tuple[Item, ...], ...]:
    found = read_list(ctx, entry.value, "`one_of`", "write a list of lists: `[[...], [...]]`")
    if found is None:
        return ()
    if len(found.items) < 2:
        ctx.sink.report(
            "bad-value",
            "`one_of` takes two alternatives or more",
            entry.key_span,
            "only one here",
            helps=("add an alternative, or write the behaviors without `one_of`",),
        )
    return tuple(read_items(ctx, item, "an alternative of `one_of`") for item in found.items)


def _repeat(ctx: Context, node: Mapping, entry: Entry, kind: Name, read_items: ReadItems) -> Group:
    mapping = read_mapping(ctx, entry.value, "`repeat`", "write `{min: 1, max: 3, behaviors: [...]}`")
    if mapping is None:
        return Group(node.span, kind, ())
    meant = check_keys(ctx, mapping, REPEAT_KEYS, "`repeat`", synonyms=_BOUNDS, hints=_HINTS)
    bounds = {
        key: None if (bound := mapping.get(key)) is None else read_count(ctx, bound, f"`{key}`", least)
        for key, least in (("min", 0), ("max", 1))
    }
    report_reversed(ctx, bounds["min"], bounds["max"])
    body = mapping.get("behaviors")
    if body is None:
        missing(ctx, entry.key_span, "`repeat`", lacking(mapping, ("behaviors",), meant))
        return Group(node.span, kind, (), bounds["min"], bounds["max"])
    items = read_items(ctx, body, "`behaviors` of `repeat`")
    return Group(node.span, kind, (items,), bounds["min"], bounds["max"])
