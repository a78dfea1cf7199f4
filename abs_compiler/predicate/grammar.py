"""The grammars, and the parsers that follow them: driven by tables, which are generated (see `tables/generate.py`).

The lexer is contextual: in each place only the terminals are looked for that may stand there.
"""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_END = "$END"


def grammar_text(name: str) -> str:
    """The text of a grammar, `predicate` or `when`: in a wheel inside the package, in a checkout beside it."""
    from pathlib import Path

    package = Path(__file__).parents[1]
    for folder in (package / "_grammar", package.parent / "grammar"):
        path = folder / f"{name}.lark"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"the grammar {name}.lark is missing from this installation")


class StoppedError(Exception):
    """A text that does not follow the grammar: where parsing stopped (None: at the end), and the terminals that
    could have followed."""

    def __init__(self, at: int | None, expected: frozenset[str]) -> None:
        super().__init__(at)
        self.at = at
        self.expected = expected


class Token(str):
    """A piece of the text: the terminal it is, and its place."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int


def parser(name: str, builder: object) -> Callable[[str], Any]:
    """A parser for a grammar. `builder` has a method for each rule; it takes the children and gives the rule's value.

    The parser raises StoppedError, or whatever PredicateSyntaxError the builder raises.
    """
    tables = importlib.import_module(f"abs_compiler.predicate.tables.{name}")
    rules = [(origin, count, getattr(builder, method) if method else None) for origin, count, method in tables.RULES]
    return _Parser(tables, rules).parse


class _Parser:
    """Tables and a builder's methods; scanners are made when a state is first entered."""

    def __init__(self, tables: Any, rules: list[tuple[str, int, Callable[[list[Any]], Any] | None]]) -> None:
        self._tables = tables
        self._rules = rules
        self._scanners: dict[int, re.Pattern[str]] = {}

    def parse(self, text: str) -> Any:
        """The value of a text."""
        states: list[int] = [0]
        values: list[Any] = []
        at = 0
        while True:
            token = self._next(text, at, states[-1])
            value = self._shift(token, states, values)
            if token.type == _END:
                return value
            at = token.end_pos

    def _next(self, text: str, at: int, state: int) -> Token:
        scanner = self._scanners.get(state)
        if scanner is None:
            scanner = self._scanners[state] = self._scanner(state)
        ignored = self._tables.IGNORED
        while at < len(text):
            found = scanner.match(text, at)
            if found is None or found.lastgroup is None:
                raise StoppedError(at, frozenset(self._allowed(state)))
            if found.lastgroup not in ignored:
                return _token(found.group(), found.lastgroup, at, found.end())
            at = found.end()
        return _token("", _END, at, at)

    def _allowed(self, state: int) -> list[str]:
        return [name for name in self._tables.STATES[state] if name in self._tables.TERMINALS]

    def _scanner(self, state: int) -> re.Pattern[str]:
        wanted = {*self._allowed(state), *self._tables.IGNORED}
        terminals = self._tables.TERMINALS.items()
        return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in terminals if name in wanted))

    def _shift(self, token: Token, states: list[int], values: list[Any]) -> Any:
        """Reduce what a token completes, then take the token; the value of the whole text at its end."""
        rows = self._tables.STATES
        while True:
            if token.type == _END and states[-1] == self._tables.END:
                return values[-1]
            action = rows[states[-1]].get(token.type)
            if action is None:
                expected = frozenset(symbol for symbol in rows[states[-1]] if symbol.isupper())
                raise StoppedError(None if token.type == _END else token.start_pos, expected)
            if action >= 0:
                states.append(action)
                values.append(token)
                return None
            origin, count, method = self._rules[~action]
            children = values[-count:]
            del states[-count:], values[-count:]
            values.append(children[0] if method is None else method(children))
            states.append(rows[states[-1]][origin])


def _token(text: str, type_: str, start: int, end: int) -> Token:
    token = Token(text)
    token.type, token.start_pos, token.end_pos = type_, start, end
    return token
