"""The grammar files, and the parsers built from them: lazily, once per process and set of limits.

`lark` is imported here and nowhere else, on first use.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# In the wheel the grammars lie inside the package; in a checkout beside it.
_FOLDERS = (Path(__file__).parents[1] / "_grammar", Path(__file__).parents[2] / "grammar")


def grammar_text(name: str) -> str:
    """The text of a grammar, `predicate` or `when`."""
    for folder in _FOLDERS:
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


def parser(name: str, builder: object) -> Callable[[str], Any]:
    """A parser for a grammar. `builder` has a method for each rule; it takes the children and gives the rule's value.

    The parser raises StoppedError, or whatever PredicateSyntaxError the builder raises.
    """
    from lark import Lark, UnexpectedCharacters, UnexpectedToken
    from lark.lexer import ContextualLexer

    class UncheckedLexer(ContextualLexer):
        """Without looking for terminals that collide, which takes long and is done in the tests of the grammars."""

        def __init__(self, conf: Any, *args: Any, **kwargs: Any) -> None:
            conf.skip_validation = True
            super().__init__(conf, *args, **kwargs)

    lark = Lark(
        grammar_text(name),
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=False,
        transformer=builder,
        _plugins={"ContextualLexer": UncheckedLexer},
    )

    def parse(text: str) -> Any:
        try:
            return lark.parse(text)
        except UnexpectedToken as error:
            at = None if error.token.type == "$END" else error.token.start_pos
            raise StoppedError(at, frozenset(error.expected)) from None
        except UnexpectedCharacters as error:
            raise StoppedError(error.pos_in_stream, frozenset(error.allowed)) from None

    return parse
