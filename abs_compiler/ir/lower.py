"""Lowering: the last IR in, the program of the session out, as plain JSON.

The program is all that the runtime ever sees; its fields are checked by `verify.py`.
"""

from __future__ import annotations

from abs_compiler.ir.checks import lower_arguments, lower_checks, lower_matches_when, position
from abs_compiler.ir.model import Ir, Step
from abs_compiler.ir.passes.ids import ids_of
from abs_compiler.ir.templates import template
from abs_compiler.source import SourceFile
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Name
from abs_compiler.syntax import JsonValue

Program = dict[str, JsonValue]


def lower(ir: Ir, source: SourceFile, sha256: str, file_names: list[JsonValue], match: Program) -> Program:
    """The program of one session."""
    session = ir.session
    ids = ids_of(ir)
    dataset = session.dataset
    return {
        "session": session.name.text,
        "version": session.version,
        "match": match,
        "behaviors": [_behavior(step, source, ids) for step in ir.steps],
        "groups": [[start, end] for start, end in ir.groups],
        "parameters": list(ir.parameters),
        "names": list(ir.names),
        "file_names": file_names,  # one list for all sessions: there may be thousands of either
        "dataset": None if dataset is None else {"id": _text(dataset.id), "path": _text(dataset.path)},
        "checks": lower_checks(session.evaluations, source, ids, steps=False),
        "source": {"path": source.name, "sha256": sha256},
    }


def _behavior(step: Step, source: SourceFile, ids: dict[str, int]) -> Program:
    behavior = step.behavior
    lowered: Program = {
        "id": _text(behavior.id),
        "actor": behavior.actor.text,
        "action": behavior.action.text,
        "target": _text(step.target),
        "at": position(source, behavior.span),
        "optional": behavior.optional,
        "requires": step.requires,
        "args": [lower_arguments(arguments, source) for arguments in step.args],
        "capture": {capture.name.text: template(capture.value) for capture in behavior.capture},
        "shares": step.shares,
        "checks": lower_checks(behavior.evaluations, source, ids, steps=True),
        "matches_when": lower_matches_when(behavior.matches_when),
    }
    if behavior.content is not None and is_tool_response(behavior.actor, behavior.action):
        lowered["content"] = template(behavior.content)
    return lowered


def _text(name: Name | None) -> str | None:
    return None if name is None else name.text
