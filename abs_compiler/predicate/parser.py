"""Parsing: the text of a predicate in, its tree out, or one error at its exact place.

The grammar decides what can be read; the builder below turns it into a tree and checks the types of operands, where
references may stand, and what the bounds allow.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import attrs

from abs_compiler.predicate import tree
from abs_compiler.predicate.errors import Advice, Edit, Place, PredicateSyntaxError
from abs_compiler.predicate.grammar import StoppedError, parser
from abs_compiler.predicate.limits import DEFAULT, check_length, too_deep
from abs_compiler.predicate.literals import number_value, quoted, text_value
from abs_compiler.predicate.mistakes import explain, misplaced_absent
from abs_compiler.predicate.regex_errors import regex_problem
from abs_compiler.predicate.tree import Json
from abs_compiler.syntax.limits import Limits

_CODE, _WHAT = "predicate-syntax", "predicate"

# What the builder's methods take and give; inside it, `list` is the name of a rule.
Children: TypeAlias = list[Any]
Entries: TypeAlias = list[tree.HasEntry]
Pairs: TypeAlias = list[tuple[Any, Any]]


def parse(text: str, limits: Limits = DEFAULT) -> tree.Predicate:
    """The tree of a predicate; PredicateSyntaxError for the first mistake in it."""
    check_length(text, _WHAT, limits)
    try:
        root = _parser(limits)(text)
    except StoppedError as stopped:
        raise explain(text, stopped.at, stopped.expected) from None
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
            raise too_deep(test.start, test.end, _WHAT, limits)
        pending.extend((inner, depth + 1) for inner in tree.children(test))


# --- values on their way to becoming operands: only their place tells what they are ---------------------------------


@attrs.frozen(slots=True)
class _List:
    start: int
    end: int
    items: tuple[Any, ...]


@attrs.frozen(slots=True)
class _Object:
    start: int
    end: int
    pairs: tuple[tuple[Any, Any], ...]


@attrs.frozen(slots=True)
class _Group:
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
        return tree.Absent(*_span(children[0]))

    def group(self, children: Children) -> _Group:
        return _Group(children[0].start_pos, children[2].end_pos, _plain(children[1]))

    def type(self, children: Children) -> tree.TypeTest:
        return tree.TypeTest(*_span(children[0]), str(children[0]))

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
        if operator not in ("==", "!=") and _kind(operand) not in ("number", "text", "reference"):
            _wrong_type(operand, f"`{operator}` orders numbers or texts", "to compare for equality, use `==` or `!=`")
        return tree.Compare(sign.start_pos, operand.end, operator, operand)

    def values(self, children: Children) -> Any:
        if len(children) == 1:
            return children[0]
        low, high = self._operand(children[0]), self._operand(children[2])
        for end in (low, high):
            if _kind(end) not in ("number", "reference"):
                _wrong_type(end, "a range runs from number to number", _range_help(low, high))
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
            _pattern_in_quotes(token)
        body, _, flags = str(token)[1:].rpartition("/")
        start = token.start_pos + 1
        _check_flags(token, flags)
        _check_pattern(body, start, "i" in flags, self._limits)
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
        _check_never_absent(item, "each")
        return tree.Each(word.start_pos, children[1].end, item)

    def some(self, children: Children) -> tree.Some:
        word, item = children[0], _plain(children[1])
        _check_never_absent(item, "some")
        return tree.Some(word.start_pos, children[1].end, item)

    def same_items(self, children: Children) -> tree.SameItems:
        values = self._values(children[3], "same items as")
        if isinstance(values, tree.Range):
            _wrong_type(values.low, "`same items as` takes a list", "write the list in brackets")
        return tree.SameItems(children[0].start_pos, values.end, values)

    # --- has --------------------------------------------------------------------------------------------------------

    def has(self, children: Children) -> tree.Has:
        entries: Entries = children[2]
        first: dict[str, tree.HasEntry] = {}
        for entry in entries:
            earlier = first.setdefault(entry.key, entry)
            if earlier is not entry:
                _repeated_key(entry, earlier)
        return tree.Has(children[0].start_pos, children[3].end_pos, tuple(entries))

    def entries(self, children: Children) -> Entries:
        return [children[0]] if len(children) == 1 else [*children[0], children[2]]

    def entry(self, children: Children) -> tree.HasEntry:
        key, _, value = children
        name = str(key) if key.type == "NAME" else text_value(str(key), key.start_pos, _CODE, _WHAT)
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
        start, end = _span(raw)
        if raw.type == "REFERENCE":
            return tree.Reference(start, end, str(raw)[2:-2])
        return tree.Literal(start, end, self._value(raw))

    def _value(self, raw: Any) -> Json:
        if isinstance(raw, _List):
            return [self._value(item) for item in raw.items]
        if isinstance(raw, _Object):
            return self._object_value(raw)
        match raw.type:
            case "TEXT":
                return text_value(str(raw), raw.start_pos, _CODE, _WHAT)
            case "NUMBER":
                return number_value(str(raw), raw.start_pos, _CODE, self._limits)
            case "REFERENCE":
                return _reference_inside(raw)
            case word:
                return {"TRUE": True, "FALSE": False, "NULL": None}[word]

    def _object_value(self, raw: _Object) -> Json:
        value: dict[str, Json] = {}
        for key, item in raw.pairs:
            name = text_value(str(key), key.start_pos, _CODE, _WHAT)
            if name in value:
                raise PredicateSyntaxError(_CODE, f"the key `{name}` occurs twice", *_span(key), "again here")
            value[name] = self._value(item)
        return value

    def _values(self, raw: Any, test: str = "in") -> tree.Values:
        if isinstance(raw, tree.Range):
            return raw
        if isinstance(raw, _List):
            return tree.ValueList(raw.start, raw.end, tuple(self._operand(item) for item in raw.items))
        operand = self._operand(raw)
        if isinstance(operand, tree.Reference):
            return operand
        return _one_value(operand, str(raw) if not isinstance(raw, _Object) else "{…}", test)

    def _text_operand(self, raw: Any, test: str) -> tree.Operand:
        operand = self._operand(raw)
        if _kind(operand) in ("text", "reference"):
            return operand
        if _kind(operand) in ("number", "boolean", "null"):
            right = quoted(str(raw))
            help_ = Advice(f"quote it: `{right}`", Edit(operand.start, operand.end, right))
            _wrong_type(operand, f"`{test}` takes a text", help_)
        _wrong_type(operand, f"`{test}` takes a text", f'write for example `{test} "a"`')

    def _check_length_operands(self, operands: tuple[tree.Operand, ...]) -> None:
        for operand in operands:
            if _kind(operand) in ("number", "reference"):
                continue
            help_: Advice | str = "write for example `length == 5` or `length in 1..64`"
            if isinstance(operand, tree.Literal) and isinstance(operand.value, str) and operand.value.isdecimal():
                right = operand.value.lstrip("0") or "0"
                help_ = Advice(f"write it without quotes: `{right}`", Edit(operand.start, operand.end, right))
            _wrong_type(operand, "`length` is compared with numbers", help_)


_RAW = (_List, _Object, tree.Literal, tree.Reference, str)


def _span(token: Any) -> tuple[int, int]:
    return token.start_pos, token.end_pos


def _kind(operand: tree.Operand) -> str:
    match operand:
        case tree.Reference():
            return "reference"
        case tree.Literal(value=None):
            return "null"
        case tree.Literal(value=bool()):
            return "boolean"
        case tree.Literal(value=str()):
            return "text"
        case tree.Literal(value=list()):
            return "list"
        case tree.Literal(value=dict()):
            return "mapping"
        case _:
            return "number"


# --- what the grammar lets through and the language does not --------------------------------------------------------


def _wrong_type(operand: tree.Operand, message: str, help_: Advice | str) -> NoReturn:
    kind = _kind(operand)
    label = "this is null" if kind == "null" else f"this is a {kind}"
    raise PredicateSyntaxError("operand-type", message, operand.start, operand.end, label, [help_])


def _range_help(low: tree.Operand, high: tree.Operand) -> str:
    match low, high:
        case tree.Literal(value=str() as first), tree.Literal(value=str() as last):
            return f"for texts, write two comparisons, for example `>= {quoted(first)} and <= {quoted(last)}`"
        case _:
            return "write for example `in 1..5`"


def _one_value(operand: tree.Literal, written: str, test: str) -> NoReturn:
    helps = [f"for one value, write `== {written}`"]
    if isinstance(operand.value, str):
        helps.append(f"for a part of a text, write `contains {written}`")
    takes = "a list or a range" if test == "in" else "a list"
    raise PredicateSyntaxError(_CODE, f"`{test}` takes {takes}", operand.start, operand.end, "this is one value", helps)


def _pattern_in_quotes(token: Any) -> NoReturn:
    body = text_value(str(token), token.start_pos, _CODE, _WHAT)
    helps: list[Advice | str] = ["write the pattern between slashes: `matches /…/`"]
    if body and body.isprintable() and not body.endswith("\\"):
        right = "/" + re.sub(r"(?<!\\)/", r"\\/", body) + "/"
        helps = [Advice(f"write `{right}`", Edit(*_span(token), right))]
    raise PredicateSyntaxError(
        "operand-type", "`matches` takes a pattern between slashes", *_span(token), "this is a text", helps
    )


def _check_flags(token: Any, flags: str) -> None:
    for index, flag in enumerate(flags):
        at = token.end_pos - len(flags) + index
        if flag == "i" and "i" not in flags[:index]:
            continue
        if flag == "i":
            label, help_ = "written twice", "remove it"
            message = "the flag `i` is written twice"
        else:
            message, label = f"the flag `{flag}` is not known", "only `i` is, which ignores case"
            help_ = "remove it; a pattern is always searched anywhere in the text"
            if flag in "msxU" and flag != "x":
                help_ = f"write it inside the pattern: `/(?{flag})…/`"
        edit = Edit(at, at + 1, "")
        raise PredicateSyntaxError("bad-regex", message, at, at + 1, label, [Advice(help_, edit)])


def _check_pattern(body: str, start: int, ignore_case: bool, limits: Limits) -> None:
    if len(body) > limits.regex_chars:
        raise PredicateSyntaxError(
            "too-complex",
            f"the pattern is longer than {limits.regex_chars:,} characters",
            start,
            start + len(body),
            f"{len(body):,} characters",
            ["split it into several tests"],
        )
    found = re.search(r"\{\{\s*[A-Za-z_][^{}]*\}\}", body)
    if found is not None:
        raise PredicateSyntaxError(
            "misplaced-reference",
            "a reference cannot stand inside a pattern",
            start + found.start(),
            start + found.end(),
            "this would be taken literally",
            ["use `== {{…}}` or `starts with {{…}}`; for the characters, write `\\{\\{`"],
        )
    problem = regex_problem(body, ignore_case=ignore_case)
    if problem is not None:
        raise PredicateSyntaxError(
            "bad-regex", problem.message, start + problem.start, start + problem.end, problem.label, [problem.help]
        )


def _check_never_absent(item: tree.Test, where: str) -> None:
    """Inside `has` an inner `absent` speaks of a key, which may be missing."""
    pending = [item]
    while pending:
        test = pending.pop()
        if isinstance(test, tree.Absent):
            raise misplaced_absent(test.start, test.end, where)
        if not isinstance(test, tree.Has | tree.Each | tree.Some):
            pending.extend(tree.children(test))


def _repeated_key(entry: tree.HasEntry, earlier: tree.HasEntry) -> NoReturn:
    raise PredicateSyntaxError(
        _CODE,
        f"the key `{entry.key}` occurs twice",
        entry.start,
        entry.end,
        "again here",
        [f"join the two tests: `{entry.key}: (… and …)`"],
        [Place(earlier.start, earlier.end, "first here")],
    )


def _reference_inside(token: Any) -> NoReturn:
    raise PredicateSyntaxError(
        "misplaced-reference",
        "a reference cannot stand inside a value",
        *_span(token),
        "it stands for a whole operand, or for an element after `in` and `same items as`",
        ["capture or bind the whole value under a name"],
    )
