"""Parts of a predicate that add nothing, and negations that admit more than is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

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
from abs_compiler.predicate.finding import Finding, Look, is_empty, words
from abs_compiler.predicate.lowering import domain_data
from abs_compiler.predicate.printer import print_test
from abs_compiler.predicate.slips import JOIN, is_slip, unbounded_parts
from abs_compiler.runtime.predicate_words import describe

_LEAVE_OUT = "leave it out"

# --- parts that add nothing -----------------------------------------------------------------------------------------


def redundant_parts(test: tree.Test, context: Domain, look: Look) -> Iterator[Finding]:
    """`context` holds the values for which the test is looked at at all."""
    match test:
        case tree.And(parts=parts):
            yield from _redundant(test, parts, context, look)
            before = context
            for index, part in enumerate(parts):
                around = before
                if isinstance(part, tree.Member):
                    around = intersection(before, *(denote(other).around for other in parts[index + 1 :]))
                yield from redundant_parts(part, around, look)
                before = intersection(before, denote(part).around)
        case tree.Or(parts=parts):
            slip = unbounded_parts(test)
            if slip is not None:
                yield slip
                return
            yield from _redundant(test, parts, context, look)
            for part in parts:
                yield from redundant_parts(part, context, look)
        case tree.Not(operand=operand):
            yield from redundant_parts(operand, context, look)
        case tree.Member(values=tree.ValueList(items=items)):
            yield from _dead_values(items, context)
        case tree.Typed(type=type_, test=inner):
            inside = intersection(context, denote(type_).inside)
            if type_.word == "any" and _asks_for_a_value(inner):
                yield _needless_any(type_, inner)
            if not isinstance(inner, tree.TypeTest) and look.within(inside, denote(inner).inside):
                label = f"{words(type_)} always passes this test" if tree.is_closed(inner) else "it always holds here"
                if is_slip(inner):
                    yield attrs.evolve(_adds_nothing(inner, label, None), helps=(JOIN,))
                else:
                    yield _adds_nothing(inner, label, Edit(type_.end, inner.end, ""))
            else:
                yield from redundant_parts(inner, inside, look)
        case tree.Each(item=item) | tree.Some(item=item):
            yield from redundant_parts(item, ANY, look)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from redundant_parts(entry.test, ANYTHING, look)


def _asks_for_a_value(test: tree.Test) -> bool:
    """Whether a test refuses absence by itself. Behind `any`, a negation shows that every type is meant."""
    return not isinstance(test, tree.Not) and not denote(test).around.absent


def _needless_any(type_: tree.TypeTest, inner: tree.Test) -> Finding:
    helps = [Advice(_LEAVE_OUT)]
    if isinstance(inner, tree.Compare | tree.Member | tree.StartsWith | tree.EndsWith | tree.Matches):
        helps.append(Advice(f"for a list with such an item, write `array some {print_test(inner)}`"))
    label = "the test behind it asks for a value that is there"
    return Finding("redundant-parts", "`any` adds nothing", type_.start, type_.end, label, tuple(helps))


def _dead_values(items: Sequence[tree.Operand], context: Domain) -> Iterator[Finding]:
    """The values of a list that cannot occur here, where others can."""
    if context in (ANYTHING, ANY):
        return
    literals = [item for item in items if isinstance(item, tree.Literal)]
    dead = [item for item in literals if is_empty(intersection(context, _equal(item)))]
    if len(dead) == len(items):
        return  # what is said of the whole list
    for item in dead:
        label = f"{describe(domain_data(context))} is never {words(tree.Compare(0, 0, '==', item))}"
        advice = Advice("leave it out, or write the value that is meant")
        yield Finding("redundant-parts", "this value never occurs here", item.start, item.end, label, (advice,))


def _equal(item: tree.Literal) -> Domain:
    return denote(tree.Compare(0, 0, "==", item)).around


def _redundant(test: tree.And | tree.Or, parts: Sequence[tree.Test], context: Domain, look: Look) -> Iterator[Finding]:
    every = isinstance(test, tree.And)
    before = _running(parts, context, every=every)
    kept: list[tree.Test] = []
    behind = ANYTHING if every else NOTHING
    types = sum(map(_names_a_type, parts))
    for index in reversed(range(len(parts))):
        part = parts[index]
        others = [*parts[:index], *kept]
        typed = _names_a_type(part)
        finding = None
        if others and not (every and isinstance(part, tree.TypeTest) and types == 1 and part.word != "any"):
            if every:
                finding = _needless_in_and(part, others, intersection(before[index], behind), context, look)
            else:
                finding = _needless_in_or(part, others, union(before[index], behind), context, look)
        if finding is None:
            kept.insert(0, part)
            behind = intersection(denote(part).around, behind) if every else union(denote(part).inside, behind)
            continue
        types -= typed
        label, message = finding
        yield _adds_nothing(part, label, _removal(part, parts), message)


def _running(parts: Sequence[tree.Test], context: Domain, *, every: bool) -> list[Domain]:
    """For each part, the set of all parts before it: what they leave of the context, or what they accept."""
    found = [context if every else NOTHING]
    for part in parts[:-1]:
        found.append(intersection(found[-1], denote(part).around) if every else union(found[-1], denote(part).inside))
    return found


def _needless_in_and(
    part: tree.Test, others: list[tree.Test], left: Domain, context: Domain, look: Look
) -> tuple[str, str] | None:
    """`left` is what the other parts leave of the context."""
    inside = denote(part).inside
    if not look.within(left, inside):
        return None
    cause = next((other for other in others if look.within(intersection(context, denote(other).around), inside)), None)
    if cause is None:
        return "the other parts already require it", "this part adds nothing"
    return f"`{print_test(cause)}` already requires {_usual_words(part)}", "this part adds nothing"


def _needless_in_or(
    part: tree.Test, others: list[tree.Test], accepted: Domain, context: Domain, look: Look
) -> tuple[str, str] | None:
    """`accepted` is what the other parts accept."""
    around = intersection(context, denote(part).around)
    if is_empty(around):
        return _never_here(part, context), "this part never holds here"
    if not look.within(around, accepted):
        return None
    cause = next((other for other in others if look.within(around, denote(other).inside)), None)
    if cause is None:
        return "the other parts already accept it", "this part adds nothing"
    return f"`{print_test(cause)}` already accepts {_usual_words(part)}", "this part adds nothing"


def _usual_words(test: tree.Test) -> str:
    """What a test admits; where it is said that it adds nothing, lone surrogates do not matter."""
    return words(test).replace("a text without lone surrogates", "a text")


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
            for part, others in _without_each(parts, every=True):
                yield from negations(part, intersection(context, others))
        case tree.Or(parts=parts):
            for part, others in _without_each(parts, every=False):
                yield from negations(part, difference(context, others))
        case tree.Typed(type=tree.TypeTest(word="any"), test=tree.Not()):
            # Whoever writes `any not …` means every value.
            return
        case tree.Typed(type=type_, test=inner):
            yield from negations(inner, intersection(context, denote(type_).inside))
        case tree.Each(item=item) | tree.Some(item=item):
            yield from negations(item, ANY)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from negations(entry.test, ANYTHING)
        case tree.Not(operand=operand):
            yield from _negation(test, operand, context)


def _without_each(parts: Sequence[tree.Test], *, every: bool) -> Iterator[tuple[tree.Test, Domain]]:
    """The parts with negations inside, each with the set of the other parts."""
    before = _running(parts, ANYTHING, every=every)
    behind = ANYTHING if every else NOTHING
    found = []
    for part, earlier in zip(reversed(parts), reversed(before), strict=True):
        if any(isinstance(inner, tree.Not) for inner in tree.walk(part)):
            found.append((part, intersection(earlier, behind) if every else union(earlier, behind)))
        behind = intersection(denote(part).around, behind) if every else union(denote(part).inside, behind)
    yield from reversed(found)


def _negation(test: tree.Not, operand: tree.Test, context: Domain) -> Iterator[Finding]:
    if isinstance(operand, tree.TypeTest | tree.Absent | tree.Not | tree.Or | tree.And):
        return
    around = denote(operand).around
    about = [kind for kind in _KINDS if not is_empty(intersection(around, context, kind[1]))]
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
        narrows=True,
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
