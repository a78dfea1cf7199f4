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
from abs_compiler.runtime.vocabulary import INVOCATIONS, PEOPLE
from abs_compiler.spec.evaluation_model import Evaluation, Occurs, Selector, ToolCall
from abs_compiler.spec.evaluation_walk import selectors_of
from abs_compiler.spec.model import Arguments, Name, Predicate
from abs_compiler.spec.vocabulary import ACTORS, category_of
from abs_compiler.spec.walk import flattened

# Whose calls and answers are none of the agent's tools.
_OTHERS = (*PEOPLE, "external")


@attrs.frozen(slots=False, repr=False)
class Call(ReprMixin):
    """Arguments that a call is to have: the target that is called (None: any), what is known of names there, and
    whether such a call is only forbidden."""

    target: Name | None
    arguments: Arguments
    constant: Constants
    forbidden: bool = False


def tools_of(context: SessionContext) -> Tools | None:
    """The definitions of tools that the caller gave; None where there are none to hold anything against."""
    tools = context.file.tools
    return tools if tools is not None and tools.each else None


def is_call(step: Step) -> bool:
    """Whether a behavior is a call of one of the agent's tools: neither people nor external systems have these."""
    return step.behavior.action.text == "calls" and step.behavior.actor.text not in _OTHERS


@attrs.frozen(slots=False, repr=False)
class Target(ReprMixin):
    """A name that is, or may be, that of a tool; whether it stands in what is only forbidden, and whether it may as
    well be the name of something else: what an action other than `calls` is done to, or anything that a selector
    without an action names."""

    name: Name
    forbidden: bool = False
    doubtful: bool = False


def targets(context: SessionContext) -> Iterator[Target]:
    """Every name of a tool in a session: of calls and results, of `tool_call` and of selectors of both."""
    denied = forbidden(context)
    others = _targets_of_conversation(context)
    for step in context.ir.steps:
        behavior = step.behavior
        if behavior.target is not None:
            if is_call(step) or _is_result(behavior.actor, behavior.action):
                yield Target(behavior.target)
            elif _is_execution(behavior.actor, behavior.action) and behavior.target.text not in others:
                yield Target(behavior.target, doubtful=True)
        for evaluation in flattened(behavior.evaluations):
            if isinstance(evaluation.check, ToolCall) and evaluation.check.target is not None:
                yield Target(evaluation.check.target, evaluation in denied)
    for evaluation in flattened(context.ir.session.evaluations):
        if isinstance(evaluation.check, ToolCall) and evaluation.check.target is not None:
            yield Target(evaluation.check.target, evaluation in denied)
        for selector in selectors_of(evaluation.check):
            if selector.target is None:
                continue
            if _selects_tools(selector):
                yield Target(selector.target, evaluation in denied)
            elif _may_select_tools(selector) and selector.target.text not in others:
                yield Target(selector.target, evaluation in denied, doubtful=True)


def _selects_tools(selector: Selector) -> bool:
    actor, action = selector.actor, selector.action
    if action is None or (actor is not None and actor.text in _OTHERS):
        return False
    return action.text == "calls" or (actor is not None and _is_result(actor, action))


def _may_select_tools(selector: Selector) -> bool:
    actor, action = selector.actor, selector.action
    if action is None:
        return actor is None or actor.text not in _OTHERS
    return _is_execution(actor, action)


def _is_execution(actor: Name | None, action: Name) -> bool:
    """Whether this may be seen as the call of a tool: a recorded call also is one of these actions."""
    return action.text in INVOCATIONS and (actor is None or actor.text not in _OTHERS)


def _is_result(actor: Name, action: Name) -> bool:
    return actor.text == "tool" and action.text == "responds"


def _targets_of_conversation(context: SessionContext) -> set[str]:
    """Everybody who may be spoken to, and the targets that the session names where no tools are at work."""
    done = [(step.behavior.actor, step.behavior.action, step.behavior.target) for step in context.ir.steps]
    for evaluation in flattened(context.ir.session.evaluations):
        for one in selectors_of(evaluation.check):
            if one.actor is not None and one.action is not None:
                done.append((one.actor, one.action, one.target))
    return {
        *ACTORS,
        *(
            target.text
            for actor, action, target in done
            if target is not None and category_of(action.text) != "execution" and not _is_result(actor, action)
        ),
    }


def targets_of_others(context: SessionContext) -> set[str]:
    """The targets of what people and external systems do: names that are none of the agent's tools."""
    pairs = [(step.behavior.actor, step.behavior.target) for step in context.ir.steps]
    for evaluation in flattened(context.ir.session.evaluations):
        pairs += [(one.actor, one.target) for one in selectors_of(evaluation.check) if one.actor is not None]
    return {target.text for actor, target in pairs if target is not None and actor.text in _OTHERS}


def forbidden(context: SessionContext) -> set[Evaluation]:
    """The evaluations, parts of others among them, that hold where nothing happens which they name: `never`, `count`
    that only bounds from above, and what `none_of` denies."""
    evaluations = [one for step in context.ir.steps for one in step.behavior.evaluations]
    found: set[Evaluation] = set()
    for evaluation in (*evaluations, *context.ir.session.evaluations):
        _gather_forbidden(evaluation, False, found)
    return found


def _gather_forbidden(evaluation: Evaluation, denied: bool, found: set[Evaluation]) -> None:
    for part in evaluation.parts:
        _gather_forbidden(part, denied != (evaluation.type.text == "none_of"), found)
    check = evaluation.check
    forbids = False
    if isinstance(check, Occurs):
        bounded = check.max is not None and (check.min is None or not check.min.value)
        forbids = evaluation.type.text == "never" or (evaluation.type.text == "count" and bounded)
    if forbids != denied:
        found.add(evaluation)


def calls(context: SessionContext) -> Iterator[Call]:
    """Every place where a session says which arguments a call is to have."""
    denied = forbidden(context)
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
                yield Call(check.target or step.target, check.arguments, constant, evaluation in denied)
    for evaluation in flattened(context.ir.session.evaluations):
        check = evaluation.check
        if isinstance(check, ToolCall) and check.arguments is not None:
            yield Call(check.target, check.arguments, nothing_known, evaluation in denied)


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
    found = mapped_targets(context).get(target, [])
    return tuple(str(name) for name in found) if isinstance(found, list) else ()


def mapped_targets(context: SessionContext) -> dict[str, Any]:
    """The targets that stand for recorded names, with these."""
    match = context.program["match"]
    assert isinstance(match, dict)
    entries = match["targets"]
    assert isinstance(entries, dict)
    return entries


def meant(context: SessionContext, tools: Tools, target: str) -> list[Tool]:
    """The tools that a target may mean."""
    return tools.meant_by(target, recorded_names(context, target))


def properties_of(tool: Tool) -> dict[str, Any]:
    """The schemas of the arguments that a tool describes."""
    found = tool.schema.get("properties") if isinstance(tool.schema, dict) else None
    return found if isinstance(found, dict) else {}
