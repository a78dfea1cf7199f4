"""Selectors: which events a chain evaluation looks at.

Takes the node after `match`, `after`, `by` or in `order`; gives a typed `Selector`, or None after reporting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Help
from abs_compiler.spec.arguments import read_arguments
from abs_compiler.spec.model import Name
from abs_compiler.spec.reading import Context, check_keys, near_help, one_of, read_mapping, read_name, replacement
from abs_compiler.spec.vocabulary import (
    ACTION_SYNONYMS,
    ACTIONS,
    ACTOR_SYNONYMS,
    ACTORS,
    BEHAVIOR_SYNONYMS,
    SELECTOR_KEYS,
    STATUSES,
)
from abs_compiler.syntax import Mapping, Node

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Selector

_SYNONYMS = {word: key for word, key in BEHAVIOR_SYNONYMS.items() if key in SELECTOR_KEYS}
_SHAPE = "a selector is a mapping such as `{actor: assistant, action: calls, target: Order MCP}`"


def read_selector(ctx: Context, node: Node, what: str) -> Selector | None:
    """The selector a node states."""
    from abs_compiler.spec.evaluation_model import Selector  # slow to import, and many specs have none

    mapping = read_mapping(ctx, node, what, _SHAPE)
    if mapping is None:
        return None
    check_keys(ctx, mapping, SELECTOR_KEYS, "a selector", synonyms=_SYNONYMS)
    names = {key: read_optional_name(ctx, mapping, key) for key in ("actor", "action", "target")}
    warn_unknown_words(ctx, names["actor"], names["action"])
    arguments = read_arguments(ctx, mapping, "a selector")
    status = read_status(ctx, mapping)
    return Selector(mapping.span, names["actor"], names["action"], names["target"], arguments, status)


def read_optional_name(ctx: Context, mapping: Mapping, key: str) -> Name | None:
    """The name under a key that may be left out."""
    node = mapping.get(key)
    return None if node is None else read_name(ctx, node, f"`{key}`")


def read_status(ctx: Context, mapping: Mapping) -> Name | None:
    """`status: ok | error`."""
    found = read_optional_name(ctx, mapping, "status")
    if found is None or one_of(ctx, found, STATUSES, "`status`") is None:
        return None
    return found


def warn_unknown_words(ctx: Context, actor: Name | None, action: Name | None) -> None:
    """Warn about an actor or action outside the vocabulary: allowed, but mostly a typing mistake."""
    if actor is not None and actor.text and actor.text not in ACTORS:
        _warn(ctx, "unknown-actor", actor, ACTORS, "no actor of the language")
    if action is not None and action.text and action.text not in ACTIONS:
        _warn(ctx, "unknown-action", action, ACTIONS, "no action of the language, so it has no category")


def _warn(ctx: Context, code: str, found: Name, known: tuple[str, ...], label: str) -> None:
    word = code.removeprefix("unknown-")
    otherwise = f"only events with exactly this {word} match; keep it if your agent reports it"
    meant = {**ACTOR_SYNONYMS, **ACTION_SYNONYMS}.get(found.text.lower())
    help_ = near_help(ctx, found, known, f"a known {word}", otherwise)
    if meant in known:
        help_ = Help(f"the {word} is called `{meant}` in this language", replacement(ctx, found.span, meant))
    ctx.sink.report(code, f"unknown {word} `{found.text}`", found.span, label, helps=(help_,))
