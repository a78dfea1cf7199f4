"""Did-you-mean: the known word that a mistyped one was probably meant to be.

Takes a word and the words that are known in its place; gives the nearest one, or None where none is near enough
to be a real candidate. Case and the separators `-`, `_`, space and `.` cost nothing; swapped neighbours cost one.
"""

from __future__ import annotations

from collections.abc import Iterable

_SEPARATORS = str.maketrans("", "", "-_ .")
_LONGEST = 64  # words beyond this are texts, not typing mistakes; the distance is quadratic


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`; None when nothing is near or `word` itself is known."""
    if len(word) > _LONGEST:
        return None
    plain = _plain(word)
    best: tuple[int, int, str] | None = None
    for candidate in sorted(set(known)):
        if candidate == word:
            return None
        if len(candidate) > _LONGEST:
            continue
        other = _plain(candidate)
        limit = _tolerance(max(len(plain), len(other)))
        if abs(len(plain) - len(other)) > limit:
            continue
        steps = distance(plain, other)
        if steps <= limit and (best is None or (steps, distance(word, candidate)) < best[:2]):
            best = (steps, distance(word, candidate), candidate)
    return None if best is None else best[2]


def distance(left: str, right: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours needed to turn one text into the other."""
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for row, char in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (char != other))
            if row > 1 and column > 1 and char == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]


def _plain(word: str) -> str:
    return word.casefold().translate(_SEPARATORS)


def _tolerance(length: int) -> int:
    """How many typing mistakes a word of this length may hold and still be recognised."""
    if length <= 2:
        return 0
    if length <= 5:
        return 1
    return 2 if length <= 10 else 3
