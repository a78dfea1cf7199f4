"""The runner of chain checks: one pass over the events, each kind of event dispatched once.

Takes a plan and events in order; keeps one counter or automaton per leaf check (compositions included, addressed by
their path of positions); gives their outcomes at any moment.
"""

from __future__ import annotations

from .chain import MAYBE, NO, UNSEEN, YES, Calls, Counter, InOrder, Nearby, could_be_conversation, maybe_words, selects
from .checks import COMPOSITIONS, Selector
from .errors import BindError
from .outcome import FAILED, INCONCLUSIVE, PASSED, Outcome
from .templates import ResolvedArguments, UnsourcedError
from .vocabulary import seen_by_tools_only
from .when import WhenError, evaluate_when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .checks import Check
    from .events import Event
    from .plan import Plan
    from .sequence import Sequence

    Lookup = Callable[[str], Any]
    Kind = tuple[str, str | None, str | None, bool, str | None]

KIND_LIMIT = 10_000


class Leaf:
    """A machine, what it selects (a tool_call: its target), and for a tool_call the test of arguments if there is one
    before a run."""

    __slots__ = ("machine", "selectors", "target", "test")

    def __init__(
        self,
        machine: Any,
        selectors: tuple[Selector, ...],
        target: str | None = None,
        test: Callable[[Any], bool] | None = None,
    ) -> None:
        self.machine = machine
        self.selectors = selectors
        self.target = target
        self.test = test


class ChainRunner:
    """See the module's text."""

    __slots__ = ("_afters", "_breakable", "_kinds", "_leaves", "_plan", "_position")

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._leaves: dict[tuple[int, ...], Leaf] = {}
        self._afters: dict[tuple[int, ...], tuple[Selector, list[tuple[int, int]]]] = {}
        self._kinds: dict[tuple[Any, ...], Any] = {}
        self._position = 0
        self._breakable: list[Any] = []
        for number, check in enumerate(plan.program.checks):
            self._plant(check, (number,), alone=True)

    def _plant(self, check: Check, path: tuple[int, ...], *, alone: bool) -> None:
        """Make the machine of a check; `alone` says that the session fails where it does."""
        alone = alone and _surely_holds(check, self._plan.known(len(self._plan.program.behaviors)))
        fields = check.fields
        if check.type in COMPOSITIONS:
            conjunction = alone and check.type == "all_of" and check.threshold is None
            for number, child in enumerate(check.children):
                self._plant(child, (*path, number), alone=conjunction)
            return
        if check.type == "expected":
            if fields["after"] is not None:
                self._afters[path] = (fields["after"], [])
            return
        if check.type in ("judge", "variable_consistency"):
            return
        leaf = self._leaves[path] = self._leaf(check)
        if alone:
            self._breakable.append(leaf.machine)

    def _leaf(self, check: Check) -> Leaf:
        fields = check.fields
        if check.type == "tool_call":
            return self._call_leaf(check)
        if check.type == "sequence":
            order = fields["order"]
            return Leaf(InOrder(order, tuple(self._hidden(selector) for selector in order)), order)
        if check.type == "within":
            after, match = fields["after"], fields["match"]
            unseen = (self._hidden(after), self._hidden(match))
            machine = Nearby(after, match, fields["max_steps"], unseen, not self._plan.tools_only)
            return Leaf(machine, (after, match))
        selector = fields["match"]
        return Leaf(Counter(check, selector.title, self._hidden(selector)), (selector,))

    def _call_leaf(self, check: Check) -> Leaf:
        target = check.fields["target"]
        title = f"a call of {target}" if target is not None else "a call"
        if check.arguments:
            title += " with these arguments"
        lookup = self._plan.known(len(self._plan.program.behaviors))
        try:
            tests = [ResolvedArguments(item, lookup).test() for item in check.arguments]
        except (UnsourcedError, BindError, ValueError):
            return Leaf(Calls(check, title), (), target)
        return Leaf(Counter(check, title, False), (), target, lambda arguments: all(test(arguments) for test in tests))

    def _hidden(self, selector: Selector) -> bool:
        return self._plan.tools_only and could_be_conversation(selector)

    def run(self, sequence: Sequence) -> None:
        """Take all events of a sequence."""
        for index, kind in enumerate(sequence.kinds()):
            self._take(index, kind, sequence.arguments)

    def feed(self, index: int, event: Event) -> None:
        """Take the next event."""
        kind = (event.actor, event.action, event.category, event.recorded, event.target)
        self._take(index, kind, lambda index: event.arguments)

    def _take(self, index: int, kind: Kind, arguments_of: Callable[[int], Any]) -> None:
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
        for leaf, values in leaves:
            if leaf.selectors:
                leaf.machine.feed(index, position, values)
            elif leaf.test is None:
                leaf.machine.keep(index, values, arguments_of(index))
            elif leaf.test(arguments_of(index)):
                leaf.machine.feed(index, position, values)
        for seen, value in afters:
            seen.append((index, value))

    def _choose(self, actor: str, action: str | None, category: str | None, recorded: bool, target: str | None) -> Any:
        """The machines that an event of this kind concerns, or None where the observation ignores it."""
        if self._plan.tools_only and not seen_by_tools_only(actor, action, category):
            return None
        names = self._plan.names
        kind = (actor, action, category, recorded, target)
        leaves = []
        for leaf in self._leaves.values():
            values: tuple[int, ...]
            if leaf.selectors:
                values = tuple(selects(selector, names, *kind) for selector in leaf.selectors)
            else:
                values = (_is_call(action, category) if names.matches(leaf.target, target) else NO,)
            if any(values):
                leaves.append((leaf, values))
        afters = []
        for selector, seen in self._afters.values():
            value = selects(selector, names, *kind)
            if value:
                afters.append((seen, value))
        return (tuple(leaves), tuple(afters))

    def outcome(self, path: tuple[int, ...], negated: bool, lookup: Lookup) -> Outcome:
        """The outcome of a leaf as of now; `negated` under a none_of."""
        result: Outcome = self._leaves[path].machine.outcome(negated, lookup)
        return result

    @property
    def broken(self) -> bool:
        """Whether a never or a count max that stands alone has failed, which no later event can mend."""
        return any(machine.broken is not None for machine in self._breakable)

    def after(self, path: tuple[int, ...], event: int, words: str, because: str) -> tuple[Outcome, Outcome]:
        """Whether some event that `after` selects lies before the matched one: with undecided events counted in, and
        counted out."""
        selector, seen = self._afters[path]
        earlier = [(index, value) for index, value in seen if index < event]
        sure = [index for index, value in earlier if value == YES]
        if not earlier:
            if self._hidden(selector):
                hidden = Outcome(INCONCLUSIVE, f"{words}; {UNSEEN}, so `{selector.title}` may be", event=event)
                return hidden, hidden
            failed = Outcome(FAILED, f"{words}, not after any `{selector.title}`{because}", event=event)
            return failed, failed
        index = sure[0] if sure else earlier[0][0]
        held = Outcome(PASSED, f"{words}, after event #{index} (`{selector.title}`)", event=event)
        return held, held if sure else Outcome(INCONCLUSIVE, f"{words}; {maybe_words(index)}", event=event)


def _is_call(action: str | None, category: str | None) -> int:
    if action is None:
        return MAYBE if category == "execution" else NO
    return YES if action == "calls" else NO


def _surely_holds(check: Check, lookup: Lookup) -> bool:
    """Whether the condition of a check holds whatever the run shows."""
    if check.when is None:
        return True
    try:
        return evaluate_when(check.when, lookup)
    except (UnsourcedError, WhenError, BindError, ValueError):
        return False
