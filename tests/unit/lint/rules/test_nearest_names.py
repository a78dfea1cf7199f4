"""Did-you-mean among thousands of names finds what comparing with each of them would, and ends soon."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from abs_compiler.bounds import OutOfBudgetError, budget
from abs_compiler.lint.rules.tools.nearest_names import nearest_among
from abs_compiler.spec.suggest import nearest
from tests.support.findings import HEAD, findings

WORDS = (
    "get", "set", "list", "create", "delete", "update", "order", "user", "account", "invoice", "refund", "ticket",
    "message", "file", "folder", "report",
)  # fmt: skip
NAMES = tuple(f"{one}_{two}_{three}" for one in WORDS for two in WORDS for three in WORDS)
NUMBERED = tuple(f"tool_{number:05}" for number in range(5000))


def slip(word: str, random: Random) -> str:
    """A word with a typing mistake."""
    at = random.randrange(len(word) - 1)
    return random.choice(
        (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :], word[:at] + word[at + 1 :],
            word[:at] + random.choice("xyz_") + word[at:], word[:at] + random.choice("xyz") + word[at + 1 :],
        )
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_of_many_is_the_nearest_of_all(seed: int) -> None:
    random = Random(seed)
    found = 0
    for _ in range(12):
        word = slip(random.choice(NAMES), random)
        word = slip(word, random) if random.random() < 0.5 else word
        near = nearest_among(word, NAMES)
        assert near == nearest(word, NAMES, most=len(NAMES)), word
        found += near is not None
    assert found > 6


def test_names_that_differ_in_digits() -> None:
    assert nearest_among("tol_01234", NUMBERED) == "tool_01234"
    assert nearest_among("Tool-01234", NUMBERED) == "tool_01234"
    assert nearest_among("tool_01234", NUMBERED) is None
    assert nearest_among("entirely_other", NUMBERED) is None
    assert nearest_among("\u00e9t\u00e9" * 3, (*NUMBERED, "\u00e9t\u00e9" * 2 + "\u00e9t\u00e8")) is not None


def test_the_work_is_counted() -> None:
    with budget(10_000) as spent:
        nearest_among("tol_01234", NUMBERED)
        assert 0 < spent() < 1000
    words = (f"tol_{number:05}" for number in range(100))
    with budget(10_000), pytest.raises(OutOfBudgetError):
        any(nearest_among(word, NUMBERED) is None for word in words)


def test_every_kind_of_name_is_looked_for_among_many() -> None:
    schema: dict[str, Any] = {
        "properties": {**{f"key_{name}": {} for name in NUMBERED}, "code": {"enum": list(NUMBERED)}},
        "additionalProperties": False,
    }
    tools = [{"name": name, "input_schema": schema if name == "tool_00001" else {}} for name in NUMBERED]
    call = "  - {{actor: assistant, action: calls, target: {}, with: {{{}}}}}\n"
    text = HEAD + 'match: {targets: {T: ["tol_00007"]}}\nbehaviors:\n'
    text += call.format("tol_00001", "a: 1") + call.format("T", "a: 1")
    text += call.format("tool_00001", "kye_tool_00004: 1") + call.format("tool_00001", "code: tol_00003")
    helps = [item.helps[0].text for item in findings(text, tools)]
    assert helps == [
        "a tool close to it is `tool_00007`", "a tool close to it is `tool_00001`",
        "an argument close to it is `key_tool_00004`", "a value close to it is `tool_00003`",
    ]  # fmt: skip


def test_many_wrong_names_of_many_tools() -> None:
    random = Random(7)
    text = HEAD + "behaviors:\n"
    for _ in range(250):
        text += f"  - {{actor: assistant, action: calls, target: {slip(random.choice(NAMES), random)}}}\n"
    found = findings(text, [{"name": name} for name in NAMES])
    assert sum(item.code == "ABS621" for item in found) == 200
    assert not any(item.name == "unfinished-rules" for item in found)
