"""Where and how parsing of a predicate stopped."""

from __future__ import annotations

import attrs

from abs_compiler.predicate.loose import Token
from abs_compiler.repr_mixin import ReprMixin

VALUE_KINDS = {"text": "text", "number": "number", "reference": "reference", "pattern": "pattern"}
"""The kinds of tokens that are a whole value, or nearly one."""


@attrs.frozen(slots=False, repr=False)
class Stop(ReprMixin):
    """Where and how parsing stopped: the offending token (None at the end), those before it, what could follow."""

    text: str
    found: Token | None
    before: tuple[Token, ...]
    after: tuple[Token, ...]
    expected: frozenset[str]

    @property
    def previous(self) -> str:
        return self.before[-1].text if self.before else ""

    @property
    def place(self) -> Token:
        """The token to point at: the offending one, or the empty place at the end."""
        end = len(self.text.rstrip(" \t\r\n"))
        return self.found or Token("end", "", end, end)

    @property
    def wants_value(self) -> bool:
        return bool(self.expected & {"NUMBER", "TEXT", "PATTERN"}) and "LENGTH" not in self.expected

    @property
    def wants_test(self) -> bool:
        return "LENGTH" in self.expected and "AND" not in self.expected

    @property
    def is_complete(self) -> bool:
        """Whether what was read so far is a whole test."""
        return "AND" in self.expected
