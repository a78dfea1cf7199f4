"""The plan of a matching: a program with its bindings, options and observation, ready to run.

Holds what all matchings of one bound program share: the roles, a classifier per set of applied captures, and the
automata (shared by every binding of the program, since they range over step masks).
"""

from __future__ import annotations

from .automaton import Automaton, Segment
from .classify import Classifier, Step, selects_action
from .errors import BindError
from .roles import Roles
from .steps import check_values
from .targets import TargetNames
from .templates import UnsourcedError, pattern_key, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .classify import Judged
    from .events import Event
    from .program import Behavior, Program

VARIANT_LIMIT = 2048
AUTOMATON_LIMIT = 256


def never_judged(behavior: int, criteria: str, text: str) -> bool:
    """The answer of a judged `matches_when` while nobody judges: counted out."""
    return False


class Options:
    """What the caller may set beside the spec: the observation, more target names, more ignored names, whether an
    empty trace is fine (None: as the spec says), and the transition budget."""

    __slots__ = ("allow_empty", "budget", "ignore", "observe", "targets")

    def __init__(
        self,
        observe: str | None,
        targets: Mapping[str, tuple[str, ...]],
        ignore: tuple[str, ...],
        allow_empty: bool | None,
        budget: int,
    ) -> None:
        self.observe = observe
        self.targets = targets
        self.ignore = ignore
        self.allow_empty = allow_empty
        self.budget = budget


class Plan:
    """See the module's text."""

    __slots__ = (
        "_automata",
        "_by_required",
        "_capturers",
        "_certain",
        "_certain_plan",
        "_classifiers",
        "_options",
        "allow_empty",
        "bindings",
        "budget",
        "judged",
        "names",
        "program",
        "roles",
        "tools_only",
    )

    def __init__(
        self,
        program: Program,
        bindings: Mapping[str, Any],
        options: Options,
        automata: dict[Any, Automaton],
        judged: Judged = never_judged,
        certain: bool = False,
    ) -> None:
        self.program = program
        self._certain = certain
        self._certain_plan: Plan | None = None
        self._options = options
        self.judged = judged
        self.bindings = bindings
        self.tools_only = (options.observe or program.observe) == "tools"
        self.allow_empty = program.allow_empty if options.allow_empty is None else options.allow_empty
        self.budget = options.budget
        targets = dict(program.targets)
        for name, globs in options.targets.items():
            targets[name] = (*targets.get(name, ()), *globs)
        self.names = TargetNames(targets, (*program.ignore, *options.ignore))
        self.roles = Roles(program, tools_only=self.tools_only)
        self._automata = automata
        self._by_required: dict[tuple[frozenset[int], frozenset[int]], Automaton] = {}
        self._classifiers: dict[frozenset[int], Classifier] = {}
        self._capturers: dict[str, list[int]] = {}
        for behavior in program.behaviors:
            for name in behavior.capture:
                self._capturers.setdefault(name, []).append(behavior.index)

    def classifier(self, applied: frozenset[int]) -> Classifier:
        """The steps under the environment in which exactly these uncertain behaviors supply their captures.

        Raises BindError where a bound value does not fit its place."""
        found = self._classifiers.get(applied)
        if found is None:
            steps = [Step(self.program.behaviors[i], self.lookup(i, applied)) for i in self.roles.observed]
            found = Classifier(
                steps,
                self.names,
                tools_only=self.tools_only,
                count_calls=self.program.extras is not None,
                judged=self.judged,
                certain=self._certain,
            )
            if len(self._classifiers) >= VARIANT_LIMIT:
                self._classifiers = {}
            self._classifiers[applied] = found
        return found

    @property
    def looked_at(self) -> Classifier | None:
        """What tells the events whose values are looked at; None where all may be, by evaluations."""
        return None if self.program.has_checks else self.classifier(frozenset())

    @property
    def certain(self) -> Plan:
        """The same plan, in which optional steps take only events whose action is known to be theirs."""
        if self._certain_plan is None:
            self._certain_plan = Plan(self.program, self.bindings, self._options, self._automata, self.judged, True)
        return self._certain_plan

    def judged_by(self, judged: Judged) -> Plan:
        """The same plan with another decider of judged texts; it shares the automata."""
        return Plan(self.program, self.bindings, self._options, self._automata, judged)

    def lookup(self, index: int, applied: frozenset[int]) -> Callable[[str], Any]:
        """A look-up of names as behavior `index` sees them: the nearest prior capture that applies, else the bound
        value, else UnsourcedError."""

        def value_of(name: str) -> Any:
            supplier = self.supplier(name, index, applied)
            if supplier is not None:
                template = self.program.behaviors[supplier].capture[name]
                return resolve(template, self.lookup(supplier, applied))[1]
            if name in self.bindings:
                return self.bindings[name]
            raise UnsourcedError(name)

        return value_of

    def known(self, index: int) -> Callable[[str], Any]:
        """A look-up of what is known before any event: UnsourcedError also where only a run can tell which capture
        applies."""

        def value_of(name: str) -> Any:
            for supplier in reversed(self._capturers.get(name, ())):
                if supplier < index:
                    if not self.roles.certain(supplier):
                        raise UnsourcedError(name)
                    return resolve(self.program.behaviors[supplier].capture[name], self.known(supplier))[1]
            if name in self.bindings:
                return self.bindings[name]
            raise UnsourcedError(name)

        return value_of

    def supplier(self, name: str, index: int, applied: frozenset[int]) -> int | None:
        """The nearest behavior before `index` whose capture of a name applies, or None."""
        for supplier in reversed(self._capturers.get(name, ())):
            if supplier < index and (self.roles.certain(supplier) or supplier in applied):
                return supplier
        return None

    def check_bindings(self) -> None:
        """Resolve every value once, so that a binding that does not fit is found now. Raises BindError."""
        missing = [name for name in self.program.parameters if name not in self.bindings]
        if missing:
            raise BindError(_missing_text(missing))
        for step in self.classifier(self.roles.suppliers).steps:
            if step.misfit is not None:
                line, column = step.behavior.at
                raise BindError(f"`{step.behavior.title}` at {line}:{column}: {step.misfit}")
        for behavior in self.program.behaviors:
            for check in behavior.checks:
                check_values(check, self.known(behavior.index))
        for check in self.program.checks:
            check_values(check, self.known(len(self.program.behaviors)))

    def automaton(self, required: frozenset[int], applied: frozenset[int]) -> Automaton:
        """The automaton over the required behaviors, with identical members of a group as one class."""
        found = self._by_required.get((required, applied))
        if found is None:
            found = self._build_automaton(required, self.classifier(applied))
            if len(self._by_required) >= AUTOMATON_LIMIT:
                self._by_required = {}
            self._by_required[required, applied] = found
        return found

    def _build_automaton(self, required: frozenset[int], classifier: Classifier) -> Automaton:
        by_index = {step.behavior.index: step for step in classifier.steps}
        segments: list[Segment] = []
        shape: list[Any] = []
        for group in self._runs(required):
            classes: dict[Any, list[int]] = {}
            for i in group:
                classes.setdefault(_identity(by_index[i]) if len(group) > 1 else i, []).append(1 << i)
            members = {bits[0]: tuple(bits) for bits in classes.values()}
            shares = self.roles.shares[group[0]] if len(group) == 1 else None
            segments.append(Segment(members, shares))
            shape.append((tuple(members.items()), shares))
        key = (tuple(shape), self.budget)
        found = self._automata.get(key)
        if found is None:
            found = Automaton(tuple(segments), self.budget)
            if len(self._automata) >= AUTOMATON_LIMIT:
                self._automata.clear()
            self._automata[key] = found
        return found

    def _runs(self, required: frozenset[int]) -> list[list[int]]:
        """The required behaviors in listing order, members of one group together."""
        runs: list[list[int]] = []
        last: int | None = None
        for i in self.roles.observed:
            if i not in required:
                continue
            group = self.roles.group_of.get(i)
            if group is not None and group == last:
                runs[-1].append(i)
            else:
                runs.append([i])
            last = group
        return runs

    def certain_action(self, behavior: Behavior, event: Event) -> bool:
        """Whether an event that matched a behavior surely has its action, rather than being counted in."""
        return behavior.matches_when is not None or behavior.action == event.action

    def selects(self, index: int, actor: str, action: str | None, category: str | None, recorded: bool) -> bool:
        """Whether an event's actor and action are those of a behavior (any action, where `matches_when` stands in its
        place)."""
        behavior = self.program.behaviors[index]
        if behavior.actor != actor:
            return False
        return behavior.matches_when is not None or selects_action(behavior.action, action, category, recorded)


def _identity(step: Step) -> Any:
    """Steps with equal identities are satisfied by the same events."""
    behavior = step.behavior
    content = None if step.content is None else pattern_key(step.content)
    constraints = frozenset(item.key for item in step.constraints)
    # A judge is asked for each behavior on its own.
    text = (step.text, behavior.index) if step.text is not None and step.text[0] == "judge" else step.text
    return (behavior.actor, behavior.action, behavior.target, step.targets, text, constraints, content, step.usable)


def _missing_text(missing: list[str]) -> str:
    names = ", ".join(f"`{name}`" for name in missing)
    noun = "a value" if len(missing) == 1 else "values"
    return f"this session needs {noun} for {names}: bind it, or capture it in an earlier behavior"
