"""Did-you-mean among very many names: those of thousands of tools, or of a long enumeration.

Takes a word and the names that are known in its place; gives what `spec.suggest` finds among those that can be near at
all. Which these are is told from the letters alone, which costs little for each name: a typing mistake changes two of
them at most.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections import Counter
from collections.abc import Iterable

from abs_compiler.bounds import spend
from abs_compiler.spec.suggest import distance, nearest

_FEW = 400  # names that are compared letter by letter anyway
_NAMES_A_STEP = 20  # whose letters are compared in about the time of one step of work
_MOST_CHANGED = 6  # letters that three typing mistakes change
_LEFT_OUT = str.maketrans("", "", "-_ .")


def nearest_among(word: str, known: Iterable[str]) -> str | None:
    """The known name nearest to a word, as `nearest` says, however many names there are."""
    names = known if isinstance(known, tuple) else tuple(known)
    if len(names) <= _FEW:
        return nearest(word, names)
    if word in names:
        return None
    letters = _letters(word)
    changed = ((letters ^ other).bit_count() for other in _letters_of(names))
    can_be_near = [(count, name) for count, name in zip(changed, names, strict=True) if count <= _MOST_CHANGED]
    spend(len(names) // _NAMES_A_STEP + min(len(can_be_near), _FEW))
    best: list[str] = []
    for count, group in itertools.groupby(heapq.nsmallest(_FEW, can_be_near), lambda one: one[0]):
        if best and count > 2 * distance(_plain(word), _plain(best[0]), _MOST_CHANGED):
            break  # none of these can be nearer
        found = nearest(word, (*best, *(name for _, name in group)))
        best = [] if found is None else [found]
    return best[0] if best else None


@functools.lru_cache(maxsize=16)
def _letters_of(names: tuple[str, ...]) -> list[int]:
    return [_letters(name) for name in names]


def _letters(word: str) -> int:
    """The letters of a word as bits: one for each time that a letter stands in it, up to four."""
    bits = 0
    for letter, times in Counter(_plain(word)).items():
        bits |= ((1 << min(times, 4)) - 1) << 4 * _number(letter)
    return bits


def _plain(word: str) -> str:
    return word.casefold().translate(_LEFT_OUT)


def _number(letter: str) -> int:
    """A number for a letter. Rare letters share some, so that the bits stay few."""
    return ord(letter) - 32 if " " < letter < "\x7f" else 95 + ord(letter) % 32
