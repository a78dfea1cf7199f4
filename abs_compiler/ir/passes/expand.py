"""Expand fragments: every include gives way to the behaviors it names, at any depth, before anything else happens.

Takes the file; gives one `Ir` a session. Ids, captures, evaluations and source places come along unchanged.
Unknown names, cycles and expansions beyond the limit are reported.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from abs_compiler.ir.model import Ir, Step
from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.program import MAX_BEHAVIORS
from abs_compiler.source import Span
from abs_compiler.spec import Context, SpecFile
from abs_compiler.spec.model import Behavior, Fragment, Group, Include, Item, Session
from abs_compiler.spec.reading import listed, near_help
from abs_compiler.spec.versions import report_newer


def expand_sessions(ctx: Context, file: SpecFile) -> list[Ir]:
    """All sessions of a file, expanded."""
    _check_fragments(ctx, file.fragments)
    budget = min(ctx.limits.nodes, MAX_BEHAVIORS)
    expanded: list[Ir] = []
    for session in file.sessions:
        found = _Expansion(ctx, file.fragments, session, budget)
        expanded.append(Ir(session, tuple(found.steps)))
        budget = found.budget
    return expanded


@attrs.frozen(slots=False, repr=False, eq=False)
class _Frame(ReprMixin):
    """One list being walked; `name` is its fragment, "" for lists of the session and of groups."""

    items: Iterator[Item]
    name: str
    via: tuple[Span, ...]
    block: int


class _Expansion:
    """The walk over one session, without recursion: fragments may be nested thousands deep."""

    def __init__(self, ctx: Context, fragments: dict[str, Fragment], session: Session, budget: int) -> None:
        self.steps: list[Step] = []
        self.budget = budget
        self._ctx = ctx
        self._fragments = fragments
        self._version = session.version
        self._blocks = 0
        self._frames = [_Frame(iter(session.items), "", (), 0)]
        self._open: set[str] = set()
        while self._frames:
            self._advance()

    def _advance(self) -> None:
        frame = self._frames[-1]
        item = next(frame.items, None)
        if item is None:
            self._frames.pop()
            self._open.discard(frame.name)
            return
        self.budget -= 1
        if self.budget < 0:
            self._report_limit(frame.via[0] if frame.via else item.span)
            self._frames.clear()
            return
        match item:
            case Behavior():
                if frame.via:
                    report_newer(self._ctx, self._version, item.newer)
                self.steps.append(Step(item, frame.via, frame.block))
            case Include():
                self._include(frame, item)
            case Group(bodies=bodies):
                self._enter_group(frame, bodies)

    def _include(self, frame: _Frame, item: Include) -> None:
        name = item.name.text
        fragment = self._fragments.get(name)
        if fragment is None:
            if not frame.via:
                _report_unknown(self._ctx, item, self._fragments)
            return
        if name in self._open:
            return  # a cycle, reported where it is defined
        self._open.add(name)
        via = frame.via or (item.name.span,)
        self._frames.append(_Frame(iter(fragment.items), name, via, frame.block))

    def _enter_group(self, frame: _Frame, bodies: tuple[tuple[Item, ...], ...]) -> None:
        self._frames[-1] = attrs.evolve(frame, block=self._new_block())
        for body in reversed(bodies):
            self._frames.append(_Frame(iter(body), "", frame.via, self._new_block()))

    def _new_block(self) -> int:
        self._blocks += 1
        return self._blocks

    def _report_limit(self, span: Span) -> None:
        limit = min(self._ctx.limits.nodes, MAX_BEHAVIORS)
        self._ctx.sink.report(
            "too-many-nodes",
            f"the sessions of this file hold more than {limit:,} behaviors once fragments are expanded",
            span,
            "the limit is passed here",
            helps=("include fewer fragments, or split the file",),
        )


def _report_unknown(ctx: Context, item: Include, fragments: dict[str, Fragment]) -> None:
    name = item.name
    otherwise = f"this file defines {listed(fragments)}" if fragments else "define it under `fragments:` in this file"
    help_ = near_help(ctx, name, fragments, "a fragment with a name", otherwise)
    ctx.sink.report(
        "unknown-fragment", f"unknown fragment `{name.text}`", name.span, "not defined in this file", helps=(help_,)
    )


def _includes(items: tuple[Item, ...]) -> list[Include]:
    """The includes of a list, those inside groups too."""
    found: list[Include] = []
    for item in items:
        match item:
            case Include():
                found.append(item)
            case Group(bodies=bodies):
                for body in bodies:
                    found.extend(_includes(body))
            case _:
                continue
    return found


def _check_fragments(ctx: Context, fragments: dict[str, Fragment]) -> None:
    """Report unknown includes and cycles among the definitions, used or not; each cycle once."""
    done: set[str] = set()
    for first in fragments:
        path: list[str] = []
        open_names: set[str] = set()
        waiting: list[Iterator[Include]] = []
        following = first
        while True:
            if following not in done:
                path.append(following)
                open_names.add(following)
                waiting.append(iter(_includes(fragments[following].items)))
            following = ""
            while waiting and not following:
                include = next(waiting[-1], None)
                if include is None:
                    waiting.pop()
                    open_names.discard(path[-1])
                    done.add(path.pop())
                elif include.name.text not in fragments:
                    _report_unknown(ctx, include, fragments)
                elif include.name.text in open_names:
                    _report_cycle(ctx, include, path[path.index(include.name.text) :])
                else:
                    following = include.name.text
            if not following:
                break


def _report_cycle(ctx: Context, include: Include, cycle: list[str]) -> None:
    name = include.name.text
    if len(cycle) == 1:
        message = f"fragment `{name}` includes itself"
        help_ = "remove this include"
    else:
        shown = [*cycle, name] if len(cycle) <= 5 else [*cycle[:4], "…", name]
        message = f"fragments include each other: {' → '.join(shown)}"
        help_ = "move what they share into a fragment that includes neither"
    ctx.sink.report(
        "fragment-cycle",
        message,
        include.name.span,
        "closes the cycle",
        helps=(help_,),
    )
