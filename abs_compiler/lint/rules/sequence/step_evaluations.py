"""Evaluations of one step that can never fail, never hold, or not together.

Catches: a pattern that matches every text, `[0-9]*` say, since it need not be anchored; the empty text; a pattern or a
schema that nothing satisfies; an `exact_match` beside a `contains`, `regex`, `schema` or another `exact_match` that
fails on just that value; an evaluation of a tool's answer that the declared structure of its content rules out.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import attrs

from abs_compiler.automaton.schema_sets import schema_set
from abs_compiler.automaton.value_sets import ALLOWED, MisfitError, is_empty, structure_set
from abs_compiler.bounds import OutOfWorkError, allowance
from abs_compiler.diagnostics import Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.predicate.denote import Bounds, literal_domain, matches
from abs_compiler.predicate.domains import ANY, NOTHING, Domain, complement, intersection, union
from abs_compiler.predicate.domains.formulas import atom, conj, neg
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.patterns import PatternError, compile_pattern
from abs_compiler.source import Span
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.evaluation_model import Composition, Contains, Evaluation, ExactMatch, Regex, Schema
from abs_compiler.spec.model import Literal, MatchesWhen, Value
from abs_compiler.spec.walk import flattened

_STRINGS = Domain(strings=True)


@attrs.frozen(slots=False, repr=False)
class _Demand(ReprMixin):
    """What the observed value must be: values outside `around` fail. `texts` are those among which its text must be,
    `text` is what its text must hold, `exact` the text it must be (both folded); None where nothing of the kind is
    demanded."""

    what: str
    span: Span
    around: Domain
    texts: Domain | None = None
    text: str | None = None
    exact: str | None = None


def check(context: SessionContext) -> Iterator[Report]:
    """Report evaluations by themselves, then the first two of a step that contradict each other."""
    for step in context.ir.steps:
        if step.behavior.matches_when is not None:
            yield from _accepting(step.behavior.matches_when)
        if not step.behavior.evaluations:
            continue
        silent = True
        for evaluation in flattened(step.behavior.evaluations):
            report = _alone(evaluation)
            if report is not None:
                silent = False
                yield report
        if silent:
            pair = next(_contradictions(step), None)
            if pair is not None:
                yield _apart(*pair)


# --- one evaluation -------------------------------------------------------------------------------------------------


def _accepting(condition: MatchesWhen) -> Iterator[Report]:
    """A test in place of the action that every text passes."""
    match condition.type.text, condition.value:
        case "contains", Literal(value="") as place:
            yield _accepts("every text contains the empty text", place.span)
        case "regex", Literal(value=str() as pattern) as place if _matches_all(pattern):
            yield _accepts("this pattern matches every text", place.span)


def _alone(evaluation: Evaluation) -> Report | None:
    match evaluation.check:
        case Contains(value=Literal(value="") as place):
            return _always("every text contains the empty text", place.span, "write what the text must contain")
        case Regex(pattern=Literal(value=str() as pattern) as place):
            if _matches_all(pattern):
                return _always("this pattern matches every text", place.span, _narrower(pattern))
            if is_empty(Domain(strings=matches(pattern, ignore_case=False))) and not _is_slashed(pattern):
                return _never("this pattern matches no text", place.span)
        case Schema(schema=Literal(value=schema) as place):
            bounds = _schema(schema)
            if is_empty(bounds.around):
                return _never("no value satisfies this schema", place.span)
            if is_empty(complement(bounds.inside)):
                return _always("every value satisfies this schema", place.span, "say which `type` is expected")
    return None


def _matches_all(pattern: str) -> bool:
    texts = matches(pattern, ignore_case=False)
    return is_empty(Domain(strings=conj((atom("text"), neg(texts)))))


def _is_slashed(pattern: str) -> bool:
    """Whether a pattern matches nothing for the slashes around it, which is said elsewhere."""
    from abs_compiler.lint.rules.portability.slashes import without_slashes  # rarely needed

    return without_slashes(pattern) is not None


def _narrower(pattern: str) -> str:
    """What to do about a pattern that matches every text: anchors help only where they change that."""
    anchored = f"(?s)^(?:{pattern})$"  # as on one line, where `.` is every character
    if _compiles(anchored) and pattern and not _matches_all(anchored):
        return "anchor it with `^` and `$`"
    return "write what the text must hold, or leave it out"


def _always(message: str, span: Span, help_: str) -> Report:
    return Report(
        "vacuous-evaluations",
        message,
        span,
        "fails only where there is nothing to look at",
        helps=(help_,),
    )


def _accepts(message: str, span: Span) -> Report:
    return Report(
        "vacuous-evaluations",
        message,
        span,
        "any text will do in place of the action",
        helps=("write what the text must hold, or leave `matches_when` out",),
    )


def _never(message: str, span: Span) -> Report:
    return Report(
        "contradicting-evaluations",
        message,
        span,
        "the evaluation can never hold",
        helps=("correct it, or leave it out",),
    )


def _schema(schema: Any) -> Bounds:
    try:
        with allowance(ALLOWED):
            return schema_set(schema)
    except OutOfWorkError:
        return Bounds(NOTHING, ANY)


# --- two of one step ------------------------------------------------------------------------------------------------


def _contradictions(step: Step) -> Iterator[tuple[_Demand, _Demand]]:
    """Pairs of demands that no value meets, in the order in which they are written."""
    demands = list(_demands(step))
    for first, second in itertools.combinations(demands, 2):
        lacking = _lacks(first, second) or _lacks(second, first)
        if lacking or _no_text(first, second) or is_empty(intersection(first.around, second.around)):
            yield first, second


def _no_text(first: _Demand, second: _Demand) -> bool:
    """Whether no text is among those of both, whatever value it is the text of."""
    if first.texts is None or second.texts is None:
        return False
    return is_empty(intersection(first.texts, second.texts))


def _lacks(exact: _Demand, other: _Demand) -> bool:
    """Whether a value that must be exactly this text does not hold a text that it must hold."""
    if exact.exact is None or other.text is None:
        return False
    return other.text not in exact.exact


def _demands(step: Step) -> Iterator[_Demand]:
    behavior = step.behavior
    content, span = behavior.content, behavior.content_span
    if content is not None and span is not None and is_tool_response(behavior.actor, behavior.action):
        yield _Demand("the declared `content`", span, _structure(content))
    yield from itertools.chain.from_iterable(map(_demand, _conjuncts(behavior.evaluations)))


def _structure(content: Value) -> Domain:
    with contextlib.suppress(OutOfWorkError, MisfitError), allowance(ALLOWED):
        return structure_set(content).around
    return ANY


def _conjuncts(evaluations: tuple[Evaluation, ...]) -> Iterator[Evaluation]:
    """The evaluations that must all hold."""
    for evaluation in evaluations:
        if evaluation.when is not None:
            continue
        if isinstance(evaluation.check, Composition):
            if evaluation.type.text == "all_of" and evaluation.threshold is None:
                yield from _conjuncts(evaluation.check.evaluations)
        else:
            yield evaluation


def _demand(evaluation: Evaluation) -> Iterator[_Demand]:
    what = f"`{evaluation.type.text}`"
    match evaluation.check:
        case ExactMatch(value=Literal(value=value) as place):
            exact = value.casefold() if isinstance(value, str) else None
            yield _Demand(what, place.span, literal_domain(value), exact=exact)
        case Contains(value=Literal(value=str() as text) as place):
            yield _Demand(what, place.span, ANY, text=text.casefold())
        case Regex(pattern=Literal(value=str() as pattern) as place) if _compiles(pattern):
            # Other scalars are looked at as text, and so are decoded answers: they are left in.
            texts = Domain(strings=matches(pattern, ignore_case=False))
            yield _Demand(what, place.span, union(complement(_STRINGS), texts), texts)
        case Schema(schema=Literal(value=schema) as place):
            yield _Demand(what, place.span, _schema(schema).around)


def _compiles(pattern: str) -> bool:
    try:
        compile_pattern(pattern)
    except PatternError:
        return False
    return True


def _apart(first: _Demand, second: _Demand) -> Report:
    return Report(
        "contradicting-evaluations",
        f"no value satisfies both {first.what} and {second.what} of this behavior",
        second.span,
        "contradicts the other one",
        also=(Label(first.span, "the other one"),),
        notes=("one of the two fails whenever the behavior is matched",),
        helps=("correct one of the two, or leave it out",),
    )
