"""A finding, and what all findings are made with."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from abs_compiler.predicate import tree
from abs_compiler.predicate.domains import Domain, Known, difference, emptiness, intersection
from abs_compiler.predicate.domains.formulas import atom
from abs_compiler.predicate.domains.sets import ANYTHING
from abs_compiler.predicate.errors import Advice, Place
from abs_compiler.predicate.lowering import lower_test
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.predicate_forms import is_text
from abs_compiler.runtime.predicate_words import describe

# Strings with lone surrogates hardly ever occur: that a part matters for them alone is no reason to keep it.
_USUAL = attrs.evolve(ANYTHING, strings=atom("text"))


@attrs.frozen(slots=False, repr=False, eq=False)
class Finding(ReprMixin):
    """A finding; `code_name` is the name of a registered diagnostic, `narrows` says that its fixes accept less."""

    code_name: str
    message: str
    start: int
    end: int
    label: str
    helps: tuple[Advice, ...] = ()
    also: tuple[Place, ...] = ()
    narrows: bool = False


@attrs.frozen(slots=False, repr=False, eq=False)
class Look(ReprMixin):
    """What is looked at: the text of a predicate, and the values for which a part must matter to be worth its place:
    all of them where the predicate names a string with lone surrogates, else those without."""

    text: str
    usual: Domain

    def within(self, left: Domain, right: Domain) -> bool:
        """Whether one set certainly lies in another, as far as these values go."""
        return within(intersection(left, self.usual), right)


def look_at(predicate: tree.Predicate) -> Look:
    """How a predicate is looked at."""
    named = any(not is_text(part) for value in tree.literal_values(predicate.root) for part in _texts(value))
    return Look(predicate.text, ANYTHING if named else _USUAL)


def _texts(value: tree.Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            yield from (text for item in value for text in _texts(item))
        case dict():
            yield from value
            yield from (text for item in value.values() for text in _texts(item))


def words(test: tree.Test) -> str:
    """What a test admits, in plain words."""
    return describe(lower_test(test))


def is_empty(domain: Domain) -> bool:
    return emptiness(domain) is Known.YES


def within(left: Domain, right: Domain) -> bool:
    """Whether one set certainly lies in another."""
    return is_empty(difference(left, right))
