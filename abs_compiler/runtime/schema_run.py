"""JSON Schema evaluation: does a value fit a schema, and if not, where and why.

Takes a schema that was found sound (see `schemas`), the rules of its draft (`schema_rules`) and a JSON value; gives
findings (path, text), none where it fits. One pass, which also keeps what `unevaluatedProperties` and
`unevaluatedItems` ask for. Every application of a schema costs a step of a budget and a level of a bounded depth, so
neither recursion without end nor an explosion of alternatives can hang; what they stop is undecided.
"""

from __future__ import annotations

from .values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Path = tuple[Any, ...]
    Findings = list[tuple[Path, str]]
    Rule = Callable[[Any, Any, "Place"], bool]

MAX_LEVELS = 200
MAX_FINDINGS = 3
BASE_STEPS = 50_000
STEPS_PER_NODE = 20
ASIDE_STEPS = 1_000
# What asks which keys and items everything else in a schema has looked at.
LAST = ("unevaluatedProperties", "unevaluatedItems")


class UndecidedError(Exception):
    """The evaluation cannot be finished within its bounds; the text says why."""


class Seen:
    """The keys and items of a value that successful parts of a schema have looked at."""

    __slots__ = ("all_items", "items", "keys")

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.items: set[int] = set()
        self.all_items = False

    def add(self, other: Seen) -> None:
        self.keys |= other.keys
        self.items |= other.items
        self.all_items = self.all_items or other.all_items


class Run:
    """One evaluation: the rules of its dialect, the formats it asserts, what is left of its bounds."""

    __slots__ = ("_formats", "_levels", "_reference_alone", "_rules", "_steps", "_wants_seen")

    def __init__(
        self,
        rules: Mapping[str, Rule],
        formats: Callable[[str, str], bool] | None,
        steps: int,
        *,
        reference_alone: bool,
        wants_seen: bool,
    ) -> None:
        self._rules = rules
        self._formats = formats
        self._steps = steps
        self._levels = MAX_LEVELS
        self._reference_alone = reference_alone
        self._wants_seen = wants_seen

    def spend(self, steps: int = 1) -> None:
        """Pay for work; UndecidedError where the budget is used up."""
        self._steps -= steps
        if self._steps < 0:
            raise UndecidedError("the schema takes more steps than a value of this size is worth")

    def conforms(self, name: str, text: str) -> bool:
        """Whether a text has a format."""
        return self._formats is None or self._formats(name, text)

    def first_finding(self, schema: Any, item: Any, resolver: Any) -> Findings:
        """The first finding about a value, or none where looking for it would cost too much: it only words a report."""
        findings: Findings = []
        kept = self._steps
        self._steps = min(kept, ASIDE_STEPS)
        try:
            self.fits(schema, item, resolver, (), findings, None)
        except UndecidedError:
            pass
        finally:
            self._steps = kept
        return findings[:1]

    def fits(
        self, schema: Any, item: Any, resolver: Any, path: Path, findings: Findings | None, seen: Seen | None
    ) -> bool:
        """Whether a value fits a schema. Findings are added to a list, if one is given; what a fitting schema looked
        at is added to `seen`."""
        self.spend()
        if schema is True:
            return True
        if schema is False:
            if findings is not None:
                findings.append((path, f"{show(item)} is not allowed here"))
            return False
        if schema.__class__ is not dict:
            raise UndecidedError("a reference leads to something that is no schema")
        if not self._levels:
            raise UndecidedError("the schema refers to itself too deeply")
        if "$id" in schema or "id" in schema:
            resolver = inside(resolver, schema)
        self._levels -= 1
        own = Seen() if self._wants_seen else None
        try:
            return self._apply(Place(self, schema, resolver, path, findings, own), item, seen)
        finally:
            self._levels += 1

    def _apply(self, at: Place, item: Any, seen: Seen | None) -> bool:
        schema, findings = at.schema, at.findings
        if self._reference_alone and "$ref" in schema:
            return self._rules["$ref"](schema["$ref"], item, at)
        holds = True
        rules = self._rules
        for keyword, value in schema.items():
            rule = rules.get(keyword)
            if rule is None or keyword in LAST or rule(value, item, at):
                continue
            holds = False
            if findings is None or len(findings) >= MAX_FINDINGS:
                return False
        if holds and at.seen is not None:
            for keyword in LAST:
                if keyword in schema and keyword in rules:
                    holds = rules[keyword](schema[keyword], item, at) and holds
            if holds and seen is not None:
                seen.add(at.seen)
        return holds


class Place:
    """A schema applied to a value: where both are, and what is collected on the way."""

    __slots__ = ("findings", "path", "resolver", "run", "schema", "seen")

    def __init__(
        self, run: Run, schema: dict[str, Any], resolver: Any, path: Path, findings: Findings | None, seen: Seen | None
    ) -> None:
        self.run = run
        self.schema = schema
        self.resolver = resolver
        self.path = path
        self.findings = findings
        self.seen = seen

    @property
    def enough(self) -> bool:
        """Whether one more finding would change nothing."""
        return self.findings is None or len(self.findings) >= MAX_FINDINGS

    def here(self, schema: Any, item: Any) -> bool:
        """Whether the same value fits another schema."""
        return self.run.fits(schema, item, self.resolver, self.path, self.findings, self.seen)

    def quietly(self, schema: Any, item: Any, seen: Seen | None = None) -> bool:
        """The same without findings."""
        return self.run.fits(schema, item, self.resolver, self.path, None, seen)

    def below(self, schema: Any, item: Any, part: str | int) -> bool:
        """Whether a part of the value fits a schema."""
        return self.run.fits(schema, item, self.resolver, (*self.path, part), self.findings, None)

    def refuse(self, text: Callable[[], str]) -> bool:
        """False, with a finding where they are wanted."""
        if self.findings is not None and len(self.findings) < MAX_FINDINGS:
            self.findings.append((self.path, text()))
        return False


def inside(resolver: Any, schema: Any) -> Any:
    """The resolver of references inside a schema that may have an identity of its own."""
    from referencing.jsonschema import DRAFT4, DRAFT202012

    specification = DRAFT202012 if "$id" in schema else DRAFT4
    return resolver.in_subresource(specification.create_resource(schema))


def path_text(root: str, path: Path) -> str:
    """A path in words: `content.items[0]["a b"]`."""
    from .mismatch import child_path

    for part in path:
        root = f"{root}[{part}]" if part.__class__ is int else child_path(root, part)
    return root
