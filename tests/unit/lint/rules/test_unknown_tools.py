"""Where a name of a tool counts as demanded, as forbidden, or as none of the agent's."""

from __future__ import annotations

from pathlib import Path

import pytest

from abs_compiler.cli import main
from abs_compiler.lint.analysis import analyse_bytes
from abs_compiler.lint.tools import Tool, Tools
from abs_compiler.options import CompileOptions
from tests.support.findings import HEAD, findings

TOOLS = [{"name": "search", "input_schema": {"properties": {"q": {"type": "string"}}, "additionalProperties": False}}]
CALL = "behaviors:\n  - {actor: assistant, action: calls, target: search}\n"
MAPPED = HEAD + "behaviors:\n  - {actor: assistant, action: calls, target: Order MCP}\n"


@pytest.mark.parametrize(
    ("evaluation", "severity"),
    [
        ("{type: never, match: {action: calls, target: x}}", "warning"),
        ("{type: count, match: {action: calls, target: x}, max: 0}", "warning"),
        ("{type: count, match: {action: calls, target: x}, max: 3}", "warning"),
        ("{type: count, match: {action: calls, target: x}, min: 0, max: 3}", "warning"),
        ("{type: count, match: {action: calls, target: x}, min: 1, max: 3}", "error"),
        ("{type: eventually, match: {action: calls, target: x}}", "error"),
        ("{type: none_of, evaluations: [{type: tool_call, target: x}]}", "warning"),
        ("{type: none_of, evaluations: [{type: eventually, match: {action: calls, target: x}}]}", "warning"),
        ("{type: none_of, evaluations: [{type: never, match: {action: calls, target: x}}]}", "error"),
        ("{type: any_of, evaluations: [{type: never, match: {action: calls, target: x}}]}", "warning"),
        ("{type: eventually, match: {actor: external, action: responds, target: x}}", None),
    ],
)  # fmt: skip
def test_what_is_only_forbidden_is_a_warning(evaluation: str, severity: str | None) -> None:
    found = findings(f"{HEAD}{CALL}evaluations:\n  - {evaluation}\n", TOOLS)
    assert [item.severity.value for item in found if item.code == "ABS621"] == ([] if severity is None else [severity])


@pytest.mark.parametrize(
    ("target", "more", "found"),
    [
        ("serach", "", ["warning"]),
        ("Search", "", ["warning"]),
        ("search", "", []),
        ("CRM", "", []),  # no tool is near: perhaps a system, or a person
        ("serach", "  - {actor: assistant, action: informs, target: serach}\n", []),
        ("serach", "  - {actor: tool, action: responds, target: search}\n", ["warning"]),
    ],
)
def test_what_may_be_no_tool_is_reported_near_one(target: str, more: str, found: list[str]) -> None:
    never = f"evaluations:\n  - {{type: never, match: {{target: {target}}}}}\n"
    retrieves = f"  - {{actor: assistant, action: retrieves, target: {target}}}\n"
    for text in (HEAD + CALL + more + never, HEAD + CALL + more + retrieves):
        items = [item for item in findings(text, TOOLS) if item.code == "ABS621"]
        assert [item.severity.value for item in items] == found


def test_everybody_may_be_spoken_to() -> None:
    tools = [{"name": "users", "input_schema": {}}, *TOOLS]
    assert findings(f"{HEAD}{CALL}evaluations: [{{type: never, match: {{target: user}}}}]\n", tools) == []
    assert (
        findings(f"{HEAD}{CALL}evaluations: [{{type: never, match: {{actor: user, target: serach}}}}]\n", tools) == []
    )


def test_arguments_of_forbidden_calls() -> None:
    forbidden = "{type: none_of, evaluations: [{type: tool_call, target: search, with: {q: 1, r: 2}}]}"
    found = findings(f"{HEAD}{CALL}evaluations:\n  - {forbidden}\n", TOOLS)
    assert {(item.code, item.severity.value) for item in found} == {("ABS622", "warning"), ("ABS624", "warning")}


def test_names_of_targets_that_are_only_forbidden() -> None:
    match = "match: {targets: {Danger: [rm_*]}}\n"
    never = "evaluations:\n  - {type: never, match: {action: calls, target: Danger}}\n"
    assert [item.severity.value for item in findings(HEAD + match + CALL + never, TOOLS)] == ["warning"]


def given(text: str, **targets: tuple[str, ...]) -> list[tuple[str, str, str]]:
    options = CompileOptions(targets={name.replace("_", " "): names for name, names in targets.items()})
    found = analyse_bytes(text.encode(), "s.abs.yaml", options, tools=Tools((Tool("search", None),)))
    return [(item.severity.value, item.labels[0].text, item.helps[0].text) for item in found.diagnostics]


def test_recorded_names_from_outside_the_spec() -> None:
    assert given(MAPPED, Order_MCP=("search", "sea*")) == []
    assert given(MAPPED, Order_MCP=("serach", "find_*"), Other=("nix",)) == [
        ("error", "stands for `find_*`, which matches no tool", "the only tool is `search`"),
        ("error", "stands for `serach`, which is no tool", "a tool close to it is `search`"),
    ]
    replaced = MAPPED.replace("behaviors", "match: {targets: {Order MCP: [elsewhere]}}\nbehaviors")
    assert given(replaced, Order_MCP=("search",)) == []
    assert len(given(replaced)) == 1


def test_a_slip_of_a_name_that_stands_for_tools() -> None:
    text = MAPPED.replace("Order MCP", "Order MPC") + "  - {actor: assistant, action: calls, target: Order MCP}\n"
    help_ = "a name close to it, which stands for tools, is `Order MCP`"
    assert ("error", "no tool of this name", help_) in given(text, Order_MCP=("search",))


def test_a_target_that_no_spec_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.abs.yaml").write_text(MAPPED, encoding="utf-8")
    assert main(["lint", "--no-cache", "--target", "Ordr MCP=search", "s.abs.yaml"]) == 2
    assert "no spec uses a target `Ordr MCP`; there is `Order MCP`" in capsys.readouterr().err
    assert main(["lint", "--no-cache", "--target", "Order MCP=search", "s.abs.yaml"]) == 0
    Path("t.abs.yaml").write_text("- 1\n", encoding="utf-8")
    assert main(["lint", "--no-cache", "--target", "Ordr MCP=search", "."]) == 1
