"""The parsers driven by tables, held against the parser generator itself on the same grammars and texts."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark, UnexpectedCharacters, UnexpectedToken

from abs_compiler.predicate.grammar import StoppedError, grammar_text, parser

PIECES = [
    *("string", "number", "null", "true", "absent", "or", "and", "not", "in", "contains", "starts", "with", "ends"),
    *("matches", "length", "each", "some", "has", "same", "items", "as", "==", "!=", "<", ">=", "5", "-1.5e3", ".."),
    *("(", ")", "[", "]", "{", "}", ":", ",", "'a'", '"b"', "{{x}}", "{{x.y}}", "/a/", "/b\\/c/i", "name", "|"),
    *("||", "&&", "!", "#", "5x", "'"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).flatmap(
    lambda pieces: st.lists(st.sampled_from(["", " ", "\n "]), min_size=len(pieces), max_size=len(pieces)).map(
        lambda gaps: "".join(gap + piece for gap, piece in zip(gaps, pieces, strict=True))
    )
)


class Tree:
    """A builder that keeps everything: for each rule its name and its children."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name.isupper():  # no rule
            raise AttributeError(name)
        return lambda children: (name, [plain(child) for child in children])


def plain(child: Any) -> Any:
    return (child.type, str(child), child.start_pos, child.end_pos) if isinstance(child, str) else child


@functools.cache
def by_lark(name: str) -> Lark:
    return Lark(grammar_text(name), parser="lalr", lexer="contextual", maybe_placeholders=False, transformer=Tree())


@functools.cache
def by_tables(name: str) -> Any:
    return parser(name, Tree())


def outcome_of_lark(name: str, text: str) -> Any:
    try:
        return plain(by_lark(name).parse(text))
    except UnexpectedToken as error:
        return None if error.token.type == "$END" else error.token.start_pos, frozenset(error.expected)
    except UnexpectedCharacters as error:
        return error.pos_in_stream, frozenset(error.allowed)


def outcome_of_tables(name: str, text: str) -> Any:
    try:
        return plain(by_tables(name)(text))
    except StoppedError as stopped:
        return stopped.at, stopped.expected


@pytest.mark.parametrize("name", ["predicate", "when"])
@example("integer in 1..50")
@example('string length in 1..64 or not (has {a: 1, "b": array each > 3} and absent)')
@example("{{plan}} == 'gold' and not (1 < {{amount}} || true)")
@example("")
@given(text=TEXTS)
def test_both_read_a_text_alike_or_stop_alike(name: str, text: str) -> None:
    assert outcome_of_tables(name, text) == outcome_of_lark(name, text)
