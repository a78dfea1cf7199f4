"""What the set of a predicate shows: parts that nothing satisfies, that everything satisfies, that add nothing.

Takes a parsed predicate and what it stands for; gives findings with places in its text. Everything is decided on
sets; what is not known (a parameter, a pattern that is not followed) is never reported.
"""

from __future__ import annotations

import contextlib
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
from abs_compiler.predicate.domains.formulas import atom
from abs_compiler.predicate.domains.sets import ANYTHING
from abs_compiler.predicate.domains.work import OutOfWorkError, allowance
from abs_compiler.predicate.errors import Advice, Edit, Place
from abs_compiler.predicate.lower import domain_data, lower_test
from abs_compiler.predicate.printer import print_test
from abs_compiler.runtime.predicate_words import describe

_OBJECTS = Domain(objects=True)
# Strings with lone surrogates hardly ever occur: that a part matters for them alone is no reason to keep it.
_USUAL = attrs.evolve(ANYTHING, strings=atom("text"))
_LEAVE_OUT = "leave it out"
# The steps of work that looking at one predicate may take.
_ALLOWED = 400_000


@attrs.frozen(slots=True)
class Finding:
    """A finding; `code_name` is the name of a registered diagnostic."""

    code_name: str
    message: str
    start: int
    end: int
    label: str
    helps: tuple[Advice, ...] = ()
    also: tuple[Place, ...] = ()


def findings(predicate: tree.Predicate, *, whole: bool = False) -> list[Finding]:
    """The findings of a predicate, errors alone where there are any. `whole`: it stands for all arguments, which are
    always an object. For contrived predicates that would take long, what is found within a fixed amount of work."""
    found: list[Finding] = []
    with allowance(_ALLOWED), contextlib.suppress(OutOfWorkError):
        for finding in _look(predicate.root, whole, predicate.text):
            found.append(finding)
    return sorted(found, key=lambda finding: (finding.start, finding.end))


def _look(root: tree.Test, whole: bool, text: str) -> Iterator[Finding]:
    found = False
    for finding in _empty_parts(root, root, text):
        found = True
        yield finding
    if found:
        return
    if whole and _is_empty(intersection(denote(root).around, _OBJECTS)):
        yield _never_arguments(root)
        return
    universe = _OBJECTS if whole else ANYTHING
    about_all = False
    for finding in _always_true(root, whole, text):
        found = True
        about_all |= (finding.start, finding.end) == (root.start, root.end)
        yield finding
    if not found:
        yield from _redundant_parts(root, universe, text)
    if not about_all:
        yield from _negations(root, universe)


def words(test: tree.Test) -> str:
    """What a test admits, in plain words."""
    return describe(lower_test(test))


def _is_empty(domain: Domain) -> bool:
    return emptiness(domain) is Known.YES


def _within(left: Domain, right: Domain) -> bool:
    """Whether one set certainly lies in another, as far as usual values go."""
    return _is_empty(intersection(difference(left, right), _USUAL))


# --- nothing satisfies it -------------------------------------------------------------------------------------------


def _empty_parts(test: tree.Test, root: tree.Test, text: str) -> Iterator[Finding]:
    """The innermost parts that nothing satisfies."""
    inner = [finding for child in tree.children(test) for finding in _empty_parts(child, root, text)]
    if inner:
        yield from inner
    elif _is_empty(denote(test).around):
        yield _unsatisfiable(test, "predicate" if test is root else "part", text)


def _unsatisfiable(test: tree.Test, what: str, text: str) -> Finding:
    message = f"no value can satisfy this {what}"
    match test:
        case tree.And() | tree.Typed():
            return _conflict(test, message, text)
        case tree.Member(values=tree.Range(low=tree.Literal() as low, high=tree.Literal() as high) as values):
            swapped = f"{text[high.start : high.end]}..{text[low.start : low.end]}"
            label = f"nothing is at least {text[low.start : low.end]} and at most {text[high.start : high.end]}"
            edit = Edit(values.start, values.end, swapped)
            helps = (Advice("write the smaller number first", edit),)
            return Finding("unsatisfiable-predicates", message, values.start, values.end, label, helps)
        case tree.Member(values=values):
            label = "no value is in an empty list"
            return Finding("unsatisfiable-predicates", message, values.start, values.end, label)
        case tree.Not():
            edit = Edit(test.start, test.end, "absent")
            helps = (Advice("for an argument that must not be sent, write `absent`", edit),)
            label = "this leaves nothing over"
            return Finding(
                "unsatisfiable-predicates", message, test.start, test.end, label, helps if what != "part" else ()
            )
        case tree.Length():
            label = "a length is a whole number from 0 on"
        case tree.StartsWith() | tree.EndsWith() | tree.Compare():
            label = "half of a surrogate pair never occurs in a text"
        case _:
            label = "this never holds"
    return Finding("unsatisfiable-predicates", message, test.start, test.end, label)


def _parts(test: tree.And | tree.Typed) -> tuple[tree.Test, ...]:
    if isinstance(test, tree.And):
        return test.parts
    inner = test.test.parts if isinstance(test.test, tree.And) else (test.test,)
    return (test.type, *inner)


def _conflict(test: tree.And | tree.Typed, message: str, text: str) -> Finding:
    """The first part at which nothing is left, and the earlier part that it excludes."""
    parts = _parts(test)
    left = ANYTHING
    for index, part in enumerate(parts):
        left = intersection(left, denote(part).around)
        if not _is_empty(left):
            continue
        earlier = next(
            (other for other in parts[:index] if _is_empty(intersection(denote(other).around, denote(part).around))),
            None,
        )
        if earlier is None:
            joined = tree.And(0, 0, parts[:index])
            label = f"the parts before this leave only {words(joined) if tree.is_closed(joined) else 'other values'}"
            return Finding("unsatisfiable-predicates", message, part.start, part.end, label)
        return Finding(
            "unsatisfiable-predicates",
            message,
            part.start,
            part.end,
            f"nothing is both {words(earlier)} and {words(part)}",
            tuple(_conflict_helps(test, earlier, part, text)),
            (Place(earlier.start, earlier.end, f"this part already requires {words(earlier)}"),),
        )
    raise AssertionError("the parts leave something")


def _conflict_helps(test: tree.Test, earlier: tree.Test, part: tree.Test, text: str) -> Iterator[Advice]:
    if not isinstance(test, tree.And):
        return
    alone = len(test.parts) == 2
    joined = _joined_behind(earlier, part)
    if joined is not None:
        help_, right = joined
        yield Advice(f"{help_}, write `{right}`", Edit(earlier.start, part.end, right) if alone else None)
        return
    between = Edit(earlier.end, part.start, " or ") if text[earlier.end : part.start].strip() == "and" else None
    if isinstance(earlier, tree.TypeTest) and isinstance(part, tree.TypeTest):
        yield Advice("to accept either, write `or`", between)
    elif _is_order(earlier) and _is_order(part):
        right = f"{text[earlier.start : earlier.end]} or {text[part.start : part.end]}"
        yield Advice(f"to accept either side, write `{right}`", between if alone else None)


def _joined_behind(earlier: tree.Test, part: tree.Test) -> tuple[str, str] | None:
    """What is meant where a second comparison was to belong to the `length`, `each` or `some` of the first."""
    if not isinstance(part, tree.Compare | tree.Member):
        return None
    type_, test = (earlier.type, earlier.test) if isinstance(earlier, tree.Typed) else (None, earlier)
    right: tree.Test
    match test:
        case tree.Length(test=tree.Compare() as first) if (found := _range_of(first, part)) is not None:
            right, help_ = tree.Length(0, 0, found), "to bound the length on both sides"
        case tree.Each(item=item) | tree.Some(item=item):
            right = type(test)(0, 0, tree.And(0, 0, (item, part)))
            help_ = "to say both of every item" if isinstance(test, tree.Each) else "to say both of one item"
        case _:
            return None
    return help_, print_test(right if type_ is None else tree.Typed(0, 0, type_, right))


def _range_of(first: tree.Compare, second: tree.Compare | tree.Member) -> tree.Member | None:
    """`in low..high` for two comparisons with integers."""
    if not isinstance(second, tree.Compare):
        return None
    bounds: dict[str, int] = {}
    for compare in (first, second):
        value = compare.operand.value if isinstance(compare.operand, tree.Literal) else None
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        match compare.operator:
            case ">" | ">=":
                bounds["low"] = value + (compare.operator == ">")
            case "<" | "<=":
                bounds["high"] = value - (compare.operator == "<")
    if bounds.keys() != {"low", "high"} or bounds["low"] > bounds["high"]:
        return None
    low, high = (tree.Literal(0, 0, bounds[name]) for name in ("low", "high"))
    return tree.Member(0, 0, tree.Range(0, 0, low, high))


def _is_order(test: tree.Test) -> bool:
    inner = test.test if isinstance(test, tree.Typed) else test
    return isinstance(inner, tree.Compare) and inner.operator in ("<", "<=", ">", ">=")


def _never_arguments(root: tree.Test) -> Finding:
    return Finding(
        "unsatisfiable-predicates",
        "no arguments can satisfy this predicate",
        root.start,
        root.end,
        "the arguments of a call are always an object",
        (Advice("to look at one argument, write the predicate under its name, or `has {name: …}`"),),
    )


# --- everything satisfies it ----------------------------------------------------------------------------------------


def _always_true(root: tree.Test, whole: bool, text: str) -> Iterator[Finding]:
    inside = denote(root).inside
    if whole:
        if _within(_OBJECTS, inside):
            yield Finding(
                "always-true-predicates",
                "all arguments satisfy this predicate",
                root.start,
                root.end,
                "the arguments of a call are always an object",
                (Advice("leave the predicate out"),),
            )
    elif _within(ANY, inside) and not _says_present(root):
        if inside.absent:
            message, label = "this predicate always holds", "every value satisfies it, and so does no value at all"
            helps = (Advice("leave the argument out"),)
        else:
            message, label = "every value satisfies this predicate", "it only requires that there is a value"
            helps = (Advice("write `any`", Edit(root.start, root.end, "any")),)
        yield Finding("always-true-predicates", message, root.start, root.end, label, helps)
    yield from _always_true_items(root, text)


def _says_present(test: tree.Test) -> bool:
    """The two plain ways to say that there is a value."""
    return test in (tree.TypeTest(0, 0, "any"), tree.Not(0, 0, tree.Absent(0, 0)))


def _always_true_items(root: tree.Test, text: str) -> Iterator[Finding]:
    for test in tree.walk(root):
        match test:
            case tree.Each(item=item) | tree.Some(item=item):
                items = [item]
            case tree.Has(entries=entries):
                items = [entry.test for entry in entries]
            case _:
                continue
        for item in items:
            inside = denote(item).inside
            if not _within(ANY, inside) or _says_present(item):
                continue
            start, end = item.start, item.end
            grouped = text[start : start + 1] == "(" and text[end - 1 : end] == ")"
            if inside.absent:
                helps = (Advice("leave the key out"),)
            else:
                helps = (Advice("write `any`", Edit(start, end, "any")),)
            yield Finding(
                "always-true-predicates",
                "every value satisfies this part",
                start + grouped,
                end - grouped,
                "it requires nothing",
                helps,
            )


# --- parts that add nothing -----------------------------------------------------------------------------------------


def _redundant_parts(test: tree.Test, context: Domain, text: str) -> Iterator[Finding]:
    """`context` holds the values for which the test is looked at at all."""
    match test:
        case tree.And(parts=parts):
            yield from _redundant(test, parts, context, text)
            for index, part in enumerate(parts):
                before = intersection(context, *(denote(other).around for other in parts[:index]))
                yield from _redundant_parts(part, before, text)
        case tree.Or(parts=parts):
            yield from _redundant(test, parts, context, text)
            for part in parts:
                yield from _redundant_parts(part, context, text)
        case tree.Not(operand=operand):
            yield from _redundant_parts(operand, context, text)
        case tree.Typed(type=type_, test=inner):
            inside = intersection(context, denote(type_).inside)
            if not isinstance(inner, tree.TypeTest) and _within(inside, denote(inner).inside):
                label = f"{words(type_)} is always {words(inner)}" if tree.is_closed(inner) else "it always holds here"
                edit = Edit(type_.end, inner.end, "")
                yield _adds_nothing(inner, label, edit)
            else:
                yield from _redundant_parts(inner, inside, text)
        case tree.Each(item=item) | tree.Some(item=item):
            yield from _redundant_parts(item, ANY, text)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from _redundant_parts(entry.test, ANYTHING, text)


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
    if not _within(intersection(*domains), inside):
        return None
    cause = next((other for other, domain in zip(others, domains, strict=True) if _within(domain, inside)), None)
    if cause is None:
        return "the other parts already require it", "this part adds nothing"
    return f"`{print_test(cause)}` already requires {words(part)}", "this part adds nothing"


def _needless_in_or(part: tree.Test, others: list[tree.Test], context: Domain) -> tuple[str, str] | None:
    around = intersection(context, denote(part).around)
    if _is_empty(around):
        return _never_here(part, context), "this part never holds here"
    if not _within(around, union(*(denote(other).inside for other in others))):
        return None
    cause = next((other for other in others if _within(around, denote(other).inside)), None)
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


def _negations(test: tree.Test, context: Domain) -> Iterator[Finding]:
    """Negations in places where what they admit is admitted; `context` is what the places around them leave."""
    match test:
        case tree.And(parts=parts):
            for part in parts:
                others = intersection(context, *(denote(other).around for other in parts if other is not part))
                yield from _negations(part, others)
        case tree.Or(parts=parts):
            for part in parts:
                others_inside = union(*(denote(other).inside for other in parts if other is not part))
                yield from _negations(part, difference(context, others_inside))
        case tree.Typed(type=type_, test=inner):
            yield from _negations(inner, intersection(context, denote(type_).inside))
        case tree.Each(item=item) | tree.Some(item=item):
            yield from _negations(item, ANY)
        case tree.Has(entries=entries):
            for entry in entries:
                yield from _negations(entry.test, ANYTHING)
        case tree.Not(operand=operand):
            yield from _negation(test, operand, context)


def _negation(test: tree.Not, operand: tree.Test, context: Domain) -> Iterator[Finding]:
    if isinstance(operand, tree.TypeTest | tree.Absent | tree.Not | tree.Or | tree.And):
        return
    around = denote(operand).around
    about = [kind for kind in _KINDS if not _is_empty(intersection(around, kind[1]))]
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
