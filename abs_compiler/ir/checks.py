"""Lowering of evaluations: typed evaluations in, the checks of a program out, as plain JSON.

Every evaluation keeps a check of its own, those merged into their step included, so that reports can name it. The
format is documented in `abs_compiler/runtime/checks.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from abs_compiler.ir.parts import Lowered, lower_arguments, position
from abs_compiler.ir.templates import template
from abs_compiler.source import SourceFile
from abs_compiler.spec.evaluation_model import (
    Composition,
    Contains,
    Deferred,
    Evaluation,
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
    When,
    Within,
)
from abs_compiler.spec.model import Name
from abs_compiler.syntax import JsonValue


def lower_checks(
    evaluations: tuple[Evaluation, ...], source: SourceFile, ids: Mapping[str, int], *, steps: bool
) -> list[JsonValue]:
    """The checks of a list of evaluations. `ids` are the behavior ids of the session; `steps` says that a tool_call
    standing alone belongs to its step."""
    return [_check(item, source, ids, merged=steps) for item in evaluations]


def _check(item: Evaluation, source: SourceFile, ids: Mapping[str, int], *, merged: bool) -> Lowered:
    lowered: Lowered = {
        "name": item.type.text,
        "at": position(source, item.span),
        "blocking": item.blocking,
        "threshold": None if item.threshold is None else item.threshold.value,
        "when": _when(item.when),
    }
    check = item.check
    match check:
        case ExactMatch(value=value):
            return {**lowered, "type": "exact_match", "value": template(value)}
        case Contains(value=value):
            return {**lowered, "type": "contains", "value": template(value)}
        case Regex(pattern=pattern):
            return {**lowered, "type": "regex", "pattern": template(pattern)}
        case Schema(schema=schema):
            return {**lowered, "type": "schema", "schema": template(schema)}
        case ToolCall(target=target, arguments=arguments):
            args: list[JsonValue] = [] if arguments is None else [lower_arguments(arguments, source)]
            return {**lowered, "type": "tool_call", "target": _text(target), "args": args, "merged": merged}
        case Deferred():
            return {**lowered, **_judge(item, check, ids)}
        case Composition(evaluations=parts):
            children: list[JsonValue] = [_check(part, source, ids, merged=False) for part in parts]
            return {**lowered, "type": item.type.text, "checks": children}
        case InSequence(order=order):
            return {**lowered, "type": "sequence", "order": [_selector(selector) for selector in order]}
        case Occurs():
            return {**lowered, **_occurs(item.type.text, check)}
        case Within(after=after, match=found, max_steps=steps):
            limit = None if steps is None else steps.value
            return {
                **lowered,
                "type": "within",
                "after": _selector(after),
                "match": _selector(found),
                "max_steps": limit,
            }
        case VariableConsistency(variable=variable):
            return {**lowered, "type": "variable_consistency", "variable": variable.text}
        case Expected(behavior=behavior, after=after, reason=reason):
            return {
                **lowered,
                "type": "expected",
                "behavior": ids[behavior.text],
                "after": _selector(after),
                "reason": _text(reason),
            }
        case Preceded() | None:
            raise ValueError(f"a `{item.type.text}` that was refused before reached lowering")
        case _:
            assert_never(check)


def _occurs(kind: str, check: Occurs) -> Lowered:
    lowered: Lowered = {"type": kind, "match": _selector(check.match)}
    if kind == "count":
        lowered["min"] = None if check.min is None else check.min.value
        lowered["max"] = None if check.max is None else check.max.value
    return lowered


def _judge(item: Evaluation, check: Deferred, ids: Mapping[str, int]) -> Lowered:
    return {
        "type": "judge",
        "rule": item.type.text,
        "id": _text(check.id),
        "criteria": None if check.criteria is None else template(check.criteria),
        "places": {key: _place(name, ids) for key, name in check.places},
        "adapter": _text(item.adapter),
        "dataset": _text(item.dataset),
        "prompt": _text(item.prompt),
    }


def _place(name: Name, ids: Mapping[str, int]) -> int | None:
    """The index of the behavior that `id` or `id.action` names; None for `self`."""
    if name.text == "self":
        return None
    return ids[name.text] if name.text in ids else ids[name.text.rpartition(".")[0]]


def _selector(selector: Selector | None) -> JsonValue:
    if selector is None:
        return None
    return {"actor": _text(selector.actor), "action": _text(selector.action), "target": _text(selector.target)}


def _when(when: When | None) -> JsonValue:
    if when is None or when.expression is None:
        return None
    from abs_compiler.predicate.when import lower_when

    return lower_when(when.expression)


def _text(name: Name | None) -> str | None:
    return None if name is None else name.text
