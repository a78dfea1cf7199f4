"""Specs that hold a bit of everything, for tests of artifacts, and artifacts made of them or tampered with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import abs_compiler as absc
from abs_compiler.runtime import Matcher

SPECS = sorted((Path(__file__).resolve().parents[1] / "golden" / "artifact" / "specs").iterdir())

REFUND = {"cases.id": "R1", "cases.phrase": "now"}
REFUND_RUN: list[dict[str, Any]] = [
    {"actor": "user", "action": "asks", "content": "Please!"},
    {
        "actor": "assistant",
        "action": "calls",
        "target": "get_order",
        "with": {"order_id": "R1", "zone": {"a": [2.5, None, True, "☃ 😀"], "b": 1}},
    },
    {"actor": "tool", "action": "responds", "target": "get_order", "content": {"status": "x", "total": 1}},
    {
        "actor": "assistant",
        "action": "calls",
        "target": "refund",
        "with": {"order_id": "R1", "amount": 20, "note": "for now"},
    },
]


def spec_text(name: str) -> str:
    """The text of one of the specs by the beginning of its name."""
    return next(path for path in SPECS if path.name.startswith(name)).read_text(encoding="utf-8")


def refund_matcher() -> Matcher:
    """A matcher whose names are not bound yet; `REFUND` binds them, and `REFUND_RUN` then passes."""
    (matcher,) = absc.compile_text(spec_text("refund"), name="refund.abs.yaml")
    return matcher


def tampered(artifact: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """An artifact whose payload was changed and whose checksum fits the change."""
    head, _, body = artifact.partition(b"\n")
    payload = json.loads(body)
    change(payload)
    return sealed(head.rpartition(b" ")[0], json.dumps(payload).encode() + b"\n")


def sealed(head: bytes, body: bytes) -> bytes:
    """Bytes with the checksum that makes them whole, whatever they hold."""
    checksum = hashlib.sha256(head + b"\n" + body).hexdigest().encode()
    return head + b" " + checksum + b"\n" + body


# Every kind of check, condition, pattern and schema.
CHECKED = """\
session: everything that is checked
abs_version: "0.2"
behaviors:
  - {actor: user, action: says, content: hi, capture: {who: "{{name}}"}}
  - id: call
    actor: assistant
    action: calls
    target: t
    with: {a: {$is: "matches /P+T/i or in ['x', {{who}}]"}, b: {$is: "each (> 0) or same items as [1, 2]"}}
  - {actor: assistant, action: asks, optional: true, matches_when: {type: regex, pattern: P+T}}
  - actor: assistant
    action: says
    evaluations:
      - {type: regex, pattern: P+T}
      - {type: any_of, evaluations: [{type: contains, value: "{{who}}"}, {type: exact_match, value: PT}]}
      - {type: llm_judge, criteria: polite, threshold: 0.5}
  - actor: tool
    action: responds
    target: t
    evaluations:
      - type: schema
        schema: {pattern: P+T, patternProperties: {P+T: {type: integer}}, $ref: "#/$defs/a", $defs: {a: {}}}
      - {type: contains, value: PT, when: "{{name}} == 'x' && !({{name}} == 'y')"}
evaluations:
  - {type: never, match: {actor: assistant, action: calls, target: u}}
  - {type: count, match: {actor: assistant, action: calls}, min: 1, max: 3}
  - {type: sequence, order: [{actor: user}, {actor: assistant, action: calls}]}
"""
CHECKED_RUN: list[dict[str, Any]] = [
    {"actor": "user", "action": "says", "content": "hi"},
    {"actor": "assistant", "action": "calls", "target": "t", "with": {"a": "PPT", "b": [2, 1]}},
    {"actor": "assistant", "action": "says", "content": "PT x"},
    {"actor": "tool", "action": "responds", "target": "t", "content": {"PT": 1}},
]
