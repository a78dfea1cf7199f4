"""Contrived sessions are looked at for a bounded time: beyond it nothing is said, and nothing wrong."""

from __future__ import annotations

import time

import pytest

from tests.support.findings import HEAD, findings

SIZE = 30


def steps(target: str, more: str = "") -> str:
    """Calls that overlap in many ways."""
    lines = [
        f"  - {{actor: assistant, action: calls, target: {target.format(i)}, "
        f"with: {{a: {{$is: 'integer in {i}..{i + 20}'}}}}"
        f"{more if i == SIZE - 1 else ''}}}\n"
        for i in range(SIZE)
    ]
    return "behaviors:\n" + "".join(lines)


COUNTS = "evaluations:\n" + "".join(
    f"  - {{type: count, match: {{actor: assistant, action: calls}}, min: {i}, max: {i + 40}}}\n" for i in range(SIZE)
)
SEQUENCES = "evaluations:\n" + "".join(
    "  - {type: sequence, order: [" + ", ".join(f"{{target: t{(i * 7 + k) % SIZE}}}" for k in range(8)) + "]}\n"
    for i in range(SIZE)
)
GLOBS = "match: {targets: {" + ", ".join(f't{i}: ["x*{i}*y", "*{i}z"]' for i in range(SIZE)) + "}}\n"
GROUP = ", evaluations: [{type: tool_call, ordered: false}]"

CASES = {
    "counts": steps("t{}") + COUNTS,
    "overlapping steps": steps("t") + COUNTS,
    "an overlapping group": steps("t", GROUP) + COUNTS,
    "sequences": steps("t{}") + SEQUENCES,
    "globs": GLOBS + steps("t{}") + SEQUENCES,
}


@pytest.mark.parametrize("case", CASES)
def test_time_is_bounded(case: str) -> None:
    findings(HEAD + "behaviors:\n  - {actor: user, action: says}\n")  # what is imported first does not count
    start = time.process_time()
    findings(HEAD + CASES[case])
    assert time.process_time() - start < 8
