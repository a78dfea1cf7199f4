"""Parsing: the text of a predicate in, its tree out, or one error at its exact place.

The grammar decides what can be read; the builder below turns it into a tree and checks the types of operands, where
references may stand, and what the bounds allow.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs

from abs_compiler.predicate import tree
from abs_compiler.predicate.checks import (
    CODE,
    WHAT,
    check_flags,
    check_never_absent,
    check_pattern,
    kind_of,
    one_value,
    pattern_in_quotes,
    range_help,
    reference_inside,
    repeated_key,
    span_of,
    wrong_type,
)
from abs_compiler.predicate.errors import Advice, Edit, OneValueError, PredicateSyntaxError
from abs_compiler.predicate.grammar import StoppedError, parser
from abs_compiler.predicate.limits import DEFAULT, check_length, too_deep
from abs_compiler.predicate.literals import number_value, quoted, text_value
from abs_compiler.predicate.tree import Json
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.syntax.limits import Limits

# What the builder's methods take and give; inside it, `list` is the name of a rule.
Children: TypeAlias = list[Any]
Entries: TypeAlias = list[tree.HasEntry]
Pairs: TypeAlias = list[tuple[Any, Any]]


def parse(text: str, limits: Limits = DEFAULT, *, fixes: bool = True) -> tree.Predicate:
    """The tree of a predicate; PredicateSyntaxError for the first mistake in it, with fixes that were tried out or with
    words alone."""
    try:
        return _parse(text, limits)
    except PredicateSyntaxError as error:
        if not any(advice.edit for advice in error.helps):
            raise
        if not fixes:
            raise error.in_words() from None
        from abs_compiler.predicate.sound import Try, with_sound_advice, worth_of_predicate  # only where it is wrong
        from abs_compiler.predicate.words import negates

        language = Try(functools.partial(_parse, limits=limits), worth_of_predicate, negates)
        raise with_sound_advice(error, text, language) from None


def _parse(text: str, limits: Limits) -> tree.Predicate:
    check_length(text, WHAT, limits)
    try:
        root = _parser(limits)(text)
    except StoppedError as stopped:
        from abs_compiler.predicate.mistakes import explain  # only on the way to an error

        raise explain(text, stopped.at, stopped.expected) from None
    except OneValueError as error:
        from abs_compiler.predicate.brackets import without_brackets  # only on the way to an error

        raise without_brackets(error, text) from None
    _check_depth(root, limits)
    return tree.Predicate(text, root)


@functools.lru_cache(maxsize=4)
def _parser(limits: Limits) -> Callable[[str], Any]:
    return parser("predicate", _Builder(limits))


def _check_depth(root: tree.Test, limits: Limits) -> None:
    pending = [(root, 1)]
    while pending:
        test, depth = pending.pop()
        if depth > limits.predicate_depth:
            raise too_deep(test.start, test.end, WHAT, limits)
        pending.extend((inner, depth + 1) for inner in tree.children(test))


# --- values on their way to becoming operands: only their place tells what they are ---------------------------------


@attrs.frozen(slots=False, repr=False, eq=False)
class _List(ReprMixin):
    start: int
    end: int
    items: tuple[Any, ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class _Object(ReprMixin):
    start: int
    end: int
    pairs: tuple[tuple[Any, Any], ...]


@attrs.frozen(slots=False, repr=False, eq=False)
class _Group(ReprMixin):
    """A test in parentheses: its parts do not join the chain around it."""

    start: int
    end: int
    test: tree.Test


def _plain(test: tree.Test | _Group) -> tree.Test:
    """A test without its parentheses, in the place that they take."""
    return attrs.evolve(test.test, start=test.start, end=test.end) if isinstance(test, _Group) else test


class _Builder:
    """One method for each rule of the grammar; children are tokens and what the rules inside gave."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def start(self, children: Children) -> tree.Test:
        return _plain(children[0])

    def disjunction(self, children: Children) -> tree.Test:
        left, _, right = children
        parts = left.parts if isinstance(left, tree.Or) else (_plain(left),)
        right = _plain(right)
        return tree.Or(left.start, right.end, (*parts, right))

    def conjunction(self, children: Children) -> tree.Test:
        left, _, right = children
        parts = left.parts if isinstance(left, tree.And) else (_plain(left),)
        right = _plain(right)
        return tree.And(left.start, right.end, (*parts, right))

    def negation(self, children: Children) -> tree.Test:
        operand = _plain(children[1])
        return tree.Not(children[0].start_pos, operand.end, operand)

    def absent(self, children: Children) -> tree.Test:
        return tree.Absent(*span_of(children[0]))

    def group(self, children: Children) -> _Group:
        return _Group(children[0].start_pos, children[2].end_pos, _plain(children[1]))

    def type(self, children: Children) -> tree.TypeTest:
        return tree.TypeTest(*span_of(children[0]), str(children[0]))

    def typed(self, children: Children) -> tree.Test:
        type_ = children[0]
        if len(children) == 1:
            return type_  # type: ignore[no-any-return]
        test = _plain(children[-1])
        if len(children) == 3:
            test = tree.Not(children[1].start_pos, test.end, test)
        return tree.Typed(type_.start, test.end, type_, test)

    # --- tests ------------------------------------------------------------------------------------------------------

    def compare(self, children: Children) -> tree.Compare:
        sign, raw = children
        operand = self._operand(raw)
        operator = str(sign)
        if operator not in ("==", "!=") and kind_of(operand) not in ("number", "text", "reference"):
            wrong_type(operand, f"`{operator}` orders numbers or texts", "to compare for equality, use `==` or `!=`")
        return tree.Compare(sign.start_pos, operand.end, operator, operand)

    def values(self, children: Children) -> Any:
        if len(children) == 1:
            return children[0]
        low, high = self._operand(children[0]), self._operand(children[2])
        for end in (low, high):
            if kind_of(end) not in ("number", "reference"):
                wrong_type(end, "a range runs from number to number", range_help(low, high))
        return tree.Range(low.start, high.end, low, high)

    def member(self, children: Children) -> tree.Member:
        values = self._values(children[1])
        return tree.Member(children[0].start_pos, values.end, values)

    def contains(self, children: Children) -> tree.Contains:
        operand = self._operand(children[1])
        return tree.Contains(children[0].start_pos, operand.end, operand)

    def starts_with(self, children: Children) -> tree.StartsWith:
        operand = self._text_operand(children[2], "starts with")
        return tree.StartsWith(children[0].start_pos, operand.end, operand)

    def ends_with(self, children: Children) -> tree.EndsWith:
        operand = self._text_operand(children[2], "ends with")
        return tree.EndsWith(children[0].start_pos, operand.end, operand)

    def matches(self, children: Children) -> tree.Matches:
        word, token = children
        if token.type == "TEXT":
            pattern_in_quotes(token)
        body, _, flags = str(token)[1:].rpartition("/")
        start = token.start_pos + 1
        check_flags(token, flags)
        check_pattern(body, start, "i" in flags, self._limits)
        return tree.Matches(word.start_pos, token.end_pos, body, "i" in flags, start)

    def length(self, children: Children) -> tree.Length:
        word, sign, raw = children
        test: tree.Compare | tree.Member
        if sign.type == "COMPARE":
            operand = self._operand(raw)
            self._check_length_operands((operand,))
            test = tree.Compare(sign.start_pos, operand.end, str(sign), operand)
        else:
            values = self._values(raw)
            if isinstance(values, tree.ValueList):
                self._check_length_operands(values.items)
            test = tree.Member(sign.start_pos, values.end, values)
        return tree.Length(word.start_pos, test.end, test)

    def each(self, children: Children) -> tree.Each:
        word, item = children[0], _plain(children[1])
        check_never_absent(item, "each")
        return tree.Each(word.start_pos, children[1].end, item)

    def some(self, children: Children) -> tree.Some:
        word, item = children[0], _plain(children[1])
        check_never_absent(item, "some")
        return tree.Some(word.start_pos, children[1].end, item)

    def same_items(self, children: Children) -> tree.SameItems:
        values = self._values(children[3], "same items as")
        if isinstance(values, tree.Range):
            wrong_type(values.low, "`same items as` takes a list", "write the list in brackets")
        return tree.SameItems(children[0].start_pos, values.end, values)

    # --- has --------------------------------------------------------------------------------------------------------

    def has(self, children: Children) -> tree.Has:
        entries: Entries = children[2]
        first: dict[str, tree.HasEntry] = {}
        for entry in entries:
            earlier = first.setdefault(entry.key, entry)
            if earlier is not entry:
                repeated_key(entry, earlier)
        return tree.Has(children[0].start_pos, children[3].end_pos, tuple(entries))

    def entries(self, children: Children) -> Entries:
        return [children[0]] if len(children) == 1 else [*children[0], children[2]]

    def entry(self, children: Children) -> tree.HasEntry:
        key, _, value = children
        name = str(key) if key.type == "NAME" else text_value(str(key), key.start_pos, CODE, WHAT)
        if isinstance(value, _Group) or not isinstance(value, _RAW):
            test = _plain(value)
        else:
            operand = self._operand(value)
            test = tree.Compare(operand.start, operand.end, "==", operand)
        return tree.HasEntry(key.start_pos, key.end_pos, name, test)

    # --- values -----------------------------------------------------------------------------------------------------

    def list(self, children: Children) -> _List:
        items = children[1] if len(children) == 3 else ()
        return _List(children[0].start_pos, children[-1].end_pos, tuple(items))

    def elements(self, children: Children) -> Children:
        return [children[0]] if len(children) == 1 else [*children[0], children[2]]

    def object(self, children: Children) -> _Object:
        pairs = children[1] if len(children) == 3 else ()
        return _Object(children[0].start_pos, children[-1].end_pos, tuple(pairs))

    def pairs(self, children: Children) -> Pairs:
        earlier = children[0] if isinstance(children[0], list) else []
        return [*earlier, (children[-3], children[-1])]

    def _operand(self, raw: Any) -> tree.Operand:
        """An operand that may be a reference, but holds none."""
        if isinstance(raw, tree.Literal | tree.Reference):
            return raw
        if isinstance(raw, _List | _Object):
            return tree.Literal(raw.start, raw.end, self._value(raw))
        start, end = span_of(raw)
        if raw.type == "REFERENCE":
            return tree.Reference(start, end, str(raw)[2:-2])
        return tree.Literal(start, end, self._value(raw))

    def _value(self, raw: Any, level: int = 1) -> Json:
        if isinstance(raw, _List | _Object):
            if level > self._limits.predicate_depth:
                raise too_deep(raw.start, raw.start + 1, "value", self._limits)
            if isinstance(raw, _Object):
                return self._object_value(raw, level + 1)
            return [self._value(item, level + 1) for item in raw.items]
        match raw.type:
            case "TEXT":
                return text_value(str(raw), raw.start_pos, CODE, WHAT)
            case "NUMBER":
                return number_value(str(raw), raw.start_pos, CODE, self._limits)
            case "REFERENCE":
                return reference_inside(raw)
            case word:
                return {"TRUE": True, "FALSE": False, "NULL": None}[word]

    def _object_value(self, raw: _Object, level: int) -> Json:
        value: dict[str, Json] = {}
        for key, item in raw.pairs:
            name = text_value(str(key), key.start_pos, CODE, WHAT)
            if name in value:
                raise PredicateSyntaxError(CODE, f"the key `{name}` occurs twice", *span_of(key), "again here")
            value[name] = self._value(item, level)
        return value

    def _values(self, raw: Any, test: str = "in") -> tree.Values:
        if isinstance(raw, tree.Range):
            return raw
        if isinstance(raw, _List):
            return tree.ValueList(raw.start, raw.end, tuple(self._operand(item) for item in raw.items))
        operand = self._operand(raw)
        if isinstance(operand, tree.Reference):
            return operand
        return one_value(operand, str(raw) if not isinstance(raw, _Object) else "{…}", test)

    def _text_operand(self, raw: Any, test: str) -> tree.Operand:
        operand = self._operand(raw)
        if kind_of(operand) in ("text", "reference"):
            return operand
        if kind_of(operand) in ("number", "boolean", "null"):
            right = quoted(str(raw))
            help_ = Advice(f"quote it: `{right}`", Edit(operand.start, operand.end, right))
            wrong_type(operand, f"`{test}` takes a text", help_)
        wrong_type(operand, f"`{test}` takes a text", f'write for example `{test} "a"`')

    def _check_length_operands(self, operands: tuple[tree.Operand, ...]) -> None:
        for operand in operands:
            if kind_of(operand) in ("number", "reference"):
                continue
            help_: Advice | str = "write for example `length == 5` or `length in 1..64`"
            if isinstance(operand, tree.Literal) and isinstance(operand.value, str) and operand.value.isdecimal():
                right = operand.value.lstrip("0") or "0"
                help_ = Advice(f"write it without quotes: `{right}`", Edit(operand.start, operand.end, right))
            wrong_type(operand, "`length` is compared with numbers", help_)


_RAW = (_List, _Object, tree.Literal, tree.Reference, str)
