"""The program of one document that uses every construct, whole; and what a program must keep."""

import copy
import hashlib
import json

import pytest

from abs_compiler.ir.verify import verify
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import compile_source
from abs_compiler.runtime.program import decode_program

SPEC = """\
session: Refund
abs_version: "0.2"
dataset: {id: cases, path: cases.jsonl}
match:
  extras: 2
  ignore: [log, "trace/*"]
  targets: {Order MCP: [get_order], Mail: ["mail.*"]}
behaviors:
  - {actor: user, action: says, content: "refund {{cases.orderId}}", capture: {reason: damaged}}
  - {id: hello, actor: assistant, action: greets, optional: true}
  - {actor: assistant, action: asks, optional: true}
  - actor: assistant
    action: calls
    target: Order MCP
    with: {orderId: "{{cases.orderId}}", note: "because {{reason}}", tags: [1, "{{tag}}"], limit: 1.0}
  - actor: assistant
    action: calls
    target: Mail
    with_only: {$literal: {body: "{{kept}}"}}
    evaluations: [{type: tool_call, ordered: false, with: {body: "{{kept}}"}}]
  - {actor: tool, action: responds, target: Order MCP, requires: hello, content: {status: shipped, items: []}}
"""


def compiled(text=SPEC, **options):
    programs, diagnostics = compile_source(text, "refund.abs.yaml", CompileOptions(**options))
    assert diagnostics == []
    return programs[0]


def step(actor, action, at, **fields):
    found = {"id": None, "actor": actor, "action": action, "target": None, "at": at, "optional": False}
    found |= {"requires": None, "args": [], "capture": {}, "shares": None}
    return found | fields


def test_the_whole_program():
    program = compiled()
    behaviors = [
        {key: value for key, value in behavior.items() if key not in ("checks", "matches_when")}
        for behavior in program.pop("behaviors")
    ]
    assert behaviors == [
        step("user", "says", [9, 5], capture={"reason": ["=", "damaged"]}),
        step("assistant", "greets", [10, 5], id="hello", optional=True, shares=0),
        step("assistant", "asks", [11, 5], optional=True, shares=0),
        step(
            "assistant",
            "calls",
            [12, 5],
            target="Order MCP",
            args=[
                {
                    "only": False,
                    "keys": {
                        "orderId": ["ref", "cases.orderId"],
                        "note": ["text", ["because ", ["ref", "reason"]]],
                        "tags": ["arr", [["=", 1], ["ref", "tag"]]],
                        "limit": ["=", 1.0],
                    },
                    "at": [15, 5],
                }
            ],
        ),
        step(
            "assistant",
            "calls",
            [16, 5],
            target="Mail",
            args=[
                {"only": True, "keys": {"body": ["=", "{{kept}}"]}, "at": [19, 5]},
                {"only": False, "keys": {"body": ["ref", "kept"]}, "at": [20, 53]},
            ],
        ),
        step(
            "tool",
            "responds",
            [21, 5],
            target="Order MCP",
            requires=1,
            content=["=", {"status": "shipped", "items": []}],
        ),
    ]
    assert program == {
        "session": "Refund",
        "version": "0.2",
        "match": {
            "extras": 2,
            "ignore": ["log", "trace/*"],
            "targets": {"Mail": ["mail.*"], "Order MCP": ["get_order"]},
            "observe": "all",
            "allow_empty": False,
        },
        "groups": [[3, 5]],
        "parameters": ["cases.orderId", "kept", "tag"],
        "names": ["cases.orderId", "kept", "reason", "tag"],
        "file_names": ["cases.orderId", "kept", "reason", "tag"],
        "dataset": {"id": "cases", "path": "cases.jsonl"},
        "checks": [],
        "source": {"path": "refund.abs.yaml", "sha256": hashlib.sha256(SPEC.encode()).hexdigest()},
    }


def test_the_program_is_sound_and_the_runtime_reads_it():
    program = compiled()
    assert verify(program) == []
    assert decode_program(program).session == "Refund"


def test_options_win_over_the_document():
    match = compiled(observe="tools", targets={"Mail": ("send",), "Other": ("x", "y*")})["match"]
    assert match["observe"] == "tools"
    assert match["targets"] == {"Mail": ["send"], "Order MCP": ["get_order"], "Other": ["x", "y*"]}


@pytest.mark.parametrize(("written", "limit"), [("allow", None), ("forbid", 0), ("0", 0), ("3", 3), ("3.0", 3)])
def test_extras(written, limit):
    text = f'session: t\nabs_version: "0.2"\nmatch: {{extras: {written}}}\nbehaviors: [{{actor: user, action: says}}]\n'
    assert compiled(text)["match"]["extras"] == limit


def test_json_and_yaml_give_the_same_program():
    text = json.dumps(
        {
            "session": "t",
            "abs_version": "0.2",
            "behaviors": [{"actor": "assistant", "action": "calls", "with": {"a": [1, {"b": "{{x}}"}]}}],
        }
    )
    yaml = """\
session: t
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, with: {a: [1, {b: "{{x}}"}]}}
"""
    programs = [compile_source(source)[0][0] for source in (text, yaml)]
    for program in programs:
        program["source"] = None
        for behavior in program["behaviors"]:
            behavior["at"] = None
            behavior["args"][0]["at"] = None
    assert programs[0] == programs[1]


def broken(change):
    program = copy.deepcopy(compiled())
    change(program)
    return verify(program)


@pytest.mark.parametrize(
    "change",
    [
        lambda program: program.pop("names"),
        lambda program: program.update(version="0.3"),
        lambda program: program["match"].update(extras=-1),
        lambda program: program["match"].pop("ignore"),
        lambda program: program["behaviors"][0].pop("at"),
        lambda program: program["behaviors"][0].update(action=""),
        lambda program: program["behaviors"][5].update(requires=5),
        lambda program: program["behaviors"][0].update(id="hello"),
        lambda program: program["behaviors"][0].update(content=["=", 1]),
        lambda program: program["behaviors"][5].update(content=["obj", {"a": ["=", 1]}]),
        lambda program: program["behaviors"][5].update(content=["obj", {"a": ["new", 1]}]),
        lambda program: program["behaviors"][2].update(shares=None),
        lambda program: program["behaviors"][2].update(optional=False),
        lambda program: program["behaviors"][3]["args"][0].update(keys={}),
        lambda program: program["behaviors"][3]["args"][0]["keys"].update(note=["text", ["a", "b"]]),
        lambda program: program["behaviors"][3]["args"][0]["keys"].update(new=["ref", "elsewhere"]),
        lambda program: program.update(groups=[[2, 5]]),
        lambda program: program.update(groups=[[3, 4]]),
        lambda program: program.update(groups=[[3, 5], [4, 6]]),
        lambda program: program.update(parameters=["tag", "kept"]),
        lambda program: program.update(file_names=[]),
        lambda program: program.update(session=("a", "b")),
        lambda program: program["source"].pop("sha256"),
    ],
)
def test_verify_finds_what_is_broken(change):
    assert broken(change)
