"""Names in the light of the tools: one cause gives one finding, and what a tool is called is right."""

from __future__ import annotations

import pytest

from tests.support.findings import HEAD, findings

TOOLS = [
    {"name": "refund", "input_schema": {"properties": {"order_id": {"type": "string"}}}},
    {"name": "get_order", "input_schema": {"properties": {"order_id": {"type": "string"}}}},
]
BOTH = [*TOOLS, {"name": "Refund"}]


def calls(*targets: str) -> str:
    rows = "".join(f"  - {{actor: assistant, action: calls, target: {target}}}\n" for target in targets)
    return f"{HEAD}behaviors:\n{rows}"


@pytest.mark.parametrize("targets", [("refund", "refund", "Refund"), ("get_order", "get_ordr", "get_order")])
def test_a_name_that_no_tool_has_is_reported_once(targets: tuple[str, ...]) -> None:
    assert [item.code for item in findings(calls(*targets))] == ["ABS316"]
    (item,) = findings(calls(*targets), TOOLS)
    assert (item.code, item.helps[0].text) == ("ABS621", f"a tool close to it is `{targets[0]}`")


def test_what_a_tool_is_called_is_no_slip_of_something_else() -> None:
    assert [item.code for item in findings(calls("Refund", "Refund", "refund"), TOOLS)] == ["ABS621", "ABS621"]
    assert findings(calls("Refund", "Refund", "refund"), BOTH) == []


def test_names_that_are_held_against_no_tool_are_still_compared() -> None:
    text = calls("get_order").replace("actor: assistant, action: calls", "actor: assistant, action: asks")
    text += "  - {actor: assistant, action: asks, target: get_Order}\n"
    assert [item.code for item in findings(text, TOOLS)] == ["ABS316"]


def test_an_argument_that_no_tool_has_is_reported_once() -> None:
    text = (
        HEAD
        + "behaviors:\n"
        + "".join(
            f"  - {{actor: assistant, action: calls, target: refund, with: {{{key}: x}}}}\n"
            for key in ("order_id", "order_id", "orderId")
        )
    )
    assert [item.code for item in findings(text)] == ["ABS316"]
    assert [item.code for item in findings(text, TOOLS)] == ["ABS622"]


@pytest.mark.parametrize(
    ("predicate", "codes"),
    [
        ("has {ordr_id: string}", ["ABS622 warning"]),
        ("object has {ordr_id: string} and length < 3", ["ABS622 warning"]),
        ("has {ordr_id: (absent)}", []),
        ("has {ordr_id: string} or has {order_id: string}", []),
        ("not has {ordr_id: string}", []),
    ],
)
def test_arguments_that_a_predicate_names(predicate: str, codes: list[str]) -> None:
    text = f"{HEAD}behaviors:\n  - {{actor: assistant, action: calls, target: refund, with: {{$is: '{predicate}'}}}}\n"
    found = findings(text, TOOLS)
    assert [f"{item.code} {item.severity.value}" for item in found] == codes
    assert all(item.source and item.source.text[item.labels[0].span.start :].startswith("ordr_id:") for item in found)


def test_selectors_of_results_name_tools_too() -> None:
    text = (
        calls("refund")
        + "evaluations:\n  - {type: count, match: {actor: tool, action: responds, target: refnd}, max: 1}\n"
    )
    assert [item.code for item in findings(text, TOOLS)] == ["ABS621"]
