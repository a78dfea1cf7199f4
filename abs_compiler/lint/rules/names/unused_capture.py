"""A captured value that nothing reads afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.rules.names.references_as_text import foreign_references
from abs_compiler.lint.rules.names.usage import usage


def check(context: FileContext) -> Iterator[Report]:
    """Report every capture that no later behavior and no chain evaluation mentions, unless its name was mistyped, or is
    mentioned too early."""
    found = context.shared(usage)
    mistyped = {slip.capture.text for slip in found.slips}
    mistyped.update(reference.name for reference in context.shared(foreign_references))
    early = {one.capture.span for one in found.early}
    for name in found.unused:
        if name.text not in mistyped and name.span not in early:
            yield Report(
                "unused-capture",
                f"nothing uses `{{{{{name.text}}}}}` after it is captured here",
                name.span,
                "captured and never read",
                notes=("a capture is seen by later behaviors and by the evaluations of the session",),
                helps=(f"write `{{{{{name.text}}}}}` where the value must come back, or remove the capture",),
            )
