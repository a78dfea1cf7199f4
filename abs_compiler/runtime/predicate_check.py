"""Predicate data that came from elsewhere: is it of the form that the compiler emits?

A strict whitelist of operators, operands and kinds, within bounds of depth and size; nothing is run or compiled.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 120
MAX_NODES = 20_000
_MAX_PATTERN = 1000
_MAX_LITERAL_DEPTH = 100

_ORDERS = ("<", "<=", ">", ">=")


class _RefusedError(Exception):
    """Something that the compiler does not emit; the text says what."""


def check(data: Any) -> str | None:
    """What is wrong with predicate data; None when nothing is."""
    try:
        _Checker().predicate(data, MAX_DEPTH)
    except _RefusedError as problem:
        return str(problem)
    return None


class _Checker:
    """Counts what it has seen, so that a small text cannot make for long work."""

    def __init__(self) -> None:
        self._left = MAX_NODES

    def predicate(self, data: Any, depth: int) -> None:
        tag, body = self._tagged(data, depth)
        if tag == "set":
            self._fields(data, 2)
            self._set(body, depth - 1)
        elif tag == "and" or tag == "or":
            self._fields(data, 2)
            for part in _list(body, "parts"):
                self.predicate(part, depth - 1)
        elif tag == "not" or tag == "each" or tag == "some":
            self._fields(data, 2)
            self.predicate(body, depth - 1)
        elif tag == "key":
            self._fields(data, 3)
            _text(body, "a key")
            self.predicate(data[2], depth - 1)
        elif tag == "same":
            self._fields(data, 2)
            self._values(body)
        elif tag == "length":
            self._fields(data, 2)
            inner, _ = self._tagged(body, depth - 1)
            if inner not in ("==", "!=", "in", "between", *_ORDERS):
                raise _RefusedError(f"unknown test of a length {_shown(inner)}")
            self._test(body, inner, number=True)
        elif tag in ("==", "in", "between", "contains", "starts", "ends", *_ORDERS):
            self._test(data, tag, number=False)
        else:
            raise _RefusedError(f"unknown operator {_shown(tag)}")

    def _test(self, data: list[Any], tag: str, *, number: bool) -> None:
        if tag == "in":
            self._fields(data, 2)
            self._values(data[1], _is_number if number else None)
            return
        self._fields(data, 3 if tag == "between" else 2)
        fits: Callable[[Any], bool] | None = None
        if number or tag == "between":
            fits = _is_number
        elif tag == "starts" or tag == "ends":
            fits = _is_text
        elif tag in _ORDERS:
            fits = _is_ordered
        for operand in data[1:]:
            self._value(operand, fits)

    def _value(self, data: Any, fits: Callable[[Any], bool] | None = None) -> None:
        tag, body = self._tagged(data, 2)
        self._fields(data, 2)
        if tag == "ref":
            _text(body, "a reference")
        elif tag != "=":
            raise _RefusedError(f"unknown operand {_shown(tag)}")
        elif fits is not None and not fits(body):
            raise _RefusedError(f"an operand of the wrong type: {_shown(body)}")
        else:
            self._json(body, _MAX_LITERAL_DEPTH)

    def _values(self, data: Any, fits: Callable[[Any], bool] | None = None) -> None:
        tag, body = self._tagged(data, 2)
        self._fields(data, 2)
        if tag == "ref":
            _text(body, "a reference")
            return
        if tag != "list":
            raise _RefusedError(f"unknown list {_shown(tag)}")
        for item in _list(body, "a list"):
            self._value(item, fits)

    def _set(self, kinds: Any, depth: int) -> None:
        if kinds.__class__ is not dict:
            raise _RefusedError("a set is no object")
        for kind, part in kinds.items():
            self._count()
            if part is True:
                if kind not in ("absent", "null", "boolean", "integer", "fraction", "string", "array", "object"):
                    raise _RefusedError(f"unknown kind {_shown(kind)}")
            elif kind == "boolean":
                if part.__class__ is not list or len(part) != 1 or part[0].__class__ is not bool:
                    raise _RefusedError("booleans are not `true`, [false] or [true]")
            elif kind in ("integer", "fraction"):
                self._intervals(part, whole=kind == "integer")
            elif kind in ("string", "array", "object"):
                self._form(part, kind, depth)
            else:
                raise _RefusedError(f"unknown kind {_shown(kind)}")

    def _intervals(self, data: Any, *, whole: bool) -> None:
        if data == []:
            raise _RefusedError("no intervals")
        before: Any = None
        for number, pair in enumerate(_list(data, "intervals")):
            self._count()
            if pair.__class__ is not list or len(pair) != 2:
                raise _RefusedError("an interval is not two ends")
            low, high = pair
            for end in pair:
                if end is not None and not (end.__class__ is int or (not whole and _is_number(end))):
                    raise _RefusedError(f"an end of the wrong type: {_shown(end)}")
            if (low is None and number) or (low is not None and before is not None and low < before):
                raise _RefusedError("intervals out of order")
            if low is not None and high is not None and low > high:
                raise _RefusedError("an interval that ends before it begins")
            if high is None and number != len(data) - 1:
                raise _RefusedError("intervals out of order")
            before = high

    def _form(self, form: Any, kind: str, depth: int) -> None:
        tag, body = self._tagged(form, depth)
        if tag == "and" or tag == "or":
            self._fields(form, 2)
            for part in _list(body, "parts"):
                self._form(part, kind, depth - 1)
        elif tag == "not":
            self._fields(form, 2)
            self._form(body, kind, depth - 1)
        elif tag == "length":
            self._fields(form, 2)
            self._intervals(body, whole=True)
            if any(low is None or low < 0 for low, _ in body):
                raise _RefusedError("a length below zero")
        elif tag == "in":
            self._fields(form, 2)
            wanted: type = {"string": str, "array": list, "object": dict}[kind]
            for item in _list(body, "literals"):
                if item.__class__ is not wanted:
                    raise _RefusedError(f"a literal of the wrong type: {_shown(item)}")
                self._json(item, _MAX_LITERAL_DEPTH)
        elif kind == "string":
            self._text_atom(form, tag)
        elif kind == "array" and tag in ("each", "some"):
            self._fields(form, 2)
            self.predicate(body, depth - 1)
        elif kind == "array" and tag == "same":
            self._fields(form, 2)
            self._json(_list(body, "items"), _MAX_LITERAL_DEPTH)
        elif kind == "object" and tag == "key":
            self._fields(form, 3)
            _text(body, "a key")
            self.predicate(form[2], depth - 1)
        else:
            raise _RefusedError(f"unknown operator {_shown(tag)} for a {kind}")

    def _text_atom(self, form: list[Any], tag: str) -> None:
        if tag == "text":
            self._fields(form, 1)
        elif tag == "matches":
            self._fields(form, 4)
            for part in form[1:]:
                _text(part, "a pattern")
            if len(form[1]) > _MAX_PATTERN or form[2] not in ("", "i"):
                raise _RefusedError("a pattern beyond its bounds")
            _pattern(form[1])
        elif tag in ("starts", "ends", "contains", "from"):
            self._fields(form, 2)
            _text(form[1], "an operand")
        else:
            raise _RefusedError(f"unknown operator {_shown(tag)} for a string")

    def _json(self, value: Any, depth: int) -> None:
        self._count()
        kind = value.__class__
        if kind is list or kind is dict:
            if depth == 0:
                raise _RefusedError("a literal nested too deeply")
            for item in value if kind is list else value.values():
                self._json(item, depth - 1)
            if kind is dict and not all(key.__class__ is str for key in value):
                raise _RefusedError("a key that is no text")
        elif not (value is None or kind is bool or kind is str or _is_number(value)):
            raise _RefusedError(f"not a JSON value: {_shown(value)}")

    def _tagged(self, data: Any, depth: int) -> tuple[str, Any]:
        self._count()
        if depth <= 0:
            raise _RefusedError("nested too deeply")
        if data.__class__ is not list or not data or data[0].__class__ is not str:
            raise _RefusedError(f"not a tagged list: {_shown(data)}")
        return data[0], data[1] if len(data) > 1 else None

    def _fields(self, data: list[Any], count: int) -> None:
        if len(data) != count:
            raise _RefusedError(f"{_shown(data[0])} has {len(data) - 1} fields, not {count - 1}")

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _RefusedError("too large")


def _list(data: Any, what: str) -> list[Any]:
    if data.__class__ is not list:
        raise _RefusedError(f"{what} are no list")
    found: list[Any] = data
    return found


def _text(data: Any, what: str) -> None:
    if data.__class__ is not str:
        raise _RefusedError(f"{what} that is no text: {_shown(data)}")


def _pattern(text: str) -> None:
    from .patterns import PatternError, compile_pattern

    try:
        compile_pattern(text)  # kept, so matching does not compile it again
    except PatternError as problem:
        raise _RefusedError(f"a pattern that RE2 refuses: {problem}") from None


def _is_number(value: Any) -> bool:
    return value.__class__ is int or (value.__class__ is float and value - value == 0)


def _is_text(value: Any) -> bool:
    return value.__class__ is str


def _is_ordered(value: Any) -> bool:
    return _is_number(value) or _is_text(value)


def _shown(value: Any) -> str:
    text = repr(value) if value.__class__ in (str, int, float, bool) else f"<{value.__class__.__name__}>"
    return text if len(text) <= 40 else text[:39] + "…"
