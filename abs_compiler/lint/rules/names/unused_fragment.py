"""A fragment that no session includes, directly or through other fragments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.spec.model import Group, Include, Item


def check(context: FileContext) -> Iterator[Report]:
    """Report every fragment whose behaviors take part in no session."""
    fragments = context.spec.fragments
    used: set[str] = set()
    pending = [name for session in context.spec.sessions for name in _included(session.items)]
    while pending:
        name = pending.pop()
        if name in fragments and name not in used:
            used.add(name)
            pending.extend(_included(fragments[name].items))
    for fragment in fragments.values():
        if fragment.name.text not in used:
            yield Report(
                "unused-fragment",
                f"no session includes the fragment `{fragment.name.text}`",
                fragment.name.span,
                "never checked",
                helps=(f"put `- include: {fragment.name.text}` among the behaviors, or remove the fragment",),
            )


def _included(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        match item:
            case Include(name=name):
                yield name.text
            case Group(bodies=bodies):
                for body in bodies:
                    yield from _included(body)
            case _:
                continue
