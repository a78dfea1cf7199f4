"""Classification: an event to the set of steps it satisfies, as a bit mask (bit i: behavior i).

Events are first told apart by what a dispatch look-up sees (actor, action, category, recorded, target); each such
kind of event has a `Handler` that knows which steps could match at all and tests arguments and content once per
distinct constraint (`argument_tables`). Nothing is evaluated for events no step could match.
"""

from __future__ import annotations

from .argument_tables import argument_masks
from .errors import ArtifactError, BindError
from .steps import observed_text, pattern_text, text_value
from .targets import TargetNames
from .templates import ResolvedArguments, UnsourcedError, pattern_key, resolve, structure_test
from .vocabulary import CATEGORY_OF, INVOCATIONS, PEOPLE, seen_by_tools_only
from .when import WhenError, evaluate_when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .checks import Check
    from .events import Event
    from .program import Behavior

    # What decides a judged `matches_when`: (behavior, criteria, text) -> bool.
    Judged = Callable[[int, str, str], bool]

    Test = Callable[[Any], bool]

CACHE_LIMIT = 10_000


class Handler:
    """What to do with one kind of event: `bits` are the steps it could satisfy, `counted` says whether it is a
    counted call; `always` is the mask when nothing needs testing, `by_arguments` gives it when the arguments alone
    decide (each else None)."""

    __slots__ = ("_argument_masks", "_content_masks", "_text_masks", "always", "bits", "by_arguments", "counted")

    def __init__(
        self,
        bits: int,
        counted: bool,
        argument_masks: Callable[[Any], int] | None,
        content_masks: tuple[tuple[int, Test], ...],
        text_masks: tuple[tuple[int, Test], ...],
    ) -> None:
        self.bits = bits
        self.counted = counted
        self._argument_masks = argument_masks
        self._content_masks = content_masks
        self._text_masks = text_masks
        more = content_masks or text_masks
        self.by_arguments = None if more else argument_masks
        self.always = bits if argument_masks is None and not more else None

    def mask(self, event: Event) -> int:
        """The steps this event satisfies."""
        mask = self.bits if self._argument_masks is None else self._argument_masks(event.arguments)
        for bits, test in self._content_masks:
            if mask & bits and not (event.has_content and test(event.content)):
                mask &= ~bits
        if mask and self._text_masks:
            text = observed_text(event)
            for bits, test in self._text_masks:
                if mask & bits and (text is None or not test(text)):
                    mask &= ~bits
        return mask


class Step:
    """A behavior under an environment: its tests. Where a name has no source (`unsourced`) or a value does not fit its
    place (`misfit` says how) nothing matches it.

    `targets` are further targets it must have (of its tool_call evaluations), `text` its `matches_when`."""

    __slots__ = ("behavior", "constraints", "content", "misfit", "targets", "text", "unsourced")

    def __init__(self, behavior: Behavior, lookup: Callable[[str], Any]) -> None:
        self.behavior = behavior
        self.unsourced: str | None = None
        self.misfit: str | None = None
        self.constraints: tuple[ResolvedArguments, ...] = ()
        self.targets: tuple[str, ...] = ()
        self.content: Any = None
        self.text: tuple[str, str] | None = None
        try:
            merged = [check for check in behavior.checks if applies(check, lookup)]
            constraints = [*behavior.args, *(item for check in merged for item in check.arguments)]
            self.targets = tuple(t for check in merged if (t := check.fields["target"]) is not None)
            self.constraints = tuple(ResolvedArguments(item, lookup) for item in constraints)
            self.content = None if behavior.content is None else resolve(behavior.content, lookup)
            if behavior.matches_when is not None:
                self.text = _resolved_text(behavior.matches_when, lookup)
        except UnsourcedError as missing:
            self.unsourced = missing.name
        except (BindError, ValueError) as error:
            self.misfit = str(error)

    @property
    def usable(self) -> bool:
        """Whether any event can match it."""
        return self.unsourced is None and self.misfit is None


def applies(check: Check, lookup: Callable[[str], Any]) -> bool:
    """Whether a tool_call with a condition is part of its step (those without one are merged at compile time). Where
    the condition has no truth value it is not, and the evaluation itself says so."""
    if check.type != "tool_call" or not check.fields["merged"] or check.when is None:
        return False
    try:
        return evaluate_when(check.when, lookup)
    except (WhenError, UnsourcedError, BindError):
        return False


def _resolved_text(matches_when: tuple[str, Any], lookup: Callable[[str], Any]) -> tuple[str, str]:
    kind, template = matches_when
    if kind != "regex":
        return kind, text_value(template, lookup)
    if template[0] != "=":  # a constant was checked when it was compiled
        from .patterns import compile_pattern

        compile_pattern(pattern_text(template, lookup))
    return kind, pattern_text(template, lookup)


def selects_action(wanted: str, action: str | None, category: str | None, recorded: bool) -> bool:
    """Whether an event's action is what a required step wants: the same; a recorded invocation for the other
    Execution actions; or, for an event that knows only its category, any action of that category."""
    if action is None:
        return CATEGORY_OF.get(wanted) == category
    return action == wanted or (recorded and action == "calls" and wanted in INVOCATIONS)


class Classifier:
    """All steps of a session under one environment, and the handlers built so far."""

    __slots__ = ("_by_kind", "_certain", "_judged", "_names", "_tools_only", "count_calls", "steps", "triples")

    def __init__(
        self,
        steps: Iterable[Step],
        names: TargetNames,
        *,
        tools_only: bool,
        count_calls: bool,
        judged: Judged,
        certain: bool,
    ) -> None:
        """`certain`: an optional step takes only events whose action is known to be its own."""
        self._certain = certain
        self._judged = judged
        self.steps = tuple(steps)
        self._names = names
        self._tools_only = tools_only
        self.count_calls = count_calls
        self._by_kind: dict[tuple[Any, ...], Handler | None] = {}
        self.triples: dict[tuple[str, str, str | None], Handler | None] = {}

    def handler(self, actor: str, action: str | None, category: str | None, recorded: bool, target: str | None) -> Any:
        """The handler of a kind of event, or None when no step and no count is concerned."""
        kind = (actor, action, category, recorded, target)
        try:
            return self._by_kind[kind]
        except KeyError:
            handler = self._build(*kind)
            if len(self._by_kind) >= CACHE_LIMIT:
                self._by_kind = {}
            self._by_kind[kind] = handler
            return handler

    def _selects(self, behavior: Behavior, action: str | None, category: str | None, recorded: bool) -> bool:
        if self._certain and behavior.optional:
            return behavior.action == action
        return selects_action(behavior.action, action, category, recorded)

    def _build(
        self, actor: str, action: str | None, category: str | None, recorded: bool, target: str | None
    ) -> Handler | None:
        if self._tools_only and not seen_by_tools_only(actor, action, category):
            return None
        chosen = [
            step
            for step in self.steps
            if step.usable
            and step.behavior.actor == actor
            and (step.text is not None or self._selects(step.behavior, action, category, recorded))
            and self._names.matches(step.behavior.target, target)
            and all(self._names.matches(wanted, target) for wanted in step.targets)
        ]
        counted = self.count_calls and is_call(actor, action, category) and not self._names.ignored(target)
        if not chosen and not counted:
            return None
        bits = 0
        by_arguments: dict[Any, tuple[int, ResolvedArguments]] = {}
        by_content: dict[Any, tuple[int, Any]] = {}
        for step in chosen:
            bit = 1 << step.behavior.index
            bits |= bit
            for constraint in step.constraints:
                known = by_arguments.get(constraint.key)
                by_arguments[constraint.key] = ((known[0] if known else 0) | bit, constraint)
            if step.content is not None:
                key = pattern_key(step.content)
                kept = by_content.get(key)
                by_content[key] = ((kept[0] if kept else 0) | bit, step.content)
        texts = tuple((1 << step.behavior.index, self._text_test(step)) for step in chosen if step.text is not None)
        contents = tuple((group, structure_test(pattern)) for group, pattern in by_content.values())
        masks = argument_masks(bits, tuple(by_arguments.values())) if by_arguments else None
        return Handler(bits, counted, masks, contents, texts)

    def _text_test(self, step: Step) -> Test:
        """The test of a `matches_when` over an event's text."""
        assert step.text is not None
        kind, wanted = step.text
        if kind != "judge":
            try:
                return text_test(kind, wanted)
            except ValueError as error:  # a constant that the compiler would have refused
                raise ArtifactError(f"a pattern that is not the compiler's: {error}") from None
        index, judged = step.behavior.index, self._judged
        return lambda text: judged(index, wanted, text)


def text_test(kind: str, wanted: str) -> Test:
    """A test of text: contains (ignoring case) or regex."""
    if kind == "contains":
        folded = wanted.casefold()
        return lambda text: folded in text.casefold()
    from .patterns import compile_pattern

    return compile_pattern(wanted).test


def is_call(actor: str, action: str | None, category: str | None) -> bool:
    """Whether an event is an invocation made by anybody but a user or a human."""
    known = category if action is None else CATEGORY_OF.get(action)
    return known == "execution" and actor not in PEOPLE
