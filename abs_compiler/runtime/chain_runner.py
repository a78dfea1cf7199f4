"""The runner of chain checks: one pass over the events, each kind of event dispatched once.

Takes a plan and events in order; keeps one counter or automaton per leaf check (compositions included, addressed by
their path of positions); gives their outcomes at any moment.
"""

from __future__ import annotations

from .chain import MAYBE, NO, YES, Counter, InOrder, Nearby, could_be_conversation, selects
from .checks import COMPOSITIONS, Selector
from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .templates import ResolvedArguments
from .vocabulary import CATEGORY_OF, seen_by_tools_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check
    from .events import Event
    from .plan import Plan

KIND_LIMIT = 10_000


class ChainRunner:
    """See the module's text."""

    __slots__ = ("_afters", "_kinds", "_leaves", "_plan", "_position", "_tests")

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._leaves: dict[tuple[int, ...], tuple[Any, tuple[Selector | None, ...]]] = {}
        self._afters: dict[tuple[int, ...], tuple[Selector, list[tuple[int, int]]]] = {}
        self._tests: dict[tuple[int, ...], Callable[[Any], bool]] = {}
        self._kinds: dict[tuple[Any, ...], Any] = {}
        self._position = 0
        for number, check in enumerate(plan.program.checks):
            self._plant(check, (number,))

    def _plant(self, check: Check, path: tuple[int, ...]) -> None:
        hidden = self._plan.tools_only
        if check.type in COMPOSITIONS:
            for number, child in enumerate(check.children):
                self._plant(child, (*path, number))
        elif check.type in ("eventually", "never", "count"):
            selector = check.fields["match"]
            self._leaves[path] = (Counter(check, hidden and could_be_conversation(selector)), (selector,))
        elif check.type == "tool_call":
            lookup = self._plan.lookup(len(self._plan.program.behaviors), self._plan.roles.suppliers)
            resolved = [ResolvedArguments(item, lookup).test() for item in check.arguments]
            self._tests[path] = lambda arguments: all(test(arguments) for test in resolved)
            self._leaves[path] = (Counter(check, False), (None,))
        elif check.type == "sequence":
            order = check.fields["order"]
            unseen = tuple(hidden and could_be_conversation(selector) for selector in order)
            self._leaves[path] = (InOrder(check, unseen), order)
        elif check.type == "within":
            pair = (check.fields["after"], check.fields["match"])
            unseen = (hidden and could_be_conversation(pair[0]), hidden and could_be_conversation(pair[1]))
            self._leaves[path] = (Nearby(check, unseen, not hidden), pair)
        elif check.type == "expected" and check.fields["after"] is not None:
            self._afters[path] = (check.fields["after"], [])

    def feed(self, index: int, event: Event) -> None:
        """Take the next event."""
        kind = (event.actor, event.action, event.category, event.recorded, event.target)
        try:
            chosen = self._kinds[kind]
        except KeyError:
            chosen = self._choose(*kind)
            if len(self._kinds) >= KIND_LIMIT:
                self._kinds = {}
            self._kinds[kind] = chosen
        if chosen is None:
            return
        position = self._position
        self._position += 1
        leaves, afters = chosen
        for path, machine, values in leaves:
            test = self._tests.get(path)
            if test is None or test(event.arguments):
                machine.feed(position if machine.__class__ is Nearby else index, values)
        for seen, value in afters:
            seen.append((index, value))

    def _choose(self, actor: str, action: str | None, category: str | None, recorded: bool, target: str | None) -> Any:
        """The machines that an event of this kind concerns, or None where the observation ignores it."""
        if self._plan.tools_only and not seen_by_tools_only(actor, action, category):
            return None
        kind = (actor, action, category, recorded, target)
        leaves = []
        for path, (machine, selectors) in self._leaves.items():
            if selectors == (None,):
                known = category if action is None else CATEGORY_OF.get(action)
                wanted = machine.target
                is_call = action == "calls" or (action is None and known == "execution")
                values: tuple[int, ...] = (
                    (YES if action == "calls" else MAYBE)
                    if is_call and self._plan.names.matches(wanted, target)
                    else NO,
                )
            else:
                values = tuple(selects(selector, self._plan.names, *kind) for selector in selectors if selector)
            if any(values):
                leaves.append((path, machine, values))
        afters = []
        for selector, seen in self._afters.values():
            value = selects(selector, self._plan.names, *kind)
            if value:
                afters.append((seen, value))
        return (tuple(leaves), tuple(afters))

    def outcome(self, path: tuple[int, ...], negated: bool) -> Outcome:
        """The outcome of a leaf as of now; `negated` under a none_of."""
        result: Outcome = self._leaves[path][0].outcome(negated)
        return result

    @property
    def broken(self) -> bool:
        """Whether an unconditional never or count max of the session has failed, which no later event can mend."""
        for number, check in enumerate(self._plan.program.checks):
            if check.when is None and check.type in ("never", "count"):
                limit = 0 if check.type == "never" else check.fields["max"]
                if limit is not None and self._leaves[(number,)][0].yes > limit:
                    return True
        return False

    def after(self, path: tuple[int, ...], event: int, words: str, because: str, negated: bool) -> Outcome:
        """Whether some event that `after` selects lies before the matched one."""
        selector, seen = self._afters[path]
        earlier = [value for index, value in seen if index < event]
        reason = f"{words} matched event #{event}"
        if YES in earlier or (earlier and not negated):
            return Outcome(PASSED, f"{reason}, after `{selector.title}`", event=event)
        if earlier:
            return Outcome(INCONCLUSIVE, f"{reason}; some events know only their category", event=event)
        if self._plan.tools_only and could_be_conversation(selector):
            return Outcome(INCONCLUSIVE, f"{reason}; `{selector.title}` may not be observed", event=event)
        return Outcome(FAILED, f"{reason}, not after any `{selector.title}`{because}", event=event)
