"""Applying fixes: a text and its findings in, the mended text out.

A fix is applied whole or not at all. Where fixes touch the same characters, the first in the text wins, and the others
get their turn when the mended text is looked at again. A fix after which the file holds an error that was not there
before is not applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from abs_compiler.diagnostics import Applicability, Diagnostic, Edit, Fix, Severity
from abs_compiler.repr_mixin import ReprMixin

_MOST_ROUNDS = 20


@attrs.frozen(slots=False, repr=False)
class Fixed(ReprMixin):
    """The mended text, and how many fixes that took."""

    text: str
    count: int


def fix_text(text: str, findings: Callable[[str], Sequence[Diagnostic]], *, unsafe: bool = False) -> Fixed:
    """The text with every fix applied; `findings` says what is wrong with a text, and is asked again and again."""
    count = 0
    refused: set[tuple[str, tuple[Edit, ...]]] = set()
    seen = {text}
    diagnostics = findings(text)
    for _ in range(_MOST_ROUNDS):
        chosen = _chosen(text, diagnostics, unsafe, refused)
        if not chosen:
            break
        better, after, taken = _applied(text, diagnostics, findings, chosen)
        if better in seen:
            refused.update((text, fix.edits) for fix in chosen)
            continue
        seen.add(better)
        text, diagnostics, count = better, after, count + taken
    return Fixed(text, count)


def best_fix(item: Diagnostic, *, unsafe: bool) -> Fix | None:
    """The fix that would be applied for a finding: its first safe one, else its first unsafe one where allowed."""
    wanted = (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,)
    fixes = [help_.fix for help_ in item.helps if help_.fix is not None and help_.fix.edits]
    return next((fix for kind in wanted for fix in fixes if fix.applicability is kind), None)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not overlap. Line ends in them become those of the text."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    pieces = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        pieces += [text[at : edit.span.start], edit.text.replace("\r\n", "\n").replace("\n", line_end)]
        at = edit.span.end
    return "".join((*pieces, text[at:]))


def _chosen(
    text: str, diagnostics: Sequence[Diagnostic], unsafe: bool, refused: set[tuple[str, tuple[Edit, ...]]]
) -> list[Fix]:
    """The fixes to apply now: in the order of the text, none that touches what an earlier one changes."""
    chosen: list[Fix] = []
    taken: list[Edit] = []
    for item in diagnostics:
        fix = best_fix(item, unsafe=unsafe)
        if fix is None or (text, fix.edits) in refused or fix in chosen:
            continue
        if not any(_touch(edit, other) for edit in fix.edits for other in taken):
            chosen.append(fix)
            taken.extend(fix.edits)
    return chosen


def _touch(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end


def _applied(
    text: str, before: Sequence[Diagnostic], findings: Callable[[str], Sequence[Diagnostic]], fixes: list[Fix]
) -> tuple[str, Sequence[Diagnostic], int]:
    """The text with the fixes and its findings; where they bring an error, with as many as bring none."""
    better = apply_edits(text, (edit for fix in fixes for edit in fix.edits))
    after = findings(better)
    if not _brings_errors(before, after):
        return better, after, len(fixes)
    if len(fixes) == 1:
        return text, before, 0
    half = len(fixes) // 2
    text_of_half, diagnostics, taken = _applied(text, before, findings, fixes[:half])
    return (text_of_half, diagnostics, taken) if taken else _applied(text, before, findings, fixes[half:])


def _brings_errors(before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether errors came that were not there, as opposed to ones that another error had hidden."""
    had = [item for item in before if item.severity is Severity.ERROR]
    has = [item for item in after if item.severity is Severity.ERROR]
    return bool(has) and not had
