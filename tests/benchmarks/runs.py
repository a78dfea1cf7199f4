"""Sessions and recorded runs to match them with: ordered calls, calls in any order whose tests overlap, and one group
that no greedy matcher gets right.

Half of the events are answers of tools, an event is about 200 bytes of JSON, a call has six arguments of which a spec
looks at up to three.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Event = dict[str, Any]

TOOLS = (
    "find_parcel",
    "price_parcel",
    "book_courier",
    "pay",
    "notify",
    "refund",
    "open_case",
    "get_case",
    "store",
    "close",
)
_TOWNS = ("Rome", "Oslo", "Bonn", "Lyon", "Graz", "Turku")
_COINS = ("EUR", "USD", "CHF")
_HEAD = 'session: {name}\nabs_version: "0.2"\nbehaviors:\n'
_CALL = "  - {{actor: assistant, action: calls, target: {target}, with: {{{arguments}}}{more}}}\n"
_GROUP = ", evaluations: [{type: tool_call, ordered: false}]"

_ORDERED = (
    ("find_parcel", "client: c7", {"client": "c7"}),
    ("price_parcel", "town: Rome, count: {$is: 'integer >= 1'}", {"town": "Rome", "count": 2}),
    ("book_courier", "cents: {$is: 'integer in 1..50000'}, coin: EUR", {"cents": 9950, "coin": "EUR"}),
    ("pay", "cents: {$is: 'integer > 0'}, coin: {$is: 'in [\"EUR\", \"USD\"]'}", {"cents": 9950, "coin": "EUR"}),
    ("notify", "client: {$is: 'starts with \"c7\"'}", {"client": "c71"}),
)
_AFTER = (
    ("open_case", "count: 3", {"count": 3}),
    ("get_case", "client: c3", {"client": "c3"}),
    ("store", "town: Graz", {"town": "Graz"}),
    ("close", "count: 9", {"count": 9}),
    ("notify", "client: c9", {"client": "c9"}),
)


def few_in_order() -> tuple[str, Callable[[random.Random], list[Event]]]:
    """5 calls in order; runs of 50 events that pass."""
    text = _HEAD.format(name="few in order") + "".join(_call(target, test) for target, test, _ in _ORDERED)
    return text, lambda source: _planted(source, 50, [(target, sent) for target, _, sent in _ORDERED])


def order_and_group() -> tuple[str, Callable[[random.Random], list[Event]]]:
    """5 calls in order, 8 in any order whose ranges overlap, 5 in order; runs of 200 events that pass."""
    group = [("pay" if i % 2 else "refund", 4000 * i, 4000 * i + 30_000) for i in range(8)]
    text = _HEAD.format(name="order and group")
    text += "".join(_call(target, test) for target, test, _ in _ORDERED)
    text += "".join(_call(target, _range(low, high), _GROUP) for target, low, high in group)
    text += "".join(_call(target, test) for target, test, _ in _AFTER)

    def run(source: random.Random) -> list[Event]:
        sent: list[tuple[str, dict[str, Any]]] = [
            (target, {"cents": source.randrange(low, high)}) for target, low, high in group
        ]
        source.shuffle(sent)
        ends = [[(target, values) for target, _, values in part] for part in (_ORDERED, _AFTER)]
        return _planted(source, 200, [*ends[0], *sent, *ends[1]])

    return text, run


def overlapping_group(size: int = 20, length: int = 500) -> tuple[str, Callable[[random.Random], list[Event]]]:
    """Calls of one tool in any order, half with wide ranges and half with narrow ones inside them: who gives the wide
    ones the first event that fits has none left for the narrow ones. Runs that pass with their last events only."""
    half = size // 2
    wide = [(2500 * i, 2500 * i + 40_000) for i in range(half)]
    narrow = [(6000 * i, 6000 * i + 3000) for i in range(half)]
    text = _HEAD.format(name="overlapping group")
    text += "".join(_call("pay", _range(low, high), _GROUP) for low, high in wide + narrow)

    def run(source: random.Random) -> list[Event]:
        early = [("pay", {"cents": source.randrange(low + 500, low + 2500)}) for low, _ in narrow]
        late = [("pay", {"cents": source.randrange(low, low + 3000)}) for low, _ in wide]
        source.shuffle(early)
        source.shuffle(late)
        return _planted(source, length, [*early, *late])

    return text, run


def failing(run: Callable[[random.Random], list[Event]]) -> Callable[[random.Random], list[Event]]:
    """The same runs without their last call that counts."""

    def shorter(source: random.Random) -> list[Event]:
        return run(source)[:-4]

    return shorter


def _call(target: str, arguments: str, more: str = "") -> str:
    return _CALL.format(target=target, arguments=arguments, more=more)


def _range(low: int, high: int) -> str:
    return f"cents: {{$is: 'integer >= {low} and < {high}'}}"


def _planted(source: random.Random, length: int, sent: Sequence[tuple[str, dict[str, Any]]]) -> list[Event]:
    """Calls and their answers, `sent` among them in this order, the last of them just before the end. No other call has
    arguments that a session looks for."""
    slots = [*sorted(source.sample(range(length // 2 - 2), len(sent) - 1)), length // 2 - 2]
    planted = dict(zip(slots, sent, strict=True))
    events: list[Event] = []
    for slot in range(length // 2):
        target, values = planted.get(slot, (source.choice(TOOLS), {}))
        arguments = {
            "client": f"c{source.randrange(10, 70)}",
            "town": source.choice(_TOWNS[1:4]),
            "cents": source.randrange(100_000, 200_000),
            "coin": source.choice(_COINS[1:]),
            "count": source.randrange(4, 9),
            "trace": f"{source.getrandbits(48):012x}",
            **values,
        }
        line = {"id": f"it-{source.randrange(10**6)}", "cents": source.randrange(900), "note": "as agreed by phone"}
        answer = {"status": source.choice(("ok", "ok", "late")), "lines": [line, line]}
        events.append({"actor": "assistant", "action": "calls", "target": target, "with": arguments})
        events.append({"actor": "tool", "action": "responds", "target": target, "content": answer})
    return events
