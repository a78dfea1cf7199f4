"""Target names: what a spec's target stands for, and which recorded names are ignored.

`match.targets` maps a spec's target to recorded tool names or `*` globs; a target with an entry also matches itself.
`match.ignore` lists recorded names, globs, or mapped targets. Comparison is by code point; `*` matches any text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def glob_matches(pattern: str, name: str) -> bool:
    """Whether a `*` glob matches a whole name. Linear in the length of the name for each `*`."""
    parts = pattern.split("*")
    if len(parts) == 1:
        return pattern == name
    first, last = parts[0], parts[-1]
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for part in parts[1:-1]:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


class TargetNames:
    """The target mapping and the ignore list of one session, with the caller's additions merged in."""

    __slots__ = ("_ignore", "_targets")

    def __init__(self, targets: Mapping[str, Iterable[str]], ignore: Iterable[str]) -> None:
        self._targets = {name: tuple(globs) for name, globs in targets.items()}
        patterns: list[str] = []
        for entry in ignore:
            patterns.append(entry)
            patterns.extend(self._targets.get(entry, ()))
        self._ignore = tuple(patterns)

    def matches(self, wanted: str | None, seen: str | None) -> bool:
        """Whether an event's target is what a spec's target (None: any) stands for."""
        if wanted is None or wanted == seen:
            return True
        if seen is None:
            return False
        return any(glob_matches(pattern, seen) for pattern in self._targets.get(wanted, ()))

    def names(self, wanted: str) -> tuple[str, ...]:
        """The recorded names and globs a spec's target stands for, besides itself."""
        return self._targets.get(wanted, ())

    def ignored(self, seen: str | None) -> bool:
        """Whether calls of this recorded name are never counted as extras."""
        return seen is not None and any(glob_matches(pattern, seen) for pattern in self._ignore)
