"""Chain checks: counters and small automata over the whole trace, one pass, online.

A selector is undecided about an event that knows only its category, or about a recorded invocation where it names
another Execution action. Every check is therefore counted twice, with such events in and out. If both agree, that is
the answer; else what is required holds, and what is forbidden (never, count max, anything under none_of) is
inconclusive. Where the observation cannot show conversation, a check whose selector could select some is
inconclusive unless the tool events alone decide it.
"""

from __future__ import annotations

from .classify import selects_action
from .errors import BindError
from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .templates import ResolvedArguments, UnsourcedError
from .vocabulary import may_be_unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check, Selector
    from .targets import TargetNames

    Lookup = Callable[[str], Any]

NO, MAYBE, YES = 0, 1, 2
UNSEEN = "the conversation is not observed"


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
    return may_be_unseen(selector.actor, selector.action)


def maybe_words(event: int | None) -> str:
    """Why a check is undecided about an event."""
    return f"the recording does not say whether event #{event} is one"


class Counter:
    """eventually, never, count and a session's tool_call: how many events are selected."""

    __slots__ = ("_check", "_first", "_first_maybe", "_title", "_unseen", "broken", "maybe", "yes")

    def __init__(self, check: Check, title: str, unseen: bool) -> None:
        self._check = check
        self._title = title
        self._unseen = unseen
        self.yes = self.maybe = 0
        self._first: int | None = None
        self._first_maybe: int | None = None
        self.broken: int | None = None
        """The event with which more were selected than the check allows."""

    def feed(self, index: int, position: int, chosen: tuple[int, ...]) -> None:
        if self._first is None:
            self._first = index
        if chosen[0] != YES:
            self.maybe += 1
            if self._first_maybe is None:
                self._first_maybe = index
            return
        self.yes += 1
        most = self.most
        if most is not None and self.broken is None and self.yes > most:
            self.broken = index

    @property
    def most(self) -> int | None:
        """The number of selected events that must not be exceeded."""
        kind = self._check.type
        most: int | None = 0 if kind == "never" else self._check.fields["max"] if kind == "count" else None
        return most

    def outcome(self, negated: bool, lookup: Lookup) -> Outcome:
        kind = self._check.type
        if kind == "never":
            return self._at_most(0, negated)
        if kind != "count":
            return self._at_least(1, negated)
        least, most = self._check.fields["min"], self._check.fields["max"]
        parts = [] if least is None else [self._at_least(least, negated)]
        if most is not None:
            parts.append(self._at_most(most, negated))
        for state in (FAILED, INCONCLUSIVE):
            for part in parts:
                if part.state == state:
                    return part
        if len(parts) == 1:
            return parts[0]
        return Outcome(PASSED, f"{self._words()}, {least} to {most} required", event=self._first)

    def _words(self) -> str:
        """How many events are selected."""
        if not self.yes and not self.maybe:
            return f"no event is `{self._title}`"
        if self.maybe:
            return f"{self.yes} to {self.yes + self.maybe} events are `{self._title}`"
        if self.yes == 1:
            return f"event #{self._first} is `{self._title}`"
        return f"{self.yes} events are `{self._title}`"

    def _at_least(self, bound: int, negated: bool) -> Outcome:
        reason = self._words() if bound == 1 else f"{self._words()}, at least {bound} required"
        counted_in, counted_out = self.yes + self.maybe >= bound, self.yes >= bound
        if counted_in and not counted_out and negated:
            return Outcome(INCONCLUSIVE, f"{reason}; {maybe_words(self._first_maybe)}", event=self._first_maybe)
        if counted_in:
            return Outcome(PASSED, reason, event=self._first)
        if self._unseen:
            return Outcome(INCONCLUSIVE, f"{reason}, but {UNSEEN}", event=self._first)
        return Outcome(FAILED, reason, event=self._first)

    def _at_most(self, bound: int, negated: bool) -> Outcome:
        reason = f"{self._words()}, at most {bound} allowed" if bound else self._words()
        if self.yes > bound:
            reason = reason if bound or self.yes == 1 else f"{reason}, the first is #{self.broken}"
            return Outcome(FAILED, reason, event=self.broken)
        if self.yes + self.maybe > bound:
            return Outcome(INCONCLUSIVE, f"{reason}; {maybe_words(self._first_maybe)}", event=self._first_maybe)
        if self._unseen:
            return Outcome(INCONCLUSIVE, f"{reason}, but {UNSEEN}")
        return Outcome(PASSED, reason, event=self._first)


class Calls:
    """A session's tool_call whose arguments depend on captures that may or may not apply: the calls are kept, and
    tested when the outcome is asked for."""

    __slots__ = ("_check", "_seen", "_title", "broken")

    def __init__(self, check: Check, title: str) -> None:
        self._check = check
        self._title = title
        self._seen: list[tuple[int, tuple[int, ...], Any]] = []
        self.broken: int | None = None

    def keep(self, index: int, chosen: tuple[int, ...], arguments: Any) -> None:
        self._seen.append((index, chosen, arguments))

    def outcome(self, negated: bool, lookup: Lookup) -> Outcome:
        try:
            tests = [ResolvedArguments(item, lookup).test() for item in self._check.arguments]
        except UnsourcedError as missing:
            return Outcome(INCONCLUSIVE, f"`{missing.name}` has no value here")
        except (BindError, ValueError) as error:
            return Outcome(INCONCLUSIVE, str(error))
        counter = Counter(self._check, self._title, False)
        for index, chosen, arguments in self._seen:
            if all(test(arguments) for test in tests):
                counter.feed(index, 0, chosen)
        return counter.outcome(negated, lookup)


class InOrder:
    """sequence: events at increasing positions, one a selector; greedy, since taking the earliest never loses."""

    __slots__ = ("_order", "_out", "_steps", "_unseen", "_wild", "broken")

    def __init__(self, order: tuple[Selector, ...], unseen: tuple[bool, ...]) -> None:
        self._order = order
        self._unseen = unseen
        self._steps: list[tuple[int, int]] = []
        self._out = 0
        self._wild = self._skip(0)
        self.broken: int | None = None

    def _skip(self, at: int) -> int:
        """Steps that unseen events could take, at any moment."""
        while at < len(self._unseen) and self._unseen[at]:
            at += 1
        return at

    def feed(self, index: int, position: int, chosen: tuple[int, ...]) -> None:
        taken = len(self._steps)
        if taken < len(chosen) and chosen[taken]:
            self._steps.append((index, chosen[taken]))
        if self._out < len(chosen) and chosen[self._out] == YES:
            self._out += 1
        if self._wild < len(chosen) and chosen[self._wild]:
            self._wild = self._skip(self._wild + 1)

    def outcome(self, negated: bool, lookup: Lookup) -> Outcome:
        wanted, taken = len(self._order), len(self._steps)
        last = self._steps[-1][0] if self._steps else None
        listed = ", ".join(f"#{index}" for index, _ in self._steps)
        if taken == wanted:
            if negated and self._out < wanted:
                unsure = next(index for index, value in self._steps if value != YES)
                return Outcome(INCONCLUSIVE, f"events {listed} in order, but {maybe_words(unsure)}", event=unsure)
            return Outcome(PASSED, f"in order: {listed}", event=last)
        lacking = f"no event is `{self._order[taken].title}`" + (f" after {listed}" if listed else "")
        if self._wild == wanted:
            return Outcome(INCONCLUSIVE, f"{lacking}, but {UNSEEN}", event=last)
        return Outcome(FAILED, lacking, event=last)


class Nearby:
    """within: some selected event at most `max_steps` events after one that `after` selects."""

    __slots__ = (
        "_after",
        "_after_in",
        "_after_out",
        "_best",
        "_hit_out",
        "_limit",
        "_match",
        "_observed",
        "_seen_match",
        "_unseen",
        "_unsure",
        "broken",
    )

    def __init__(self, after: Selector, match: Selector, limit: int, unseen: tuple[bool, bool], observed: bool) -> None:
        self._after = after
        self._match = match
        self._limit = limit
        self._unseen = unseen
        self._observed = observed
        self._after_in: tuple[int, int, int] | None = None
        self._after_out: int | None = None
        self._best: tuple[int, int, int] | None = None
        self._unsure: int | None = None
        self._hit_out = False
        self._seen_match = False
        self.broken: int | None = None

    def feed(self, index: int, position: int, chosen: tuple[int, ...]) -> None:
        after, match = chosen
        if match:
            self._seen_match = True
            if self._after_in is not None:
                before, earlier, value = self._after_in
                if self._best is None or position - before < self._best[0]:
                    self._best = (position - before, index, earlier)
                    self._unsure = index if value == YES else earlier
            if match == YES and self._after_out is not None and position - self._after_out <= self._limit:
                self._hit_out = True
        if after:
            self._after_in = (position, index, after)
            if after == YES:
                self._after_out = position

    def outcome(self, negated: bool, lookup: Lookup) -> Outcome:
        hit = self._best is not None and self._best[0] <= self._limit
        event = None if self._best is None else self._best[1]
        if not self._observed and not (self._impossible and not hit):
            return Outcome(INCONCLUSIVE, f"{self._words()}, but {UNSEEN}, so steps cannot be counted", event=event)
        if hit and negated and not self._hit_out:
            return Outcome(INCONCLUSIVE, f"{self._words()}, but {maybe_words(self._unsure)}", event=event)
        return Outcome(PASSED if hit else FAILED, self._words(), event=event)

    @property
    def _impossible(self) -> bool:
        """Whether no unseen conversation could make a hit of what was seen."""
        hidden_after, hidden_match = self._unseen
        if hidden_after:
            return not hidden_match and not self._seen_match
        return not hidden_match or self._after_in is None

    def _words(self) -> str:
        if self._after_in is None:
            return f"no event is `{self._after.title}`"
        limit = f"{self._limit} step{'' if self._limit == 1 else 's'}"
        if self._best is None:
            return f"no event is `{self._match.title}` within {limit} after `{self._after.title}`"
        distance, match, after = self._best
        steps = f"{distance} step{'' if distance == 1 else 's'}"
        if distance <= self._limit:
            return f"event #{match} is `{self._match.title}`, {steps} after event #{after}"
        return f"the nearest `{self._match.title}` is event #{match}, {steps} after event #{after}, {limit} allowed"
