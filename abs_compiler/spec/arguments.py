"""`with` and `with_only`, wherever they stand: on behaviors, on `tool_call` evaluations, in selectors.

Takes the mapping that may hold them; gives the typed `Arguments`, or None when neither is there or one is wrong.
"""

from __future__ import annotations

from abs_compiler.spec.model import Arguments, Literal, ValueEntry
from abs_compiler.spec.reading import Context, also, read_mapping, report_empty, wrong_kind
from abs_compiler.spec.values import Place, read_entries, read_literal, read_predicate, reserved_key
from abs_compiler.syntax import Entry, Mapping, Node, to_json

_EMPTY_HELP = "leave the key out to accept any arguments; `with: {$is: 'length == 0'}` demands a call without arguments"


def read_arguments(ctx: Context, owner: Mapping, where: str) -> Arguments | None:
    """The argument constraint of a behavior, a `tool_call` or a selector."""
    partial, strict = owner.entry("with"), owner.entry("with_only")
    if partial is not None and strict is not None:
        first, second = sorted((partial, strict), key=lambda entry: entry.key_span.start)
        ctx.sink.report(
            "with-and-with-only",
            f"{where} has both `with` and `with_only`",
            second.key_span,
            f"`{second.key}` here",
            also=also(first.key_span, f"`{first.key}` here"),
            helps=("keep `with` to allow further arguments, `with_only` to refuse them",),
        )
        _read(ctx, partial, False)
        _read(ctx, strict, True)
        return None
    entry = partial or strict
    return None if entry is None else _read(ctx, entry, entry is strict)


def _read(ctx: Context, entry: Entry, only: bool) -> Arguments | None:
    node = entry.value
    match reserved_key(node):
        case "$is" if isinstance(node, Mapping):
            return _whole_predicate(ctx, entry, node, only)
        case "$literal" if isinstance(node, Mapping):
            wrapped = read_literal(ctx, node)
            return None if wrapped is None else _literal(ctx, entry, wrapped, only)
    mapping = _mapping(ctx, node, entry.key)
    if mapping is None:
        return None
    keys = read_entries(ctx, mapping, Place.ARGUMENTS)
    return None if keys is None else Arguments(entry.key_span, only, keys)


def _mapping(ctx: Context, node: Node, key: str) -> Mapping | None:
    if isinstance(node, Mapping) and not node.entries:
        report_empty(ctx, node, f"`{key}`", "argument", _EMPTY_HELP)
        return None
    return read_mapping(ctx, node, f"`{key}`", "write argument names and values: `orderId: '12345'`")


def _whole_predicate(ctx: Context, entry: Entry, node: Mapping, only: bool) -> Arguments | None:
    predicate = read_predicate(ctx, node, whole=True)
    if predicate is None:
        return None
    if only:
        ctx.sink.report(
            "misplaced-predicate",
            "a predicate cannot be the whole `with_only`",
            node.span,
            "names no keys, so nothing could be exact about them",
            helps=("write `with: {$is: …}`, or one predicate for each argument",),
        )
        return None
    return Arguments(entry.key_span, only, (), predicate)


def _literal(ctx: Context, entry: Entry, wrapped: Node, only: bool) -> Arguments | None:
    """`{$literal: {…}}`: every value is taken as it is, braces and reserved keys included."""

    if not isinstance(wrapped, Mapping):
        wrong_kind(ctx, wrapped, f"`$literal` as the whole `{entry.key}`", "a mapping")
        return None
    mapping = _mapping(ctx, wrapped, entry.key)
    if mapping is None:
        return None
    keys = tuple(
        ValueEntry(item.key, item.key_span, Literal(item.value.span, to_json(item.value))) for item in mapping.entries
    )
    return Arguments(entry.key_span, only, keys)
