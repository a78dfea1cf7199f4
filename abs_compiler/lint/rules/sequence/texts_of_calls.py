"""Evaluations of a call that look for a text: `contains`, `regex`, or an `exact_match` with a text.

What is looked at in a call are its arguments, and an object has no text. So each of them fails whatever is called with,
and holds below `none_of`. Only what is sure to be an object counts: arguments that are declared, or those of a given
tool whose schema describes them; other tools may take free text. A call that is to have content is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from abs_compiler.diagnostics import Label
from abs_compiler.ir import Step
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.source import Span
from abs_compiler.spec.model import Literal, Text
from abs_compiler.spec.values import IS

if TYPE_CHECKING:
    from abs_compiler.spec.evaluation_model import Evaluation

_INSTEAD = {
    "contains": f"test an argument in `with`: `NAME: {{{IS}: 'string contains \"…\"'}}`",
    "regex": f"test an argument in `with`: `NAME: {{{IS}: 'string matches /…/'}}`",
    "exact_match": "write the argument into `with`, or all of them as the value: `{NAME: …}`",
}


def check(context: SessionContext) -> Iterator[Report]:
    """Report each such evaluation of a session."""
    for step in context.ir.steps:
        if step.behavior.evaluations and _is_call(step) and (step.args or _takes_an_object(context, step)):
            for evaluation, denied in _with_sign(step.behavior.evaluations, False):
                span = _place_of_text(evaluation)
                if span is not None:
                    yield _report(step, evaluation, span, denied)


def _is_call(step: Step) -> bool:
    behavior = step.behavior
    return behavior.action.text == "calls" and behavior.actor.text != "tool" and behavior.content is None


def _takes_an_object(context: SessionContext, step: Step) -> bool:
    """Whether all tools that a call may mean describe their arguments."""
    if context.file.tools is None or step.target is None or step.behavior.actor.text != "assistant":
        return False
    from abs_compiler.lint.rules.tools.calls import meant  # slow to import, and of use only with tools

    tools = meant(context, context.file.tools, step.target.text)
    return bool(tools) and all(tool.schema is not None for tool in tools)


def _with_sign(evaluations: tuple[Evaluation, ...], denied: bool) -> Iterator[tuple[Evaluation, bool]]:
    """Evaluations and their parts, and whether each is to fail."""
    for evaluation in evaluations:
        yield evaluation, denied
        yield from _with_sign(evaluation.parts, denied != (evaluation.type.text == "none_of"))


def _place_of_text(evaluation: Evaluation) -> Span | None:
    """Where the text stands that is looked for; None where no text is."""
    from abs_compiler.spec.evaluation_model import Contains, ExactMatch, Regex  # slow to import, and rarely needed

    match evaluation.check:
        case Contains(value=value) | Regex(pattern=value):
            return value.span
        case ExactMatch(value=(Literal(value=str()) | Text()) as value):
            return value.span
    return None


def _report(step: Step, evaluation: Evaluation, span: Span, denied: bool) -> Report:
    kind = evaluation.type.text
    return Report(
        "vacuous-evaluations" if denied else "contradicting-evaluations",
        f"this `{kind}` looks for a text, but what is looked at are the arguments of the call",
        span,
        "never holds, so `none_of` never fails for it" if denied else "never holds",
        also=(Label(step.args[0].span, "what is looked at is an object"),) if step.args else (),
        notes=("the arguments of this call are an object, which has no text",),
        helps=(
            _INSTEAD[kind],
            "for what comes back, evaluate the answer: `{actor: tool, action: responds, evaluations: […]}`",
        ),
    )
