"""Did-you-mean: the known word that a mistyped one was probably meant to be.

Takes a word and the words that are known in its place; gives the nearest one, or None where none is near enough
to be a real candidate. Case and the separators `-`, `_`, space and `.` cost nothing; swapped neighbours cost one.
A word that says the opposite of another, or has another number, is never taken for it.
"""

from __future__ import annotations

from collections.abc import Collection

_SEPARATORS = str.maketrans("", "", "-_ .")
_LONGEST = 40  # words beyond this are texts, not typing mistakes
_MOST = 400  # beyond this many known words a suggestion is not worth the search


def nearest(word: str, known: Collection[str], most: int = _MOST) -> str | None:
    """The known word nearest to `word`; None when nothing is near, when `word` itself is known, or where more than
    `most` words are known."""
    if len(word) > _LONGEST or len(known) > most or word in known:
        return None
    plain = _plain(word)
    letters = set(plain)
    best: tuple[int, int, str] | None = None
    for candidate in sorted(known):
        if len(candidate) > _LONGEST:
            continue
        other = _plain(candidate)
        limit = _tolerance(max(len(plain), len(other)))
        if len(letters.symmetric_difference(other)) > 2 * limit:
            continue  # each step changes two letters at most
        steps = distance(plain, other, limit)
        if steps > limit or (best is not None and steps > best[0]):
            continue
        rank = (steps, distance(word, candidate, _LONGEST), candidate)
        if (best is None or rank < best) and not _opposite(word, candidate):
            best = rank
    return None if best is None else best[2]


def _opposite(word: str, candidate: str) -> bool:
    from abs_compiler.spec.opposites import says_another_thing  # only mistyped words need it

    return says_another_thing(word, candidate)


def distance(left: str, right: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours needed to turn one text into the other; some
    number above `limit` where more than that are needed."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for row, char in enumerate(left, 1):
        current = [row]
        for column, other in enumerate(right, 1):
            cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (char != other))
            if row > 1 and column > 1 and char == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit and min(previous) > limit:
            return limit + 1
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
