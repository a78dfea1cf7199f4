"""Keys that occur again because what stands before them is missing: the space of a list item, `---` of a session."""

from __future__ import annotations

import re
from collections.abc import Mapping

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help, Label
from abs_compiler.source import Span
from abs_compiler.syntax.yaml_failure import SyntaxProblem
from abs_compiler.syntax.yaml_lines import line_at
from abs_compiler.syntax.yaml_structure import missing_space_after_dash

_BEHAVIORS_OR_END = re.compile(r"^(?:(?P<behaviors>behaviors[ \t]*:(?=\s|\Z))|---(?=\s|\Z))", re.MULTILINE)


def dash_without_space(text: str, first: Span) -> SyntaxProblem | None:
    """`-actor: user` and again `-actor: assistant`: keys that were meant as items of a list."""
    return missing_space_after_dash(text, line_at(text, first.start))


def second_session(text: str, name: str, again: Span, seen: Mapping[str, Span]) -> SyntaxProblem | None:
    """A key at the top of a document that begins another session: `behaviors` stands before it and behind it."""
    line = line_at(text, again.start)
    if name == "behaviors" or "behaviors" not in seen or line.start != again.start:
        return None
    following = _BEHAVIORS_OR_END.search(text, again.start)
    if following is None or following["behaviors"] is None:
        return None
    advice = "put `---` between the two sessions"
    fix = None
    if list(seen)[-1] == "behaviors" and next(iter(seen)) == name:
        end = "\r\n" if text.startswith("\r\n", again.start - 2) else "\n"
        fix = Fix("put `---` before it", (Edit(Span(again.start, again.start), f"---{end}"),), Applicability.UNSAFE)
    return SyntaxProblem(
        "a second session begins here, within the document of the first",
        again,
        "again here",
        also=(Label(next(iter(seen.values())), "the document starts here"), Label(seen["behaviors"], "its behaviors")),
        helps=(Help(advice, fix),),
        name="duplicate-keys",
    )
