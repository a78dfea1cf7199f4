"""The patterns of a file, with a way from their characters back to the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from abs_compiler.lint.contract import FileContext
from abs_compiler.lint.places import walk_documents
from abs_compiler.predicate import tree
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.evaluation_model import Regex
from abs_compiler.spec.evaluation_walk import evaluation_values
from abs_compiler.spec.model import Behavior, Literal, Predicate, Value
from abs_compiler.spec.walk import argument_values, behavior_values, flattened, predicates_in
from abs_compiler.syntax import Scalar
from abs_compiler.syntax.offsets import scalar_range


@attrs.frozen(slots=False, repr=False)
class Pattern(ReprMixin):
    """A pattern: `place(start, end)` is the source of its characters; `in_predicate` says that it stands in one,
    `tests_argument` that it does so outside of any `not`, `demands` that the session demands what it accepts: a `not`
    refuses that, and an evaluation may forbid it."""

    text: str
    ignore_case: bool
    tests_argument: bool
    place: Callable[[int, int], Span]
    in_predicate: bool = True
    demands: bool = False


def patterns(context: FileContext) -> tuple[Pattern, ...]:
    """Every pattern of the sessions that is known when the spec is compiled, each once."""
    found: dict[tuple[int, int], Pattern] = {}
    scalars = {
        place.node.span.start: place.node
        for place in walk_documents(context.documents)
        if isinstance(place.node, Scalar)
    }
    for behavior, values, demanded in _values(context):
        for value in values:
            for predicate in predicates_in(value):
                for pattern in _of_predicate(context.source, predicate):
                    at = pattern.place(0, len(pattern.text))
                    found[at.start, at.end] = attrs.evolve(pattern, demands=demanded and pattern.tests_argument)
        for plain in () if behavior is None else _plain(behavior):
            scalar = scalars.get(plain.span.start)
            if scalar is not None and isinstance(plain.value, str):
                found[plain.span.start, plain.span.end] = _of_scalar(context.source, scalar, plain.value)
    return tuple(found[key] for key in sorted(found))


def _values(context: FileContext) -> Iterator[tuple[Behavior | None, Iterator[Value], bool]]:
    """Values, those of a behavior with it, and whether what they accept is demanded."""
    for ir in context.irs:
        for step in ir.steps:
            yield step.behavior, behavior_values(step.behavior), True
            for arguments in step.args:
                yield None, argument_values(arguments), True
            for evaluation in flattened(step.behavior.evaluations):
                yield None, evaluation_values(evaluation), False
        for evaluation in flattened(ir.session.evaluations):
            yield None, evaluation_values(evaluation), False


def _plain(behavior: Behavior) -> Iterator[Literal]:
    """The patterns of `matches_when` and of `regex` evaluations of a behavior."""
    wanted = behavior.matches_when
    if wanted is not None and wanted.type.text == "regex" and isinstance(wanted.value, Literal):
        yield wanted.value
    for evaluation in flattened(behavior.evaluations):
        if isinstance(evaluation.check, Regex) and isinstance(evaluation.check.pattern, Literal):
            yield evaluation.check.pattern


def _of_scalar(source: SourceFile, scalar: Scalar, text: str) -> Pattern:
    return Pattern(text, False, False, lambda start, end: scalar_range(source, scalar, start, end), False)


def _of_predicate(source: SourceFile, predicate: Predicate) -> Iterator[Pattern]:
    negated: set[int] = set()
    for test in tree.walk(predicate.tree.root):
        if id(test) in negated or isinstance(test, tree.Not):
            negated.update(id(child) for child in tree.children(test))
        if isinstance(test, tree.Matches):
            yield _of_test(source, predicate.scalar, test, id(test) not in negated)


def _of_test(source: SourceFile, scalar: Scalar, test: tree.Matches, tests_argument: bool) -> Pattern:
    def place(start: int, end: int) -> Span:
        return scalar_range(source, scalar, test.body + start, test.body + end)

    return Pattern(test.pattern, test.ignore_case, tests_argument, place)
