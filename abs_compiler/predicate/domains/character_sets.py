"""Sets of characters as sorted ranges of code points; surrogates are no characters.

What RE2 means by a class is asked of RE2 itself, over all characters at once, so that its version of Unicode decides.
"""

from __future__ import annotations

import bisect
import functools
from typing import TypeAlias

from abs_compiler.bounds import remembered, spend
from abs_compiler.runtime.patterns import engine

Ranges: TypeAlias = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
# What asking RE2 about all characters costs, in steps of work.
_ASKING = 4_000
_SURROGATES = (0xD800, 0xDFFF)
EVERY: Ranges = ((0, _SURROGATES[0] - 1), (_SURROGATES[1] + 1, LAST))
DIGITS: Ranges = ((0x30, 0x39),)
WORDS: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACES: Ranges = ((0x09, 0x0A), (0x0C, 0x0D), (0x20, 0x20))
NEWLINE: Ranges = ((0x0A, 0x0A),)
# What takes more than one byte.
WIDE: Ranges = ((0x80, LAST),)
# What RE2 takes for the same letter when it ignores case, beyond the other case itself.
_KELVIN, _LONG_S = 0x212A, 0x017F


def normal(ranges: list[tuple[int, int]]) -> Ranges:
    """Sorted ranges without overlaps, without surrogates."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return intersection(tuple(found), EVERY)


def intersection(left: Ranges, right: Ranges) -> Ranges:
    """The characters in both sets."""
    found = []
    i = j = 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            found.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def complement(ranges: Ranges) -> Ranges:
    """The characters that are not in a set."""
    found: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        found.append((start, LAST))
    return intersection(tuple(found), EVERY)


def holds(ranges: Ranges, point: int) -> bool:
    """Whether a set holds a character."""
    index = bisect.bisect_right(ranges, (point, LAST)) - 1
    return index >= 0 and point <= ranges[index][1]


def fold_ascii(ranges: Ranges) -> Ranges | None:
    """A set of ASCII characters with all that RE2 takes for the same letters; None for other sets."""
    if not ranges or ranges[-1][1] > 0x7F:
        return None
    found = list(ranges)
    for low, high in ranges:
        for first, last, shift in ((0x41, 0x5A, 0x20), (0x61, 0x7A, -0x20)):
            if max(low, first) <= min(high, last):
                found.append((max(low, first) + shift, min(high, last) + shift))
    folded = normal(found)
    extra = [(other, other) for letter, other in ((0x6B, _KELVIN), (0x73, _LONG_S)) if holds(folded, letter)]
    return normal([*folded, *extra])


@remembered(256)
def ask_re2(single: str, flags: str) -> Ranges:
    """The characters that a pattern for one character matches."""
    spend(_ASKING)
    re2 = engine()
    options = re2.Options()
    options.log_errors = False
    prefix = f"(?{flags})" if flags else ""
    expression = re2.compile(f"{prefix}(?:{single})+".encode(), options)
    return normal(
        [(_point(found.start()), _point(found.end()) - 1) for found in expression.finditer(_all_characters())]
    )


@functools.cache
def _all_characters() -> bytes:
    return b"".join(
        "".join(map(chr, range(low, high + 1))).encode() for low, high in ((0, EVERY[0][1]), (EVERY[1][0], LAST))
    )


def _point(offset: int) -> int:
    """The code point at a byte offset of the text of all characters."""
    start = 0
    for first, last, width in (
        (0, 0x7F, 1),
        (0x80, 0x7FF, 2),
        (0x800, 0xD7FF, 3),
        (0xE000, 0xFFFF, 3),
        (0x10000, LAST, 4),
    ):
        length = (last - first + 1) * width
        if offset < start + length:
            return first + (offset - start) // width
        start += length
    return LAST + 1
