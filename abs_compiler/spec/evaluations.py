"""Evaluations: the list under `evaluations`, at step level, at chain level and inside compositions.

Takes the nodes; gives typed `Evaluation`s with their required fields and kinds checked. Which behaviors and names
they mention is checked after fragments are expanded, not here.
"""

from __future__ import annotations

import attrs

from abs_compiler.spec.checks import read_check
from abs_compiler.spec.evaluation_model import Check, Composition, Evaluation, ToolCall, When
from abs_compiler.spec.evaluation_types import CHAIN, COMPOSITIONS, TYPES, EvaluationType
from abs_compiler.spec.lost_indentation import mended
from abs_compiler.spec.model import Name, Number
from abs_compiler.spec.reading import (
    Context,
    lacking,
    missing,
    read_flag,
    read_list,
    read_mapping,
    read_name,
    read_text,
    run_together,
    wrong_kind,
)
from abs_compiler.spec.when import read_when
from abs_compiler.syntax import Mapping, Node, Scalar

_SHAPE = "an evaluation is a mapping such as `{type: contains, value: …}`"


def read_evaluations(ctx: Context, node: Node, level: str, *, inside: str = "") -> tuple[Evaluation, ...]:
    """The evaluations of a list; `inside` names the composition they stand in."""
    what = f"`evaluations` of `{inside}`" if inside else "`evaluations`"
    found = read_list(ctx, node, what, "write a list: `- type: …`", empty_ok=not inside)
    if found is None:
        return ()
    within = attrs.evolve(ctx, in_evaluation=True)
    evaluations = (_read_evaluation(within, item, level, inside) for item in found.items)
    return tuple(item for item in evaluations if item is not None)


def _read_evaluation(ctx: Context, node: Node, level: str, inside: str) -> Evaluation | None:
    mapping = read_mapping(ctx, node, "an evaluation", _SHAPE)
    if mapping is None:
        return None
    type_node = mapping.get("type")
    if type_node is None:
        if "type" not in run_together(ctx, mapping.entries):
            missing(ctx, mapping.entries[0].key_span, "an evaluation", ["type"], _SHAPE)
        return None
    type_name = read_name(ctx, type_node, "`type`")
    if type_name is None:
        return None
    kind = TYPES.get(type_name.text)
    if kind is None:
        from abs_compiler.spec.unknown_types import report_unknown_type  # most files need none of it

        report_unknown_type(ctx, mapping, type_name, level)
        return None
    mapping = mended(ctx, mapping, kind.known)
    misplaced = _report_level(ctx, type_name, kind, level)
    meant: set[str] = set()
    if any(entry.key not in kind.known for entry in mapping.entries):
        from abs_compiler.spec.foreign_fields import check_fields  # most files need none of it

        meant = check_fields(ctx, mapping, kind)
    common = _common(ctx, mapping, kind)
    missing(ctx, type_name.span, f"`{kind.name}`", lacking(mapping, kind.required, meant))
    incomplete = any(mapping.get(key) is None for key in kind.required)
    if kind.name in COMPOSITIONS:
        children = mapping.get("evaluations")
        nested = () if children is None else read_evaluations(ctx, children, level, inside=kind.name)
        check: Check | None = Composition(nested) if nested else None
    else:
        read = read_check(ctx, mapping, kind, meant)
        check = None if incomplete else read
    if isinstance(check, ToolCall) and check.ordered is False:
        _check_ordered_false(ctx, mapping, check, level, inside)
    if misplaced:
        return None
    threshold, when, blocking = common
    if blocking and level == CHAIN:
        _warn_blocking(ctx, mapping)
    texts = {key: _common_text(ctx, mapping, key) for key in ("adapter", "dataset", "prompt")}
    return Evaluation(type_name, mapping.span, check, blocking, threshold, when, **texts)


def _common_text(ctx: Context, mapping: Mapping, key: str) -> Name | None:
    node = mapping.get(key)
    if node is None:
        return None
    # a prompt is a template of the adapter: its braces are none of ours
    return read_text(ctx, node, f"`{key}`") if key == "prompt" else read_name(ctx, node, f"`{key}`")


def _report_level(ctx: Context, found: Name, kind: EvaluationType, level: str) -> bool:
    """Report a type at the wrong level; the answer is whether it was."""
    if level in kind.levels:
        return False
    if level == CHAIN:
        message = f"`{kind.name}` looks at one step, so it cannot stand at the session"
        label = "no single step here"
        help_ = "move it under `evaluations` of the behavior it checks"
    else:
        message = f"`{kind.name}` looks at the whole run, so it cannot stand at a behavior"
        label = "a behavior is one step"
        help_ = "move it under `evaluations` at the top level of the document"
    ctx.sink.report("misplaced-evaluation", message, found.span, label, helps=(help_,))
    return True


def _common(ctx: Context, mapping: Mapping, kind: EvaluationType) -> tuple[Number | None, When | None, bool]:
    threshold_node, when_node, blocking_node = (mapping.get(key) for key in ("threshold", "when", "blocking"))
    threshold = None if threshold_node is None else _threshold(ctx, threshold_node)
    entry = mapping.entry("threshold")
    if threshold is not None and entry is not None and not kind.scored:
        ctx.sink.report(
            "unknown-evaluation-field",
            f"`threshold` means nothing for `{kind.name}`",
            entry.key_span,
            "this type holds or fails, it has no score",
            helps=("put it on `all_of`, `any_of`, `none_of` or on a type that a judge scores",),
        )
    when = None
    if isinstance(when_node, Scalar) and isinstance(when_node.value, str):
        when = read_when(ctx, when_node, when_node.value)
    elif when_node is not None:
        written = when_node.text if isinstance(when_node, Scalar) and when_node.text else "…"
        wrong_kind(ctx, when_node, "`when`", "text", f"quote the condition: `when: '{written}'`")
    blocking = None if blocking_node is None else read_flag(ctx, blocking_node, "`blocking`")
    return threshold, when, bool(blocking)


def _warn_blocking(ctx: Context, mapping: Mapping) -> None:
    entry = mapping.entry("blocking")
    if entry is not None:
        ctx.sink.report(
            "unknown-evaluation-field",
            "`blocking` means nothing at the session",
            entry.key_span,
            "no later step builds on a check of the whole run",
            helps=("remove it",),
        )


def _threshold(ctx: Context, node: Node) -> Number | None:
    value = node.value if isinstance(node, Scalar) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        wrong_kind(ctx, node, "`threshold`", "a number from 0 to 1")
        return None
    if not 0 <= value <= 1:
        ctx.sink.report(
            "bad-value",
            "`threshold` must be from 0 to 1",
            node.span,
            "outside that range",
            helps=("scores run from 0 to 1",),
        )
        return None
    return Number(value, node.span)


def _check_ordered_false(ctx: Context, mapping: Mapping, check: ToolCall, level: str, inside: str) -> None:
    """`ordered: false` shapes the session, so it stands at a calls behavior, unconditionally."""
    if level == CHAIN:
        why = "the session has no run of calls that it could end"
    elif inside:
        why = f"inside `{inside}` it cannot shape the session"
    elif mapping.get("when") is not None:
        why = "with `when`, the shape of the session would depend on a binding"
    else:
        return
    ctx.sink.report(
        "misplaced-ordered-false",
        "`ordered: false` cannot stand here",
        check.ordered_span,
        why,
        helps=("put `{type: tool_call, ordered: false}` on the last call of the run, by itself",),
    )
