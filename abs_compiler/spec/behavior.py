"""One entry of `behaviors` or of a fragment: a behavior, an include, or a group.

Takes the node; gives a typed `Item`. A behavior with mistakes is still given (with empty names in place of what is
wrong), so that ids and references elsewhere are not reported for a mistake already reported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Label
from abs_compiler.spec.arguments import read_arguments
from abs_compiler.spec.groups import group_entry, read_group
from abs_compiler.spec.lost_indentation import gathered, mended
from abs_compiler.spec.model import Behavior, Capture, Include, Item, MatchesWhen, Name, Predicate, Value
from abs_compiler.spec.patterns import read_pattern
from abs_compiler.spec.reading import (
    Context,
    check_keys,
    lacking,
    missing,
    one_of,
    read_flag,
    read_list,
    read_mapping,
    read_name,
    reference_in_key,
    run_together,
    wrong_kind,
)
from abs_compiler.spec.references import is_name
from abs_compiler.spec.selectors import read_optional_name, read_status, warn_unknown_words
from abs_compiler.spec.values import Place, read_text_field, read_value
from abs_compiler.spec.vocabulary import BEHAVIOR_KEYS, BEHAVIOR_SYNONYMS
from abs_compiler.spec.walk import flattened
from abs_compiler.syntax import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

_SHAPE = "a behavior is a mapping such as `{actor: assistant, action: calls, target: Order MCP}`"
_LIST = "begin every behavior with `- `: `- actor: …`"
_TOOL_ACTORS = ("tool", "external")
_MATCHES_WHEN = {"contains": "value", "regex": "pattern", "llm_judge": "criteria"}
_HINTS = {
    "name": "a behavior is named by `id`, and what it calls by `target`",
    "ordered": "order is said by an evaluation: `evaluations: [{type: tool_call, ordered: false}]`",
    "include": "`include` stands alone in its entry: `- include: NAME`",
    "one_of": "a group stands alone in its entry: `- one_of: [[...], [...]]`",
    **dict.fromkeys(
        ("with_any", "with_all", "with_some", "with_exact", "with_exactly"),
        "`with` names some of the arguments of a call, `with_only` all of them",
    ),
    "type": "`type` belongs to an evaluation, under `evaluations`",
    "when": "`when` belongs to an evaluation, under `evaluations`",
    "match": "`match` belongs to the top level of the document, or to a chain evaluation",
}


def read_items(ctx: Context, node: Node, what: str, *helps: str, empty_ok: bool = False) -> tuple[Item, ...]:
    """The entries of a list of behaviors."""
    found = read_list(ctx, node, what, *(helps or (_LIST,)), empty_ok=empty_ok)
    if found is None:
        return ()
    items = (read_item(ctx, item) for item in gathered(ctx, found.items))
    return tuple(item for item in items if item is not None)


def read_item(ctx: Context, node: Node) -> Item | None:
    """One entry."""
    if not isinstance(node, Mapping):
        helps = [_SHAPE]
        if isinstance(node, Scalar) and isinstance(node.value, str):
            words = node.value.split()
            if len(words) == 2 and words[0] == "include":
                helps = [f"write `- include: {words[1]}` with a colon"]
        wrong_kind(ctx, node, "a behavior", "a mapping", *helps)
        return None
    if not node.entries:
        missing(ctx, node.span, "a behavior", ["actor", "action"], _SHAPE)
        return None
    included = node.entry("include")
    if included is not None and not _is_behavior(node):
        check_keys(ctx, node, ("include",), "an include", otherwise="`include` stands alone in its entry")
        name = read_name(ctx, included.value, "`include`", "write the name of a fragment")
        return None if name is None else Include(node.span, name)
    group = group_entry(node)
    if group is not None and not _is_behavior(node):
        return read_group(ctx, node, group, read_items)
    if not _is_behavior(node):
        from abs_compiler.spec.strange_shapes import report_strange_item  # most files need none of it

        if report_strange_item(ctx, node):
            return None
    return read_behavior(ctx, node)


def _is_behavior(node: Mapping) -> bool:
    return node.entry("actor") is not None or node.entry("action") is not None


def read_behavior(ctx: Context, node: Mapping) -> Behavior:
    """A behavior."""
    node = mended(ctx, node, BEHAVIOR_KEYS)
    meant = check_keys(
        ctx,
        node,
        BEHAVIOR_KEYS,
        "a behavior",
        synonyms=BEHAVIOR_SYNONYMS,
        hints=_HINTS,
        otherwise="remove it; arguments of a call belong under `with`",
    )
    missing(ctx, node.entries[0].key_span, "a behavior", lacking(node, ("actor", "action"), meant), _SHAPE)
    actor, action = _word(ctx, node, "actor"), _word(ctx, node, "action")
    warn_unknown_words(ctx, actor, action)
    content_entry = node.entry("content")
    requires = read_optional_name(ctx, node, "requires")
    optional_entry = node.entry("optional")
    optional = None if optional_entry is None else read_flag(ctx, optional_entry.value, "`optional`")
    evaluations = _read_evaluations(ctx, node)
    check_tool_calls(ctx, action, evaluations)
    status = read_status(ctx, node) if _status_fits(ctx, node, action) else None
    return Behavior(
        span=node.span,
        actor=actor,
        action=action,
        id=read_optional_name(ctx, node, "id"),
        target=read_optional_name(ctx, node, "target"),
        content=None if content_entry is None else _content(ctx, content_entry.value, actor, action),
        content_span=None if content_entry is None else content_entry.key_span,
        capture=_captures(ctx, node),
        arguments=read_arguments(ctx, node, "a behavior"),
        evaluations=evaluations,
        optional=bool(optional),
        requires=requires,
        matches_when=_matches_when(ctx, node),
        status=status,
        newer=_newer(node),
    )


def is_tool_response(actor: Name, action: Name) -> bool:
    """Whether content is compared: responses of tools and external systems."""
    return actor.text in _TOOL_ACTORS and action.text == "responds"


def _word(ctx: Context, node: Mapping, key: str) -> Name:
    return read_optional_name(ctx, node, key) or Name("", node.span)


def _content(ctx: Context, node: Node, actor: Name, action: Name) -> Value | None:
    value = read_value(ctx, node, Place.TOOL_CONTENT if is_tool_response(actor, action) else Place.CONTENT)
    if not isinstance(value, Predicate):
        return value
    from abs_compiler.spec.predicates import check_content  # slow to import, and many specs have no predicate

    return check_content(ctx, value)


def _captures(ctx: Context, owner: Mapping) -> tuple[Capture, ...]:
    node = owner.get("capture")
    if node is None:
        return ()
    mapping = read_mapping(ctx, node, "`capture`", "write names and values: `orderId: '12345'`")
    found: list[Capture] = []
    for entry in () if mapping is None else mapping.entries:
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
        elif not is_name(entry.key) and not run_together(ctx, [entry]):
            ctx.sink.report(
                "bad-reference",
                f"`{entry.key}` is not a name that `{{{{…}}}}` can mention",
                entry.key_span,
                "not a name",
                helps=("a name holds letters, digits and `_` and does not begin with a digit",),
            )
        value = read_value(ctx, entry.value, Place.CAPTURE)
        if value is not None:
            found.append(Capture(Name(entry.key, entry.key_span), value))
    return tuple(found)


def _matches_when(ctx: Context, owner: Mapping) -> MatchesWhen | None:
    entry = owner.entry("matches_when")
    if entry is None:
        return None
    shape = "write `{type: contains, value: …}`"
    mapping = read_mapping(ctx, entry.value, "`matches_when`", shape)
    if mapping is None:
        return None
    type_node = mapping.get("type")
    if type_node is None:
        if "type" not in run_together(ctx, mapping.entries):
            missing(ctx, mapping.entries[0].key_span, "`matches_when`", ["type"], shape)
        return None
    type_name = read_name(ctx, type_node, "`type`")
    if type_name is None or one_of(ctx, type_name, tuple(_MATCHES_WHEN), "`type` of `matches_when`") is None:
        return None
    field = _MATCHES_WHEN[type_name.text]
    where = f"`matches_when` of type `{type_name.text}`"
    others = {} if mapping.get(field) is not None else dict.fromkeys(("value", "pattern", "criteria", "text"), field)
    meant = check_keys(ctx, mapping, ("type", field), where, synonyms=others)
    missing(ctx, type_name.span, where, lacking(mapping, (field,), meant))
    value = read_pattern(ctx, mapping) if field == "pattern" else read_text_field(ctx, mapping, field)
    return MatchesWhen(entry.key_span, type_name, value)


def _read_evaluations(ctx: Context, node: Mapping) -> tuple[Evaluation, ...]:
    found = node.get("evaluations")
    if found is None:
        return ()
    from abs_compiler.spec.evaluation_types import STEP  # slow to import, and many specs have none
    from abs_compiler.spec.evaluations import read_evaluations

    return read_evaluations(ctx, found, STEP)


def check_tool_calls(ctx: Context, action: Name, evaluations: tuple[Evaluation, ...]) -> None:
    """`tool_call` looks at a call, so it stands at `calls` behaviors only, compositions included."""
    if not action.text or action.text == "calls":
        return
    for found in flattened(evaluations):
        if found.type.text == "tool_call":
            ctx.sink.report(
                "misplaced-evaluation",
                f"`tool_call` cannot stand at a behavior whose action is `{action.text}`",
                found.type.span,
                "it checks a call",
                also=(Label(action.span, "not `calls`"),),
                helps=("move it to a behavior with `action: calls`",),
            )


def _status_fits(ctx: Context, node: Mapping, action: Name) -> bool:
    entry = node.entry("status")
    if entry is None or action.text in ("", "calls", "responds"):
        return True
    ctx.sink.report(
        "bad-value",
        "`status` belongs to `calls` and `responds` behaviors",
        entry.key_span,
        f"the action here is `{action.text}`",
        helps=("remove it: only a call has an outcome",),
    )
    return False


def _newer(node: Mapping) -> tuple[Name, ...]:
    """What this behavior uses of version 0.2, with the places."""
    found = [
        Name(entry.key, entry.key_span)
        for entry in node.entries
        if entry.key in ("optional", "requires", "matches_when")
    ]
    evaluations = node.get("evaluations")
    return tuple(found) + (() if evaluations is None else newer_in_evaluations(evaluations))


def newer_in_evaluations(node: Node) -> tuple[Name, ...]:
    """`when` and `expected`, at any depth of a list of evaluations."""
    found: list[Name] = []
    if not isinstance(node, Sequence):
        return ()
    for item in node.items:
        if not isinstance(item, Mapping):
            continue
        for entry in item.entries:
            if entry.key == "when":
                found.append(Name("when", entry.key_span))
            elif entry.key == "type" and isinstance(entry.value, Scalar) and entry.value.value == "expected":
                found.append(Name("expected", entry.value.span))
            elif entry.key == "evaluations":
                found.extend(newer_in_evaluations(entry.value))
    return tuple(found)
