"""Best alignment of steps to events: the exact table behind optional steps, limited extras and failure reports.

Takes segments of items (behaviors) and rows (events with the mask of items each satisfies); gives the assignment of
largest total weight in which every required item is matched, or None. Weights are single integers that encode a
lexicographic preference (see `selection`), so the table is plain max-plus.

    table[k][r] = best weight of the first k segments on the first r rows

An ordered item takes one row. A group takes an interval of rows; inside it the matching is vertex-weighted, so
that greedy augmentation is exact: each row is added by one augmenting path, to the free member of largest weight
(required members first), and where none is free a counted row may replace an uncounted one (Mendelsohn and
Dulmage 1958: the best set of members and the best set of rows can be covered by one matching).
Adjacent steps of one sharing run may take the same row, which is then counted once.
"""

from __future__ import annotations

from .pairing import pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = tuple[int, int, bool]

IMPOSSIBLE = -1


class Item:
    """One behavior in an alignment: its bit, its weight when matched, whether it must be matched."""

    __slots__ = ("bit", "index", "required", "shares", "weight")

    def __init__(self, index: int, weight: int, required: bool, shares: int | None) -> None:
        self.index = index
        self.bit = 1 << index
        self.weight = weight
        self.required = required
        self.shares = shares


class Alignment:
    """The result: total weight, and the row number for each matched item index."""

    __slots__ = ("rows", "weight")

    def __init__(self, weight: int, rows: dict[int, int]) -> None:
        self.weight = weight
        self.rows = rows


def align(segments: Sequence[Sequence[Item]], rows: Sequence[Row], counted_weight: int) -> Alignment | None:
    """The best alignment. `rows` are (event index, mask, counted); a matched counted row adds `counted_weight`."""
    tables: list[list[int]] = [[0] * (len(rows) + 1)]
    k = 0
    spans: list[tuple[int, int]] = []
    while k < len(segments):
        end = k + 1
        if len(segments[k]) == 1:
            while end < len(segments) and _shared(segments[end - 1], segments[end]):
                end += 1
        spans.append((k, end))
        before = tables[-1]
        if end - k > 1:
            after = _sharing_table([segment[0] for segment in segments[k:end]], rows, before, counted_weight)[-1]
        elif len(segments[k]) == 1:
            after = _item_table(segments[k][0], rows, before, counted_weight)
        else:
            after = _group_table(segments[k], rows, before, counted_weight)
        tables.append(after)
        k = end
    total = tables[-1][-1]
    if total < 0:
        return None
    matched: dict[int, int] = {}
    end_row = len(rows)
    for number in range(len(spans) - 1, -1, -1):
        first, last = spans[number]
        before, after = tables[number], tables[number + 1]
        value = after[end_row]
        while end_row > 0 and after[end_row - 1] == value:
            end_row -= 1
        if last - first > 1:
            items = [segment[0] for segment in segments[first:last]]
            end_row = _trace_sharing(items, rows, before, end_row, value, matched, counted_weight)
        elif len(segments[first]) == 1:
            end_row = _trace_item(segments[first][0], rows, before, end_row, value, matched, counted_weight)
        else:
            end_row = _trace_group(segments[first], rows, before, end_row, value, matched, counted_weight)
    return Alignment(total, matched)


def _shared(left: Sequence[Item], right: Sequence[Item]) -> bool:
    return len(right) == 1 and left[0].shares is not None and left[0].shares == right[0].shares


# One ordered item


def _item_table(item: Item, rows: Sequence[Row], before: list[int], counted_weight: int) -> list[int]:
    best = IMPOSSIBLE if item.required else before[0]
    after = [best]
    bit, weight, required = item.bit, item.weight, item.required
    for number, (_, mask, counted) in enumerate(rows):
        if mask & bit and before[number] >= 0:
            taken = before[number] + weight + (counted_weight if counted else 0)
            if taken > best:
                best = taken
        if not required and before[number + 1] > best:
            best = before[number + 1]
        after.append(best)
    return after


def _trace_item(
    item: Item,
    rows: Sequence[Row],
    before: list[int],
    end: int,
    value: int,
    matched: dict[int, int],
    counted_weight: int,
) -> int:
    if not item.required and before[end] == value:
        return end
    number = end - 1
    matched[item.index] = number
    return number


# A run of items that may share one row


def _sharing_table(
    items: Sequence[Item], rows: Sequence[Row], before: list[int], counted_weight: int
) -> list[list[int]]:
    """Tables of [before, after item 1, ..., after the last].

    `held[r]` is the best weight in which the previous item of the run took row r (it may be taken again)."""
    tables = [before]
    held = [IMPOSSIBLE] * len(rows)
    for item in items:
        previous = tables[-1]
        best = IMPOSSIBLE if item.required else previous[0]
        after = [best]
        holding = []
        for number in range(len(rows)):
            taken = _taken(item, previous, held, number, rows, counted_weight)
            best = max(best, taken)
            if not item.required:
                best = max(best, previous[number + 1])
            after.append(best)
            holding.append(taken if item.required else max(taken, held[number]))
        tables.append(after)
        held = holding
    return tables


def _taken(
    item: Item, previous: list[int], held: list[int], number: int, rows: Sequence[Row], counted_weight: int
) -> int:
    """The best weight in which an item takes a row: a new one, or the one that the previous item holds."""
    _, mask, counted = rows[number]
    if not mask & item.bit:
        return IMPOSSIBLE
    base = held[number]
    if previous[number] >= 0:
        base = max(base, previous[number] + (counted_weight if counted else 0))
    return base + item.weight if base >= 0 else IMPOSSIBLE


def _trace_sharing(
    items: Sequence[Item],
    rows: Sequence[Row],
    before: list[int],
    end: int,
    value: int,
    matched: dict[int, int],
    counted_weight: int,
) -> int:
    """Walk back through the run. `holder` is the row that the next item took and may be taken again."""
    tables = _sharing_table(items, rows, before, counted_weight)
    helds = _held_tables(items, rows, tables, counted_weight)
    k, holder = len(items), IMPOSSIBLE
    while k > 0:
        item, previous = items[k - 1], tables[k - 1]
        if holder == IMPOSSIBLE:
            while end > 0 and tables[k][end - 1] == value:
                end -= 1
            if not item.required and previous[end] == value:
                k -= 1
                continue
            row = end - 1
        else:
            row = holder
            if _taken(item, previous, helds[k - 1], row, rows, counted_weight) != value:
                k -= 1  # the item is optional here and the row was held by an earlier one
                continue
        matched[item.index] = row
        value -= item.weight
        k -= 1
        fresh = counted_weight if rows[row][2] else 0
        if previous[row] >= 0 and previous[row] + fresh == value:
            value = previous[row]
            end, holder = row, IMPOSSIBLE
        else:
            holder = row
    return end


def _held_tables(
    items: Sequence[Item], rows: Sequence[Row], tables: list[list[int]], counted_weight: int
) -> list[list[int]]:
    helds = [[IMPOSSIBLE] * len(rows)]
    for k, item in enumerate(items):
        taken = [_taken(item, tables[k], helds[-1], number, rows, counted_weight) for number in range(len(rows))]
        if not item.required:
            taken = [max(new, old) for new, old in zip(taken, helds[-1], strict=True)]
        helds.append(taken)
    return helds


# An unordered group


class GroupMatching:
    """A maximum vertex-weighted matching of a group's members with the rows added so far."""

    __slots__ = ("_by_bit", "_counted_weight", "_row_of", "_rows", "missing", "weight")

    def __init__(self, items: Sequence[Item], counted_weight: int) -> None:
        self._by_bit = {item.bit: item for item in items}
        self._counted_weight = counted_weight
        self._row_of: dict[int, int] = {}
        self._rows: dict[int, tuple[int, bool]] = {}
        self.missing = sum(1 for item in items if item.required)
        self.weight = 0

    def add(self, number: int, mask: int, counted: bool) -> bool:
        """Add a row; True where the matching got better."""
        reached_by: dict[int, int] = {}
        frontier = [(number, mask)]
        free: Item | None = None
        replaceable, latest = 0, -1
        while frontier:
            following = []
            for row, options in frontier:
                candidates = options
                while candidates:
                    bit = candidates & -candidates
                    candidates ^= bit
                    item = self._by_bit.get(bit)
                    if item is None or bit in reached_by:
                        continue
                    reached_by[bit] = row
                    holder = self._row_of.get(bit)
                    if holder is None:
                        if free is None or (item.required, item.weight) > (free.required, free.weight):
                            free = item
                    else:
                        holder_mask, holder_counted = self._rows[holder]
                        # The latest one, so that the rows kept do not depend on the order of the members.
                        if not holder_counted and holder > latest:
                            replaceable, latest = bit, holder
                        following.append((holder, holder_mask))
            frontier = following
        if free is not None:
            self._flip(free.bit, number, reached_by)
            self._rows[number] = (mask, counted)
            self.weight += free.weight + (self._counted_weight if counted else 0)
            self.missing -= free.required
            return True
        if counted and self._counted_weight and replaceable:
            dropped = self._row_of[replaceable]
            self._flip(replaceable, number, reached_by)
            del self._rows[dropped]
            self._rows[number] = (mask, counted)
            self.weight += self._counted_weight
            return True
        return False

    def _flip(self, bit: int, new: int, reached_by: dict[int, int]) -> None:
        """Reassign along the alternating path that ends at `bit`."""
        member_of = {row: member for member, row in self._row_of.items()}
        while True:
            row = reached_by[bit]
            previous = member_of.get(row)
            self._row_of[bit] = row
            if row == new or previous is None:
                return
            bit = previous

    def members(self) -> dict[int, int]:
        """Item index to row number."""
        return {self._by_bit[bit].index: row for bit, row in self._row_of.items()}

    def kept(self) -> dict[int, int]:
        """Row number to the mask of the rows in use."""
        return {row: mask for row, (mask, _) in self._rows.items()}


def _group_bits(items: Sequence[Item]) -> int:
    bits = 0
    for item in items:
        bits |= item.bit
    return bits


def _group_table(items: Sequence[Item], rows: Sequence[Row], before: list[int], counted_weight: int) -> list[int]:
    group = _group_bits(items)
    ceiling = sum(item.weight for item in items) + counted_weight * len(items)
    threads: list[tuple[int, GroupMatching]] = []
    none_required = not any(item.required for item in items)

    def start(number: int) -> None:
        if before[number] >= 0 and (not threads or before[number] > threads[-1][0]):
            threads.append((before[number], GroupMatching(items, counted_weight)))

    start(0)
    best = before[0] if none_required else IMPOSSIBLE
    after = [best]
    for number, (_, mask, counted) in enumerate(rows):
        if mask & group:
            settled = IMPOSSIBLE
            for base, matching in threads:
                if matching.add(number, mask & group, counted) and not matching.missing:
                    best = max(best, base + matching.weight)
                if not matching.missing:
                    settled = max(settled, base + matching.weight)
            if len(threads) > 1:
                threads = [item for item in threads if item[0] + ceiling > settled or item is threads[-1]]
        start(number + 1)
        if none_required:
            best = max(best, before[number + 1])
        after.append(best)
    return after


def _trace_group(
    items: Sequence[Item],
    rows: Sequence[Row],
    before: list[int],
    end: int,
    value: int,
    matched: dict[int, int],
    counted_weight: int,
) -> int:
    group = _group_bits(items)
    previous = IMPOSSIBLE
    for begin in range(end + 1):
        if before[begin] < 0 or before[begin] == previous:
            continue
        previous = before[begin]
        matching = GroupMatching(items, counted_weight)
        for number in range(begin, end):
            mask = rows[number][1] & group
            if mask:
                matching.add(number, mask, rows[number][2])
        if not matching.missing and before[begin] + matching.weight == value:
            members = matching.members()
            chosen = [item for item in items if item.index in members]
            matched.update(first_by_listing(chosen, matching.kept()))
            return begin
    raise AssertionError("the table holds a value that no interval gives")


def first_by_listing(items: Sequence[Item], kept: dict[int, int]) -> dict[int, int]:
    """The perfect assignment of items to kept rows in which earlier-listed items take the earliest rows they can.

    As many items as rows, and a perfect assignment exists."""
    rows = sorted(kept)
    masks = [sum(1 << k for k, item in enumerate(items) if kept[row] & item.bit) for row in rows]
    found = pair(masks, len(items))
    return {item.index: rows[number] for item, number in zip(items, found, strict=True) if number is not None}
