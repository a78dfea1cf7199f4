"""Explanations: the one step to blame for a failure, and why.

Takes a decision that is not complete (or breaks the limit on extras); gives a `Blame`: the step, the nearest event,
each differing path, or why an event that fits could not be used (too early, too late, taken by another step).
Works on the best partial assignment, so that one wrong argument does not cascade.
"""

from __future__ import annotations

from .classify import text_test
from .decision import RowSource
from .mismatch import Mismatch, argument_mismatches, content_mismatches
from .nearness import difference, nearest_name
from .steps import observed_text
from .values import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .classify import Step
    from .decision import Decision
    from .events import Event
    from .targets import TargetNames

MAX_NAMES = 8
MAX_EVENTS = 5


class Blame:
    """Why a session failed. `kind` is one of missing, near-name, arguments, content, too-early, too-late, taken,
    group, no-value, extras; `event` the nearest or blocking event; `lines` say it in words."""

    __slots__ = ("event", "kind", "lines", "mismatches", "step")

    def __init__(
        self,
        kind: str,
        step: int | None,
        event: int | None,
        lines: list[str],
        mismatches: list[Mismatch] | None = None,
    ) -> None:
        self.kind = kind
        self.step = step
        self.event = event
        self.lines = lines
        self.mismatches = mismatches or []

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "step": self.step,
            "event": self.event,
            "lines": list(self.lines),
            "mismatches": [item.to_dict() for item in self.mismatches],
        }


def title(event: Event) -> str:
    """An event in words: `assistant calls get_order`."""
    action = event.action or f"({event.category})"
    return " ".join(part for part in (event.actor, action, event.target) if part)


def blame(decision: Decision) -> Blame | None:
    """The step to blame, or None where nothing failed."""
    if decision.complete:
        return _blame_extras(decision) if decision.over_limit else None
    assigned = decision.assigned
    missing = sorted(i for i in decision.required if i not in assigned)
    if not missing:
        return None
    return _Search(decision, missing[0]).run()


def _blame_extras(decision: Decision) -> Blame:
    limit = decision.plan.program.extras
    extras = unmatched_calls(decision)
    events = decision.sequence.events
    allowed = "none" if limit == 0 else str(limit)
    lines = [f"{_count(len(extras), 'call')} matched no behavior, and `match.extras` allows {allowed}"]
    near = None
    for index in extras[:MAX_EVENTS]:
        lines.append(f"event #{index} {title(events[index])} with {show(events[index].arguments or {})}")
        near = index if near is None else near
    if len(extras) > MAX_EVENTS:
        lines.append(f"and {len(extras) - MAX_EVENTS} more")
    return Blame("extras", None, near, lines)


def unmatched_calls(decision: Decision) -> list[int]:
    """The counted calls that the reported assignment leaves unmatched."""
    used = set(decision.assigned.values())
    return [index for index in decision.counted if index not in used]


class _Search:
    """The search for the cause of one unmatched step; state: the step, its window and the events."""

    def __init__(self, decision: Decision, index: int) -> None:
        self.decision = decision
        self.plan = decision.plan
        self.behavior = decision.plan.program.behaviors[index]
        self.index = index
        self.events = decision.sequence.events
        self.assigned = decision.assigned
        classifier = self.plan.classifier(decision.applied)
        self.step = next(step for step in classifier.steps if step.behavior.index == index)
        self.rows = {event: mask for event, mask, _ in RowSource(self.plan, decision.sequence)(decision.applied)}
        self.step_at = {event: i for i, event in assigned_last(self.assigned).items()}
        group = self.plan.roles.group_of.get(index)
        self.mates = {
            i for i in self.plan.roles.observed if group is not None and self.plan.roles.group_of.get(i) == group
        }
        before = [(e, i) for i, e in self.assigned.items() if i < index and i not in self.mates]
        after = [(e, i) for i, e in self.assigned.items() if i > index and i not in self.mates]
        self.start, self.start_step = max(before, default=(-1, -1))
        self.end, self.end_step = min(after, default=(len(self.events), -1))

    def run(self) -> Blame:
        if self.step.unsourced is not None:
            return self._no_value(self.step.unsourced)
        if self.step.misfit is not None:
            return self._blame("no-value", None, [f"no event can match: {self.step.misfit}"])
        fitting = [event for event in sorted(self.rows) if self.rows[event] >> self.index & 1]
        if fitting:
            return self._fitting(fitting)
        return self._nearest()

    def _blame(self, kind: str, event: int | None, lines: list[str], rows: list[Mismatch] | None = None) -> Blame:
        return Blame(kind, self.index, event, lines, rows)

    def _name(self, index: int) -> str:
        behavior = self.plan.program.behaviors[index]
        return f"step {index + 1} ({behavior.title})"

    def _no_value(self, name: str) -> Blame:
        sources = [b.index for b in self.plan.program.behaviors if name in b.capture and b.index < self.index]
        lines = [f"`{name}` has no value here, so no event can match"]
        for source in sources:
            lines.append(f"it is captured by {self._name(source)}, which was not matched")
        return self._blame("no-value", None, lines)

    def _fitting(self, fitting: list[int]) -> Blame:
        inside = [event for event in fitting if self.start < event < self.end]
        if inside:
            event = inside[0]
            holder = self.step_at.get(event)
            if holder in self.mates:
                return self._short_of_events(inside)
            lines = (
                [f"event #{event} fits, but it is already used by {self._name(holder)}"]
                if holder is not None
                else [f"event #{event} fits, but the steps around it leave no place for it"]
            )
            return self._blame("taken", event, lines)
        early = [event for event in fitting if event <= self.start]
        if early:
            event = early[-1]
            lines = [f"satisfied too early, at event #{event} {title(self.events[event])}"]
            if event == self.start:
                lines = [f"event #{event} fits, but it is already used by {self._name(self.start_step)}"]
                return self._blame("taken", event, lines)
            lines.append(f"it must come after {self._name(self.start_step)}, which matched event #{self.start}")
            return self._blame("too-early", event, lines)
        event = fitting[0]
        if event == self.end:
            lines = [f"event #{event} fits, but it is already used by {self._name(self.end_step)}"]
            return self._blame("taken", event, lines)
        lines = [
            f"satisfied too late, at event #{event} {title(self.events[event])}",
            f"it must come before {self._name(self.end_step)}, which matched event #{self.end}",
        ]
        return self._blame("too-late", event, lines)

    def _short_of_events(self, inside: list[int]) -> Blame:
        """Hall's condition: the steps that compete here have fewer events than steps."""
        steps, events = {self.index}, set(inside)
        changed = True
        while changed:
            changed = False
            for event in list(events):
                holder = self.step_at.get(event)
                if holder is not None and holder in self.mates and holder not in steps:
                    steps.add(holder)
                    changed = True
                    events.update(
                        e for e, mask in self.rows.items() if mask >> holder & 1 and self.start < e < self.end
                    )
        names = ", ".join(str(i + 1) for i in sorted(steps))
        shown = ", ".join(f"#{event}" for event in sorted(events)[:MAX_EVENTS])
        number = _count(len(events), "event")
        line = f"steps {names} of the unordered group accept only {number} ({shown}): {len(steps)} steps, {number}"
        return self._blame("group", min(events), [line])

    def _nearest(self) -> Blame:
        """The event that fails fewest conditions; a wrong target counts only where it is nearly the right one."""
        best: tuple[tuple[int, int, int, int], int, list[Mismatch], str] | None = None
        for number, event in enumerate(self.events):
            if not self.plan.selects(self.index, event.actor, event.action, event.category, event.recorded):
                continue
            how = None
            if not self.plan.names.matches(self.behavior.target, event.target):
                how = None if event.target is None else difference(self.behavior.target or "", event.target)
                if how is None:
                    continue
            rows = mismatches(self.step, event, self.plan.names)
            outside = not self.start < number < self.end
            taken = number in self.step_at
            rank = (how is not None, len(rows), outside + taken, number)
            if best is None or rank < best[0]:
                best = (rank, number, rows, how or "")
        if best is None:
            return self._absent()
        _, number, rows, how = best
        event = self.events[number]
        lines = [f"nearest: event #{number} {title(event)}"]
        if how:
            lines.append(
                f"target: expected {show(self.behavior.target)}, observed {show(event.target)} (differs in {how})"
            )
        if number <= self.start:
            lines[0] += f", which is also too early: it must come after event #{self.start}"
        lines += [str(row) for row in rows]
        kind = "near-name" if how else "content" if rows and rows[0].path.startswith("content") else "arguments"
        return self._blame(kind, number, lines, rows)

    def _absent(self) -> Blame:
        behavior = self.behavior
        if not self.events:
            return self._blame("missing", None, ["the trace holds no events"])
        lines = [f"no event is `{behavior.title}`"]
        targets = list(
            dict.fromkeys(
                event.target
                for event in self.events
                if event.target is not None and event.actor == behavior.actor and event.action == behavior.action
            )
        )
        if behavior.target is not None:
            near = nearest_name(behavior.target, (e.target for e in self.events if e.target is not None))
            if near is not None:
                lines.append(f"`{near[0]}` was seen, which differs in {near[1]}")
            elif targets:
                shown = ", ".join(f"`{name}`" for name in targets[:MAX_NAMES])
                more = f" and {len(targets) - MAX_NAMES} more" if len(targets) > MAX_NAMES else ""
                lines.append(f"{behavior.actor} {behavior.action} only: {shown}{more}")
        others = self._other_forms()
        if others:
            lines.append(others)
        return self._blame("missing", None, lines)

    def _other_forms(self) -> str | None:
        """An event with the right target but another actor or action."""
        behavior = self.behavior
        for number, event in enumerate(self.events):
            same_target = behavior.target is not None and self.plan.names.matches(behavior.target, event.target)
            if same_target and (event.actor == behavior.actor) != (event.action == behavior.action):
                return f"event #{number} is `{title(event)}`"
        for number, event in enumerate(self.events):
            if behavior.target is None and event.actor == behavior.actor:
                return f"event #{number} is `{title(event)}`"
        return None


def mismatches(step: Step, event: Event, names: TargetNames) -> list[Mismatch]:
    """Where an event's text, arguments and content differ from what a step declares."""
    rows: list[Mismatch] = []
    for target in step.targets:
        if not names.matches(target, event.target):
            rows.append(Mismatch("target", show(target), show(event.target)))
    if step.text is not None:
        rows += text_mismatches(*step.text, observed_text(event))
    for constraint in step.constraints:
        rows += argument_mismatches(constraint, event.arguments)
    if step.content is not None:
        rows += content_mismatches(step.content, event.has_content, event.content)
    unique = {(row.path, row.expected): row for row in rows}
    return list(unique.values())


def text_mismatches(kind: str, wanted: str, text: str | None) -> list[Mismatch]:
    """Why a text does not pass a `matches_when`; empty when it does."""
    if kind == "judge":
        holds, expected = False, f"text of which a judge says: {show(wanted)}"
    else:
        holds = text is not None and text_test(kind, wanted)(text)
        expected = f"text with {show(wanted)}" if kind == "contains" else f"text that matches /{wanted}/"
    return [] if holds else [Mismatch("content", expected, "no text" if text is None else show(text))]


def assigned_last(assigned: dict[int, int]) -> dict[int, int]:
    """The assignment in listing order (so that, of steps sharing one event, the last is named)."""
    return dict(sorted(assigned.items()))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
