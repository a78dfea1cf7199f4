"""`match:` at the top level of a document.

Takes the node; gives typed `MatchOptions`, with nothing said in place of what was wrong.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Help
from abs_compiler.spec.model import MatchOptions, Name, TargetNames
from abs_compiler.spec.reading import (
    Context,
    check_keys,
    one_of,
    read_count,
    read_flag,
    read_list,
    read_name,
    reference_in_key,
    replacement,
    wrong_kind,
)
from abs_compiler.spec.vocabulary import MATCH_KEYS
from abs_compiler.syntax import Mapping, Node, Scalar

_EXTRAS = ("allow", "forbid")
_LIKE_EXTRAS = {"forbid": ("none", "no", "never", "deny", "disallow", "reject"), "allow": ("any", "all", "yes")}
_SYNONYMS = {"max_extras": "extras", "extra_calls": "extras", "ignored": "ignore"}
_HINTS = dict.fromkeys(
    ("strict", "allow_extras", "allow_extra", "forbid_extras", "no_extras"),
    "whether there may be other calls is said by `extras: allow` and `extras: forbid`",
)
_OBSERVE = ("all", "tools")


def read_match_options(ctx: Context, node: Node) -> MatchOptions:
    """The options a `match` mapping states."""
    if not isinstance(node, Mapping):
        wrong_kind(ctx, node, "`match`", "a mapping", "write options: `match: {extras: forbid}`")
        return MatchOptions()
    check_keys(ctx, node, MATCH_KEYS, "`match`", synonyms=_SYNONYMS, hints=_HINTS)
    nodes = {key: node.get(key) for key in MATCH_KEYS}
    extras, ignore, targets, observe, allow_empty = (nodes[key] for key in MATCH_KEYS)
    flag = None if allow_empty is None else read_flag(ctx, allow_empty, "`allow_empty`")
    return MatchOptions(
        extras=None if extras is None else _extras(ctx, extras),
        ignore=() if ignore is None else _names(ctx, ignore, "`ignore`", empty_ok=True),
        targets=() if targets is None else _targets(ctx, targets),
        observe=None if observe is None else _word(ctx, observe, "`observe`", _OBSERVE),
        allow_empty=bool(flag),
    )


def _extras(ctx: Context, node: Node) -> int | None:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        meant = next((word for word, others in _LIKE_EXTRAS.items() if node.value.lower() in others), None)
        if meant is not None:
            help_ = Help(f"the word is `{meant}`", replacement(ctx, node.span, meant))
            ctx.sink.report(
                "bad-value", f"`extras` cannot be `{node.value}`", node.span, "not a known word", helps=(help_,)
            )
            return None
        word = _word(ctx, node, "`extras`", _EXTRAS, "or write how many are allowed, as a number")
        return 0 if word == "forbid" else None
    if isinstance(node, Scalar) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        count = read_count(ctx, node, "`extras`", 0)
        return None if count is None else int(count.value)
    advice = "write how many calls may be left over"
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        advice = f"write `{'allow' if node.value else 'forbid'}`"
    wrong_kind(ctx, node, "`extras`", "`allow`, `forbid` or a number", advice)
    return None


def _word(ctx: Context, node: Node, what: str, known: tuple[str, ...], *helps: str) -> str | None:
    found = read_name(ctx, node, what)
    return None if found is None else one_of(ctx, found, known, what, *helps)


def _names(ctx: Context, node: Node, what: str, *, empty_ok: bool = False) -> tuple[Name, ...]:
    found = read_list(ctx, node, what, "write a list of tool names: `[get_order, 'orders/*']`", empty_ok=empty_ok)
    if found is None:
        return ()
    names = (read_name(ctx, item, f"a name in {what}") for item in found.items)
    return tuple(name for name in names if name is not None)


def _targets(ctx: Context, node: Node) -> tuple[TargetNames, ...]:
    if not isinstance(node, Mapping):
        wrong_kind(ctx, node, "`targets`", "a mapping", "write `targets: {Order MCP: [get_order]}`")
        return ()
    found: list[TargetNames] = []
    for entry in node.entries:
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
        names = _names(ctx, entry.value, f"`targets` of `{entry.key}`")
        if names:
            found.append(TargetNames(Name(entry.key, entry.key_span), names))
    return tuple(found)
