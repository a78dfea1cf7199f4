"""What the set of a predicate shows: parts that nothing satisfies, that everything satisfies, that add nothing.

Takes a parsed predicate and what it stands for; gives findings with places in its text. Everything is decided on
sets; what is not known (a parameter, a pattern that is not followed) is never reported.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import attrs

from abs_compiler.bounds import OutOfWorkError, allowance, spend
from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import (
    ANY,
    Domain,
    intersection,
)
from abs_compiler.predicate.domains.sets import ANYTHING
from abs_compiler.predicate.errors import Advice, Edit, Place
from abs_compiler.predicate.finding import Finding, Look, is_empty, look_at, within, words
from abs_compiler.predicate.needless import negations, redundant_parts
from abs_compiler.predicate.printer import print_test
from abs_compiler.predicate.slips import JOIN, is_slip

_OBJECTS = Domain(objects=True)
# The steps of work that looking at one predicate may take.
_ALLOWED = 400_000
_PRICE_OF_PART = 10


def findings(predicate: tree.Predicate, *, whole: bool = False) -> list[Finding]:
    """The findings of a predicate, errors alone where there are any. `whole`: it stands for all arguments, which are
    always an object. For contrived predicates that would take long, what is found within a fixed amount of work."""
    found: list[Finding] = []
    with allowance(_ALLOWED), contextlib.suppress(OutOfWorkError):
        for finding in _findings(predicate.root, whole, look_at(predicate)):
            found.append(finding)
    return sorted(found, key=lambda finding: (finding.start, finding.end))


def _findings(root: tree.Test, whole: bool, look: Look) -> Iterator[Finding]:
    found = False
    for finding in _empty_parts(root, root, look.text):
        found = True
        yield finding
    if found:
        return
    if whole and is_empty(intersection(denote(root).around, _OBJECTS)):
        yield _never_arguments(root)
        return
    universe = _OBJECTS if whole else ANYTHING
    about_all = False
    for finding in _always_true(root, whole, look):
        found = True
        about_all |= (finding.start, finding.end) == (root.start, root.end)
        yield finding
    if not found:
        yield from redundant_parts(root, universe, look)
    if not about_all:
        yield from negations(root, universe)


# --- nothing satisfies it -------------------------------------------------------------------------------------------


def _empty_parts(test: tree.Test, root: tree.Test, text: str) -> Iterator[Finding]:
    """The innermost parts that nothing satisfies."""
    spend(_PRICE_OF_PART)
    inner = [finding for child in tree.children(test) for finding in _empty_parts(child, root, text)]
    if inner:
        yield from inner
    elif is_empty(denote(test).around):
        yield _unsatisfiable(test, "predicate" if test is root else "part", text)


def _unsatisfiable(test: tree.Test, what: str, text: str) -> Finding:
    message = f"no value can satisfy this {what}"
    match test:
        case tree.And() | tree.Typed():
            return _conflict(test, message)
        case tree.Member(values=tree.Range(low=tree.Literal() as low, high=tree.Literal() as high) as values):
            swapped = f"{text[high.start : high.end]}..{text[low.start : low.end]}"
            label = f"nothing is at least {text[low.start : low.end]} and at most {text[high.start : high.end]}"
            edit = Edit(values.start, values.end, swapped)
            helps = (Advice("write the smaller number first", edit),)
            return Finding("unsatisfiable-predicates", message, values.start, values.end, label, helps)
        case tree.Length(test=tree.Member(values=tree.Range()) as inner) if is_empty(denote(inner).around):
            return _unsatisfiable(inner, what, text)
        case tree.Member(values=values):
            label = "no value is in an empty list"
            advice = Advice("list the accepted values; for an argument that must not be sent, write `absent`")
            return Finding("unsatisfiable-predicates", message, values.start, values.end, label, (advice,))
        case tree.Not(operand=tree.TypeTest()):
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


def _conflict(test: tree.And | tree.Typed, message: str) -> Finding:
    """The first part at which nothing is left, and the earlier part that it excludes."""
    parts = _parts(test)
    left = ANYTHING
    for index, part in enumerate(parts):
        left = intersection(left, denote(part).around)
        if not is_empty(left):
            continue
        earlier = next(
            (other for other in parts[:index] if is_empty(intersection(denote(other).around, denote(part).around))),
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
            tuple(_conflict_helps(test, earlier, part)),
            (Place(earlier.start, earlier.end, f"this part already requires {words(earlier)}"),),
        )
    raise AssertionError("the parts leave something")


def _conflict_helps(test: tree.Test, earlier: tree.Test, part: tree.Test) -> Iterator[Advice]:
    match part:
        case tree.Contains(operand=tree.Literal(value=[_, _, *_] as values)):
            each = [print_test(tree.Contains(0, 0, tree.Literal(0, 0, value))) for value in values[:2]]
            right = " and ".join(each + ["…"] * (len(values) > 2))
            yield Advice(f"a list is looked for as one item; for all of these, write `{right}`, with `or` for any")
            return
    if not isinstance(test, tree.And):
        return
    alone = len(test.parts) == 2
    joined = _joined_behind(earlier, part)
    if joined is not None:
        help_, right = joined
        yield Advice(f"{help_}, write `{right}`", Edit(earlier.start, part.end, right) if alone else None)
        return
    types = isinstance(earlier, tree.TypeTest) and isinstance(part, tree.TypeTest)
    if types or (_names_values(earlier) and _names_values(part)):
        # What is accepted instead is for the author to say.
        yield Advice("to accept either, write `or`")
    elif _is_order(earlier) and _is_order(part) and (either := _either_side(earlier, part)) is not None:
        # Two readings: neither is a fix.
        yield Advice(f"to accept either side, write `{either}`")
        if alone and (swapped := _bounds_swapped(earlier, part)) is not None:
            yield Advice(f"to accept what lies between, write `{swapped}`")


def _either_side(earlier: tree.Test, part: tree.Test) -> str | None:
    """Two comparisons joined by `or`, both behind the type of the first; None where they would refuse nothing."""
    first = earlier.test if isinstance(earlier, tree.Typed) else earlier
    second = part.test if isinstance(part, tree.Typed) else part
    joined: tree.Test = tree.Or(0, 0, (first, second))
    accepted = denote(joined).inside
    if any(within(denote(tree.TypeTest(0, 0, word)).inside, accepted) for word in ("number", "integer")):
        return None
    return print_test(tree.Typed(0, 0, earlier.type, joined) if isinstance(earlier, tree.Typed) else joined)


def _bounds_swapped(earlier: tree.Test, part: tree.Test) -> str | None:
    """Two comparisons with their values exchanged; None where that leaves nothing either."""
    first, second = (test.test if isinstance(test, tree.Typed) else test for test in (earlier, part))
    if not isinstance(first, tree.Compare) or not isinstance(second, tree.Compare):
        return None
    swapped: tuple[tree.Test, tree.Test] = (
        attrs.evolve(first, operand=second.operand),
        attrs.evolve(second, operand=first.operand),
    )
    if isinstance(earlier, tree.Typed):
        swapped = (attrs.evolve(earlier, test=swapped[0]), swapped[1])
    if isinstance(part, tree.Typed):
        swapped = (swapped[0], attrs.evolve(part, test=swapped[1]))
    joined = tree.And(0, 0, swapped)
    return None if is_empty(denote(joined).around) else print_test(joined)


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


def _names_values(test: tree.Test) -> bool:
    inner = test.test if isinstance(test, tree.Typed) else test
    return isinstance(inner, tree.Member) or (isinstance(inner, tree.Compare) and inner.operator == "==")


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


def _always_true(root: tree.Test, whole: bool, look: Look) -> Iterator[Finding]:
    inside = denote(root).inside
    if whole:
        if within(_OBJECTS, inside):
            yield Finding(
                "always-true-predicates",
                "all arguments satisfy this predicate",
                root.start,
                root.end,
                "the arguments of a call are always an object",
                (Advice("leave the predicate out"),),
            )
    elif look.within(ANY, inside) and not _says_present(root):
        if inside.absent:
            message, label = "this predicate always holds", "every value satisfies it, and so does no value at all"
            helps = (Advice("leave the argument out"),)
        else:
            message, label = "every value satisfies this predicate", "it only requires that there is a value"
            helps = (_any_value(root, root.start, root.end),)
        if is_slip(root):
            helps = (JOIN,)
        yield Finding("always-true-predicates", message, root.start, root.end, label, helps)
    yield from _always_true_items(root, look)


def _any_value(test: tree.Test, start: int, end: int) -> Advice:
    """`any` for a test that everything satisfies: done where it lists types, said where it might be a mistake."""
    plain = all(isinstance(inner, tree.TypeTest | tree.Or) for inner in tree.walk(test))
    if plain:
        return Advice("write `any`", Edit(start, end, "any"))
    return Advice("if any value will do, write `any`")


def _says_present(test: tree.Test) -> bool:
    """The two plain ways to say that there is a value."""
    return test in (tree.TypeTest(0, 0, "any"), tree.Not(0, 0, tree.Absent(0, 0)))


def _always_true_items(root: tree.Test, look: Look) -> Iterator[Finding]:
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
            if not look.within(ANY, inside) or _says_present(item):
                continue
            start, end = item.start, item.end
            grouped = look.text[start : start + 1] == "(" and look.text[end - 1 : end] == ")"
            help_ = Advice("leave the key out") if inside.absent else _any_value(item, start, end)
            yield Finding(
                "always-true-predicates",
                "every value satisfies this part",
                start + grouped,
                end - grouped,
                "it requires nothing",
                (JOIN if is_slip(item) else help_,),
            )
