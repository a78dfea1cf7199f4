"""Parts of a predicate that add nothing, and negations that admit more than is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import (
    ANY,
    NOTHING,
    Domain,
    Known,
    complement,
    difference,
    emptiness,
    intersection,
    union,
)
from abs_compiler.predicate.domains.sets import ANYTHING
from abs_compiler.predicate.errors import Advice, Edit
from abs_compiler.predicate.finding import Finding, is_empty, within, words
from abs_compiler.predicate.lowering import domain_data
from abs_compiler.predicate.printer import print_test
from abs_compiler.runtime.predicate_words import describe

_LEAVE_OUT = "leave it out"

# --- parts that add nothing -----------------------------------------------------------------------------------------


def redundant_parts(test: tree.Test, context: Domain, text: str) -> Iterator[Finding]:
    """`context` holds the values for which the test is looked at at all."""
    match test:
        case tree.And(parts=parts):
            yield from _redundant(test, parts, context, text)
            for index, part in enumerate(parts):
                before = intersection(context, *(denote(other).around for other in parts[:index]))
                yield from redundant_parts(part, before, text)
        case tree.Or(parts=parts):
            yield from _redundant(test, parts, context, text)
            for part in parts:
                yield from redundant_parts(part, context, text)
        case tree.Not(operand=operand):
            yield from redundant_parts(operand, context, text)
        case tree.Typed(type=type_, test=inner):
            inside = intersection(context, denote(type_).inside)
            if not isinstance(inner, tree.TypeTest) and within(inside, denote(inner).inside):
                label = f"{words(type_)} is always {words(inner)}" if tree.is_closed(inner) else "it always holds here"
                edit = Edit(type_.end, inner.end, "")
                yield _adds_nothing(inner, label, edit)
            else:
                yield from redundant_parts(inner, inside, text)
        case tree.Each(item=item) | tree.Some(item=item):
            yield from redundant_parts(item, ANY, text)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from redundant_parts(entry.test, ANYTHING, text)


def _redundant(test: tree.And | tree.Or, parts: Sequence[tree.Test], context: Domain, text: str) -> Iterator[Finding]:
    kept = list(parts)
    every = isinstance(test, tree.And)
    for part in reversed(parts):
        others = [other for other in kept if other is not part]
        if not others or (every and isinstance(part, tree.TypeTest) and not any(map(_names_a_type, others))):
            continue
        finding = _needless_in_and(part, others, context) if every else _needless_in_or(part, others, context)
        if finding is None:
            continue
        kept = [other for other in kept if other is not part]
        label, message = finding
        yield _adds_nothing(part, label, _removal(part, parts), message)


def _needless_in_and(part: tree.Test, others: list[tree.Test], context: Domain) -> tuple[str, str] | None:
    domains = [intersection(context, denote(other).around) for other in others]
    inside = denote(part).inside
    if not within(intersection(*domains), inside):
        return None
    cause = next((other for other, domain in zip(others, domains, strict=True) if within(domain, inside)), None)
    if cause is None:
        return "the other parts already require it", "this part adds nothing"
    return f"`{print_test(cause)}` already requires {words(part)}", "this part adds nothing"


def _needless_in_or(part: tree.Test, others: list[tree.Test], context: Domain) -> tuple[str, str] | None:
    around = intersection(context, denote(part).around)
    if is_empty(around):
        return _never_here(part, context), "this part never holds here"
    if not within(around, union(*(denote(other).inside for other in others))):
        return None
    cause = next((other for other in others if within(around, denote(other).inside)), None)
    if cause is None:
        return "the other parts already accept it", "this part adds nothing"
    return f"`{print_test(cause)}` already accepts {words(part)}", "this part adds nothing"


def _never_here(part: tree.Test, context: Domain) -> str:
    return f"{describe(domain_data(context))} is never {words(part)}"


def _names_a_type(test: tree.Test) -> bool:
    return isinstance(test, tree.TypeTest | tree.Typed) or (
        isinstance(test, tree.Not) and isinstance(test.operand, tree.TypeTest)
    )


def _adds_nothing(part: tree.Test, label: str, edit: Edit | None, message: str = "this part adds nothing") -> Finding:
    return Finding("redundant-parts", message, part.start, part.end, label, (Advice(_LEAVE_OUT, edit),))


def _removal(part: tree.Test, parts: Sequence[tree.Test]) -> Edit:
    """The part together with the `and` or `or` that joins it."""
    index = next(i for i, other in enumerate(parts) if other is part)
    if index > 0:
        return Edit(parts[index - 1].end, part.end, "")
    return Edit(part.start, parts[1].start, "")


# --- negations that admit more than is meant ------------------------------------------------------------------------


_KINDS = (
    ("null", Domain(null=True), "null", ""),
    ("boolean", Domain(booleans=frozenset((False, True))), "a boolean", "booleans"),
    ("number", denote(tree.TypeTest(0, 0, "number")).inside, "a number", "numbers"),
    ("string", Domain(strings=True), "a text", "texts"),
    ("array", Domain(arrays=True), "a list", "lists"),
    ("object", Domain(objects=True), "a mapping", "mappings"),
)


def negations(test: tree.Test, context: Domain) -> Iterator[Finding]:
    """Negations in places where what they admit is admitted; `context` is what the places around them leave."""
    match test:
        case tree.And(parts=parts):
            for part in parts:
                others = intersection(context, *(denote(other).around for other in parts if other is not part))
                yield from negations(part, others)
        case tree.Or(parts=parts):
            for part in parts:
                others_inside = union(*(denote(other).inside for other in parts if other is not part))
                yield from negations(part, difference(context, others_inside))
        case tree.Typed(type=type_, test=inner):
            yield from negations(inner, intersection(context, denote(type_).inside))
        case tree.Each(item=item) | tree.Some(item=item):
            yield from negations(item, ANY)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from negations(entry.test, ANYTHING)
        case tree.Not(operand=operand):
            yield from _negation(test, operand, context)


def _negation(test: tree.Not, operand: tree.Test, context: Domain) -> Iterator[Finding]:
    if isinstance(operand, tree.TypeTest | tree.Absent | tree.Not | tree.Or | tree.And):
        return
    around = denote(operand).around
    about = [kind for kind in _KINDS if not is_empty(intersection(around, kind[1]))]
    rest = complement(union(NOTHING, *(kind[1] for kind in about)))
    admitted = intersection(denote(test).inside, context, rest)
    others = [kind for kind in _KINDS if emptiness(intersection(admitted, kind[1])) is Known.NO]
    if not about or not others:
        return
    words_ = [kind[2] for kind in others]
    label = "also " + (words_[0] if len(words_) == 1 else f"{', '.join(words_[:-1])} or {words_[-1]}")
    yield Finding(
        "negation-admits-other-types",
        "`not` admits values of other types too",
        test.start,
        test.end,
        label,
        (_typed_help(test, operand, about),),
    )


def _typed_help(test: tree.Not, operand: tree.Test, about: list[tuple[str, Domain, str, str]]) -> Advice:
    if isinstance(operand, tree.Typed):
        right = print_test(tree.Typed(0, 0, operand.type, tree.Not(0, 0, operand.test)))
        plural = {"integer": "integers", "any": "present values"}.get(operand.type.word, about[0][3])
    elif len(about) == 1 and about[0][3]:
        right = print_test(tree.Typed(0, 0, tree.TypeTest(0, 0, about[0][0]), tree.Not(0, 0, operand)))
        plural = about[0][3]
    else:
        return Advice("put the wanted type before it")
    return Advice(f"to stay with {plural}, write `{right}`", Edit(test.start, test.end, right))
