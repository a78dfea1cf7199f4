"""Lowering of what steps and evaluations have in common: arguments, tests of text, places."""

from __future__ import annotations

from abs_compiler.ir.templates import template
from abs_compiler.source import SourceFile, Span
from abs_compiler.spec.model import Arguments, MatchesWhen
from abs_compiler.syntax import JsonValue

Lowered = dict[str, JsonValue]


def lower_arguments(arguments: Arguments, source: SourceFile) -> Lowered:
    """An argument constraint."""
    at = position(source, arguments.span)
    if arguments.whole is not None:
        return {"only": False, "whole": template(arguments.whole), "at": at}
    return {
        "only": arguments.only,
        "keys": {entry.key: template(entry.value) for entry in arguments.keys},
        "at": at,
    }


def lower_matches_when(found: MatchesWhen | None) -> JsonValue:
    """The test of text in place of the action, or None."""
    if found is None or found.value is None:
        return None
    kind = "judge" if found.type.text == "llm_judge" else found.type.text
    return [kind, template(found.value)]


def position(source: SourceFile, span: Span) -> JsonValue:
    """[line, column] of a span's start."""
    line, column = source.position(span.start)
    return [line, column]
