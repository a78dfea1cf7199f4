"""Chain checks: counters and small automata over the whole trace, one pass, online.

A selector is undecided about an event that knows only its category, or about a recorded invocation where it names
another Execution action. Every check is therefore counted twice, with such events in and out. If both agree, that is
the answer; else what is required holds, and what is forbidden (never, count max, anything under none_of) is
inconclusive. Where the observation cannot show conversation, a check whose selector could select some is
inconclusive unless the tool events alone decide it.
"""

from __future__ import annotations

from .classify import selects_action
from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .vocabulary import CATEGORY_OF, RESPONDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .checks import Check, Selector
    from .targets import TargetNames

NO, MAYBE, YES = 0, 1, 2


def selects(
    selector: Selector,
    names: TargetNames,
    actor: str,
    action: str | None,
    category: str | None,
    recorded: bool,
    target: str | None,
) -> int:
    """NO, MAYBE or YES."""
    if selector.actor is not None and selector.actor != actor:
        return NO
    if selector.target is not None and not names.matches(selector.target, target):
        return NO
    if selector.action is None or selector.action == action:
        return YES
    return MAYBE if selects_action(selector.action, action, category, recorded) else NO


def could_be_conversation(selector: Selector) -> bool:
    """Whether a selector could select an event that a recording of tool events does not show."""
    if selector.action is None:
        return True
    if selector.action == "responds":
        return selector.actor not in RESPONDERS
    category = CATEGORY_OF.get(selector.action)
    return category is not None and category != "execution"


class Counter:
    """eventually, never, count and a session's tool_call: how many events are selected."""

    __slots__ = ("_check", "first", "last", "maybe", "unseen", "yes")

    @property
    def target(self) -> str | None:
        """The target of a session's tool_call."""
        target: str | None = self._check.fields["target"]
        return target

    def __init__(self, check: Check, unseen: bool) -> None:
        self._check = check
        self.yes = self.maybe = 0
        self.first: int | None = None
        self.last: int | None = None
        self.unseen = unseen

    def feed(self, index: int, chosen: tuple[int, ...]) -> None:
        if chosen[0] == YES:
            self.yes += 1
        else:
            self.maybe += 1
        if self.first is None:
            self.first = index
        self.last = index

    def outcome(self, negated: bool) -> Outcome:
        kind = self._check.type
        if kind == "never":
            return self._at_most(0, negated)
        if kind in ("eventually", "tool_call"):
            return self._at_least(1, negated)
        parts = []
        minimum, maximum = self._check.fields["min"], self._check.fields["max"]
        if minimum is not None:
            parts.append(self._at_least(minimum, negated))
        if maximum is not None:
            parts.append(self._at_most(maximum, negated))
        for state in (FAILED, INCONCLUSIVE):
            for part in parts:
                if part.state == state:
                    return part
        return parts[0]

    def _words(self) -> str:
        seen = f"{self.yes} selected" if not self.maybe else f"{self.yes} to {self.yes + self.maybe} selected"
        return f"{seen}, conversation not observed" if self.unseen else seen

    def _at_least(self, bound: int, negated: bool) -> Outcome:
        counted_in, counted_out = self.yes + self.maybe >= bound, self.yes >= bound
        reason = f"{self._words()}, at least {bound} required"
        if counted_in != counted_out and negated:
            return Outcome(INCONCLUSIVE, f"{reason}; some events know only their category")
        if counted_in:
            return Outcome(PASSED, reason, event=self.first)
        return Outcome(INCONCLUSIVE if self.unseen else FAILED, reason, event=self.first)

    def _at_most(self, bound: int, negated: bool) -> Outcome:
        reason = f"{self._words()}, at most {bound} allowed" if bound else f"{self._words()}, none allowed"
        if self.yes > bound:
            return Outcome(FAILED, reason, event=self.last)
        if self.yes + self.maybe > bound:
            return Outcome(INCONCLUSIVE, f"{reason}; some events know only their category", event=self.last)
        return Outcome(INCONCLUSIVE if self.unseen else PASSED, reason)


class InOrder:
    """sequence: events at increasing positions, one a selector; greedy, since taking the earliest never loses."""

    __slots__ = ("_check", "_in", "_out", "_unseen", "_wild", "last")

    def __init__(self, check: Check, unseen: tuple[bool, ...]) -> None:
        self._check = check
        self._unseen = unseen
        self._in = self._out = 0
        self._wild = self._skip(0)
        self.last: int | None = None

    def _skip(self, at: int) -> int:
        """Steps that unseen events could take, at any moment."""
        while at < len(self._unseen) and self._unseen[at]:
            at += 1
        return at

    def feed(self, index: int, chosen: tuple[int, ...]) -> None:
        if self._in < len(chosen) and chosen[self._in]:
            self._in += 1
            self.last = index
        if self._out < len(chosen) and chosen[self._out] == YES:
            self._out += 1
        if self._wild < len(chosen) and chosen[self._wild]:
            self._wild = self._skip(self._wild + 1)

    def outcome(self, negated: bool) -> Outcome:
        order = self._check.fields["order"]
        counted_in, counted_out = self._in == len(order), self._out == len(order)
        if counted_in != counted_out and negated:
            return Outcome(INCONCLUSIVE, "some events know only their category", event=self.last)
        if counted_in:
            return Outcome(PASSED, f"all {len(order)} in order", event=self.last)
        reason = f"{self._in} of {len(order)} in order; next would be `{order[self._in].title}`"
        if self._wild == len(order):
            return Outcome(INCONCLUSIVE, f"{reason}, which may not be observed", event=self.last)
        return Outcome(FAILED, reason, event=self.last)


class Nearby:
    """within: some selected event at most `max_steps` events after one that `after` selects."""

    __slots__ = (
        "_after_in",
        "_after_out",
        "_check",
        "_hit_in",
        "_hit_out",
        "_observed",
        "_seen_match",
        "_unseen",
        "event",
    )

    def __init__(self, check: Check, unseen: tuple[bool, bool], observed: bool) -> None:
        self._check = check
        self._unseen = unseen
        self._observed = observed
        self._after_in: int | None = None
        self._after_out: int | None = None
        self._hit_in = self._hit_out = False
        self._seen_match = False
        self.event: int | None = None

    def feed(self, index: int, chosen: tuple[int, ...]) -> None:
        after, match = chosen
        limit = self._check.fields["max_steps"]
        if match:
            self._seen_match = True
            if self._after_in is not None and index - self._after_in <= limit and not self._hit_in:
                self._hit_in = True
                self.event = index
            if match == YES and self._after_out is not None and index - self._after_out <= limit:
                self._hit_out = True
        if after:
            self._after_in = index
            if after == YES:
                self._after_out = index

    def outcome(self, negated: bool) -> Outcome:
        limit = self._check.fields["max_steps"]
        reason = f"within {limit} step{'' if limit == 1 else 's'} of `{self._check.fields['after'].title}`"
        if not self._observed:
            hidden_after, hidden_match = self._unseen
            impossible = not self._hit_in and (
                (not hidden_after and not hidden_match)
                or (not hidden_after and self._after_in is None)
                or (not hidden_match and not self._seen_match)
            )
            if impossible:
                return Outcome(FAILED, f"no selected event {reason}")
            return Outcome(INCONCLUSIVE, "steps of the conversation are not observed", event=self.event)
        if self._hit_in != self._hit_out and negated:
            return Outcome(INCONCLUSIVE, "some events know only their category", event=self.event)
        if self._hit_in:
            return Outcome(PASSED, reason, event=self.event)
        if self._after_in is None:
            return Outcome(FAILED, f"nothing is `{self._check.fields['after'].title}`")
        return Outcome(FAILED, f"no selected event {reason}")
