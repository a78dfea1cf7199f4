"""A reference that stands before the capture of its name: a call is to hold what a later answer captures.

A capture is for behaviors listed after it, so such a name must be given from outside, and is then captured anew. That
is possible, but mostly the capture was meant, or the behaviors stand in the wrong order.
"""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.diagnostics import Label
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.names.usage import Early, usage


def check(context: FileContext) -> Iterator[Report]:
    """Report the first of the references to each such name."""
    for early in context.shared(usage).early:
        yield _report(early)


def _report(early: Early) -> Report:
    name = early.capture.text
    return Report(
        "early-references",
        f"`{name}` is read here, before it is captured",
        early.reference.span,
        "no capture reaches this",
        also=(Label(early.capture.span, "captured here"),),
        notes=(f"as it stands, `{name}` must be given from outside, with `--var {name}=TEXT` say",),
        helps=(
            "move the capture into an earlier behavior, or this behavior behind the one that captures",
            "if two values are meant, give the second another name",
        ),
    )
