"""The error that a mistake in an expression raises: one mistake, its exact place, and what to do about it.

Offsets count the characters of the expression's text; the caller maps them to the source.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from abs_compiler.repr_mixin import ReprMixin


@attrs.frozen(slots=False, repr=False, eq=False)
class Edit(ReprMixin):
    """Replace the characters `start` to `end` of the expression."""

    start: int
    end: int
    text: str


@attrs.frozen(slots=False, repr=False, eq=False)
class Advice(ReprMixin):
    """What to do, optionally with the edit that does it."""

    text: str
    edit: Edit | None = None


@attrs.frozen(slots=False, repr=False, eq=False)
class Place(ReprMixin):
    """A second place that a diagnostic points at."""

    start: int
    end: int
    label: str


class PredicateSyntaxError(Exception):
    """A predicate or condition that cannot be read. `code_name` is the name of a registered diagnostic."""

    def __init__(
        self,
        code_name: str,
        message: str,
        start: int,
        end: int,
        label: str,
        helps: Sequence[Advice | str] = (),
        also: Sequence[Place] = (),
    ) -> None:
        super().__init__(message)
        self.code_name = code_name
        self.message = message
        self.start = start
        self.end = end
        self.label = label
        self.helps = tuple(Advice(item) if isinstance(item, str) else item for item in helps)
        self.also = tuple(also)

    def advised(self, helps: Sequence[Advice]) -> PredicateSyntaxError:
        """The same mistake with other advice."""
        return PredicateSyntaxError(self.code_name, self.message, self.start, self.end, self.label, helps, self.also)

    def in_words(self) -> PredicateSyntaxError:
        """The same mistake with advice that does nothing by itself."""
        return self.advised([attrs.evolve(advice, edit=None) for advice in self.helps])


class OneValueError(PredicateSyntaxError):
    """One value where a list belongs. The values of a list may be written behind it, without brackets."""


def apply(edit: Edit, text: str) -> str:
    """The text after an edit."""
    return text[: edit.start] + edit.text + text[edit.end :]
