"""Near misses between names: the same but for case, spaces, Unicode form, or a slip of the keyboard."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_COMPARED = 200


def difference(wanted: str, seen: str) -> str | None:
    """How two different names are nearly the same, in words, or None where they are simply different."""
    if len(wanted) > MAX_COMPARED or len(seen) > MAX_COMPARED:
        return _difference(wanted, seen)
    return _known_difference(wanted, seen)  # the events of a run have the same few names


def _difference(wanted: str, seen: str) -> str | None:
    if wanted == seen:
        return None
    if wanted.strip() == seen.strip():
        return "spaces around it"
    if unicodedata.normalize("NFC", wanted) == unicodedata.normalize("NFC", seen):
        return "its Unicode form"
    if wanted.casefold() == seen.casefold():
        return "upper and lower case"
    if _folded(wanted) == _folded(seen):
        return "spaces, dashes or underscores"
    if (
        len(wanted) >= 4
        and len(seen) >= 4
        and _distance(wanted[:MAX_COMPARED], seen[:MAX_COMPARED]) <= (1 if len(wanted) < 8 else 2)
    ):
        return "a letter or two"
    return None


_known_difference = lru_cache(maxsize=1024)(_difference)


def nearest_name(wanted: str, names: Iterable[str]) -> tuple[str, str] | None:
    """The first of the names that is nearly the wanted one, with how it differs."""
    for name in names:
        how = difference(wanted, name)
        if how is not None:
            return name, how
    return None


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in text if char.isalnum())


def _distance(left: str, right: str) -> int:
    """The number of insertions, deletions, substitutions and swaps of neighbours (Damerau 1964), up to 3."""
    if abs(len(left) - len(right)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > 2:
            return 3
    return row[-1]
