"""What a predicate costs: nanoseconds a test, beside the same test written by hand in Python.

    python -m tests.benchmarks.bench_predicates

Each row is one predicate over values that match and values that do not; by hand, a pattern is RE2 too. The numbers
are medians of interleaved rounds; what counts is the ratio. Exit status 1 when the median ratio is above 3.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from typing import Any

from abs_compiler.predicate import lower, parse
from abs_compiler.runtime.patterns import engine
from abs_compiler.runtime.predicates import compile_predicate
from tests.benchmarks.support import interleaved

BAR = 3.0
REPEATS = 50

Test = Callable[[Any], bool]


def _pattern(text: str) -> Any:
    re2 = engine()
    options = re2.Options()
    options.log_errors = False
    return re2.compile(text, options)


ORDER_ID = _pattern(r"^ORD-\d{4,8}$")
WORD = _pattern(r"[A-Z]{3}\d")
ROLES = frozenset(("admin", "editor", "viewer"))


def _is_number(v: Any) -> bool:
    return type(v) is int or type(v) is float


ROWS: list[tuple[str, Test, list[Any], list[Any]]] = [
    ("string", lambda v: isinstance(v, str), ["a", "some text"], [1, None, ["a"]]),
    ("any", lambda v: True, ["a", 1, None, {}], []),
    ('== "paid"', lambda v: v == "paid", ["paid"], ["open", 1, None]),
    ("== 5", lambda v: type(v) is not bool and v == 5, [5, 5.0], [6, "5", True]),
    ("!= 5", lambda v: type(v) is bool or v != 5, [6, "5", True], [5, 5.0]),
    (
        "integer in 1..500",
        lambda v: _is_number(v) and 1 <= v <= 500 and (type(v) is int or v.is_integer()),
        [1, 250, 500, 7.0],
        [0, 501, 2.5, "x", True],
    ),
    ("number > 0", lambda v: _is_number(v) and v > 0, [1, 0.5, 1e9], [0, -1, "1"]),
    ("integer (< 3 or > 5)", lambda v: type(v) is int and (v < 3 or v > 5), [1, 2, 9], [3, 4, 5]),
    ('in ["USD", "EUR"]', lambda v: v == "USD" or v == "EUR", ["USD", "EUR"], ["GBP", 1]),
    (
        'in ["admin", "editor", "viewer", 1, null]',
        lambda v: v is None or (type(v) is str and v in ROLES) or (_is_number(v) and v == 1),
        ["admin", "viewer", 1, None],
        ["guest", 2, True],
    ),
    ("string length in 1..64", lambda v: isinstance(v, str) and 1 <= len(v) <= 64, ["a", "x" * 64], ["", "x" * 65, 1]),
    (
        'string starts with "ORD-" and length <= 12',
        lambda v: isinstance(v, str) and v.startswith("ORD-") and len(v) <= 12,
        ["ORD-1234", "ORD-12345678"],
        ["ord-1", "ORD-123456789", 5],
    ),
    ('string contains "refund"', lambda v: isinstance(v, str) and "refund" in v, ["a refund please"], ["return", 3]),
    (
        r"string matches /^ORD-\d{4,8}$/",
        lambda v: isinstance(v, str) and ORDER_ID.search(v) is not None,
        ["ORD-1234", "ORD-87654321"],
        ["INV-1234", "ORD-12", 5],
    ),
    (
        r"string matches /[A-Z]{3}\d/",
        lambda v: isinstance(v, str) and WORD.search(v) is not None,
        ["see ABC1", "XYZ9"],
        ["abc1", "nothing here", None],
    ),
    (
        "array each string",
        lambda v: isinstance(v, list) and all(isinstance(item, str) for item in v),
        [["a", "b", "c"], []],
        [["a", 1], "a"],
    ),
    (
        'array some == "admin"',
        lambda v: isinstance(v, list) and any(item == "admin" for item in v),
        [["admin"], ["a", "admin", "b"]],
        [["a", "b"], []],
    ),
    (
        'has {status: "open", age: number > 3}',
        lambda v: isinstance(v, dict) and v.get("status") == "open" and _is_number(v.get("age")) and v["age"] > 3,
        [{"status": "open", "age": 4, "x": 1}],
        [{"status": "open", "age": 1}, {"age": 4}, []],
    ),
    (
        'same items as ["a", "b", "b"]',
        lambda v: isinstance(v, list) and sorted(map(str, v)) == ["a", "b", "b"] and all(type(x) is str for x in v),
        [["b", "a", "b"]],
        [["a", "a", "b"], ["a"]],
    ),
    (
        'integer in 0..100 or == "NA"',
        lambda v: v == "NA" or (type(v) is int and 0 <= v <= 100),
        [0, 55, "NA"],
        [101, "N/A", None],
    ),
]


def _over(test: Test, values: list[Any]) -> Callable[[], None]:
    def run() -> None:
        for _ in range(REPEATS):
            for value in values:
                test(value)

    return run


def _agree(compiled: Test, by_hand: Test, values: list[Any], expected: bool) -> None:
    for value in values:
        assert compiled(value) is expected, value
        assert by_hand(value) is expected, value


def measure(rounds: int = 15) -> int:
    """Print the table; the exit status."""
    ratios: list[float] = []
    print(f"{'predicate':44} {'match ns':>9} {'by hand':>8} {'miss ns':>9} {'by hand':>8} {'ratio':>6}")
    for text, by_hand, matching, others in ROWS:
        compiled = compile_predicate(lower(parse(text)), {})
        _agree(compiled, by_hand, matching, True)
        _agree(compiled, by_hand, others, False)
        costs = interleaved(
            {
                "match": _over(compiled, matching),
                "match by hand": _over(by_hand, matching),
                "miss": _over(compiled, others),
                "miss by hand": _over(by_hand, others),
            },
            rounds,
        )
        each = {
            name: cost * 1e9 / REPEATS / max(1, len(matching if name.startswith("match") else others))
            for name, cost in costs.items()
        }
        kinds = ("match", "miss") if others else ("match",)
        ratio = sum(each[kind] for kind in kinds) / sum(each[f"{kind} by hand"] for kind in kinds)
        ratios.append(ratio)
        numbers = "".join(f" {each[name]:{width}.0f}" for name, width in zip(each, (9, 8, 9, 8), strict=True))
        print(f"{text:44}{numbers} {ratio:6.2f}")
    median = statistics.median(ratios)
    print(f"median ratio {median:.2f} (bar {BAR:g}), largest {max(ratios):.2f}")
    return int(median > BAR)


if __name__ == "__main__":
    sys.exit(measure())
