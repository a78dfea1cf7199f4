"""Printing: the tree of a predicate in, its text in one fixed layout out. What is printed parses to the same tree."""

from __future__ import annotations

import json
import re

from abs_compiler.predicate.tree import (
    Absent,
    And,
    Compare,
    Contains,
    Each,
    EndsWith,
    Has,
    HasEntry,
    Json,
    Length,
    Literal,
    Matches,
    Member,
    Not,
    Operand,
    Or,
    Range,
    Reference,
    SameItems,
    Some,
    StartsWith,
    Test,
    Typed,
    TypeTest,
    ValueList,
    Values,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# How tightly a form binds, from an alternative to a single test.
_OR, _AND, _NOT, _ITEM = range(4)


def print_test(test: Test) -> str:
    """The text of a test."""
    return _print(test, _OR)


def _print(test: Test, needed: int) -> str:
    """The text of a test in a place that takes forms binding at least as tightly as `needed`."""
    text, binding = _bare(test)
    return text if binding >= needed else f"({text})"


def _bare(test: Test) -> tuple[str, int]:
    match test:
        case TypeTest(word=word):
            return word, _ITEM
        case Absent():
            return "absent", _NOT
        case Compare(operator=operator, operand=operand):
            return f"{operator} {_operand(operand)}", _ITEM
        case Member(values=values):
            return f"in {_values(values)}", _ITEM
        case Contains(operand=operand):
            return f"contains {_operand(operand)}", _ITEM
        case StartsWith(operand=operand):
            return f"starts with {_operand(operand)}", _ITEM
        case EndsWith(operand=operand):
            return f"ends with {_operand(operand)}", _ITEM
        case Matches(pattern=pattern, ignore_case=ignore_case):
            return f"matches /{pattern}/{'i' if ignore_case else ''}", _ITEM
        case Length(test=inner):
            return f"length {_print(inner, _OR)}", _ITEM
        case Each(item=item):
            return f"each {_print(item, _ITEM)}", _ITEM
        case Some(item=item):
            return f"some {_print(item, _ITEM)}", _ITEM
        case Has(entries=entries):
            return f"has {{{', '.join(_entry(entry) for entry in entries)}}}", _ITEM
        case SameItems(values=values):
            return f"same items as {_values(values)}", _ITEM
        case Typed(type=type_, test=Not(operand=operand)):
            return f"{type_.word} not {_after_type(operand)}", _ITEM
        case Typed(type=type_, test=inner):
            return f"{type_.word} {_after_type(inner)}", _ITEM
        case Not(operand=operand):
            return f"not {_print(operand, _NOT)}", _NOT
        case And(parts=parts):
            return " and ".join(_print(part, _NOT) for part in parts), _AND
        case Or(parts=parts):
            return " or ".join(_print(part, _AND) for part in parts), _OR


def _after_type(test: Test) -> str:
    """A test behind a type word: one that begins with a type word itself needs parentheses."""
    text = _print(test, _ITEM)
    return f"({text})" if isinstance(test, TypeTest | Typed) else text


def _entry(entry: HasEntry) -> str:
    key = entry.key if _NAME.fullmatch(entry.key) else print_value(entry.key)
    match entry.test:
        case Compare(operator="==", operand=Reference() | Literal() as operand) if not _is_null(operand):
            return f"{key}: {_operand(operand)}"
        case test:
            return f"{key}: {_print(test, _ITEM)}"


def _is_null(operand: Operand) -> bool:
    return isinstance(operand, Literal) and operand.value is None


def _values(values: Values) -> str:
    match values:
        case ValueList(items=items):
            return f"[{', '.join(_operand(item) for item in items)}]"
        case Range(low=low, high=high):
            return f"{_operand(low)}..{_operand(high)}"
        case Reference(name=name):
            return f"{{{{{name}}}}}"


def _operand(operand: Operand) -> str:
    match operand:
        case Reference(name=name):
            return f"{{{{{name}}}}}"
        case Literal(value=value):
            return print_value(value)


def print_value(value: Json) -> str:
    """A JSON value as it is written in an expression."""
    value = _short_numbers(value)
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    # Between quotes, two braces would read as a reference.
    return text.replace("{{", "{\\u007b") if "{{" in text else text


def _short_numbers(value: Json) -> Json:
    """A value with integers of enormous length, which can only have been doubles, as doubles again."""
    match value:
        case bool():
            return value
        case int() if abs(value) >= 10**99:
            return float(value)
        case list():
            return [_short_numbers(item) for item in value]
        case dict():
            return {key: _short_numbers(item) for key, item in value.items()}
        case _:
            return value
