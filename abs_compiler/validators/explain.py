"""The explanation of a result, as a text for people: one line for each finding, with the place of both calls.

Only what is shown is rendered: a run may have as many findings as it has calls and arguments.
"""

from __future__ import annotations

from itertools import islice

from abs_compiler.runtime.mismatch import MAX_ROWS as MAX_DIFFERENCES
from abs_compiler.runtime.nearness import nearest_name
from abs_compiler.runtime.values import show

from .calls import call_text
from .expectation import PLACEHOLDERS, placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from .result import ArgumentMismatch, ToolCallMatchResult

    Finding = TypeVar("Finding")

MAX_ROWS = 20
MAX_HINTS = 5
MAX_NAMES = 100  # that are compared with the name of a missing call

# Words for types in other languages, which nobody expects as texts.
_OTHER_WORDS = frozenset(("integer", "int", "float", "bool", "str", "dict", "list", "none", "date", "datetime"))


def explain(result: ToolCallMatchResult) -> str:
    """The text for a result."""
    lines = [_headline(result)]
    if result.options.is_negative_test:
        lines += _cut(result.findings.extra, lambda row: [f"called: {_actual(result, row)}"], "more calls")
        return "\n".join(lines)
    lines += _missing(result)
    lines += _mismatches(result)
    lines += _out_of_order(result)
    lines += _extra(result)
    return "\n".join(lines)


def first_reason(result: ToolCallMatchResult) -> str:
    """Why a match failed, in a few words: its first finding, or what the first line says."""
    findings = result.findings
    if result.options.is_negative_test or not result.actual or not (findings.missing or findings.mismatched):
        return _headline(result).removeprefix("failed: ")
    if findings.mismatched and (not findings.missing or min(findings.mismatched) < findings.missing[0]):
        mismatch = result.mismatch(next(iter(findings.mismatched)))
        return f"expected[{mismatch.expected_index}] {call_text(mismatch.tool_name, None)}: {mismatch.differences[0]}"
    item = findings.missing[0]
    return f"expected[{item}] {call_text(result.expected[item].tool_name, None)} is missing"


def _headline(result: ToolCallMatchResult) -> str:
    expected, actual = len(result.expected), len(result.findings.extra)
    if result.options.is_negative_test:
        return "passed: no tool was called" if result.passed else f"failed: expected no tool call, {_seen(actual)}"
    matched = len(result.pairs)
    if result.passed:
        extra = f", and {_number(actual, 'extra call')} allowed" if actual else ""
        return f"passed: {_number(expected, 'expected call')} matched{extra}"
    if not result.actual:
        return "failed: no tool was called" + ("; expect that with is_negative_test" if not expected else "")
    if matched < expected:
        return f"failed: {matched} of {_number(expected, 'expected call')} matched"
    if result.findings.out_of_order:
        return f"failed: {_number(expected, 'expected call')} matched, but not in order"
    return f"failed: {_number(expected, 'expected call')} matched, but {_number(actual, 'call')} more"


def _missing(result: ToolCallMatchResult) -> list[str]:
    return _cut(
        result.findings.missing,
        lambda item: [f"missing: {_expected(result, item)}", f"  {_whereabouts(result, item)}"],
        "more missing calls",
    )


def _whereabouts(result: ToolCallMatchResult, item: int) -> str:
    """What there is instead of a missing call."""
    name = result.expected[item].tool_name
    displaced = result.findings.displaced.get(item)
    if displaced is not None:
        return f"actual[{displaced}] fits, but it is not where the order of calls needs it"
    if result.options.tool_call_order == "positional":
        return f"in its place: {_actual(result, item)}" if item < len(result.actual) else "the run ended before it"
    if any(call.tool_name == name for call in result.actual):
        return f"every call of {show(name)} is taken by another expected call"
    rows: dict[str, int] = {}
    for row in result.findings.extra:
        rows.setdefault(result.actual[row].tool_name, row)
    near = nearest_name(name, islice(rows, MAX_NAMES))
    if near is None:
        return f"{show(name)} was never called"
    row = rows[near[0]]
    return f"actual[{row}] is {show(near[0])}: it differs in {near[1]}"


def _mismatches(result: ToolCallMatchResult) -> list[str]:
    lines: list[str] = []
    pairs = list(result.findings.mismatched)
    for count, item in enumerate(pairs):
        if len(lines) >= 3 * MAX_ROWS:
            return [*lines, f"... and {len(pairs) - count} more with other arguments"]
        mismatch = result.mismatch(item)
        lines.append(f"other arguments: {_expected(result, item)}, nearest {_actual(result, mismatch.actual_index)}")
        differences = mismatch.differences
        if len(differences) == MAX_DIFFERENCES:  # the last may be one of many
            lines += [f"  {difference}" for difference in differences[:-1]]
            lines.append("  ... and more")
        else:
            lines += [f"  {difference}" for difference in differences]
        lines += [f"  {hint}" for hint in islice(_hints(result, mismatch), MAX_HINTS)]
    return lines


def _hints(result: ToolCallMatchResult, mismatch: ArgumentMismatch) -> Iterator[str]:
    """What people often mean where a word stands for a type, or does not."""
    exact = result.options.argument_matching == "exact"
    arguments = result.expected[mismatch.expected_index].arguments or {}
    for key, value in arguments.items():
        if mismatch.actual_args.__class__ is not dict or key not in mismatch.actual_args:
            continue
        observed = mismatch.actual_args[key]
        word = placeholder(value)
        if word is not None and exact and observed != value:
            yield f"{show(value)} is a text here: only partial matching takes the word for a type"
        elif word is not None and observed == value and word not in ("any", "string"):
            yield f"{show(value)} stands for the type; Literal({value!r}) is the text"
        elif value.__class__ is str and value in _OTHER_WORDS and observed.__class__ is not str and not exact:
            yield f"{show(value)} is a text, no placeholder; those are {', '.join(PLACEHOLDERS)}"


def _out_of_order(result: ToolCallMatchResult) -> list[str]:
    def lines(pair: tuple[int, int]) -> list[str]:
        item, row = pair
        place = f"expected[{item}] is actual[{row}]"
        return [f"out of order: {result.actual[row].tool_name}: {place}, before a call that was expected earlier"]

    return _cut(result.findings.out_of_order, lines, "more calls out of order")


def _extra(result: ToolCallMatchResult) -> list[str]:
    rows = result.findings.extra
    limit = result.options.max_extra_tool_calls
    if not rows or (limit is None and result.passed):
        return []
    allowed = "allowed" if limit is None or len(rows) <= limit else f"{limit} allowed" if limit else "none allowed"
    return _cut(rows, lambda row: [f"extra ({allowed}): {_actual(result, row)}"], "more extra calls")


def _expected(result: ToolCallMatchResult, item: int) -> str:
    call = result.expected[item]
    return f"expected[{item}] {call_text(call.tool_name, call.arguments)}"


def _actual(result: ToolCallMatchResult, row: int) -> str:
    call = result.actual[row]
    return f"actual[{row}] {call_text(call.tool_name, call.arguments)}"


def _seen(count: int) -> str:
    return f"{count} {'was' if count == 1 else 'were'} made"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _cut(findings: Sequence[Finding], lines_of: Callable[[Finding], list[str]], what: str) -> list[str]:
    """The lines of the first findings, and how many more there are."""
    lines = [line for finding in findings[:MAX_ROWS] for line in lines_of(finding)]
    if len(findings) > MAX_ROWS:
        lines.append(f"... and {len(findings) - MAX_ROWS} {what}")
    return lines
