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
from abs_compiler.syntax import Mapping, Node, Sequence, to_json


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
    for item in demanded:
        parts = item.get("evaluations")
        if _type(item) != "none_of" or item.get("threshold") is not None or not isinstance(parts, Sequence):
            continue
        for part in parts.items:
            other = next((one for one in demanded if one is not item and _implies(one, part)), None)
            if other is not None and isinstance(part, Mapping):
                yield Report(
                    "contradicting-evaluations",
                    f"`none_of` denies what `{_type(other)}` of this behavior demands",
                    _type_span(part),
                    "holds wherever the other one holds",
                    also=(Label(_type_span(other), "demanded here"),),
                    notes=("one of the two fails whenever the behavior is matched",),
                    helps=("correct one of the two, or leave it out",),
                )


def _implies(demand: Mapping, part: Node) -> bool:
    """Whether a part of a composition holds wherever a demand does."""
    if not isinstance(part, Mapping) or part.get("when") is not None or _is_judged(demand):
        return False
    if _as_text(demand) == _as_text(part):
        return True
    if _type(demand) != "contains" or _type(part) != "contains":
        return False
    texts = [getattr(node.get("value"), "value", None) for node in (part, demand)]
    inner, outer = texts
    if not isinstance(inner, str) or not isinstance(outer, str) or "{{" in inner + outer:
        return False
    return inner.casefold() in outer.casefold()


def _type(item: Mapping) -> str:
    node = item.get("type")
    return str(getattr(node, "value", ""))


def _type_span(item: Mapping) -> Span:
    node = item.get("type")
    return item.span if node is None or item.alias_of is not None else node.span


def _as_text(item: Mapping) -> str:
    fields = {entry.key: to_json(entry.value) for entry in item.entries if entry.key not in ("blocking", "reason")}
    return json.dumps(fields, sort_keys=True)
