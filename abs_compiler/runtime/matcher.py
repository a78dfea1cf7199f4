"""The matcher: the public face of one compiled session."""

from __future__ import annotations

from .automaton import DEFAULT_BUDGET
from .decision import decide
from .errors import ArtifactError, BindError
from .outcome import PASSED
from .plan import Options, Plan
from .program import Program, ProgramError, decode_program
from .selection import MAX_SWITCHES
from .sequence import Sequence
from .values import MAX_KEY_DEPTH
from .verdict import conclude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .automaton import Automaton
    from .judging import Judge
    from .monitor import Monitor
    from .verdict import Verdict


class Matcher:
    """One compiled session. Immutable; one matcher may be used by many threads.

    `session` is its name, `parameters` the names that must be bound, `names` all names its file mentions,
    `dataset` the declared dataset ({"id", "path"}) or None."""

    __slots__ = ("_automata", "_bindings", "_checked", "_options", "_plans", "_program")

    def __init__(
        self,
        program: Program,
        options: Options,
        bindings: Mapping[str, Any],
        automata: dict[Any, Automaton],
    ) -> None:
        self._program = program
        self._options = options
        self._bindings = dict(bindings)
        self._automata = automata
        self._plans: dict[str | None, Plan] = {}
        self._checked = False

    def __repr__(self) -> str:
        return f"<Matcher {self.session!r}>"

    @property
    def session(self) -> str:
        return self._program.session

    @property
    def path(self) -> str:
        """The spec file, as reports call it: as it was named at compile time, or as its artifact knows it."""
        return self._program.path

    @property
    def parameters(self) -> tuple[str, ...]:
        return self._program.parameters

    @property
    def missing(self) -> tuple[str, ...]:
        """The parameters that have no value yet."""
        return tuple(name for name in self._program.parameters if name not in self._bindings)

    @property
    def names(self) -> frozenset[str]:
        return self._program.file_names

    @property
    def dataset(self) -> dict[str, str | None] | None:
        return self._program.dataset

    @property
    def program(self) -> dict[str, Any]:
        """The program as plain JSON data."""
        return self._program.data

    def to_bytes(self) -> bytes:
        """The artifact of this matcher: its session with the values bound and the options set; `load` gives it back.

        The same matcher gives the same bytes on every machine. The values bound are part of them, secrets included."""
        from .artifact import encode_matcher

        return encode_matcher(self)

    def __reduce__(self) -> tuple[Any, ...]:
        from .artifact import load_one

        return load_one, (self.to_bytes(), self.path)

    def bind(self, values: Mapping[str, Any]) -> Matcher:
        """A matcher with these values bound (added to earlier ones; later ones win).

        Raises BindError when a parameter is still missing, a name is one the file never mentions, a value is not
        JSON, or a value does not fit its place."""
        if not hasattr(values, "items"):
            raise BindError(f"bind takes a mapping of names to values, not {type(values).__name__}")
        for name, value in values.items():
            if name not in self._program.file_names:
                raise BindError(_unknown_name(name, self._program.file_names))
            _check_json(name, value)
        bound = Matcher(self._program, self._options, {**self._bindings, **values}, self._automata)
        bound._require_bound()
        return bound

    def match(
        self,
        events: Any,
        *,
        judge: Judge | None = None,
        observe: str | None = None,
        allow_empty: bool | None = None,
    ) -> Verdict:
        """Match a trace: a list of ABS event dictionaries or Events, or a Trace.

        `judge` decides deferred evaluations (see `judging`); without one they are inconclusive. `observe` ("all" or
        "tools") and `allow_empty` override the spec. Raises TraceError for a malformed event, and for values that
        are not JSON unless the session passes without them; BindError when a parameter is not bound or a value does
        not fit its place."""
        if judge is not None and not callable(judge):
            raise TypeError(f"judge must be a callable, not {type(judge).__name__}")
        self._require_bound()
        plan = self._plan(observe)
        if allow_empty is not None and allow_empty != plan.allow_empty:
            plan = self._new_plan(observe, allow_empty)
        sequence = Sequence(events)
        try:
            if self._program.judged:
                from .judged_texts import verdict_of

                verdict = verdict_of(plan, sequence, judge)
            else:
                verdict = conclude(decide(plan, sequence), judge)
        except (TypeError, ValueError, AttributeError, RecursionError):  # what values that are not JSON may lead to
            sequence.refuse_other_than_json()
            raise
        if verdict.status != PASSED:
            sequence.refuse_other_than_json(plan.looked_at)
        return verdict

    def monitor(self, *, observe: str | None = None) -> Monitor:
        """A monitor that takes events one at a time. Raises BindError when a parameter is not bound."""
        from .monitor import Monitor

        self._require_bound()
        return Monitor(self._plan(observe))

    def _require_bound(self) -> None:
        if not self._checked:
            self._plan(None).check_bindings()
            self._checked = True

    def _plan(self, observe: str | None) -> Plan:
        plan = self._plans.get(observe)
        if plan is None:
            if observe not in (None, "all", "tools"):
                raise ValueError(f"observe is neither 'all' nor 'tools': {observe!r}")
            plan = self._new_plan(observe, self._options.allow_empty)
            self._plans[observe] = plan
        return plan

    def _new_plan(self, observe: str | None, allow_empty: bool | None) -> Plan:
        options = self._options
        options = Options(observe or options.observe, options.targets, options.ignore, allow_empty, options.budget)
        return Plan(self._program, self._bindings, options, self._automata)


def load_programs(
    programs: Iterable[Any],
    *,
    observe: str | None = None,
    targets: Mapping[str, Iterable[str]] | None = None,
    ignore: Iterable[str] = (),
    allow_empty: bool | None = None,
    budget: int = DEFAULT_BUDGET,
) -> tuple[Matcher, ...]:
    """The matchers of compiled programs (plain JSON data, as the compiler emits it).

    `targets` and `ignore` are added to what the specs say; `budget` bounds the cached transitions of each automaton.
    Raises ArtifactError for data the compiler could not have emitted."""
    added = {name: tuple(globs) for name, globs in (targets or {}).items()}
    options = Options(observe, added, tuple(ignore), allow_empty, budget)
    matchers = []
    for data in programs:
        try:
            program = decode_program(data)
            _check_choices(program)
        except ProgramError as error:
            raise ArtifactError(f"not a program of this compiler: {error}") from None
        matchers.append(Matcher(program, options, {}, {}))
    return tuple(matchers)


def _check_choices(program: Program) -> None:
    """Refuse a program whose optional behaviors could not be chosen in bounded time; the compiler emits none."""
    if sum(behavior.optional for behavior in program.behaviors) <= MAX_SWITCHES:
        return
    from .roles import most_switches

    if most_switches(program) > MAX_SWITCHES:
        raise ProgramError("more optional behaviors decide what others must be than can be tried")


def _unknown_name(name: str, known: frozenset[str]) -> str:
    from .nearness import nearest_name

    near = nearest_name(name, sorted(known))
    if near is not None:
        return f"the spec never mentions `{name}`; it mentions `{near[0]}`"
    if not known:
        return f"the spec never mentions `{name}`; it mentions no names"
    return f"the spec never mentions `{name}`; it mentions {', '.join(f'`{item}`' for item in sorted(known)[:8])}"


def _check_json(name: str, value: Any) -> None:
    """Refuse what is not JSON: other types, NaN and infinities, text keys only, bounded depth."""
    pending = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        kind = item.__class__
        if depth > MAX_KEY_DEPTH // 2:
            raise BindError(f"the value of `{name}` is nested too deeply")
        if kind is dict:
            for key, inner in item.items():
                if key.__class__ is not str:
                    raise BindError(f"the value of `{name}` has a key that is not a text: {key!r}")
                pending.append((inner, depth + 1))
        elif kind is list:
            pending.extend((inner, depth + 1) for inner in item)
        elif kind is float:
            if item != item or item in (float("inf"), float("-inf")):
                raise BindError(f"the value of `{name}` is {item}, which is not a JSON number")
        elif item is not None and kind not in (str, int, bool):
            raise BindError(f"the value of `{name}` is a {kind.__name__}, which is not a JSON value")
