"""Pairings: items with rows, each at most once, as many as possible and, among those, as early as possible.

Takes one mask per row (bit i: item i fits it) and gives the row of every item, None where it has none. Earliest
means: item 0 has the earliest row it can have, then item 1, and so on; no row comes last.

`pair` is free of order. Rows are taken first come, first served; only where that leaves items over are they moved
along alternating paths, and the result made the earliest again: of the pairs one item could have, those in some
largest pairing lie on an alternating path from a free row or a free item, or on an alternating cycle (Dulmage and
Mendelsohn 1958), so one search for each item is enough. `pair_in_order` keeps rows in the order of items; where a
first-come pairing is not complete, the lengths of common subsequences of all suffixes decide, 64 items a machine
word (Hyyrö 2004).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Pairing = list[int | None]


def pair(masks: Sequence[int], count: int) -> Pairing:
    """The earliest of the largest pairings of `count` items with rows."""
    numbers = [row for row, mask in enumerate(masks) if mask]
    masks = [masks[row] for row in numbers]
    columns = _columns(masks, count)
    pairing = _first_come(columns)
    if None in pairing:
        matching = _Matching(columns, masks, pairing)
        if matching.augment():
            matching.make_earliest()
    return [None if row is None else numbers[row] for row in pairing]


def pair_in_order(masks: Sequence[int], count: int) -> Pairing:
    """The earliest of the largest pairings in which later items have later rows."""
    pairing: Pairing = []
    if not count:
        return pairing
    wanted, end = 1, 1 << count
    for row, mask in enumerate(masks):
        if mask & wanted:
            pairing.append(row)
            wanted <<= 1
            if wanted == end:
                return pairing
    return _longest_in_order(masks, count)


def _longest_in_order(masks: Sequence[int], count: int) -> Pairing:
    numbers = [row for row, mask in enumerate(masks) if mask]
    masks = [masks[row] for row in numbers]
    remaining = _suffix_lengths(masks, count)
    pairing: Pairing = []
    start = 0
    for item, column in enumerate(_columns(masks, count)):
        left = count - item
        fitting = column >> start
        row = start + _lowest(fitting)
        if fitting and 1 + _zeros(remaining[row + 1], left - 1) == _zeros(remaining[start], left):
            pairing.append(numbers[row])
            start = row + 1
        else:
            pairing.append(None)
    return pairing


def size(pairing: Pairing) -> int:
    """How many items have a row."""
    return len(pairing) - pairing.count(None)


def _columns(masks: Sequence[int], count: int) -> list[int]:
    """The rows that fit each item, as bits: the masks turned. Dense ones by slices of one text of all their digits,
    at a cost that does not depend on how many bits are set."""
    if sum([mask.bit_count() for mask in masks]) > len(masks) + 8 * count:
        digits = f"0{count}b"
        text = "".join([format(mask, digits) for mask in reversed(masks)])
        return [int(text[count - 1 - item :: count], 2) for item in range(count)]
    columns = [0] * count
    row = 1
    for mask in masks:
        while mask:
            bit = mask & -mask
            mask ^= bit
            columns[bit.bit_length() - 1] |= row
        row <<= 1
    return columns


def _first_come(columns: list[int]) -> Pairing:
    pairing: Pairing = []
    free = -1
    for column in columns:
        fitting = column & free
        if fitting:
            bit = fitting & -fitting
            free ^= bit
            pairing.append(bit.bit_length() - 1)
        else:
            pairing.append(None)
    return pairing


def _suffix_lengths(masks: Sequence[int], count: int) -> list[int]:
    """For every row: bits whose zeros among the lowest n count the longest pairing in order of the last n items with
    this row and later ones. One more entry stands for the end."""
    full = (1 << count) - 1
    reverse: dict[int, int] = {}
    state = full
    states = [state]
    for mask in reversed(masks):
        if mask:
            turned = reverse.get(mask)
            if turned is None:
                turned = reverse[mask] = int(f"{mask:0{count}b}"[::-1], 2)
            kept = state & turned
            state = ((state + kept) | (state - kept)) & full
        states.append(state)
    states.reverse()
    return states


def _zeros(state: int, width: int) -> int:
    return width - (state & ((1 << width) - 1)).bit_count()


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


class _Matching:
    """A pairing that is being improved: `rows` of items and, the other way round, `items` of rows."""

    __slots__ = ("_columns", "_items", "_live", "_masks", "rows")

    def __init__(self, columns: list[int], masks: Sequence[int], rows: Pairing) -> None:
        self._columns = columns
        self._masks = masks
        self.rows = rows
        self._items = {row: item for item, row in enumerate(rows) if row is not None}
        self._live = (1 << len(masks)) - 1  # rows that are not settled

    def augment(self) -> bool:
        """Make the pairing a largest one; whether anything changed."""
        changed = False
        dead = 0  # what a failed search has seen leads nowhere for good
        for item, row in enumerate(self.rows):
            if row is None:
                seen = self._advance(item, self._free_rows(), dead)
                if seen is None:
                    changed = True
                else:
                    dead |= seen
        return changed

    def make_earliest(self) -> None:
        """Settle items one by one on the earliest row that leaves the pairing a largest one."""
        unpaired = [item for item, row in enumerate(self.rows) if row is None]
        for item, column in enumerate(self._columns):
            fitting = column & self._live
            if not fitting:
                continue
            own = self.rows[item]
            first = _lowest(fitting)
            if own is None:
                unpaired.remove(item)
                unpaired.append(self._items[first])
                self.rows[self._items[first]] = None
                self._take(item, first)
            elif first != own:
                row = _lowest(fitting & self._allowed(item, own, unpaired))
                if row != own:
                    self._move(item, own, row, unpaired)
            settled = self.rows[item]
            assert settled is not None, "an item with a fitting row has one after its turn"
            self._live &= ~(1 << settled)

    def _take(self, item: int, row: int) -> None:
        self.rows[item] = row
        self._items[row] = item

    def _free_rows(self) -> int:
        taken = 0
        for row in self._items:
            taken |= 1 << row
        return self._live & ~taken

    def _allowed(self, item: int, own: int, unpaired: list[int]) -> int:
        """The rows that some largest pairing gives to `item` (those that fit it, that is)."""
        if unpaired and self._reached(unpaired) >> own & 1:
            return -1
        allowed = self._free_rows() | 1 << own
        pending = []
        waiting = 0
        for other, row in enumerate(self.rows):
            if row is not None and other != item and self._live >> row & 1:
                if self._columns[other] & allowed:
                    pending.append(row)
                else:
                    waiting |= 1 << other
        while pending:
            row = pending.pop()
            allowed |= 1 << row
            found = self._masks[row] & waiting
            waiting ^= found
            for other in _bits(found):
                following = self.rows[other]
                assert following is not None, "items that wait have rows"
                pending.append(following)
        return allowed

    def _reached(self, items: list[int]) -> int:
        """The rows on alternating paths from items without one; all of them are taken."""
        seen = 0
        pending = list(items)
        while pending:
            fresh = self._columns[pending.pop()] & self._live & ~seen
            seen |= fresh
            pending.extend(self._items[row] for row in _bits(fresh))
        return seen

    def _move(self, item: int, own: int, row: int, unpaired: list[int]) -> None:
        """Give `item` another row; whoever had it moves on, or leaves the pairing for an item without a row."""
        holder = self._items.get(row)
        del self._items[own]
        self._take(item, row)
        self._live &= ~(1 << row)
        if holder is None:
            return
        self.rows[holder] = None
        if self._advance(holder, self._free_rows(), 0) is None:
            return
        unpaired.append(holder)
        for other in unpaired:
            if self._advance(other, 1 << own, 0) is None:
                unpaired.remove(other)
                return
        raise AssertionError("the row was allowed")

    def _advance(self, item: int, goals: int, dead: int) -> int | None:
        """Give an item a row along an alternating path that ends in one of the goals; the rows seen if there is
        none."""
        reached_by: dict[int, int] = {}
        seen = 0
        frontier = [item]
        while frontier:
            following = []
            for member in frontier:
                fresh = self._columns[member] & self._live & ~(seen | dead)
                if fresh & goals:
                    self._shift(member, _lowest(fresh & goals), reached_by, item)
                    return None
                seen |= fresh
                for row in _bits(fresh):
                    holder = self._items.get(row)
                    if holder is not None:
                        reached_by[holder] = member
                        following.append(holder)
            frontier = following
        return seen

    def _shift(self, member: int, row: int, reached_by: dict[int, int], start: int) -> None:
        while True:
            left = self.rows[member]
            self._take(member, row)
            if member == start:
                return
            assert left is not None, "only the start of a path has no row"
            member, row = reached_by[member], left
