"""Evaluations of the session that can never hold where its required behaviors are matched, or not together.

Catches: a `never` for a call that the session requires; a `count` whose `max` is below what it requires; a `sequence`
or `eventually` of calls that a limit on extras forbids; a `never` beside an `eventually` of the same; an optional
behavior that a `never` forbids.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from abs_compiler.automaton.checks import ChainCheck
from abs_compiler.automaton.session import Ground, SessionModel
from abs_compiler.diagnostics import Label
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import demand_finished, label, labels, model, title
from abs_compiler.source import Span
from abs_compiler.spec.evaluation_model import Occurs

_NO_RUN = "no run can pass this session"


def check(context: SessionContext) -> Iterator[Report]:
    """Report evaluations that contradict the behaviors, or one another."""
    if not context.ir.session.evaluations:
        return
    found = model(context)
    possible = []
    for each in found.checks:
        ground = found.can_never_hold(each)
        if ground is None:
            possible.append(each)
        else:
            yield _never_holds(context, found, each, ground)
    for each in possible:
        yield from _against_optionals(context, found, each)
    for first, second in itertools.combinations(possible, 2):
        if _have_something_in_common(found, first, second):
            both = found.can_never_both_hold(first, second)
            if both is not None:
                yield _apart(context, first, second, both)
    demand_finished(found)


def place(each: ChainCheck) -> Span:
    """Where an evaluation is pointed at: its selector where it has just one, else its type."""
    found = each.evaluation.check
    if isinstance(found, Occurs) and found.match is not None:
        return found.match.span
    return each.evaluation.type.span


def _never_holds(context: SessionContext, found: SessionModel, each: ChainCheck, ground: Ground) -> Report:
    kind = each.evaluation.type.text
    if ground.extras:
        return _beyond_extras(context, each, ground)
    if not ground.steps:
        return Report(
            "contradicting-evaluations",
            f"this `{kind}` can never hold, whatever the run",
            each.evaluation.type.span,
            "no run satisfies it",
            notes=(_NO_RUN,),
            helps=("correct it, or leave it out",),
        )
    steps = ground.steps
    one = len(steps) == 1
    what = f"the required behavior `{title(context.ir.steps[steps[0]])}`" if one else "required behaviors"
    at = each.evaluation.check
    if kind == "count" and isinstance(at, Occurs) and at.max is not None:
        most = at.max
        return Report(
            "contradicting-evaluations",
            f"`count` allows {most.value}, but {len(steps)} required behaviors are counted",
            most.span,
            f"at most {most.value}",
            also=labels(context, steps, "counted, and required"),
            notes=(_NO_RUN,),
            helps=(f"allow at least {len(steps)}, or make a behavior optional",),
        )
    return Report(
        "contradicting-evaluations",
        f"this `{kind}` can never hold: it contradicts {what}",
        place(each),
        "forbids what is required" if kind == "never" else "does not go with what is required",
        also=labels(context, steps, "required here"),
        notes=(_NO_RUN,),
        helps=("leave out one of the two, or narrow one down, with another target say",),
    )


def _beyond_extras(context: SessionContext, each: ChainCheck, ground: Ground) -> Report:
    kind = each.evaluation.type.text
    people = "only calls by `user` and `human` are not counted, and in recordings the assistant calls"
    return Report(
        "contradicting-evaluations",
        f"this `{kind}` can never hold within `match.extras`",
        place(each),
        "no run satisfies it",
        also=labels(context, ground.steps, "required here"),
        notes=(
            "`match.extras` allows too few calls beyond those that behaviors match",
            people if ground.people_call_nothing else _NO_RUN,
        ),
        helps=("add a behavior for what is demanded, or allow more calls", "else correct the evaluation"),
    )


def _against_optionals(context: SessionContext, found: SessionModel, each: ChainCheck) -> Iterator[Report]:
    if each.evaluation.type.text not in ("never", "count", "none_of"):
        return
    for i in found.roles.optionals:
        if not found.excluded_by(each, i):
            continue
        step = context.ir.steps[i]
        kind = each.evaluation.type.text
        yield Report(
            "contradicting-evaluations",
            f"this `{kind}` fails whenever the optional behavior `{title(step)}` happens",
            place(each),
            "forbids what is optional",
            also=(label(step, "optional here"),),
            helps=("leave out the behavior if it must not happen, or the evaluation if it may",),
        )


def _have_something_in_common(found: SessionModel, first: ChainCheck, second: ChainCheck) -> bool:
    """Whether both may look at one event."""
    return any(found.may_select_alike(one, other) for one in first.selectors() for other in second.selectors())


def _apart(context: SessionContext, first: ChainCheck, second: ChainCheck, ground: Ground) -> Report:
    kinds = first.evaluation.type.text, second.evaluation.type.text
    also = (Label(place(first), f"this `{kinds[0]}`"), *labels(context, ground.steps, "required here"))
    return Report(
        "contradicting-evaluations",
        f"this `{kinds[1]}` and the `{kinds[0]}` before it can never both hold",
        place(second),
        "contradicts the other one",
        also=also,
        notes=(_NO_RUN,),
        helps=("leave out one of the two",),
    )
