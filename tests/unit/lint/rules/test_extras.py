"""Evaluations that demand more calls than `match.extras` leaves."""

import pytest

from tests.support.findings import HEAD, findings

ASKS = "{actor: user, action: asks}"
A = "{actor: assistant, action: calls, target: a}"
OPTIONAL = "{actor: assistant, action: calls, target: c, optional: true}"
ANY_B = "{type: eventually, match: {action: calls, target: b}}"
B = "{type: eventually, match: {actor: assistant, action: calls, target: b}}"
IN_ORDER = (
    "{type: sequence, order: [{actor: assistant, action: calls, target: a}, "
    "{actor: assistant, action: calls, target: d}]}"
)


def beyond(match, behaviors, *evaluations):
    listed = "".join(f"  - {item}\n" for item in behaviors)
    text = f"{HEAD}match: {{{match}}}\nbehaviors:{' []' if not behaviors else ''}\n{listed}evaluations:\n"
    found = findings(text + "".join(f"  - {item}\n" for item in evaluations))
    return [item for item in found if item.code == "ABS606" and "within `match.extras`" in item.message]


def count(least, selector="actor: assistant, action: calls"):
    return f"{{type: count, match: {{{selector}}}, min: {least}}}"


@pytest.mark.parametrize(
    ("match", "behaviors", "evaluation"),
    [
        ("extras: forbid", (), B),
        ("extras: forbid", (ASKS, A), B),
        ("extras: forbid", (ASKS, A), count(2)),
        ("extras: forbid", (ASKS, OPTIONAL), B),
        ("extras: 1", (ASKS, A, OPTIONAL), count(4)),
        ("extras: 1", (A, OPTIONAL), count(2, "actor: assistant, target: b, action: calls")),
        ("extras: forbid", (A, OPTIONAL), IN_ORDER),
        ("extras: forbid, observe: tools", (ASKS, A), B),
        ("extras: forbid, ignore: [log]", (A,), B),
    ],
)  # fmt: skip
def test_more_calls_than_are_left(match, behaviors, evaluation):
    (item,) = beyond(match, behaviors, evaluation)
    assert "no run can pass this session" in item.notes


@pytest.mark.parametrize(
    ("match", "behaviors", "evaluation"),
    [
        ("extras: 1", (ASKS, A), B),
        ("extras: forbid", (ASKS, A, OPTIONAL), count(2)),
        ("extras: forbid, ignore: [b]", (A,), B),
        ("extras: forbid, targets: {a: [b, d]}", (A,), B),
        ("extras: forbid", ("{actor: assistant, action: calls}",), B),
        ("extras: forbid", ("{actor: assistant, action: stores, target: b}",), B),
        ("extras: forbid", ("{actor: user, action: calls, target: b}",), ANY_B),
        ("extras: forbid", (A,), "{type: eventually, match: {actor: user, action: calls, target: b}}"),
        ("allow_empty: true", (A,), B),
        ("extras: forbid", (A,), "{type: never, match: {actor: assistant, action: calls, target: b}}"),
    ],
)
def test_calls_that_may_be_made(match, behaviors, evaluation):
    assert beyond(match, behaviors, evaluation) == []


def test_calls_of_people_are_not_counted():
    (item,) = beyond("extras: forbid", (ASKS, A), ANY_B)
    assert "no run can pass this session" not in item.notes
    assert any("`user` and `human`" in note for note in item.notes)
