"""Values: a tree node in, a typed value out.

Here the three reserved mappings `$is`, `$literal` and `$from` are recognised, before any variable is substituted,
and references are found in texts. `Place` says what a value stands in, which decides what is allowed there.
Values without references or predicates become one `Literal`, however deep.
"""

from __future__ import annotations

import enum

from abs_compiler.diagnostics import Help, Label
from abs_compiler.spec.model import (
    ArrayValue,
    FromPath,
    Literal,
    ObjectValue,
    Predicate,
    Reference,
    Text,
    Value,
    ValueEntry,
)
from abs_compiler.spec.reading import Context, a_kind, read_text, reference_in_key, replacement
from abs_compiler.spec.references import split_text
from abs_compiler.spec.suggest import nearest
from abs_compiler.spec.unquoted import quote_to_end, quote_word
from abs_compiler.syntax import Entry, JsonValue, Mapping, Node, Scalar, Sequence, to_json

IS, LITERAL, FROM = "$is", "$literal", "$from"
_QUOTE_IT = "quote the whole predicate: `{$is: '…'}`"


class Place(enum.Enum):
    """What a value stands in."""

    ARGUMENTS = "an argument"
    TOOL_CONTENT = "the content of a tool response"
    TOOL_CONTENT_ARRAY = "a list in the content of a tool response"
    CONTENT = "content that is not compared"
    CAPTURE = "a capture"
    CAPTURE_PART = "a part of a captured value"
    EVALUATION = "an evaluation"


_NO_PREDICATE = {
    Place.TOOL_CONTENT_ARRAY: (
        "lists in `content` are compared by type only, so this would never be looked at",
        "say it of the whole list: `{$is: 'array each …'}`",
    ),
    Place.CONTENT: (
        "the content of this behavior is not compared",
        "check what was said with an evaluation such as `contains` or `regex`",
    ),
    Place.CAPTURE: ("a capture gives a name to one value", "write the value itself"),
    Place.CAPTURE_PART: ("a capture gives a name to one value", "write the value itself"),
    Place.EVALUATION: (
        "evaluations compare with plain values",
        "test arguments in `with`, and the content of a tool response in `content`",
    ),
}


def read_value(ctx: Context, node: Node, place: Place) -> Value | None:
    """The value of a node; None after reporting what is wrong with it or with a part of it."""
    match node:
        case Scalar(value=str() as text):
            return _text_value(ctx, node, text)
        case Scalar():
            return Literal(node.span, node.value)
        case Sequence():
            return _array(ctx, node, place)
        case Mapping():
            return _mapping(ctx, node, place)


def read_text_value(ctx: Context, scalar: Scalar, text: str) -> Value | None:
    """The value of a text that may hold references."""
    return _text_value(ctx, scalar, text)


def read_text_field(ctx: Context, mapping: Mapping, key: str, *helps: str) -> Value | None:
    """A text in which references are resolved."""
    node = mapping.get(key)
    if node is None:
        return None
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return read_text_value(ctx, node, node.value)
    read_text(ctx, node, f"`{key}`", *helps)
    return None


def reserved_key(node: Node) -> str | None:
    """`$is` or `$literal` where a mapping holds that key, `$from` where it is the only one; else None."""
    if not isinstance(node, Mapping):
        return None
    for key in (IS, LITERAL):
        if node.entry(key) is not None:
            return key
    return FROM if len(node.entries) == 1 and node.entries[0].key == FROM else None


def read_predicate(ctx: Context, node: Mapping, *, whole: bool = False) -> Predicate | None:
    """The predicate of `{$is: text}`; `whole` says that it tests all arguments."""
    entry = _only_entry(ctx, node, IS)
    if entry is None:
        return None
    value = entry.value
    if not isinstance(value, Scalar) or not isinstance(value.value, str):
        advice = quote_word(value) if isinstance(value, Scalar) and value.text else _QUOTE_IT
        ctx.sink.report(
            "predicate-not-text",
            "`$is` takes a predicate written as text",
            value.span if not _is_blank(value) else entry.key_span,
            f"this is {a_kind(value)}",
            helps=(advice,),
        )
        return None
    if not value.value.strip():
        ctx.sink.report(
            "predicate-syntax",
            "the predicate of `$is` is empty",
            value.span if value.span.end > value.span.start else entry.key_span,
            "no text reaches it",
            helps=("quote the predicate: an unquoted `>` begins a block of text in YAML",),
        )
        return None
    from abs_compiler.spec.predicates import parse_predicate  # slow to import, and many specs have none

    return parse_predicate(ctx, node.span, value, value.value, whole=whole)


def read_literal(ctx: Context, node: Mapping) -> Node | None:
    """What `{$literal: X}` wraps."""
    entry = _only_entry(ctx, node, LITERAL)
    return None if entry is None else entry.value


def _is_blank(node: Node) -> bool:
    return node.span.end <= node.span.start


def _only_entry(ctx: Context, node: Mapping, key: str) -> Entry | None:
    """The entry of a reserved key, which must stand alone in its mapping."""
    entry = node.entry(key)
    if entry is None or len(node.entries) == 1:
        return entry
    others = [other for other in node.entries if other.key != key]
    code = "extra-keys-beside-is" if key == IS else "extra-keys-beside-literal"
    helps: list[str | Help] = [
        f"remove the other key{'s' if len(others) > 1 else ''}, or keep `{key}` out of this mapping"
    ]
    if key == IS:
        quotes = None if ctx.sink.source is None else quote_to_end(ctx.sink.source, node, entry)
        helps.append(quotes or "quote the predicate if it holds a comma: `{$is: 'in [1, 2]'}`")
    ctx.sink.report(
        code,
        f"`{key}` must be the only key of its mapping",
        others[0].key_span,
        f"`{others[0].key}` stands beside it",
        also=(Label(entry.key_span, "here"),),
        helps=helps,
    )
    return None


def _text_value(ctx: Context, scalar: Scalar, text: str) -> Value | None:
    pieces = split_text(ctx, scalar, text)
    if pieces is None:
        return None
    if all(isinstance(piece, str) for piece in pieces):
        return Literal(scalar.span, text)
    if len(pieces) == 1 and isinstance(pieces[0], Reference):
        return pieces[0]
    return Text(scalar.span, pieces)


def _below(place: Place) -> Place:
    """What the parts of a value stand in."""
    return Place.CAPTURE_PART if place is Place.CAPTURE else place


def _array(ctx: Context, node: Sequence, place: Place) -> Value | None:
    inside = Place.TOOL_CONTENT_ARRAY if place is Place.TOOL_CONTENT else _below(place)
    items = [_present(ctx, read_value(ctx, item, inside)) for item in node.items]
    sound = [item for item in items if item is not None]
    if len(sound) < len(items):
        return None
    constants = [item.value for item in sound if isinstance(item, Literal)]
    if len(constants) == len(sound):
        return Literal(node.span, constants)
    return ArrayValue(node.span, tuple(sound))


def _present(ctx: Context, item: Value | None) -> Value | None:
    """An item of a list; one that may be absent is reported, since items are always there."""
    if not isinstance(item, Predicate):
        return item
    from abs_compiler.predicate import admits_absent

    if not admits_absent(item.tree):
        return item
    ctx.sink.report(
        "misplaced-absent",
        "an item of a list cannot be absent",
        item.span,
        "this admits `absent`",
        helps=("leave `absent` out, or say it of the whole list: `{$is: 'array length <= 2'}`",),
    )
    return None


def _mapping(ctx: Context, node: Mapping, place: Place) -> Value | None:
    match reserved_key(node):
        case "$is":
            return _placed_predicate(ctx, node, place)
        case "$literal":
            wrapped = read_literal(ctx, node)
            return None if wrapped is None else Literal(node.span, to_json(wrapped))
        case "$from":
            return _placed_from(ctx, node.entries[0], place)
    _warn_nearly_reserved(ctx, node)
    entries = read_entries(ctx, node, place)
    if entries is None:
        return None
    constants: dict[str, JsonValue] = {
        entry.key: entry.value.value for entry in entries if isinstance(entry.value, Literal)
    }
    if len(constants) == len(entries):
        return Literal(node.span, constants)
    return ObjectValue(node.span, entries)


def _warn_nearly_reserved(ctx: Context, node: Mapping) -> None:
    """A mapping whose only key is nearly `$is` or another reserved key is probably meant to be one."""
    if len(node.entries) != 1:
        return
    entry = node.entries[0]
    meant = reserved_key_meant(entry.key)
    if meant is None:
        return
    written = "spaces do not belong to it" if entry.key.strip() == meant else f"the reserved key is written `{meant}`"
    ctx.sink.report(
        "near-miss-names",
        f"`{entry.key}` is taken for an ordinary key",
        entry.key_span,
        written,
        helps=(
            Help(f"write `{meant}`", replacement(ctx, entry.key_span, meant)),
            f"to mean the mapping itself, wrap it: `{{$literal: {{{entry.key}: …}}}}`",
        ),
    )


def reserved_key_meant(key: str) -> str | None:
    """The reserved key that another key is a slip of: `$IS`, `$ is`, `$si`, `is$`, `$lit`, `$litteral`; None for any
    other."""
    written = key.strip().lower().replace("$ ", "$")
    if written in ("$iss", "$iis", "is$", "_is", "$_is", "$$is"):
        return IS
    if not written.startswith("$") or key in (IS, LITERAL, FROM):
        return None
    if written in ("$lit", "$lits", "$literals"):
        return LITERAL
    letters = sorted(written)
    for reserved in (IS, LITERAL, FROM):
        if letters == sorted(reserved) or (reserved == LITERAL and nearest(written, (LITERAL,)) is not None):
            return reserved
    return None


def read_entries(ctx: Context, node: Mapping, place: Place) -> tuple[ValueEntry, ...] | None:
    """The entries of an ordinary mapping; None when a key or value was wrong."""
    found: list[ValueEntry] = []
    sound = True
    for entry in node.entries:
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
            sound = False
        value = read_value(ctx, entry.value, _below(place))
        if value is None:
            sound = False
        else:
            found.append(ValueEntry(entry.key, entry.key_span, value))
    return tuple(found) if sound else None


def _placed_predicate(ctx: Context, node: Mapping, place: Place) -> Predicate | None:
    predicate = read_predicate(ctx, node)
    why = _NO_PREDICATE.get(place)
    if predicate is None or why is None:
        return predicate
    ctx.sink.report(
        "misplaced-predicate",
        f"a predicate cannot stand in {place.value}",
        node.span,
        why[0],
        helps=(why[1], "to mean the mapping itself, wrap it: `{$literal: {$is: …}}`"),
    )
    return None


def _placed_from(ctx: Context, entry: Entry, place: Place) -> FromPath | None:
    value = entry.value
    if place is not Place.CAPTURE:
        inside = place is Place.CAPTURE_PART
        ctx.sink.report(
            "misplaced-from",
            "`$from` is a captured value as a whole, not a part of one"
            if inside
            else "`$from` takes a value from an event in `capture` only",
            entry.key_span,
            f"this is {place.value}",
            helps=(
                "give each part a name of its own: `capture: {name: {$from: …}}`"
                if inside
                else "capture the value under a name and write `{{name}}` here",
                "to mean the mapping itself, wrap it: `{$literal: {$from: …}}`",
            ),
        )
        return None
    if not isinstance(value, Scalar) or not isinstance(value.value, str):
        ctx.sink.report(
            "wrong-kind",
            f"`$from` must be text, not {a_kind(value)}",
            value.span,
            f"this is {a_kind(value)}",
            helps=("write a path: `content.items[0].id` or `with.orderId`",),
        )
        return None
    return FromPath(value.span, value.value)
