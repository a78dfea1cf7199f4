"""Definitions of tools as the rules see them: each tool by name, with the schema of its arguments."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import Any

import attrs

from abs_compiler.repr_mixin import ReprMixin
from abs_compiler.runtime.targets import glob_matches


@attrs.frozen(slots=False, repr=False, eq=False)
class Tool(ReprMixin):
    """One tool. `schema` is that of its arguments, None where nothing is said about them."""

    name: str
    schema: Any


@attrs.frozen(slots=False, repr=False, eq=False)
class Tools(ReprMixin):
    """All tools. Several may have one name: a call of it may mean any of them. `notes` tell what in their schemas is
    not looked at."""

    each: tuple[Tool, ...]
    notes: tuple[str, ...] = ()

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the tools, in order, each once."""
        return tuple(sorted(self._named))

    def meant_by(self, name: str, patterns: Iterable[str]) -> list[Tool]:
        """The tools of a name, and those whose names patterns fit, in the order of the list."""
        places = {*self._named.get(name, ())}
        for pattern in patterns:
            places.update(at for fitting in _fitting(self, pattern) for at in self._named[fitting])
        return [self.each[at] for at in sorted(places)]

    def knows(self, pattern: str) -> bool:
        """Whether a pattern fits the name of any tool."""
        return bool(_fitting(self, pattern))

    @functools.cached_property
    def _named(self) -> dict[str, list[int]]:
        """The places of the tools of each name."""
        found: dict[str, list[int]] = {}
        for at, tool in enumerate(self.each):
            found.setdefault(tool.name, []).append(at)
        return found

    def plain(self) -> list[list[Any]]:
        """The tools as plain data, the same for the same tools."""
        rows = {(tool.name, json.dumps(tool.schema, sort_keys=True)): tool for tool in self.each}
        return [[tool.name, tool.schema] for _, tool in sorted(rows.items(), key=lambda row: row[0])]

    @classmethod
    def from_plain(cls, data: Iterable[Iterable[Any]]) -> Tools:
        """The tools of such data."""
        return cls(tuple(Tool(name, schema) for name, schema in data))


@functools.lru_cache(maxsize=1024)
def _fitting(tools: Tools, pattern: str) -> tuple[str, ...]:
    """The names of tools that a pattern fits."""
    if "*" not in pattern:
        return (pattern,) if pattern in tools._named else ()
    return tuple(name for name in tools.names if glob_matches(pattern, name))
