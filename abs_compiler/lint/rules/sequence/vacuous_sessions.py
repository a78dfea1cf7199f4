"""Sessions that decide nothing: every run passes, or none can.

Catches: behaviors that are all optional, with nothing else demanded; `observe: tools` in a session that is all
conversation.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Label
from abs_compiler.ir.passes.tool_calls import merged
from abs_compiler.lint.contract import Report, SessionContext
from abs_compiler.lint.rules.sequence.sessions import label
from abs_compiler.runtime.vocabulary import seen_by_tools_only


def check(context: SessionContext) -> Iterator[Report]:
    """Report the session where its behaviors and options say that every run, or no run, passes."""
    session, steps = context.ir.session, context.ir.steps
    if not steps or session.behaviors_span is None or session.evaluations or session.match.extras is not None:
        return
    first = label(context.ir.steps[0], "")
    if all(step.behavior.optional and all(map(merged, step.behavior.evaluations)) for step in steps):
        yield Report(
            "vacuous-sessions",
            "this session can never fail: all its behaviors are optional",
            session.behaviors_span,
            "nothing is demanded",
            also=(Label(first.span, "optional, and so is what follows" if len(steps) > 1 else "optional"),),
            notes=("an optional behavior need not be matched, so any run passes",),
            helps=(
                "leave `optional` out of what must happen",
                "to allow these calls and no others, write `match: {extras: forbid}`",
            ),
        )
    elif (context.options.observe or session.match.observe) == "tools" and not any(
        seen_by_tools_only(step.behavior.actor.text, step.behavior.action.text) for step in steps
    ):
        yield Report(
            "vacuous-sessions",
            "no run can pass this session: with `observe: tools` none of its behaviors is looked at",
            session.behaviors_span,
            "all of them are conversation",
            also=(Label(first.span, "not in recordings of tools only"),),
            notes=("what is not observed is never taken as passed: each run is inconclusive",),
            helps=("add the calls that must be made, or observe all",),
        )
