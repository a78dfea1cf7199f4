"""Patterns for paths as `.gitignore` has them: lines in, one question out: is this path among them?

A pattern with a `/` at its start or within counts from the folder it is written for, any other one for every name
below; `*` and `?` stay within a name, `**` does not; a `/` at the end means folders only; `!` takes back what earlier
patterns say. What lies in a folder that is among them is among them too.
"""

from __future__ import annotations

import functools
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE = re.compile(r"\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\\.|[^*?\[\\]+|[\s\S]")


class Globs:
    """The patterns written for one folder. Paths are relative to it, with forward slashes."""

    __slots__ = ("_rules",)

    def __init__(self, lines: Iterable[str]) -> None:
        self._rules = tuple(rule for line in lines if (rule := _rule(line)) is not None)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def decide(self, path: str, *, is_folder: bool) -> bool | None:
        """Whether a path itself is among them: True, False where a `!` takes it back, None where nothing fits."""
        found = None
        for regex, wanted, folders_only in self._rules:
            if (is_folder or not folders_only) and regex.fullmatch(path):
                found = wanted
        return found

    def hold(self, path: str) -> bool:
        """Whether a file, or a folder that it lies in, is among them."""
        parts = path.split("/")
        for length in range(1, len(parts)):
            if self.decide("/".join(parts[:length]), is_folder=True):
                return True
        return bool(self.decide(path, is_folder=False))


def _rule(line: str) -> tuple[re.Pattern[str], bool, bool] | None:
    text = re.sub(r"(?<!\\)[ \t\r]+$", "", line.rstrip("\n"))
    if not text or text.startswith("#"):
        return None
    wanted = not text.startswith("!")
    text = text if wanted else text[1:]
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    if not text:
        return None
    anchored = "/" in text
    return _regex(text.lstrip("/"), anchored), wanted, folders_only


@functools.lru_cache(maxsize=512)
def _regex(text: str, anchored: bool) -> re.Pattern[str]:
    if not anchored:
        return re.compile("(?:.*/)?" + _name(text), re.DOTALL)
    names = text.split("/")
    pattern = ""
    for number, name in enumerate(names):
        last = number == len(names) - 1
        if name == "**":
            pattern += ".*" if last else "(?:.*/)?"
        else:
            pattern += _name(name) + ("" if last else "/")
    return re.compile(pattern, re.DOTALL)


def _name(text: str) -> str:
    """The regular expression of a pattern for one name."""
    found = ""
    for piece in _PIECE.findall(text):
        if piece in ("*", "**"):
            found += "[^/]*"
        elif piece == "?":
            found += "[^/]"
        elif piece.startswith("[") and piece.endswith("]") and len(piece) > 2:
            inside = re.sub(r"([\\\[&~|])", r"\\\1", piece[1:-1])
            found += "[" + ("^" + inside[1:] if inside[0] in "!^" else inside) + "]"
        else:
            found += re.escape(piece[1:] if piece.startswith("\\") and len(piece) > 1 else piece)
    return found
