"""Where things stand in a TOML text. The standard library reads TOML, but forgets the places.

Takes a text that `tomllib` accepts; gives a tree of the same shape in which every key and value has its span. Only
places are told here: a value's own meaning is tomllib's.
"""

from __future__ import annotations

import re
import tomllib

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span

_SPACE = re.compile(r"[ \t]*")
_FILLER = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'[\s\S]*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}#\r\n]*")


@attrs.frozen(slots=False, repr=False, eq=False)
class Placed(ReprMixin):
    """A value: its span; `key` is where its key stands; `keys` and `items` are what a table or a list holds."""

    span: Span
    key: Span
    keys: dict[str, Placed] = attrs.field(factory=dict)
    items: list[Placed] = attrs.field(factory=list)


def places(text: str) -> Placed:
    """The places of everything in a TOML text."""
    return _Places(text).document()


class _Places:
    """A cursor over the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Placed:
        nowhere = Span(0, 0)
        root = Placed(nowhere, nowhere)
        table = root
        while self._skip(_FILLER) < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self._header(root, 2)
            elif self.text.startswith("[", self.at):
                table = self._header(root, 1)
            else:
                self._entry(table)
        return root

    def _header(self, root: Placed, brackets: int) -> Placed:
        start = self.at
        self.at += brackets
        keys = self._keys()
        self._skip(_SPACE)
        self.at += brackets
        table = _descend(root, keys[:-1])
        name, span = keys[-1]
        if brackets == 2:
            listed = table.keys.setdefault(name, Placed(span, span))
            listed.items.append(Placed(Span(start, self.at), span))
            return listed.items[-1]
        return table.keys.setdefault(name, Placed(Span(start, self.at), span))

    def _entry(self, table: Placed) -> None:
        keys = self._keys()
        self._skip(_SPACE)
        self.at += 1  # the sign `=`
        self._skip(_SPACE)
        name, span = keys[-1]
        _descend(table, keys[:-1]).keys[name] = self._value(span)

    def _keys(self) -> list[tuple[str, Span]]:
        keys = []
        while True:
            self._skip(_SPACE)
            found = _STRING.match(self.text, self.at) or _BARE_KEY.match(self.text, self.at)
            assert found is not None, "tomllib has accepted this text"
            written = found[0]
            name = tomllib.loads(f"k = {written}")["k"] if written[0] in "\"'" else written
            keys.append((name, Span(*found.span())))
            self.at = found.end()
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _value(self, key: Span) -> Placed:
        start = self.at
        opening = self.text[start : start + 1]
        if opening == "[":
            items = []
            self.at += 1
            while self._skip_to_content() != "]":
                items.append(self._value(key))
            self.at += 1
            return Placed(Span(start, self.at), key, {}, items)
        if opening == "{":
            table = Placed(Span(start, start + 1), key)
            self.at += 1
            while self._skip_to_content() != "}":
                self._entry(table)
            self.at += 1
            return Placed(Span(start, self.at), key, table.keys)
        found = _STRING.match(self.text, start) or _PLAIN.match(self.text, start)
        assert found is not None, "tomllib has accepted this text"
        self.at = found.end()
        return Placed(Span(start, start + len(found[0].rstrip())), key)

    def _skip_to_content(self) -> str:
        """Past white space, comments and commas; gives the character there."""
        self._skip(_FILLER)
        while self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_FILLER)
        return self.text[self.at : self.at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at)
        self.at = self.at if found is None else found.end()
        return self.at


def _descend(table: Placed, keys: list[tuple[str, Span]]) -> Placed:
    for name, span in keys:
        table = table.keys.setdefault(name, Placed(span, span))
        if table.items:  # within the last table of a list of tables
            table = table.items[-1]
    return table
