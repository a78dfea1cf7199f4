"""An actor whose action belongs to the other side of a call: a tool that calls, an assistant that answers as a tool.

Recordings give calls to the assistant and answers to the tool, so such a behavior matches nothing; or, as the content
of an assistant's answer is an illustration, it does not compare what it seems to.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help, Label
from abs_compiler.ir import Ir
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.spec.model import ArrayValue, Behavior, Literal, Name, ObjectValue
from abs_compiler.spec.vocabulary import ACTORS, category_of


def check(context: FileContext) -> Iterator[Report]:
    """Report each such behavior once."""
    seen: set[int] = set()
    for ir in context.irs:
        called = _called(ir)
        for step in ir.steps:
            behavior = step.behavior
            if behavior.span.start in seen:
                continue
            report = _calling_tool(behavior) or _answer_of_a_tool(behavior, called)
            if report is not None:
                seen.add(behavior.span.start)
                yield report


def _called(ir: Ir) -> dict[str, Name]:
    """The targets that are called, with the first place of each."""
    called: dict[str, Name] = {}
    for step in ir.steps:
        target = step.behavior.target
        if target is not None and step.behavior.action.text == "calls":
            called.setdefault(target.text, target)
    return called


def _calling_tool(behavior: Behavior) -> Report | None:
    if behavior.actor.text != "tool" or category_of(behavior.action.text) != "execution":
        return None
    return Report(
        "mismatched-roles",
        f"a tool does not act: `tool {behavior.action.text}` is seen in no recording",
        behavior.actor.span,
        "a tool is called, and answers",
        also=(Label(behavior.action.span, "this is done to the tool"),),
        helps=(
            f"for the call, write `actor: assistant, action: {behavior.action.text}`",
            "for the answer of the tool, write `actor: tool, action: responds`",
        ),
    )


def _answer_of_a_tool(behavior: Behavior, called: dict[str, Name]) -> Report | None:
    target = behavior.target
    if behavior.actor.text != "assistant" or behavior.action.text != "responds" or target is None:
        return None
    if target.text in ACTORS or not _is_structure(behavior):
        return None
    also = () if target.text not in called else (Label(called[target.text].span, "the tool is called here"),)
    return Report(
        "mismatched-roles",
        f"an answer of the assistant to `{target.text}` is no answer of a tool, so its `content` is not compared",
        behavior.actor.span,
        "the assistant answers here",
        also=also,
        helps=(
            Help("for the answer of the tool, write `tool`", Fix("write `tool`", (Edit(behavior.actor.span, "tool"),))),
        ),
    )


def _is_structure(behavior: Behavior) -> bool:
    content = behavior.content
    return isinstance(content, ObjectValue | ArrayValue) or (
        isinstance(content, Literal) and isinstance(content.value, dict | list)
    )
