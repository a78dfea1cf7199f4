"""Checks: the evaluations of a program, decoded.

Takes the JSON of one evaluation (at a behavior or at the session); gives a `Check` whose fields were verified, so that
the evaluators need no further tests. Fields by type:

    exact_match value · contains value · regex pattern · schema schema · tool_call target, args, merged
    (merged: part of the step itself)
    judge rule, id, criteria, places, adapter, dataset, prompt (a deferred evaluation)
    all_of any_of none_of checks
    sequence order · eventually match · never match · count match, min, max · within after, match, max_steps
    variable_consistency variable · expected behavior, after, reason
"""

from __future__ import annotations

from .program import (
    MAX_BEHAVIORS,
    Arguments,
    ProgramError,
    check_template,
    decode_arguments,
    is_index,
    position_of,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STEP_TYPES = ("exact_match", "contains", "regex", "schema", "tool_call", "judge", "all_of", "any_of", "none_of")
CHAIN_TYPES = (
    "sequence",
    "eventually",
    "never",
    "count",
    "within",
    "variable_consistency",
    "expected",
    "tool_call",
    "judge",
    "all_of",
    "any_of",
    "none_of",
)
COMPOSITIONS = ("all_of", "any_of", "none_of")
PLACES = ("query", "context", "response")
MAX_CHECK_DEPTH = 64
_TEMPLATES = ("value", "pattern", "schema", "criteria")

_COMMON = frozenset(("type", "name", "at", "blocking", "threshold", "when"))
_FIELDS = {
    "exact_match": ("value",),
    "contains": ("value",),
    "regex": ("pattern",),
    "schema": ("schema",),
    "tool_call": ("target", "args", "merged"),
    "judge": ("rule", "id", "criteria", "places", "adapter", "dataset", "prompt"),
    "all_of": ("checks",),
    "any_of": ("checks",),
    "none_of": ("checks",),
    "sequence": ("order",),
    "eventually": ("match",),
    "never": ("match",),
    "count": ("match", "min", "max"),
    "within": ("after", "match", "max_steps"),
    "variable_consistency": ("variable",),
    "expected": ("behavior", "after", "reason"),
}


class Selector:
    """Which events a chain check looks at; None for a part it does not name."""

    __slots__ = ("action", "actor", "target")

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict) or data.keys() != {"actor", "action", "target"}:
            raise ProgramError(f"{where}: not a selector")
        self.actor: str | None = text_of(data, "actor", where, optional=True)
        self.action: str | None = text_of(data, "action", where, optional=True)
        self.target: str | None = text_of(data, "target", where, optional=True)
        if self.actor is None and self.action is None and self.target is None:
            raise ProgramError(f"{where}: an empty selector")

    @property
    def title(self) -> str:
        """The selector in words: `assistant calls X`."""
        parts = [self.actor or "anybody", self.action or "does anything", self.target]
        return " ".join(part for part in parts if part)


class Check:
    """One evaluation; `fields` holds the decoded fields of its type (see the module's text)."""

    __slots__ = ("at", "blocking", "children", "compiled", "fields", "name", "threshold", "type", "when")

    def __init__(self, data: Any, where: str, types: tuple[str, ...], behaviors: int, depth: int) -> None:
        if not isinstance(data, dict) or data.get("type") not in types or depth == 0:
            raise ProgramError(f"{where}: not a check that may stand here")
        self.type: str = data["type"]
        if data.keys() != _COMMON.union(_FIELDS[self.type]):
            raise ProgramError(f"{where}: not the fields of {self.type}")
        self.name: str = text_of(data, "name", where)
        self.at = position_of(data, where)
        if not isinstance(data["blocking"], bool):
            raise ProgramError(f"{where}.blocking: not a boolean")
        self.blocking: bool = data["blocking"]
        threshold = data["threshold"]
        if threshold is not None and not (threshold.__class__ in (int, float) and 0 <= threshold <= 1):
            raise ProgramError(f"{where}.threshold: not from 0 to 1")
        self.threshold: float | None = threshold
        self.when: Any = data["when"]
        if self.when is not None:
            from .when import check_when

            check_when(self.when)
        self.children: tuple[Check, ...] = ()
        self.fields: dict[str, Any] = {}
        self.compiled: Any = None  # what an evaluator keeps for a check whose values are constant
        self._decode(data, where, types, behaviors, depth)

    def _decode(self, data: dict[str, Any], where: str, types: tuple[str, ...], behaviors: int, depth: int) -> None:
        for field in _FIELDS[self.type]:
            value = data[field]
            place = f"{where}.{field}"
            if field in _TEMPLATES:
                if value is None and field == "criteria":
                    self.fields[field] = None
                    continue
                check_template(value, place)
                if field in ("pattern", "criteria") and not _is_text(value):
                    raise ProgramError(f"{place}: not a text")
                if _holds_predicate(value):
                    raise ProgramError(f"{place}: a predicate cannot stand here")
            elif field in ("match", "after") and value is not None:
                value = Selector(value, place)
            elif field == "order":
                value = tuple(Selector(item, f"{place}[{k}]") for k, item in enumerate(_items(value, place)))
            elif field == "checks":
                items = _items(value, place)
                self.children = tuple(
                    Check(item, f"{place}[{k}]", types, behaviors, depth - 1) for k, item in enumerate(items)
                )
                continue
            elif field == "args":
                if not isinstance(value, list):
                    raise ProgramError(f"{place}: not a list")
                value = tuple(decode_arguments(item, f"{place}[{k}]") for k, item in enumerate(value))
            elif field == "merged":
                if not isinstance(value, bool):
                    raise ProgramError(f"{place}: not a boolean")
            elif field == "places":
                value = _places(value, place, behaviors)
            elif field in ("min", "max"):
                if value is not None and not is_index(value, 1 << 63):
                    raise ProgramError(f"{place}: not a count")
            elif field == "max_steps":
                if not is_index(value, 1 << 63) or value < 1:
                    raise ProgramError(f"{place}: not a distance")
            elif field == "behavior":
                if not is_index(value, behaviors):
                    raise ProgramError(f"{place}: not a behavior")
            else:
                text_of(data, field, where, optional=field not in ("rule", "variable"))
            self.fields[field] = value
        if self.type == "count" and self.fields["min"] is None and self.fields["max"] is None:
            raise ProgramError(f"{where}: a count without bounds")
        if self.type in ("eventually", "never", "count", "within") and self.fields["match"] is None:
            raise ProgramError(f"{where}.match: not a selector")
        if self.type == "within" and self.fields["after"] is None:
            raise ProgramError(f"{where}.after: not a selector")

    @property
    def arguments(self) -> tuple[Arguments, ...]:
        """The argument constraints of a tool_call."""
        args: tuple[Arguments, ...] = self.fields["args"]
        return args


def decode_checks(data: Any, where: str, types: tuple[str, ...], behaviors: int) -> tuple[Check, ...]:
    """The checks of a list. ProgramError where one is not what the compiler emits."""
    if not isinstance(data, list) or len(data) > MAX_BEHAVIORS:
        raise ProgramError(f"{where}: not a list of a bounded length")
    return tuple(Check(item, f"{where}[{k}]", types, behaviors, MAX_CHECK_DEPTH) for k, item in enumerate(data))


def own_templates(check: Check) -> list[Any]:
    """The templates of a check, its parts' aside."""
    found = [check.fields[field] for field in _TEMPLATES if check.fields.get(field) is not None]
    for constraint in check.fields.get("args", ()):
        found.extend(constraint.keys.values())
        if constraint.whole is not None:
            found.append(constraint.whole)
    return found


def templates_of(check: Check) -> list[Any]:
    """Every template in a check, nested ones included."""
    found = own_templates(check)
    for child in check.children:
        found += templates_of(child)
    return found


def whens_of(check: Check) -> list[Any]:
    """Every `when` in a check, nested ones included."""
    found: list[Any] = [] if check.when is None else [check.when]
    for child in check.children:
        found += whens_of(child)
    return found


def _items(value: Any, where: str) -> list[Any]:
    if isinstance(value, list) and value:
        return value
    raise ProgramError(f"{where}: not a list with at least one entry")


def _places(value: Any, where: str, behaviors: int) -> dict[str, int | None]:
    """query, context and response to a behavior index, or None for the behavior itself."""
    if not isinstance(value, dict) or not value.keys() <= set(PLACES):
        raise ProgramError(f"{where}: not places of a judge")
    for index in value.values():
        if index is not None and not is_index(index, behaviors):
            raise ProgramError(f"{where}: not a behavior")
    return dict(value)


def _is_text(template: Any) -> bool:
    tag, body = template
    return tag in ("ref", "text") or (tag == "=" and body.__class__ is str)


def _holds_predicate(template: Any) -> bool:
    pending = [template]
    while pending:
        tag, body = pending.pop()
        if tag == "is":
            return True
        if tag == "obj":
            pending.extend(body.values())
        elif tag == "arr":
            pending.extend(body)
    return False
