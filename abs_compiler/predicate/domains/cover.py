"""Few and simple conditions for a table of cases: a cover by cubes, the same for every spelling of the same table.

A case gives each variable one of its values; a cube allows each variable some of them. Cubes grow from the cases that
must hold as far as no case that must not hold is inside; cases that cannot occur are free.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

# One bit for each value of each variable.
Bits: TypeAlias = tuple[int, ...]


def cover(sizes: Sequence[int], on: Sequence[Sequence[int]], off: Sequence[Sequence[int]]) -> list[Bits]:
    """Cubes that hold every case of `on` and none of `off`. Variables are freed in their order."""
    full = tuple((1 << size) - 1 for size in sizes)
    wanted = sorted({_bits(case) for case in on})
    refused = sorted({_bits(case) for case in off})
    cubes: list[Bits] = []
    for case in wanted:
        if not any(_inside(case, cube) for cube in cubes):
            cubes.append(_grown(case, full, refused))
    for cube in reversed(list(cubes)):
        others = [other for other in cubes if other is not cube]
        if all(any(_inside(case, other) for other in others) for case in wanted if _inside(case, cube)):
            cubes = others
    return sorted(cubes)


def cost(sizes: Sequence[int], cubes: Sequence[Bits]) -> int:
    """How many conditions some cubes hold."""
    full = tuple((1 << size) - 1 for size in sizes)
    return sum(1 for cube in cubes for have, all_ in zip(cube, full, strict=True) if have != all_)


def _bits(case: Sequence[int]) -> Bits:
    return tuple(1 << value for value in case)


def _inside(case: Bits, cube: Bits) -> bool:
    return all(value & allowed for value, allowed in zip(case, cube, strict=True))


def _grown(case: Bits, full: Bits, refused: list[Bits]) -> Bits:
    cube = list(case)
    for variable, all_ in enumerate(full):
        blocked = 0
        for other in refused:
            if all(v == variable or value & cube[v] for v, value in enumerate(other)):
                blocked |= other[variable]
        cube[variable] = all_ & ~blocked
    return tuple(cube)
