"""A finding, and what all findings are made with."""

from __future__ import annotations

import attrs

from abs_compiler.predicate import tree
from abs_compiler.predicate.domains import Domain, Known, difference, emptiness, intersection
from abs_compiler.predicate.domains.formulas import atom
from abs_compiler.predicate.domains.sets import ANYTHING
from abs_compiler.predicate.errors import Advice, Place
from abs_compiler.predicate.lowering import lower_test
from abs_compiler.runtime.predicate_words import describe

# Strings with lone surrogates hardly ever occur: that a part matters for them alone is no reason to keep it.
_USUAL = attrs.evolve(ANYTHING, strings=atom("text"))


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


def words(test: tree.Test) -> str:
    """What a test admits, in plain words."""
    return describe(lower_test(test))


def is_empty(domain: Domain) -> bool:
    return emptiness(domain) is Known.YES


def within(left: Domain, right: Domain) -> bool:
    """Whether one set certainly lies in another, as far as usual values go."""
    return is_empty(intersection(difference(left, right), _USUAL))
