"""Lowering: the last IR in, the program of the session out, as plain JSON.

The program is all that the runtime ever sees; its fields are checked by `verify.py`.
"""

from __future__ import annotations

from abs_compiler.ir.model import Ir, Step
from abs_compiler.ir.templates import template
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Arguments, Name
from abs_compiler.syntax import JsonValue

Program = dict[str, JsonValue]


def lower(ir: Ir, source: SourceFile, sha256: str, file_names: list[str], match: Program) -> Program:
    """The program of one session."""
    session = ir.session
    dataset = session.dataset
    return {
        "session": session.name.text,
        "version": session.version,
        "match": match,
        "behaviors": [_behavior(step, source) for step in ir.steps],
        "groups": [[start, end] for start, end in ir.groups],
        "parameters": list(ir.parameters),
        "names": list(ir.names),
        "file_names": list(file_names),
        "dataset": None if dataset is None else {"id": _text(dataset.id), "path": _text(dataset.path)},
        "checks": [],
        "source": {"path": source.name, "sha256": sha256},
    }


def _behavior(step: Step, source: SourceFile) -> Program:
    behavior = step.behavior
    lowered: Program = {
        "id": _text(behavior.id),
        "actor": behavior.actor.text,
        "action": behavior.action.text,
        "target": _text(step.target),
        "at": _position(source, behavior.span),
        "optional": behavior.optional,
        "requires": step.requires,
        "args": [_arguments(arguments, source) for arguments in step.args],
        "capture": {capture.name.text: template(capture.value) for capture in behavior.capture},
        "shares": step.shares,
        "checks": [],
    }
    if behavior.content is not None and is_tool_response(behavior.actor, behavior.action):
        lowered["content"] = template(behavior.content)
    return lowered


def _arguments(arguments: Arguments, source: SourceFile) -> Program:
    at = _position(source, arguments.span)
    if arguments.whole is not None:
        return {"only": False, "whole": template(arguments.whole), "at": at}
    return {
        "only": arguments.only,
        "keys": {entry.key: template(entry.value) for entry in arguments.keys},
        "at": at,
    }


def _position(source: SourceFile, span: Span) -> JsonValue:
    line, column = source.position(span.start)
    return [line, column]


def _text(name: Name | None) -> str | None:
    return None if name is None else name.text
