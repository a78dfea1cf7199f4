"""What the rules of this family share: every place where a session names a tool, and the tools that it may mean."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import attrs

from abs_compiler.automaton.constants import Constants, nothing_known
from abs_compiler.automaton.value_sets import MisfitError, with_constants
from abs_compiler.ir import Step
from abs_compiler.lint.contract import SessionContext
from abs_compiler.lint.rules.sequence.sessions import captures
from abs_compiler.lint.tools import Tool, Tools
from abs_compiler.predicate import tree
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.targets import glob_matches
from abs_compiler.runtime.vocabulary import PEOPLE
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.evaluation_model import Selector, ToolCall
from abs_compiler.spec.evaluation_walk import selectors_of
from abs_compiler.spec.model import Arguments, Name, Predicate
from abs_compiler.spec.walk import flattened


@attrs.frozen(slots=False, repr=False)
class Call(ReprMixin):
    """Arguments that a call is to have: the target that is called (None: any), and what is known of names there."""

    target: Name | None
    arguments: Arguments
    constant: Constants


def tools_of(context: SessionContext) -> Tools | None:
    """The definitions of tools that the caller gave; None where there are none to hold anything against."""
    tools = context.file.tools
    return tools if tools is not None and tools.each else None


def is_call(step: Step) -> bool:
    """Whether a behavior is a call of a tool."""
    return step.behavior.action.text == "calls" and step.behavior.actor.text not in PEOPLE


def targets(context: SessionContext) -> Iterator[Name]:
    """Every name of a tool in a session: of calls and results, of `tool_call` and of selectors of both."""
    for step in context.ir.steps:
        behavior = step.behavior
        if behavior.target is not None and (is_call(step) or is_tool_response(behavior.actor, behavior.action)):
            yield behavior.target
        for evaluation in flattened(behavior.evaluations):
            if isinstance(evaluation.check, ToolCall) and evaluation.check.target is not None:
                yield evaluation.check.target
    for evaluation in flattened(context.ir.session.evaluations):
        if isinstance(evaluation.check, ToolCall) and evaluation.check.target is not None:
            yield evaluation.check.target
        for selector in selectors_of(evaluation.check):
            if selector.target is not None and _selects_tools(selector):
                yield selector.target


def _selects_tools(selector: Selector) -> bool:
    actor, action = selector.actor, selector.action
    if action is None or (actor is not None and actor.text in PEOPLE):
        return False
    return action.text == "calls" or (actor is not None and is_tool_response(actor, action))


def forbidden(context: SessionContext) -> Iterator[Name]:
    """The names among these that only stand in what must not happen."""
    for evaluation in flattened(context.ir.session.evaluations):
        if evaluation.type.text == "never":
            yield from (selector.target for selector in selectors_of(evaluation.check) if selector.target is not None)


def calls(context: SessionContext) -> Iterator[Call]:
    """Every place where a session says which arguments a call is to have."""
    for index, step in enumerate(context.ir.steps):
        if not is_call(step):
            continue
        constant = functools.partial(captures(context).constant, index)
        behavior = step.behavior
        if behavior.arguments is not None:
            yield Call(step.target, behavior.arguments, constant)
        for evaluation in flattened(behavior.evaluations):
            check = evaluation.check
            if isinstance(check, ToolCall) and check.arguments is not None:
                yield Call(check.target or step.target, check.arguments, constant)
    for evaluation in flattened(context.ir.session.evaluations):
        check = evaluation.check
        if isinstance(check, ToolCall) and check.arguments is not None:
            yield Call(check.target, check.arguments, nothing_known)


def needed_entries(predicate: Predicate, constant: Constants) -> list[tree.HasEntry]:
    """The entries of each `has` of a predicate that must hold whatever else does."""
    try:
        return list(_needed(with_constants(predicate.tree.root, constant)))
    except MisfitError:
        return []


def _needed(test: tree.Test) -> Iterator[tree.HasEntry]:
    match test:
        case tree.Has(entries=entries):
            yield from entries
        case tree.Typed(test=inner):
            yield from _needed(inner)
        case tree.And(parts=parts):
            for part in parts:
                yield from _needed(part)


def recorded_names(context: SessionContext, target: str) -> tuple[str, ...]:
    """The recorded names and globs that a target stands for, beside itself."""
    match = context.program["match"]
    assert isinstance(match, dict)
    entries = match["targets"]
    assert isinstance(entries, dict)
    found = entries.get(target, [])
    return tuple(str(name) for name in found) if isinstance(found, list) else ()


def meant(context: SessionContext, tools: Tools, target: str) -> list[Tool]:
    """The tools that a target may mean."""
    patterns = recorded_names(context, target)
    return [
        tool
        for tool in tools.each
        if tool.name == target or any(glob_matches(pattern, tool.name) for pattern in patterns)
    ]


def properties_of(tool: Tool) -> dict[str, Any]:
    """The schemas of the arguments that a tool describes."""
    found = tool.schema.get("properties") if isinstance(tool.schema, dict) else None
    return found if isinstance(found, dict) else {}
