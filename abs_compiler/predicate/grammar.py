"""The grammar files, and the parsers built from them or read from their tables: lazily, once per process and set of
limits.

`lark` is imported here and nowhere else, on first use.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Lark

# In the wheel the grammars lie inside the package; in a checkout beside it.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FOLDERS = (os.path.join(_PACKAGE, "_grammar"), os.path.join(os.path.dirname(_PACKAGE), "grammar"))


def grammar_text(name: str) -> str:
    """The text of a grammar, `predicate` or `when`."""
    text = _read(f"{name}.lark")
    if text is None:
        raise FileNotFoundError(f"the grammar {name}.lark is missing from this installation")
    return text


def _read(name: str) -> str | None:
    """The text of a file beside the grammars, where there is one."""
    for folder in _FOLDERS:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            continue
    return None


class StoppedError(Exception):
    """A text that does not follow the grammar: where parsing stopped (None: at the end), and the terminals that
    could have followed."""

    def __init__(self, at: int | None, expected: frozenset[str]) -> None:
        super().__init__(at)
        self.at = at
        self.expected = expected


def parser(name: str, builder: object) -> Callable[[str], Any]:
    """A parser for a grammar. `builder` has a method for each rule; it takes the children and gives the rule's value.

    The parser raises StoppedError, or whatever PredicateSyntaxError the builder raises.
    """
    from lark import Lark, UnexpectedCharacters, UnexpectedToken

    text = grammar_text(name)
    tables = _tables(name, text)
    # Lark's own standalone parsers are loaded in this way.
    load: Any = Lark._load_from_dict
    lark = build(text, transformer=builder) if tables is None else load(*tables, transformer=builder)

    def parse(text: str) -> Any:
        try:
            return lark.parse(text)
        except UnexpectedToken as error:
            at = None if error.token.type == "$END" else error.token.start_pos
            raise StoppedError(at, frozenset(error.expected)) from None
        except UnexpectedCharacters as error:
            raise StoppedError(error.pos_in_stream, frozenset(error.allowed)) from None

    return parse


def build(text: str, **options: Any) -> Lark:
    """The parser that a grammar describes, made from its text. Reading lark's tables takes a tenth of that time."""
    from lark import Lark
    from lark.lexer import ContextualLexer

    class UncheckedLexer(ContextualLexer):
        """Without looking for terminals that collide, which takes long and is done in the tests of the grammars."""

        def __init__(self, conf: Any, *args: Any, **kwargs: Any) -> None:
            conf.skip_validation = True
            super().__init__(conf, *args, **kwargs)

    plugins = {"ContextualLexer": UncheckedLexer}
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=False, _plugins=plugins, **options)


def _tables(name: str, text: str) -> tuple[Any, Any] | None:
    """What lark made of a grammar, as it writes it down; None where that was another grammar or another version of
    lark."""
    import json

    import lark

    written = _read(f"{name}.tables.json")
    if written is None:
        return None
    # JSON has no keys but texts; lark's are the numbers of states, terminals and rules.
    found = json.loads(written, object_pairs_hook=lambda pairs: {_key(key): value for key, value in pairs})
    if found["lark"] != lark.__version__ or found["grammar"] != digest(text):
        return None
    return found["data"], found["memo"]


def _key(text: str) -> str | int:
    return int(text) if text.isdigit() else text


def digest(text: str) -> str:
    """What a grammar's tables know it by."""
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()
