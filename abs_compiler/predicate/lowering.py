"""Lowering: the tree of a predicate in, the data that the runtime tests out.

Parts without references become sets in normal form, so equal predicates in different spellings give equal data.
Parts with references keep their tests, with negations moved inside and parts in a fixed order.
"""

from __future__ import annotations

import json
import math
from typing import Any

from abs_compiler.bounds import OutOfWorkError, allowance, unbounded
from abs_compiler.predicate import tree
from abs_compiler.predicate.denote import denote
from abs_compiler.predicate.domains import Domain, complement
from abs_compiler.predicate.domains.formulas import Formula
from abs_compiler.predicate.domains.json_text import from_text, normal_value
from abs_compiler.predicate.domains.normal import normal
from abs_compiler.predicate.domains.regex_syntax import prefix_of
from abs_compiler.predicate.domains.text_machines import regex_tree
from abs_compiler.runtime.predicates import admits_absent as runtime_admits_absent

Data = list[Any]

# The steps of work that a set may take to work out.
_ALLOWED = 300_000


def lower(predicate: tree.Predicate) -> Data:
    """The data of a predicate; see `abs_compiler.runtime.predicates`."""
    with allowance(_ALLOWED):
        try:
            return lower_test(predicate.root)
        except OutOfWorkError:
            pass
    with unbounded():
        return _test_by_test(predicate.root)


def admits_absent(predicate: tree.Predicate) -> bool:
    """Whether a predicate's set holds "no value at all": then a missing argument fits."""
    return runtime_admits_absent(lower(predicate))


def lower_test(test: tree.Test) -> Data:
    """The data of a test."""
    if tree.is_closed(test):
        return domain_data(denote(test).inside)
    match test:
        case tree.And(parts=parts):
            return _joined("and", _flat(parts, tree.And))
        case tree.Or(parts=parts):
            return _joined("or", _flat(parts, tree.Or))
        case tree.Typed(type=type_, test=inner):
            return _joined("and", [type_, *_flat((inner,), tree.And)])
        case tree.Not(operand=inner):
            return _negated(inner)
        case _:
            return _open_test(test)


def _test_by_test(test: tree.Test) -> Data:
    """The data of a contrived predicate, whose set is not worked out: its tests as they were written."""
    match test:
        case tree.And(parts=parts):
            return ["and", [_test_by_test(part) for part in parts]]
        case tree.Or(parts=parts):
            return ["or", [_test_by_test(part) for part in parts]]
        case tree.Typed(type=type_, test=inner):
            return ["and", [_test_by_test(type_), _test_by_test(inner)]]
        case tree.Not(operand=inner):
            return ["not", _test_by_test(inner)]
        case tree.Each(item=item):
            return ["each", _test_by_test(item)]
        case tree.Some(item=item):
            return ["some", _test_by_test(item)]
        case tree.Has(entries=entries):
            return ["and", [["key", entry.key, _test_by_test(entry.test)] for entry in entries]]
        case _:
            return _data(denote(test).inside) if tree.is_closed(test) else lower_test(test)


def _flat(parts: tuple[tree.Test, ...], kind: type[tree.And] | type[tree.Or]) -> list[tree.Test]:
    """The parts of a chain, with those of chains of the same kind inside it."""
    found: list[tree.Test] = []
    for part in parts:
        if isinstance(part, kind):
            found.extend(_flat(part.parts, kind))
        elif kind is tree.And and isinstance(part, tree.Typed):
            found.extend([part.type, *_flat((part.test,), kind)])
        else:
            found.append(part)
    return found


def _joined(tag: str, parts: list[tree.Test]) -> Data:
    closed = [part for part in parts if tree.is_closed(part)]
    found = [lower_test(part) for part in parts if not tree.is_closed(part)]
    if closed:
        whole = closed[0] if len(closed) == 1 else (tree.And if tag == "and" else tree.Or)(0, 0, tuple(closed))
        found.append(domain_data(denote(whole).inside))
    return _ordered(tag, found)


def _ordered(tag: str, parts: list[Data]) -> Data:
    unique = {json.dumps(part, sort_keys=True): part for part in parts}
    neutral = _ANY if tag == "and" else _NOTHING
    kept = [unique[key] for key in sorted(unique) if unique[key] != neutral]
    if tag == "and" and kept and not any(_is_present(part) for part in kept):
        kept = [unique[key] for key in sorted(unique)]
    return kept[0] if len(kept) == 1 else [tag, kept]


def _is_present(data: Data) -> bool:
    """Whether a part holds for present values only, so that another part that says just this adds nothing."""
    match data:
        case ["set", kinds]:
            return "absent" not in kinds
        case ["and", parts]:
            return any(_is_present(part) for part in parts)
        case ["or", parts]:
            return all(_is_present(part) for part in parts)
        case _:
            return True


def _negated(test: tree.Test) -> Data:
    """The complement, among present values, of a test with references."""
    if tree.is_closed(test):
        return domain_data(complement(denote(test).inside))
    match test:
        case tree.And(parts=parts):
            return _negated_parts("or", parts)
        case tree.Or(parts=parts):
            return _negated_parts("and", parts)
        case tree.Typed(type=type_, test=inner):
            return _negated_parts("or", (type_, inner))
        case tree.Not(operand=inner):
            return _ordered("and", [_ANY, lower_test(inner)])
        case tree.Compare(operator="!=", operand=operand):
            return ["==", _operand(operand)]
        case _:
            return ["not", lower_test(test)]


def _negated_parts(tag: str, parts: tuple[tree.Test, ...]) -> Data:
    return _ordered(tag, [_negated(part) for part in parts])


def _open_test(test: tree.Test) -> Data:
    match test:
        case tree.Compare(operator="!=", operand=operand):
            return ["not", ["==", _operand(operand)]]
        case tree.Compare(operator=operator, operand=operand):
            return [operator, _operand(operand)]
        case tree.Member():
            return _membership(test)
        case tree.Contains(operand=operand):
            return ["contains", _operand(operand)]
        case tree.StartsWith(operand=operand):
            return ["starts", _operand(operand)]
        case tree.EndsWith(operand=operand):
            return ["ends", _operand(operand)]
        case tree.Length(test=tree.Compare(operator=operator, operand=operand)):
            return ["length", [operator, _operand(operand)]]
        case tree.Length(test=tree.Member() as inner):
            return ["length", _membership(inner)]
        case tree.Each(item=item):
            return ["each", lower_test(item)]
        case tree.Some(item=item):
            return ["some", lower_test(item)]
        case tree.SameItems(values=values):
            return ["same", _list(values)]
        case tree.Has(entries=entries):
            return _has(entries)
        case _:
            raise AssertionError(test)


def _membership(test: tree.Member) -> Data:
    match test.values:
        case tree.Range(low=low, high=high):
            return ["between", _operand(low), _operand(high)]
        case values:
            return ["in", _list(values)]


def _has(entries: tuple[tree.HasEntry, ...]) -> Data:
    """Keys without references join into one set."""
    closed = tuple(entry for entry in entries if tree.is_closed(entry.test))
    parts: list[Data] = [
        ["key", entry.key, lower_test(entry.test)] for entry in entries if not tree.is_closed(entry.test)
    ]
    if closed:
        parts.append(domain_data(denote(tree.Has(0, 0, closed)).inside))
    return _ordered("and", parts)


def _operand(operand: tree.Operand) -> Data:
    match operand:
        case tree.Reference(name=name):
            return ["ref", name]
        case tree.Literal(value=value):
            return ["=", normal_value(value)]


def _list(values: tree.ValueList | tree.Reference) -> Data:
    if isinstance(values, tree.Reference):
        return ["ref", values.name]
    return ["list", [_operand(item) for item in values.items]]


# --- sets -----------------------------------------------------------------------------------------------------------


def domain_data(domain: Domain) -> Data:
    """The data of a set, in normal form."""
    return _data(normal(domain))


def _data(domain: Domain) -> Data:
    kinds: dict[str, Any] = {}
    if domain.absent:
        kinds["absent"] = True
    if domain.arrays is not False:
        kinds["array"] = _form(domain.arrays)
    if domain.booleans:
        kinds["boolean"] = True if len(domain.booleans) == 2 else sorted(domain.booleans)
    if domain.fractions:
        kinds["fraction"] = _intervals([_outward(pair) for pair in domain.fractions])
    if domain.integers:
        kinds["integer"] = _intervals(domain.integers)
    if domain.null:
        kinds["null"] = True
    if domain.objects is not False:
        kinds["object"] = _form(domain.objects)
    if domain.strings is not False:
        kinds["string"] = _form(domain.strings, texts=True)
    return ["set", kinds]


def _intervals(intervals: Any) -> Any:
    return True if list(intervals) == [(None, None)] else [list(pair) for pair in intervals]


def _outward(pair: tuple[Any, Any]) -> tuple[Any, Any]:
    """An interval of fractions with ends at integers where there is no fraction between: 1 for the first above 1."""
    low, high = pair
    if low is not None and (below := _neighbour(low, -1)) is not None:
        low = below
    if high is not None and (above := _neighbour(high, 1)) is not None:
        high = above
    return low, high


def _neighbour(point: float, direction: int) -> int | None:
    nearest = math.nextafter(point, direction * math.inf)
    return int(nearest) if nearest.is_integer() else None


def _form(formula: Formula, *, texts: bool = False) -> Any:
    if isinstance(formula, bool):
        return formula
    tag, body = formula
    if tag == "is":
        return _atom(body, texts)
    if tag == "not":
        if body[0] == "is" and body[1][0] == "some":
            return ["each", _data(normal(complement(body[1][1])))]
        return ["not", _form(body, texts=texts)]
    parts = [_form(part, texts=texts) for part in body]
    return [tag, sorted(parts, key=lambda part: json.dumps(part, sort_keys=True))]


def _atom(found: tuple[Any, ...], texts: bool) -> Data:
    match found:
        case ("in", literals):
            return ["in", list(literals) if texts else [from_text(literal) for literal in literals]]
        case ("length", intervals):
            return ["length", [list(pair) for pair in intervals]]
        case ("same", text):
            return ["same", from_text(text)]
        case ("some", domain):
            return ["some", _data(domain)]
        case ("key", name, domain):
            return ["key", name, _data(domain)]
        case ("matches", pattern, flags):
            read = regex_tree(pattern, flags)
            return ["matches", pattern, flags, "" if read is None else prefix_of(read)]
        case _:
            return list(found)


_ANY: Data = domain_data(denote(tree.TypeTest(0, 0, "any")).inside)
_NOTHING: Data = ["set", {}]
