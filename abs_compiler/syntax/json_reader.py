"""The JSON reader: text in, a positioned tree out. A token pattern and an explicit stack, so depth costs nothing.

Small slips after which the meaning is still plain (a trailing comma, a comment, `True`, `NaN`, `012`) are reported
and reading goes on; anything else is reported and ends it.
"""

from __future__ import annotations

import enum
import re

from abs_compiler.diagnostics import Sink
from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax.document import Document
from abs_compiler.syntax.json_findings import JsonFindings
from abs_compiler.syntax.limits import Limits
from abs_compiler.syntax.scalars import NumberError, ScalarValue, finite_float, resolve
from abs_compiler.syntax.tree import Entry, Mapping, Node, Scalar, Sequence, kind_name

_TOKEN = re.compile(
    r"""
    [ \t\r\n]* (?:
      (?P<punctuation> [\[\]{}:,] )
    | (?P<string> "[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*" )
    | (?P<number> -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)? (?![\w.+-]|:[0-9]{2}) )
    | (?P<word> (?:true|false|null) (?!\w) )
    | (?P<comment> //[^\r\n]* | \#[^\r\n]* | /\*.*?\*/ )
    )?
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_SHORT_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, None | bool] = {"true": True, "false": False, "null": None}
# What other notations write, read so that reading can go on after it was reported.
_FOREIGN_WORDS: dict[str, None | bool] = {"True": True, "False": False, "None": None, "undefined": None}
_NOT_FINITE = re.compile(r"[-+]?(?:NaN|nan|Infinity|inf)(?!\w)")
_LOOSE_NUMBER = re.compile(r"[-+.]?[0-9][\w.]*(?:[-+:][\w.]+)*")
_LOOSE_KEY = re.compile(r"[-+.]?[0-9][\w.]*")
_LOOSE_STRING = re.compile(r'"(?:[^"\\\r\n]|\\.)*"')
_SINGLE_QUOTED = re.compile(r"'[^'\\\r\n]*'")
_BARE_WORD = re.compile(r"[^\W\d][\w.$-]*")
_REFERENCE = re.compile(r"\{\{[^{}\r\n]*\}\}")
_COLON_NEXT = re.compile(r"[ \t\r\n]*:")


class _Want(enum.Enum):
    """What may come next."""

    VALUE = enum.auto()
    FIRST_ITEM = enum.auto()
    FIRST_KEY = enum.auto()
    KEY = enum.auto()
    COLON = enum.auto()
    COMMA = enum.auto()
    NOTHING = enum.auto()


_VALUES = (_Want.VALUE, _Want.FIRST_ITEM)
_KEYS = (_Want.KEY, _Want.FIRST_KEY)


class _UnreadableError(Exception):
    """Reading cannot go on; the reason was reported."""


class _Frame:
    """An open list or mapping."""

    __slots__ = ("entries", "is_map", "items", "key", "key_span", "seen", "start")

    def __init__(self, start: int, is_map: bool) -> None:
        self.start = start
        self.is_map = is_map
        self.items: list[Node] = []
        self.entries: list[Entry] = []
        self.seen: dict[str, Span] = {}
        self.key = ""
        self.key_span = Span(start, start)


def read_json(source: SourceFile, sink: Sink, limits: Limits) -> list[Document]:
    """The one document of a JSON text; problems go into the sink, and an unreadable text gives no documents."""
    findings = JsonFindings(source.text)
    reader = _Reader(source.text, limits, findings)
    try:
        reader.read()
    except _UnreadableError:
        reader.unreadable = True
    findings.flush(sink)
    if reader.root is None or reader.unreadable:
        return []
    return [Document(reader.root, reader.root.span)]


class _Reader:
    """The state of one reading. Invariant: `stack` holds the open lists and mappings, `want` what may come at `at`."""

    def __init__(self, text: str, limits: Limits, findings: JsonFindings) -> None:
        self.text = text
        self.limits = limits
        self.findings = findings
        self.at = 0
        self.want = _Want.VALUE
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        self.nodes = 0
        self.comma = 0
        self.unreadable = False

    def read(self) -> None:
        """Read one value and nothing behind it."""
        text = self.text
        while True:
            token = _TOKEN.match(text, self.at)
            kind = None if token is None else token.lastgroup
            if token is None or kind is None:
                self.at = len(text) if token is None else token.end()
                if self.at == len(text):
                    break
                self._odd()
                continue
            start, self.at = token.span(kind)
            match kind:
                case "punctuation":
                    self._punctuation(text[start], start)
                case "string":
                    self._text(self._unescaped(start + 1, self.at - 1), Span(start, self.at))
                case "number":
                    span = Span(start, self.at)
                    self._value(self._number(text[start : self.at], span), span)
                case "word":
                    self._value(_WORDS[text[start : self.at]], Span(start, self.at))
                case _:
                    self.findings.comment(Span(start, self.at))
        if self.want is _Want.NOTHING:
            return
        opened = self._opened()
        if opened is None:
            self.findings.empty_file()
        else:
            self.findings.unfinished(self.at, opened)
        raise _UnreadableError

    def _opened(self) -> tuple[str, Span] | None:
        """The innermost open bracket."""
        if not self.stack:
            return None
        start = self.stack[-1].start
        return self.text[start], Span(start, start + 1)

    # Tokens

    def _punctuation(self, char: str, start: int) -> None:
        span = Span(start, start + 1)
        if char in "[{":
            reference = _REFERENCE.match(self.text, start)
            if reference is not None:
                self._reference(Span(*reference.span()))
                return
            self._expect_value(span)
            self._count(span)
            if len(self.stack) >= self.limits.depth:
                self.findings.too_deep(span, self.limits.depth)
                raise _UnreadableError
            self.stack.append(_Frame(start, char == "{"))
            self.want = _Want.FIRST_KEY if char == "{" else _Want.FIRST_ITEM
        elif char in "]}":
            self._close(char, span)
        elif char == "," and self.want is _Want.COMMA:
            self.comma = start
            self.want = _Want.KEY if self.stack[-1].is_map else _Want.VALUE
        elif char == ":" and self.want is _Want.COLON:
            self.want = _Want.VALUE
        else:
            self._unexpected(span)

    def _close(self, char: str, span: Span) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is None or frame.is_map != (char == "}"):
            self.findings.wrong_close(char, span, self._opened())
            raise _UnreadableError
        if self.want is _Want.COLON or (self.want is _Want.VALUE and frame.is_map):
            self._unexpected(span)
        if self.want in (_Want.KEY, _Want.VALUE):
            self.findings.trailing_comma(Span(self.comma, self.comma + 1))
        self.stack.pop()
        whole = Span(frame.start, span.end)
        self._add(Mapping(whole, tuple(frame.entries)) if frame.is_map else Sequence(whole, tuple(frame.items)))

    def _text(self, text: str, span: Span) -> None:
        """A string: a key or a value."""
        if self.want is _Want.COMMA and self.stack[-1].is_map and _COLON_NEXT.match(self.text, span.end):
            self.findings.missing_comma(span)
            self.want = _Want.KEY
        size = len(text.encode("utf-8", "surrogatepass")) if len(text) * 4 > self.limits.scalar_bytes else 0
        if size > self.limits.scalar_bytes:
            self.findings.scalar_too_long(size, self.limits.scalar_bytes, span)
            raise _UnreadableError
        if self.want in _KEYS:
            self.stack[-1].key = text
            self.stack[-1].key_span = span
            self.want = _Want.COLON
        else:
            self._value(text, span, text)

    def _value(self, value: ScalarValue, span: Span, text: str | None = None) -> None:
        if self.want in _KEYS:
            kind = kind_name(Scalar(span, value, "", "json"))
            self.findings.not_text_key(self.text[span.start : span.end], kind, span)
            self._text(self.text[span.start : span.end], span)
            return
        self._expect_value(span)
        self._count(span)
        self._add(Scalar(span, value, self.text[span.start : span.end] if text is None else text, "json"))

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            self.want = _Want.NOTHING
            return
        frame = self.stack[-1]
        self.want = _Want.COMMA
        if not frame.is_map:
            frame.items.append(node)
            return
        first = frame.seen.setdefault(frame.key, frame.key_span)
        if first is frame.key_span:
            frame.entries.append(Entry(frame.key, frame.key_span, node))
        else:
            self.findings.duplicate_key(frame.key, frame.key_span, first, holds=not isinstance(node, Scalar))

    def _count(self, span: Span) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            self.findings.too_many_nodes(span, self.limits.nodes)
            raise _UnreadableError

    def _number(self, text: str, span: Span) -> int | float:
        try:
            if text.lstrip("-").isdecimal():
                if len(text) > self.limits.number_chars:
                    raise NumberError("too-long")
                return int(text)
            return finite_float(text, self.limits.number_chars)
        except NumberError as error:
            self.findings.bad_number(error.problem, text, span, self.limits.number_chars)
            return 0

    def _unescaped(self, start: int, end: int) -> str:
        raw = self.text[start:end]
        if "\\" not in raw:
            return raw

        def replace(found: re.Match[str]) -> str:
            if found[1]:
                return chr(int(found[1], 16))
            char = _SHORT_ESCAPES.get(found[2])
            if char is None:
                at = start + found.start()
                self.findings.bad_escape(found[2], Span(at, at + 2))
                return str(found[2])
            return char

        return _PAIR.sub(_joined, _ESCAPE.sub(replace, raw))

    # What is not JSON

    def _expect_value(self, span: Span) -> None:
        """Check that a value may stand here; between two values of a list only the comma can be missing."""
        if self.want is _Want.COMMA and not self.stack[-1].is_map:
            self.findings.missing_comma(span)
        elif self.want not in _VALUES:
            self._unexpected(span)

    def _reference(self, span: Span) -> None:
        """`{{name}}` without quotes."""
        text = self.text[span.start : span.end]
        self.at = span.end
        self.findings.unquoted_reference(text, span, is_key=self.want in _KEYS)
        self._text(text, span)

    def _unexpected(self, span: Span) -> None:
        frame = self.stack[-1] if self.stack else None
        match self.want:
            case _Want.NOTHING:
                self.findings.more_text(span)
            case _Want.COLON if frame is not None:
                self.findings.missing_colon(frame.key, frame.key_span, span)
            case _Want.KEY | _Want.FIRST_KEY:
                self.findings.expected("a key in double quotes", span)
            case _Want.COMMA if frame is not None:
                self.findings.expected("`,` or `}`" if frame.is_map else "`,` or `]`", span)
            case _:
                self.findings.expected("a value", span)
        raise _UnreadableError

    def _odd(self) -> None:
        """Something that is no JSON token. Where its meaning is plain, report it and read on."""
        start = self.at
        if found := _LOOSE_STRING.match(self.text, start):
            self.at = found.end()
            self.findings.control_characters(Span(start, self.at))
            self._text(self._unescaped(start + 1, self.at - 1), Span(start, self.at))
        elif self.text[start] == '"':
            self.findings.unclosed_string(start)
            raise _UnreadableError
        elif found := _NOT_FINITE.match(self.text, start):
            self.at = found.end()
            problem = "nan" if found.group()[-1] in "Nn" else "infinite"
            self.findings.bad_number(problem, found.group(), Span(start, self.at), self.limits.number_chars)
            self._value(0, Span(start, self.at))
        elif found := (_LOOSE_KEY if self.want in _KEYS else _LOOSE_NUMBER).match(self.text, start):
            self.at = found.end()
            self._value(self._loose_number(found.group(), Span(start, self.at)), Span(start, self.at))
        elif found := _SINGLE_QUOTED.match(self.text, start):
            self.at = found.end()
            self.findings.single_quotes(found.group()[1:-1], Span(start, self.at))
            self._text(found.group()[1:-1], Span(start, self.at))
        elif found := _BARE_WORD.match(self.text, start):
            self.at = found.end()
            self._bare_word(found.group(), Span(start, self.at))
        else:
            self.findings.strange_character(start)
            raise _UnreadableError

    def _loose_number(self, text: str, span: Span) -> ScalarValue:
        """A number that YAML would read and JSON does not: its value, for reading to go on."""
        try:
            value = resolve(text.lstrip("+"), self.limits.number_chars)
        except NumberError as error:
            self.findings.bad_number(error.problem, text, span, self.limits.number_chars)
            return 0
        self.findings.loose_number(text, value if isinstance(value, int | float) else None, span)
        return value

    def _bare_word(self, word: str, span: Span) -> None:
        if self.want in (_Want.NOTHING, _Want.COLON):
            self._unexpected(span)
        if word in _FOREIGN_WORDS and self.want not in _KEYS:
            self.findings.foreign_word(word, _FOREIGN_WORDS[word], span)
            self._value(_FOREIGN_WORDS[word], span)
        else:
            self.findings.unquoted(word, span, is_key=self.want in _KEYS)
            self._text(word, span)


def _joined(pair: re.Match[str]) -> str:
    """The character that a surrogate pair stands for."""
    return chr(0x10000 + ((ord(pair[1]) - 0xD800) << 10) + (ord(pair[2]) - 0xDC00))
