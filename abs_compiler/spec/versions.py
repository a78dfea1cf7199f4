"""Versions of the language: what only 0.2 has, refused in a document that declares 0.1."""

from __future__ import annotations

from collections.abc import Iterable

from abs_compiler.spec.model import Behavior, Group, Item, Name
from abs_compiler.spec.reading import Context

NEWEST_ONLY_FROM = "0.2"


def newer_of(items: Iterable[Item]) -> list[Name]:
    """What the behaviors of a list use of version 0.2, groups included, fragments not."""
    found: list[Name] = []
    for item in items:
        match item:
            case Behavior(newer=newer):
                found.extend(newer)
            case Group(bodies=bodies):
                for body in bodies:
                    found.extend(newer_of(body))
            case _:
                continue
    return found


def report_newer(ctx: Context, version: str, used: Iterable[Name]) -> None:
    """Report every 0.2 feature used under version 0.1."""
    if version != "0.1":
        return
    for feature in used:
        ctx.sink.report(
            "newer-feature",
            f"`{feature.text}` needs version {NEWEST_ONLY_FROM} of the language",
            feature.span,
            "not part of version 0.1",
            helps=(f'declare `abs_version: "{NEWEST_ONLY_FROM}"`',),
        )
