"""`or` where `and` is meant: `!= "a" or != "b"`, `> 5 or < 10`. Each part refuses little, both together nothing."""

from __future__ import annotations

from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import NOTHING, union
from abs_compiler.predicate.errors import Advice
from abs_compiler.predicate.finding import Finding, is_empty, within, words

JOIN = Advice("join the parts with `and`")
_ORDERED = (tree.TypeTest(0, 0, "number"), tree.TypeTest(0, 0, "integer"), tree.TypeTest(0, 0, "string"))


def is_slip(test: tree.Test) -> bool:
    """Whether a test that refuses nothing is made of parts, joined with `or`, of which two refuse something each: two
    negations, or two comparisons that look to either side. Joined with `and` they leave something."""
    inner = test.test if isinstance(test, tree.Typed) else test
    if not isinstance(inner, tree.Or):
        return False
    refusing = [part for part in map(_inner, inner.parts) if _is_negative(part)]
    if len(refusing) < 2 and not _opposed(inner.parts):
        return False
    return not is_empty(denote(tree.And(0, 0, inner.parts)).around)


def unbounded_parts(test: tree.Or) -> Finding | None:
    """The finding for comparisons to either side that together refuse no value of their type; None where they do."""
    compared = [part for part in test.parts if _side(part)]
    if not _opposed(compared):
        return None
    accepted = union(NOTHING, *(denote(part).inside for part in compared))
    type_ = next((word for word in _ORDERED if within(denote(word).inside, accepted)), None)
    if type_ is None or any(within(denote(type_).inside, denote(part).inside) for part in compared):
        return None
    first, last = compared[0], compared[-1]
    return Finding(
        "redundant-parts",
        "these parts refuse nothing together",
        first.start,
        last.end,
        f"{words(type_)} always passes one of them",
        (JOIN,),
    )


def _inner(test: tree.Test) -> tree.Test:
    return test.test if isinstance(test, tree.Typed) else test


def _is_negative(test: tree.Test) -> bool:
    return isinstance(test, tree.Not) or (isinstance(test, tree.Compare) and test.operator == "!=")


def _side(test: tree.Test) -> str:
    """To which side a comparison looks: `<`, `>` or neither."""
    inner = _inner(test)
    return inner.operator[0] if isinstance(inner, tree.Compare) and inner.operator[0] in "<>" else ""


def _opposed(parts: tuple[tree.Test, ...] | list[tree.Test]) -> bool:
    return {"<", ">"} <= {_side(part) for part in parts}
