"""The fields that an evaluation type has of its own: one reader a type.

Takes the mapping of an evaluation and its type; gives the typed check, or None when a field was missing or wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from abs_compiler.spec.arguments import read_arguments
from abs_compiler.spec.evaluation_model import (
    Check,
    Contains,
    Deferred,
    ExactMatch,
    Expected,
    InSequence,
    Occurs,
    Preceded,
    Regex,
    Schema,
    Selector,
    ToolCall,
    VariableConsistency,
    Within,
)
from abs_compiler.spec.evaluation_types import EvaluationType
from abs_compiler.spec.json_schema import read_schema
from abs_compiler.spec.model import Number
from abs_compiler.spec.patterns import read_pattern
from abs_compiler.spec.reading import (
    Context,
    read_count,
    read_flag,
    read_list,
    read_name,
    read_text,
    report_reversed,
    wrong_kind,
)
from abs_compiler.spec.references import is_reference_name
from abs_compiler.spec.selectors import read_optional_name, read_selector
from abs_compiler.spec.values import Place, read_text_field, read_value
from abs_compiler.syntax import Mapping, Scalar, Sequence

_BOUNDS = frozenset(("min", "max"))


def read_check(ctx: Context, mapping: Mapping, kind: EvaluationType, meant: Collection[str] = ()) -> Check | None:
    """What an evaluation checks; None where a field was missing or wrong. `meant` are the fields that other keys were
    reported to mean."""
    if kind.name == "count":
        return _count(ctx, mapping, bounded=not _BOUNDS.isdisjoint(meant))
    return _READERS.get(kind.name, _deferred)(ctx, mapping, kind)


def _exact_match(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    node = mapping.get("value")
    value = None if node is None else read_value(ctx, node, Place.EVALUATION)
    return None if value is None else ExactMatch(value)


def _contains(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    helps = ("for one of several texts, write a `contains` for each under `any_of`",)
    listed = isinstance(mapping.get("value"), Sequence)
    value = read_text_field(ctx, mapping, "value", *(helps if listed else ()))
    return None if value is None else Contains(value)


def _regex(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    pattern = read_pattern(ctx, mapping)
    return None if pattern is None else Regex(pattern)


def _schema(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    node = mapping.get("schema")
    if node is None:
        return None
    if not isinstance(node, Mapping) and not (isinstance(node, Scalar) and isinstance(node.value, bool)):
        wrong_kind(ctx, node, "`schema`", "a JSON Schema", "write a mapping such as `{type: object, required: [id]}`")
        return None
    value = read_schema(ctx, node)
    return None if value is None else Schema(value)


def _tool_call(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    target = read_optional_name(ctx, mapping, "target")
    arguments = read_arguments(ctx, mapping, "`tool_call`")
    entry = mapping.entry("ordered")
    ordered = None if entry is None else read_flag(ctx, entry.value, "`ordered`")
    return ToolCall(target, arguments, ordered, None if entry is None else entry.key_span)


def _deferred(ctx: Context, mapping: Mapping, kind: EvaluationType) -> Check | None:
    criteria = read_text_field(ctx, mapping, "criteria")
    id_ = read_optional_name(ctx, mapping, "id") if "id" in kind.fields else None
    places = [(key, read_optional_name(ctx, mapping, key)) for key in ("query", "context", "response")]
    if ("criteria" in kind.required and criteria is None) or ("id" in kind.required and id_ is None):
        return None
    return Deferred(criteria, id_, tuple((key, name) for key, name in places if name is not None))


def _sequence(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    node = mapping.get("order")
    found = None if node is None else read_list(ctx, node, "`order`", "write a list of selectors")
    if found is None:
        return None
    selectors = [read_selector(ctx, item, "a selector of `order`") for item in found.items]
    sound = tuple(item for item in selectors if item is not None)
    return InSequence(sound) if len(sound) == len(selectors) else None


def _occurs(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    return Occurs(_selector(ctx, mapping, "match"), _selector(ctx, mapping, "after"))


def _count(ctx: Context, mapping: Mapping, *, bounded: bool) -> Check | None:
    match, after = _selector(ctx, mapping, "match"), _selector(ctx, mapping, "after")
    bounds = {key: _count_field(ctx, mapping, key, 0) for key in ("min", "max")}
    low, high = bounds["min"], bounds["max"]
    if not bounded and mapping.get("min") is None and mapping.get("max") is None:
        type_node = mapping.get("type")
        ctx.sink.report(
            "nothing-to-check",
            "`count` without `min` and `max` checks nothing",
            mapping.span if type_node is None else type_node.span,
            "no bound is given",
            helps=("add `min`, `max` or both",),
        )
    report_reversed(ctx, low, high)
    return Occurs(match, after, low, high)


def _within(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    after, match = _selector(ctx, mapping, "after"), _selector(ctx, mapping, "match")
    return Within(after, match, _count_field(ctx, mapping, "max_steps", 1))


def _variable_consistency(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    node = mapping.get("variable")
    if node is None:
        return None
    name = read_text(ctx, node, "`variable`")
    if name is None:
        return None
    if not is_reference_name(name.text):
        bare = name.text.strip().removeprefix("{{").removesuffix("}}").strip()
        help_ = f"write the bare name: `{bare}`" if is_reference_name(bare) else "write `name` or `dataset.column`"
        ctx.sink.report("bad-reference", f"`{name.text}` is not a name", name.span, "not a name", helps=(help_,))
        return None
    return VariableConsistency(name)


def _expected(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    behavior = read_optional_name(ctx, mapping, "behavior")
    after, reason = _selector(ctx, mapping, "after"), read_optional_name(ctx, mapping, "reason")
    return None if behavior is None else Expected(behavior, after, reason)


def _preceded(ctx: Context, mapping: Mapping, _kind: EvaluationType) -> Check | None:
    match, by = _selector(ctx, mapping, "match"), _selector(ctx, mapping, "by")
    node = mapping.get("same")
    found = None if node is None else read_list(ctx, node, "`same`", "write a list of paths: `[with.orderId]`")
    paths = () if found is None else tuple(read_name(ctx, item, "a path of `same`") for item in found.items)
    return Preceded(match, by, tuple(path for path in paths if path is not None))


def _selector(ctx: Context, mapping: Mapping, key: str) -> Selector | None:
    node = mapping.get(key)
    return None if node is None else read_selector(ctx, node, f"`{key}`")


def _count_field(ctx: Context, mapping: Mapping, key: str, least: int) -> Number | None:
    node = mapping.get(key)
    return None if node is None else read_count(ctx, node, f"`{key}`", least)


_READERS: dict[str, Callable[[Context, Mapping, EvaluationType], Check | None]] = {
    "exact_match": _exact_match,
    "contains": _contains,
    "regex": _regex,
    "schema": _schema,
    "tool_call": _tool_call,
    "sequence": _sequence,
    "eventually": _occurs,
    "never": _occurs,
    "within": _within,
    "variable_consistency": _variable_consistency,
    "expected": _expected,
    "preceded": _preceded,
}
