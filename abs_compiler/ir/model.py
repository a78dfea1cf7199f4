"""The IR: one session with fragments expanded and everything resolved that a step needs.

Passes take an `Ir` and give a richer one; `lower.py` turns the last one into the program.
"""

from __future__ import annotations

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.source import Span
from abs_compiler.spec.model import Arguments, Behavior, Name, Session


@attrs.frozen(slots=False, repr=False, eq=False)
class Step(ReprMixin):
    """One behavior in its place. `via` are the includes that brought it in, outermost first; `block` tells lists
    apart between which no run of calls may reach. `target` and `args` hold what `tool_call` evaluations add;
    `ordered` is what they say about order."""

    behavior: Behavior
    via: tuple[Span, ...] = ()
    block: int = 0
    target: Name | None = None
    args: tuple[Arguments, ...] = ()
    ordered: bool | None = None
    ordered_span: Span | None = None
    requires: int | None = None
    shares: int | None = None

    @property
    def shown_at(self) -> Span:
        """The place in the session itself: the outermost include, or the behavior."""
        return self.via[0] if self.via else self.behavior.span


@attrs.frozen(slots=False, repr=False, eq=False)
class Ir(ReprMixin):
    """One session. `groups` are half-open index ranges of `steps`, sorted, of length 2 or more."""

    session: Session
    steps: tuple[Step, ...]
    groups: tuple[tuple[int, int], ...] = ()
    parameters: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
