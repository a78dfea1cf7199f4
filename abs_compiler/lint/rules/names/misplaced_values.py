"""Values that play no part where they stand: arguments of what is said or answered, and a structure as the content of
anything but the answer of a tool.

Recordings hold arguments of calls only, so a behavior that is no call and has arguments matches nothing. Content is
compared in answers of tools; elsewhere it is an illustration, and nothing tests it.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import ArrayValue, Behavior, Literal, ObjectValue
from abs_compiler.spec.vocabulary import category_of


def check(context: FileContext) -> Iterator[Report]:
    """Report each such behavior once."""
    seen: set[int] = set()
    for ir in context.irs:
        for step in ir.steps:
            behavior = step.behavior
            if behavior.span.start not in seen:
                seen.add(behavior.span.start)
                yield from _arguments(behavior)
                yield from _structure(behavior)


def _arguments(behavior: Behavior) -> Iterator[Report]:
    arguments = behavior.arguments
    if arguments is None or category_of(behavior.action.text) != "communication":
        return
    key = "with_only" if arguments.only else "with"
    if is_tool_response(behavior.actor, behavior.action):
        helps: tuple[str, ...] = (
            f"for what the call holds, move `{key}` to the behavior with `action: calls`",
            "for what comes back, write `content`",
        )
        message = f"an answer of a {behavior.actor.text} has no arguments, so this behavior matches nothing"
    else:
        helps = ("for what is said, write `evaluations`", "for a call, write `action: calls`")
        message = f"`{behavior.action.text}` has no arguments, so this behavior matches nothing"
    yield Report("misplaced-values", message, arguments.span, "recordings hold arguments of calls only", helps=helps)


def _structure(behavior: Behavior) -> Iterator[Report]:
    span = behavior.content_span
    if span is None or not _is_structure(behavior) or is_tool_response(behavior.actor, behavior.action):
        return
    category = category_of(behavior.action.text)
    if category == "execution" and behavior.actor.text == "tool":
        return  # a tool that calls has a finding of its own
    if category == "execution":
        helps: tuple[str, ...] = (
            "for what the call holds, write `with`",
            "for what comes back, write a behavior `{actor: tool, action: responds, content: {…}}` behind it",
        )
    elif category == "communication" and behavior.action.text != "responds":  # answers have a finding of their own
        helps = ("for what is said, write `evaluations`",)
    else:
        return
    yield Report(
        "misplaced-values",
        f"the `content` of `{behavior.action.text}` is an illustration: nothing compares it",
        span,
        "tests nothing",
        helps=helps,
    )


def _is_structure(behavior: Behavior) -> bool:
    content = behavior.content
    return isinstance(content, ObjectValue | ArrayValue) or (
        isinstance(content, Literal) and isinstance(content.value, dict | list)
    )
