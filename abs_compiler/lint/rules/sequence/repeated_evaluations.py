"""Evaluations of one list that repeat or deny each other word for word.

Catches: the same evaluation twice in a list; a check of a step beside a `none_of` that holds the same check, or a
`contains` of a part of its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from abs_compiler.diagnostics import Label
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.source import Span
from abs_compiler.spec.evaluation_types import TYPES
from abs_compiler.syntax import Mapping, Node, Scalar, Sequence, to_json

_MOST = 50  # demands that parts of `none_of` are compared with


def check(context: FileContext) -> Iterator[Report]:
    """Report repetitions in every list of evaluations, and contradictions in those of a behavior."""
    for document in context.documents:
        root = document.root
        yield from _checks(root)
        for behavior in _behaviors(root):
            yield from _checks(behavior)
            found = _list(behavior, "evaluations")
            if found is not None:
                yield from _denials(found)


def _behaviors(root: Node) -> Iterator[Node]:
    """The behaviors of a document and of its fragments, as they are written."""
    fragments = root.get("fragments") if isinstance(root, Mapping) else None
    named = [entry.value for entry in fragments.entries] if isinstance(fragments, Mapping) else []
    for node in (_list(root, "behaviors"), *named):
        if isinstance(node, Sequence) and node.alias_of is None:
            yield from (item for item in node.items if item.alias_of is None)


def _list(owner: Node, key: str) -> Sequence | None:
    node = owner.get(key) if isinstance(owner, Mapping) else None
    return node if isinstance(node, Sequence) and node.alias_of is None else None


def _checks(owner: Node) -> Iterator[Report]:
    """The repetitions in the evaluations of a document, a behavior or a composition, and in those below."""
    found = _list(owner, "evaluations")
    if found is None or not isinstance(owner, Mapping):
        return
    if owner.get("threshold") is None:  # else what is said twice counts twice
        yield from _repetitions(found)
    for item in found.items:
        yield from _checks(item)


def _repetitions(found: Sequence) -> Iterator[Report]:
    seen: dict[str, Mapping] = {}
    for item in found.items:
        if not isinstance(item, Mapping) or _is_judged(item):
            continue
        first = seen.setdefault(_as_text(item), item)
        if first is not item:
            yield Report(
                "vacuous-evaluations",
                f"this `{_type(item)}` stands in the list already",
                _type_span(item),
                "says the same again",
                also=(Label(_type_span(first), "first here"),),
                helps=("leave one of them out, or correct it",),
            )


def _is_judged(item: Mapping) -> bool:
    """Whether a judge is asked, who may answer otherwise the second time."""
    kind = TYPES.get(_type(item))
    return kind is None or (kind.scored and "evaluations" not in kind.fields)


def _denials(found: Sequence) -> Iterator[Report]:
    demanded = [item for item in found.items if isinstance(item, Mapping) and item.get("when") is None]
    by_text = {_as_text(item): item for item in demanded if not _is_judged(item)}
    containing = [(item, text) for item in demanded if (text := _contained(item)) is not None][:_MOST]
    for item in demanded:
        parts = item.get("evaluations")
        if _type(item) != "none_of" or item.get("threshold") is not None or not isinstance(parts, Sequence):
            continue
        for part in parts.items:
            if not isinstance(part, Mapping) or part.get("when") is not None:
                continue
            other = by_text.get(_as_text(part)) or _containing(part, containing)
            if other is not None:
                yield _denial(part, other)


def _denial(part: Mapping, other: Mapping) -> Report:
    return Report(
        "contradicting-evaluations",
        f"`none_of` denies what `{_type(other)}` of this behavior demands",
        _type_span(part),
        "holds wherever the other one holds",
        also=(Label(_type_span(other), "demanded here"),),
        notes=("one of the two fails whenever the behavior is matched",),
        helps=("correct one of the two, or leave it out",),
    )


def _contained(item: Mapping) -> str | None:
    """The text that a `contains` looks for, without regard to case; None where it is not known."""
    node = item.get("value")
    if _type(item) != "contains" or not isinstance(node, Scalar) or not isinstance(node.value, str):
        return None
    return None if "{{" in node.value else node.value.casefold()


def _containing(part: Mapping, demanded: list[tuple[Mapping, str]]) -> Mapping | None:
    """The demanded `contains` that holds only where that of a part holds too."""
    inner = _contained(part)
    if inner is None:
        return None
    return next((item for item, outer in demanded if inner in outer), None)


def _type(item: Mapping) -> str:
    node = item.get("type")
    return str(getattr(node, "value", ""))


def _type_span(item: Mapping) -> Span:
    node = item.get("type")
    return item.span if node is None or item.alias_of is not None else node.span


def _as_text(item: Mapping) -> str:
    fields = {entry.key: to_json(entry.value) for entry in item.entries if entry.key not in ("blocking", "reason")}
    return json.dumps(fields, sort_keys=True)
