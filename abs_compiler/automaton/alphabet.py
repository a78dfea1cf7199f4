"""The alphabet of a session: events that no behavior, selector or count tells apart are one class.

Takes the sets of behaviors, the selectors of chain evaluations and the target names; gives the classes. Two events of
one class satisfy the same behaviors, are selected alike and are counted alike. Where a set is only bounded, there is a
class for either answer, so that the classes cover every real event; such a class is not `sure`: perhaps no event is in
it. What is shown impossible over the classes is impossible.

Classes hold the events of recordings too: those that know only their category, and recorded invocations.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import attrs

from abs_compiler.automaton.step_sets import StepSet
from abs_compiler.automaton.value_sets import ALLOWED, OBJECTS, TEXTS
from abs_compiler.bounds import OutOfWorkError, allowance
from abs_compiler.predicate.denote import Bounds
from abs_compiler.predicate.domains import ANY, Domain, members, union
from abs_compiler.predicate.domains.formulas import atom
from abs_compiler.predicate.domains.sets import partition
from abs_compiler.predicate.domains.worlds import BlowupError
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.chain import MAYBE, NO, YES, selects
from abs_compiler.runtime.checks import Selector
from abs_compiler.runtime.classify import is_call, selects_action
from abs_compiler.runtime.events import Event
from abs_compiler.runtime.targets import TargetNames
from abs_compiler.runtime.vocabulary import CATEGORY_OF, INVOCATIONS, PEOPLE, is_result

MOST_CLASSES = 400
_MOST_KINDS = 20_000
_MOST_PIECES = 64
_MOST_OPEN = 6
_PRICE_OF_GLOBS = 20_000  # in steps of machines
_SOMEBODY, _SOMETHING = "somebody", "does something"
_ANY_OBJECT = Bounds(OBJECTS, OBJECTS)
_ANYTHING = Bounds(ANY, ANY)


class TooManyClassesError(Exception):
    """More classes of events than are looked at."""


@attrs.frozen(slots=False, repr=False)
class CallTest(ReprMixin):
    """The session's `tool_call`, which selects calls by target and arguments."""

    target: str | None
    arguments: Bounds
    any_arguments: bool


Selecting: TypeAlias = Selector | CallTest


@attrs.frozen(slots=False, repr=False)
class EventClass(ReprMixin):
    """`satisfied` is the mask of behaviors, `selected` NO, MAYBE or YES for each selector, `counted` whether it is a
    call that limits on extras count; `event` is one of the events."""

    satisfied: int
    selected: tuple[int, ...]
    counted: bool
    sure: bool = attrs.field(eq=False)
    event: Event = attrs.field(eq=False, repr=False)


@attrs.frozen(slots=False, repr=False)
class _Kind(ReprMixin):
    actor: str
    action: str | None
    category: str | None
    recorded: bool
    target: str | None

    def event(self, arguments: Any, content: Any, has_content: bool) -> Event:
        return Event(
            self.actor,
            self.action,
            category=self.category,
            target=self.target,
            arguments=arguments,
            content=content,
            has_content=has_content,
            recorded=self.recorded,
        )


def event_classes(
    steps: Sequence[StepSet],
    selecting: Sequence[Selecting],
    names: TargetNames,
    ignore: Sequence[str] = (),
    *,
    people_call: bool = True,
    spend: Callable[[int], None] = lambda work: None,
) -> tuple[EventClass, ...]:
    """The classes, in the same order in every run; without `people_call`, as if people made no calls. Work is counted
    with `spend`, which may raise. TooManyClassesError."""
    found: dict[EventClass, EventClass] = {}
    try:
        with allowance(ALLOWED):
            kinds = [
                kind
                for kind in _kinds(steps, selecting, names, ignore, spend)
                if people_call or not is_call_of_people(kind.actor, kind.action, kind.category)
            ]
            spend(len(kinds) * (10 + len(steps) + len(selecting)) // 4)
            for kind in kinds:
                for each in _classes_of(kind, steps, selecting, names):
                    known = found.get(each)
                    if known is None or (each.sure and not known.sure):
                        found[each] = each
                    if len(found) > MOST_CLASSES:
                        raise TooManyClassesError
    except (BlowupError, OutOfWorkError):
        raise TooManyClassesError from None
    return tuple(found.values())


def is_call_of_people(actor: str, action: str | None, category: str | None = None) -> bool:
    """Whether an invocation is by a user or a human, so that limits on extras do not count it."""
    known = category if action is None else CATEGORY_OF.get(action)
    return known == "execution" and actor in PEOPLE


# --- kinds: actor, action, target -----------------------------------------------------------------------------------


def _kinds(
    steps: Sequence[StepSet],
    selecting: Sequence[Selecting],
    names: TargetNames,
    ignore: Sequence[str],
    spend: Callable[[int], None],
) -> Iterable[_Kind]:
    selectors = [item for item in selecting if isinstance(item, Selector)]
    actors = {step.actor for step in steps} | {item.actor for item in selectors if item.actor is not None}
    actors |= {_SOMEBODY, PEOPLE[0]}
    actions = {step.action for step in steps} | {item.action for item in selectors if item.action is not None}
    heads: list[tuple[str | None, str | None, bool]] = [(action, None, False) for action in sorted(actions)]
    heads += [(action, None, False) for action in ("calls", _SOMETHING) if action not in actions]
    categories = {CATEGORY_OF[action] for action in actions if action in CATEGORY_OF} | {"execution"}
    heads += [(None, category, False) for category in sorted(categories)]
    if actions & set(INVOCATIONS):
        heads.append(("calls", None, True))
    wanted = [item.target for item in (*steps, *selecting) if item.target is not None]
    targets = _targets(sorted(set(wanted)), names, ignore, spend)
    if len(actors) * len(heads) * len(targets) > _MOST_KINDS:
        raise TooManyClassesError
    for actor, head, target in itertools.product(sorted(actors), heads, targets):
        yield _Kind(actor, *head, target)


def _targets(
    wanted: list[str], names: TargetNames, ignore: Sequence[str], spend: Callable[[int], None]
) -> list[str | None]:
    """One recorded target for each way in which targets can be told apart, and none at all."""
    recorded = {*ignore, *(name for target in (*wanted, *ignore) for name in names.names(target))}
    if not any("*" in name for name in recorded):
        other = "another"
        while other in recorded or other in wanted:
            other += " one"
        return [None, *sorted(recorded.union(wanted)), other]
    spend(_PRICE_OF_GLOBS + 2 * len(recorded))
    sets = [target_set(target, names) for target in wanted]
    sets += [ignored_set(entry, names) for entry in ignore]
    found: list[str | None] = [None]
    for _, piece, sure in partition(TEXTS, sets, _MOST_KINDS):
        one = next(members(piece, 1), None)
        if not sure or one is None:
            raise TooManyClassesError
        found.append(one)
    return found


def target_set(target: str, names: TargetNames) -> Domain:
    """The recorded names that a target stands for."""
    itself = Domain(strings=atom("in", (target,)))
    return union(itself, *(_glob_set(name) for name in names.names(target)))


def ignored_set(entry: str, names: TargetNames) -> Domain:
    """The recorded names that an entry of the ignore list stands for."""
    return union(_glob_set(entry), *(_glob_set(name) for name in names.names(entry)))


def _glob_set(glob: str) -> Domain:
    parts = glob.split("*")
    if len(parts) == 1:
        return Domain(strings=atom("in", (glob,)))
    pattern = "[\\s\\S]*".join("".join(_escaped(char) for char in part) for part in parts)
    return Domain(strings=atom("matches", f"^{pattern}$", ""))


def _escaped(char: str) -> str:
    return char if char.isalnum() or not char.isascii() else f"\\x{{{ord(char):x}}}"


# --- classes of one kind --------------------------------------------------------------------------------------------


def _classes_of(
    kind: _Kind, steps: Sequence[StepSet], selecting: Sequence[Selecting], names: TargetNames
) -> Iterable[EventClass]:
    head = (kind.actor, kind.action, kind.category, kind.recorded, kind.target)
    possible = [step for step in steps if _may_match(step, kind, names)]
    fixed = [
        selects(item, names, *head) if isinstance(item, Selector) else _selects_call(item, kind, names)
        for item in selecting
    ]
    calls = [
        (number, item)
        for number, item in enumerate(selecting)
        if isinstance(item, CallTest) and fixed[number] != NO and not item.any_arguments
    ]
    counted = is_call(kind.actor, kind.action, kind.category) and not names.ignored(kind.target)
    argument_sets = [None if step.any_arguments else step.arguments for step in possible]
    argument_sets += [item.arguments for _, item in calls]
    for (answers, arguments, sure), (contents, content, known) in itertools.product(
        _argument_pieces(argument_sets), _content_pieces(kind, possible)
    ):
        certain = open_ = 0
        for step, answer, also in zip(possible, answers, contents, strict=False):
            answer = min(answer, also)
            if step.open_text or step.conditional:
                answer = min(answer, MAYBE)
            certain |= step.bit if answer == YES else 0
            open_ |= step.bit if answer == MAYBE else 0
        selected = list(fixed)
        unsure = []
        for (number, _), answer in zip(calls, answers[len(possible) :], strict=True):
            selected[number] = fixed[number] if answer == YES else NO
            if answer == MAYBE:
                unsure.append(number)
        event = kind.event(arguments, content[0] if content else None, bool(content))
        for bits in _subsets(open_):
            for chosen in itertools.product((False, True), repeat=len(unsure)):
                for number, there in zip(unsure, chosen, strict=True):
                    selected[number] = fixed[number] if there else NO
                is_sure = sure and known and not open_ and not unsure
                yield EventClass(certain | bits, tuple(selected), counted, is_sure, event)


def _may_match(step: StepSet, kind: _Kind, names: TargetNames) -> bool:
    if step.misfit is not None or step.actor != kind.actor or not names.matches(step.target, kind.target):
        return False
    return step.open_text or selects_action(step.action, kind.action, kind.category, kind.recorded)


def _selects_call(item: CallTest, kind: _Kind, names: TargetNames) -> int:
    """What a session's `tool_call` says of an event's kind."""
    known = kind.category if kind.action is None else CATEGORY_OF.get(kind.action)
    if not (kind.action == "calls" or (kind.action is None and known == "execution")):
        return NO
    if not names.matches(item.target, kind.target):
        return NO
    return YES if kind.action == "calls" else MAYBE


_Pieces: TypeAlias = list[tuple[tuple[int, ...], Any, bool]]


def _argument_pieces(sets: Sequence[Bounds | None]) -> _Pieces:
    """Ways in which arguments can lie to some sets (None: not looked at): the answers, an example, whether it is
    sure. What is no object lies in none."""
    outside = tuple(YES if each is None else NO for each in sets)
    found: _Pieces = [(outside, "not an object", True)] if NO in outside else []
    for answers, piece, sure in _pieces(OBJECTS, [_ANY_OBJECT if each is None else each for each in sets]):
        found.append((answers, next(members(piece, 1), {}) or None, sure))
    return found


def _content_pieces(kind: _Kind, steps: Sequence[StepSet]) -> _Pieces:
    """The same for content; the example is empty where there is none, else it holds one value."""
    outside = tuple(YES if step.content is None else NO for step in steps)
    found: _Pieces = [(outside, (), True)]
    if NO in outside and is_result(kind.actor, kind.action):
        for answers, piece, sure in _pieces(ANY, [_ANYTHING if s.content is None else s.content for s in steps]):
            found.append((answers, tuple(members(piece, 1)), sure))
    elif NO in outside:  # an event that knows only its category, or a recorded one: its content may be anything
        found.append((tuple(MAYBE if answer == NO else YES for answer in outside), (None,), False))
    return found


def _pieces(whole: Domain, sets: Sequence[Bounds]) -> list[tuple[tuple[int, ...], Domain, bool]]:
    """The pieces into which sets cut a whole: for each set whether the piece lies inside, outside, or it is open."""
    distinct = list(dict.fromkeys(domain for bounds in sets for domain in (bounds.inside, bounds.around)))
    cutting = [domain for domain in distinct if domain not in (whole, Domain())]
    found = []
    for bits, piece, sure in partition(whole, cutting, _MOST_PIECES):
        inside = {domain for number, domain in enumerate(cutting) if bits >> number & 1}
        inside.add(whole)
        answers = tuple(_answer(bounds, inside, whole) for bounds in sets)
        if sum(1 for answer in answers if answer == MAYBE) > _MOST_OPEN:
            raise TooManyClassesError
        found.append((answers, piece, sure))
    return found


def _answer(bounds: Bounds, inside: set[Domain], whole: Domain) -> int:
    if bounds.inside in inside:
        return YES
    return MAYBE if bounds.around in inside else NO


def _subsets(mask: int) -> Iterable[int]:
    """Every subset of the bits of a mask. TooManyClassesError beyond a few."""
    if mask.bit_count() > _MOST_OPEN:
        raise TooManyClassesError
    subset = mask
    while True:
        yield subset
        if subset == 0:
            return
        subset = (subset - 1) & mask
