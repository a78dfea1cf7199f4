"""Tests of texts as machines that read a text character by character, and several of them side by side.

A machine has a start, steps, and accepts or not; `classify` says what it can tell about a character, `cuts` where that
changes, `settled` whether the answer still depends on what follows. A product reads one text with several machines
and steps by groups of characters that none of them can tell apart.
"""

from __future__ import annotations

import bisect
from typing import Any, Protocol, TypeAlias

from abs_compiler.bounds import remembered, spend
from abs_compiler.predicate.domains.character_sets import EVERY
from abs_compiler.predicate.domains.formulas import Atom
from abs_compiler.predicate.domains.regex_machine import RegexMachine, TooLargeError
from abs_compiler.predicate.domains.regex_syntax import Regex, read_regex


class Machine(Protocol):
    start: int
    weight: int

    def cuts(self) -> set[int]: ...
    def classify(self, point: int) -> Any: ...
    def step(self, state: int, character: Any) -> int: ...
    def accepts(self, state: int) -> bool: ...
    def settled(self, state: int) -> bool | None: ...


_DEAD = -1


class _Letters:
    """What the machines for fixed texts share: they tell the letters of the text apart and nothing else."""

    # What a step costs, beside a simple one.
    weight = 1

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = 0
        self._letters = [ord(char) for char in text]

    def cuts(self) -> set[int]:
        return {cut for letter in self._letters for cut in (letter, letter + 1)}

    def classify(self, point: int) -> int:
        return point if point in self._letters else -1

    def accepts(self, state: int) -> bool:
        return state == len(self._letters)


class _Starts(_Letters):
    """The state is how much of the text was read."""

    def step(self, state: int, character: int) -> int:
        if state in (_DEAD, len(self._letters)):
            return state
        return state + 1 if self._letters[state] == character else _DEAD

    def settled(self, state: int) -> bool | None:
        return {_DEAD: False, len(self._letters): True}.get(state)


class _Occurs(_Letters):
    """The state is the longest beginning of the text that what was read ends with (Knuth, Morris, Pratt)."""

    def __init__(self, text: str, *, anywhere: bool) -> None:
        super().__init__(text)
        self._anywhere = anywhere
        self._next: dict[tuple[int, int], int] = {}

    def step(self, state: int, character: int) -> int:
        if self._anywhere and state == len(self._letters):
            return state
        key = (state, character)
        found = self._next.get(key)
        if found is None:
            read = [*self._letters[:state], character]
            found = self._next[key] = next(
                size
                for size in range(min(len(read), len(self._letters)), -1, -1)
                if read[len(read) - size :] == self._letters[:size]
            )
        return found

    def settled(self, state: int) -> bool | None:
        return True if self._anywhere and state == len(self._letters) else None


class _From(_Letters):
    """At or after the text by code point. The state is how much of the text was read with equal letters."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._known = sorted(set(self._letters))

    def classify(self, point: int) -> int:
        """Ranks: odd for a letter of the text, even between them."""
        index = bisect.bisect_left(self._known, point)
        return 2 * index + (1 if index < len(self._known) and self._known[index] == point else 0)

    def step(self, state: int, character: int) -> int:
        if state in (_DEAD, len(self._letters)):
            return state
        wanted = 2 * bisect.bisect_left(self._known, self._letters[state]) + 1
        if character == wanted:
            return state + 1
        return len(self._letters) if character > wanted else _DEAD

    def settled(self, state: int) -> bool | None:
        return {_DEAD: False, len(self._letters): True}.get(state)


@remembered(1024)
def regex_tree(pattern: str, flags: str) -> Regex | None:
    """The tree of a pattern; None where it is not followed."""
    return read_regex(pattern, ignore_case="i" in flags)


@remembered(1024)
def machine(atom: Atom) -> Machine | None:
    """The machine of a test of texts; None for a pattern that is not followed."""
    match atom:
        case ("starts", text):
            return _Starts(text)
        case ("ends", text):
            return _Occurs(text, anywhere=False)
        case ("contains", text):
            return _Occurs(text, anywhere=True)
        case ("from", text):
            return _From(text)
        case _:
            tree = regex_tree(atom[1], atom[2])
            if tree is None:
                return None
            try:
                found = RegexMachine(tree)
            except TooLargeError:
                return None
            spend(found.weight)
            return found


ProductState: TypeAlias = tuple[int, ...]


class Product:
    """Several machines reading one text."""

    def __init__(self, machines: tuple[Machine, ...]) -> None:
        self._machines = machines
        self.start: ProductState = tuple(item.start for item in machines)
        self.groups = _groups(machines)
        self.weight = 1 + sum(item.weight for item in machines) * len(self.groups) // 16
        self._sizes = [size for _, size, _ in self.groups]
        self._next: dict[ProductState, tuple[tuple[ProductState, int], ...]] = {}
        self._columns: list[dict[int, tuple[int, ...]]] = [{} for _ in machines]
        self._accepted: dict[ProductState, tuple[bool, ...]] = {}

    def steps(self, state: ProductState) -> tuple[tuple[ProductState, int], ...]:
        """The states one character further, each with the number of characters that lead there."""
        found = self._next.get(state)
        if found is None:
            sizes: dict[ProductState, int] = {}
            for to, size in zip(self._after(state), self._sizes, strict=True):
                sizes[to] = sizes.get(to, 0) + size
            found = self._next[state] = tuple(sizes.items())
        return found

    def lettered_steps(self, state: ProductState, limit: int) -> list[tuple[ProductState, str]]:
        """The states one character further, with up to `limit` characters of each group that lead there."""
        return [
            (to, letter)
            for to, (_, _, ranges) in zip(self._after(state), self.groups, strict=True)
            for letter in _some(ranges, limit)
        ]

    def accepted(self, state: ProductState) -> tuple[bool, ...]:
        """For each machine whether it accepts a text that ends here."""
        found = self._accepted.get(state)
        if found is None:
            found = tuple(item.accepts(part) for item, part in zip(self._machines, state, strict=True))
            self._accepted[state] = found
        return found

    def settled(self, state: ProductState) -> tuple[bool | None, ...]:
        """For each machine its answer where that no longer depends on what follows."""
        return tuple(item.settled(part) for item, part in zip(self._machines, state, strict=True))

    def _after(self, state: ProductState) -> list[ProductState]:
        """The states one character further, one for each group."""
        if not state:
            return [()] * len(self.groups)
        return list(zip(*(self._column(index, part) for index, part in enumerate(state)), strict=True))

    def _column(self, index: int, part: int) -> tuple[int, ...]:
        """The steps of one machine, one for each group. Many states of the product have a part in common."""
        found = self._columns[index].get(part)
        if found is None:
            item = self._machines[index]
            found = tuple(item.step(part, classes[index]) for classes, _, _ in self.groups)
            self._columns[index][part] = found
        return found


_Group: TypeAlias = tuple[tuple[Any, ...], int, tuple[tuple[int, int], ...]]


def _groups(machines: tuple[Machine, ...]) -> tuple[_Group, ...]:
    """The characters in groups that no machine can tell apart: what each says of them, how many, which."""
    cuts = sorted({cut for item in machines for cut in item.cuts()})
    found: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    for low, high in EVERY:
        inside = [cut for cut in cuts if low < cut <= high]
        for start, end in zip([low, *inside], [*(cut - 1 for cut in inside), high], strict=True):
            found.setdefault(tuple(item.classify(start) for item in machines), []).append((start, end))
    return tuple(
        (classes, sum(end - start + 1 for start, end in ranges), tuple(ranges)) for classes, ranges in found.items()
    )


def _some(ranges: tuple[tuple[int, int], ...], limit: int) -> list[str]:
    """A few characters of a group, plain ones first."""
    found: list[str] = []
    for low, high in ((0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x20, 0x7E)):
        for start, end in ranges:
            found.extend(chr(point) for point in range(max(low, start), min(high, end) + 1))
        if len(found) >= limit:
            break
    for start, end in ranges:
        if len(found) >= limit:
            break
        found.extend(chr(point) for point in range(start, min(end, start + limit) + 1))
    return list(dict.fromkeys(found))[:limit]
