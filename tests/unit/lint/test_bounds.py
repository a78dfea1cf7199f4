"""Rules bound their own work: files as large as may be, made to make them search; where they stop, they say so."""

from __future__ import annotations

import time

import pytest

from abs_compiler.diagnostics import Diagnostic, Severity
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.selection import Selection, choose
from abs_compiler.options import CompileOptions
from tests.unit.lint.linting import HEAD

MOST = 400_000
BEHAVIORS = HEAD + "behaviors:\n"
USER = "  - {actor: user, action: says}\n"
CALL = "  - {actor: assistant, action: calls, target: "
UNORDERED = ", evaluations: [{type: tool_call, ordered: false}]}\n"
ANSWER = BEHAVIORS + "  - actor: tool\n    action: returns\n    target: T\n    evaluations:\n"
WITH = BEHAVIORS + "  - actor: assistant\n    action: calls\n    target: T\n    with:\n"


def filled(line: str, *, head: str = BEHAVIORS, many: int = 100_000, most: int = MOST) -> str:
    """A text of as many lines as fit; `{n}` in them is their number, `{letters}` the same in letters."""
    lines = [head]
    size = len(head)
    for number in range(many):
        written = line.replace("{n}", str(number)).replace("{letters}", letters(number))
        size += len(written)
        if size > most:
            break
        lines.append(written)
    return "".join(lines)


def letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in f"{number:08}")


def lint(text: str) -> tuple[Diagnostic, ...]:
    """All findings of a text, which must not take long."""
    data = text.encode()
    assert len(data) < 1 << 20
    started = time.process_time()
    everything = Selection(select=("all",))
    found = analyse_bytes(data, "t.abs.yaml", CompileOptions(), everything.extra)
    shown = choose(found.source, found.diagnostics, found.suppressions, everything)
    assert time.process_time() - started < 25
    return shown.diagnostics


def unfinished(text: str) -> set[str]:
    """What of a text could not be finished."""
    return {item.message for item in lint(text) if item.name == "unfinished-rules"}


FINISHED = {
    "targets": filled(CALL + "get_{letters}_order}\n"),
    "targets twice": filled(
        CALL + "get_{letters}_order}\n" + CALL + "get_{letters}_orders}\n" + CALL + "get_{letters}_order}\n"
    ),
    "targets in two ways": filled(CALL + "'a_a_a_{n}'}\n" + CALL + "'A_A_A_{n}'}\n"),
    "captures": filled("  - {actor: user, action: says, capture: {name_{letters}: x}}\n"),
    "references": filled("  - {actor: user, action: says, content: '{{name_{letters}}}'}\n"),
    "a capture far away": filled(
        CALL + "T, with: {a: {$is: '> {{limit}}'}}}\n",
        head=BEHAVIORS + "  - {actor: user, action: says, capture: {limit: '5'}}\n",
        many=4_000,
    ),
    "members of a group": filled(CALL + "T{n}}\n", many=9_000) + CALL + "Z" + UNORDERED,
    "arguments": filled(CALL + "T, with: {arg_{letters}: 1}}\n"),
    "arguments of one call": filled("      arg_{letters}: 1\n", head=WITH),
    "patterns": filled(CALL + "T, with: {a: {$is: 'matches /[A-Z]{3}{n}/'}}}\n", many=300),
    "one pattern": WITH + "      a: {$is: 'matches /" + "|".join(["AB"] * 300) + "/'}\n",
    "fragments": filled("  f{n}: [{actor: user, action: says}]\n", head=HEAD + "fragments:\n")
    + "behaviors: [{include: f0}]\n",
    "empty values": filled("      a{n}:\n", head=WITH),
    "comments": filled("# abs: ignore[ABS102]\n", head=BEHAVIORS + USER),
    "comments for the file": filled("# abs: file-ignore[empty-values, ABS701]\n", head=WITH + "      a:\n"),
    "comments of unknown codes": filled("# abs: ignore[unused-cap{n}]\n", head=BEHAVIORS + USER, most=200_000),
    "a comment of blanks": BEHAVIORS + USER + f"# abs: ignore[ABS102] {' ' * MOST}x{' ' * 200_000}x\n",
    "number signs": filled(USER + "  - actor: user\n    action: says #1\n"),
    "merges": filled(
        "  - {<<: *b, capture: {c: {n}}}\n",
        head=BEHAVIORS + "  - &b {actor: user, action: says, capture: {a: 1, b: 2}}\n",
        many=9_000,
    ),
    "evaluations of a call": filled(
        "      - {type: tool_call, with: {a{n}: {$is: '> 1'}}}\n",
        head=BEHAVIORS + "  - actor: assistant\n    action: calls\n    target: T\n    evaluations:\n",
        many=3_000,
    ),
}


@pytest.mark.parametrize("name", FINISHED)
def test_large_files(name: str) -> None:
    assert unfinished(FINISHED[name]) == set()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (
            filled(
                "  - {actor: user, action: says, capture: {n_{letters}: x}, content: '{{m_{letters}}}'}\n", many=4_000
            ),
            "`near-miss-names`",
        ),
        (
            filled(CALL + "T, with: {a: {$is: '> {n}'}}}\n", many=1_000) + CALL + "T, with: {a: x}" + UNORDERED,
            "`indistinguishable-steps` and `no-effect-ordered-false`",
        ),
        (
            filled(
                "  - {type: sequence, order: [{target: T{n}}, {target: U{n}}]}\n",
                head=filled(CALL + "T{n}}\n", many=2_000) + "evaluations:\n",
                many=3_000,
            ),
            "`contradicting-evaluations`",
        ),
        (
            filled("      - {type: contains, value: a{n}}\n", head=ANSWER, many=5_000),
            "`contradicting-evaluations` and `vacuous-evaluations`",
        ),
    ],
    ids=["names", "group", "evaluations", "evaluations of a step"],
)
def test_a_rule_that_stops_says_so(text: str, codes: str) -> None:
    assert f"not all of this file was searched for {codes}" in unfinished(text)


def test_predicates_that_take_too_long() -> None:
    text = filled(
        CALL + "T, with: {a: {$is: 'matches /^[a-z]{n}.*[0-9]{2,40}$/ and not matches /foo.*bar{n}/'}}}\n", many=40
    )
    found = [item for item in lint(text) if item.name == "unfinished-rules" and item.labels]
    assert [item.message for item in found] == [
        (
            "not all predicates of this file were searched for `always-true-predicates`, `unsatisfiable-predicates`, "
            "`redundant-parts` or `negation-admits-other-types`"
        )
    ]
    assert found[0].severity is Severity.INFO


def test_what_was_found_before_a_rule_stopped_stays() -> None:
    first = "  - {actor: assistant, action: says, content: '{{ordreID}}', capture: {orderID: x}}\n"
    targets = (CALL + "get_order}\n") * 2 + CALL + "get_ordre}\n"
    names = "  - {actor: user, action: says, capture: {n_{letters}: x}, content: '{{m_{letters}}}'}\n"
    found = [item.name for item in lint(filled(names, head=BEHAVIORS + first + targets, many=1_000))]
    assert "unfinished-rules" in found
    assert "near-miss-names" in found


def test_that_a_rule_stopped_can_be_ignored() -> None:
    text = "# abs: file-ignore[unfinished-rules]\n" + filled(
        "  - {actor: user, action: says, capture: {n_{letters}: x}, content: '{{m_{letters}}}'}\n", many=4_000
    )
    assert unfinished(text) == set()
