"""A pattern as a machine that reads a text character by character: determinised lazily, one class at a time.

The search is unanchored, so the start is added before every character; once a match was seen the answer stands. What
holds between two characters (`^`, `$`, `\\b`) depends on both, so a state is the set of places before empty steps are
taken, with the kind of the character before it.
"""

from __future__ import annotations

from typing import TypeAlias

from abs_compiler.predicate.domains.character_sets import NEWLINE, WIDE, WORDS, Ranges, holds
from abs_compiler.predicate.domains.regex_syntax import Regex

MAX_PLACES = 2500
MAX_STATES = 2500

# Kinds of the character beside a place.
_BOUNDARY, _WORD, _NEWLINE, _OTHER, _WIDE = range(5)

# What a machine can tell about a character: which of its sets hold it, and its kind.
CharacterClass: TypeAlias = tuple[frozenset[int], int]
State: TypeAlias = int
MATCHED: State = 0


class TooLargeError(Exception):
    """A machine that outgrows its bounds."""


class RegexMachine:
    """See the module. States are numbers; 0 is "a match was seen"."""

    def __init__(self, tree: Regex) -> None:
        self._empty_steps: list[list[tuple[str | None, int]]] = []
        self._steps: list[list[tuple[int, int]]] = []
        self._sets: dict[Ranges, int] = {}
        start = self._place()
        self._start = start
        self._end = self._build(tree, start)
        places = {place for steps in self._empty_steps for place, _ in steps if place}
        self._tells_words = bool(places & {"word-edge", "no-word-edge"})
        self._tells_lines = bool(places & {"line-start", "line-end"})
        self._states: dict[tuple[frozenset[int], int], State] = {}
        self._contents: list[tuple[frozenset[int], int]] = [(frozenset(), _BOUNDARY)]
        self._next: dict[tuple[State, CharacterClass], State] = {}
        self._accepts: dict[State, bool] = {MATCHED: True}
        self.start: State = self._state(frozenset(), _BOUNDARY)
        self.weight = 1 + len(self._steps) // 16
        # RE2 reads bytes: an empty match may lie between the bytes of one character, where only `\B` stands.
        self._matches_inside = self._end in self._closure(frozenset(), _OTHER, _OTHER)

    # --- what the product of machines asks --------------------------------------------------------------------------

    def cuts(self) -> set[int]:
        """The code points at which what the machine can tell changes."""
        sets = list(self._sets)
        if self._tells_words:
            sets.extend((WORDS, WIDE))
        if self._tells_lines:
            sets.append(NEWLINE)
        return {cut for ranges in sets for low, high in ranges for cut in (low, high + 1)}

    def classify(self, point: int) -> CharacterClass:
        kind = _OTHER
        if self._tells_words and holds(WORDS, point):
            kind = _WORD
        elif self._tells_words and point >= WIDE[0][0]:
            kind = _WIDE
        elif self._tells_lines and point == 0x0A:
            kind = _NEWLINE
        return frozenset(index for ranges, index in self._sets.items() if holds(ranges, point)), kind

    def step(self, state: State, character: CharacterClass) -> State:
        if state == MATCHED:
            return MATCHED
        key = (state, character)
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = self._step(state, character)
        return found

    def accepts(self, state: State) -> bool:
        """Whether the text may end here with a match seen."""
        found = self._accepts.get(state)
        if found is None:
            places, before = self._contents[state]
            found = self._accepts[state] = self._end in self._closure(places, before, _BOUNDARY)
        return found

    def settled(self, state: State) -> bool | None:
        """The answer, where it no longer depends on what follows."""
        return True if state == MATCHED else None

    # --- determinising ----------------------------------------------------------------------------------------------

    def _step(self, state: State, character: CharacterClass) -> State:
        sets, kind = character
        places, before = self._contents[state]
        closed = self._closure(places, before, kind)
        if self._end in closed or (self._matches_inside and kind == _WIDE):
            return MATCHED
        after = frozenset(to for place in closed for index, to in self._steps[place] if index in sets)
        return self._state(after, kind)

    def _state(self, places: frozenset[int], before: int) -> State:
        key = (places, before)
        found = self._states.get(key)
        if found is None:
            if len(self._contents) > MAX_STATES:
                raise TooLargeError
            found = self._states[key] = len(self._contents)
            self._contents.append(key)
        return found

    def _closure(self, places: frozenset[int], before: int, after: int) -> set[int]:
        """All places reached without reading, from these and the start of the pattern."""
        found = {*places, self._start}
        pending = list(found)
        while pending:
            for condition, to in self._empty_steps[pending.pop()]:
                if to not in found and (condition is None or _stands(condition, before, after, self._at_start(before))):
                    found.add(to)
                    pending.append(to)
        return found

    def _at_start(self, before: int) -> bool:
        return before == _BOUNDARY

    # --- building ---------------------------------------------------------------------------------------------------

    def _place(self) -> int:
        if len(self._steps) >= MAX_PLACES:
            raise TooLargeError
        self._steps.append([])
        self._empty_steps.append([])
        return len(self._steps) - 1

    def _build(self, tree: Regex, start: int) -> int:
        """Add what a tree reads after a place; gives the place where it ends."""
        match tree:
            case ("chars", ranges):
                end = self._place()
                self._steps[start].append((self._sets.setdefault(ranges, len(self._sets)), end))
            case ("at", place):
                end = self._place()
                self._empty_steps[start].append((place, end))
            case ("cat", parts):
                end = start
                for part in parts:
                    end = self._build(part, end)
            case ("alt", parts):
                end = self._place()
                for part in parts:
                    branch = self._place()
                    self._empty_steps[start].append((None, branch))
                    self._empty_steps[self._build(part, branch)].append((None, end))
            case ("repeat", inner, low, high):
                end = self._repeat(inner, low, high, start)
        return end

    def _repeat(self, inner: Regex, low: int, high: int | None, start: int) -> int:
        end = start
        for _ in range(low):
            end = self._build(inner, end)
        if high is None:
            again, done = self._place(), self._place()
            self._empty_steps[end].extend([(None, again), (None, done)])
            self._empty_steps[self._build(inner, again)].extend([(None, again), (None, done)])
            return done
        done = self._place()
        self._empty_steps[end].append((None, done))
        for _ in range(high - low):
            branch = self._place()
            self._empty_steps[end].append((None, branch))
            end = self._build(inner, branch)
            self._empty_steps[end].append((None, done))
        return done


def _stands(place: str, before: int, after: int, at_start: bool) -> bool:
    match place:
        case "text-start":
            return at_start
        case "text-end":
            return after == _BOUNDARY
        case "line-start":
            return at_start or before == _NEWLINE
        case "line-end":
            return after in (_BOUNDARY, _NEWLINE)
        case "word-edge":
            return (before == _WORD) != (after == _WORD)
        case _:
            return (before == _WORD) == (after == _WORD)
