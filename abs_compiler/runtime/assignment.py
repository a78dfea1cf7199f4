"""The assignment of largest weight (Kuhn 1955, in Jonker and Volgenant's form with potentials), ties by listing order.

Takes a square table of weights, None where a member does not fit an event; gives the column of each row. A complete
assignment exists (the group was matched).
"""

from __future__ import annotations

from .alignment import Item, first_by_listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def best_assignment(weights: Sequence[Sequence[int | None]]) -> list[int]:
    """The columns of a complete assignment with the largest total weight; among those, the one in which earlier rows
    take the earliest columns. O(n^3)."""
    size = len(weights)
    top = max((w for row in weights for w in row if w is not None), default=0)
    forbidden = (top + 1) * (size + 1)
    costs = [[forbidden if w is None else top - w for w in row] for row in weights]
    row_potential, column_potential = _potentials(costs)
    items = [Item(index, 0, True, None) for index in range(size)]
    tight = {
        column: sum(
            1 << row
            for row in range(size)
            if weights[row][column] is not None and costs[row][column] == row_potential[row] + column_potential[column]
        )
        for column in range(size)
    }
    chosen = first_by_listing(items, tight)
    return [chosen[index] for index in range(size)]


def _potentials(costs: list[list[int]]) -> tuple[list[int], list[int]]:
    """Optimal dual values: every assignment of least cost uses only entries equal to the sum of their potentials."""
    size = len(costs)
    u, v = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        column = 0
        least: list[int | None] = [None] * (size + 1)
        way = [0] * (size + 1)
        used = [False] * (size + 1)
        while True:
            used[column] = True
            current, delta, following = row_of[column], None, 0
            for j in range(1, size + 1):
                if used[j]:
                    continue
                slack = costs[current - 1][j - 1] - u[current] - v[j]
                known = least[j]
                if known is None or slack < known:
                    least[j] = known = slack
                    way[j] = column
                if delta is None or known < delta:
                    delta, following = known, j
            assert delta is not None
            for j in range(size + 1):
                if used[j]:
                    u[row_of[j]] += delta
                    v[j] -= delta
                elif (known := least[j]) is not None:
                    least[j] = known - delta
            column = following
            if row_of[column] == 0:
                break
        while column:
            previous = way[column]
            row_of[column] = row_of[previous]
            column = previous
    return u[1:], v[1:]
