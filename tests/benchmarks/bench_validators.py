"""What the tool-call validators cost, beside a plain greedy loop in Python.

    python -m tests.benchmarks.bench_validators

The loop is what one would write by hand: for every expected call the first unused call of its name whose arguments
are equal, by a small function that compares JSON values by type (`==` takes 1, 1.0 and True for the same; a loop with
it is measured too). It takes the first call that fits, so it is wrong where another expectation needs that call; in
these workloads it is not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from abs_compiler.validators import compile_expected, evaluate_tool_calls
from tests.benchmarks.support import Ratio, interleaved, report

NO_BAR = float("inf")
BAR = 0.2

Call = dict[str, Any]
Equal = Callable[[Any, Any], bool]


def json_equal(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(json_equal, left, right))
    return bool(left == right)


def bare_equal(left: Any, right: Any) -> bool:
    return bool(left == right)


def plain_loop(expected: list[Call], actual: list[Call], matching: str, equal: Equal) -> bool:
    used: set[int] = set()
    missing = []
    for wanted in expected:
        for index, call in enumerate(actual):
            if index in used or call["toolName"] != wanted["toolName"]:
                continue
            arguments, values = call["arguments"], wanted["arguments"]
            if matching == "exact":
                found = equal(values, arguments)
            else:
                found = all(key in arguments and equal(value, arguments[key]) for key, value in values.items())
            if found:
                used.add(index)
                break
        else:
            missing.append(wanted)
    return not missing


def workload(expected: int, actual: int, names: int) -> tuple[list[Call], list[Call]]:
    """Calls with three arguments each; the expected ones are some of them, in another order."""
    random = Random(expected * actual + names)
    calls = [
        {
            "toolName": f"tool_{random.randrange(names)}",
            "arguments": {
                "order_id": f"ORD-{random.randrange(10_000):05}",
                "quantity": random.randrange(1, 50),
                "kind": random.choice(["new", "used", "refurbished"]),
            },
        }
        for _ in range(actual)
    ]
    return [{**call, "arguments": dict(call["arguments"])} for call in random.sample(calls, expected)], calls


def overlapping(expected: int, actual: int) -> tuple[list[Call], list[Call]]:
    """General expectations before special ones, so that taking the first call that fits goes wrong at every step."""
    random = Random(expected)
    wanted: list[Call] = [{"toolName": "t", "arguments": {"kind": "string"}} for _ in range(expected // 2)]
    wanted += [{"toolName": "t", "arguments": {"kind": "string", "n": n}} for n in range(expected - len(wanted))]
    calls = [{"toolName": "t", "arguments": {"kind": "x", "n": n % expected}} for n in range(actual)]
    random.shuffle(calls)
    return wanted, calls


def measure(expected: int, actual: int, names: int, bar: float, rounds: int = 25) -> list[Ratio]:
    """A compiled and a one-off match, as multiples of the loop."""
    wanted, calls = workload(expected, actual, names)
    ratios = []
    for matching in ("partial", "exact"):
        compiled = compile_expected(wanted, argument_matching=matching)
        assert compiled.evaluate(calls).passed
        assert plain_loop(wanted, calls, matching, json_equal)
        costs = interleaved(
            {
                "loop": partial(plain_loop, wanted, calls, matching, json_equal),
                "bare": partial(plain_loop, wanted, calls, matching, bare_equal),
                "compiled": partial(compiled.evaluate, calls),
                "one-off": partial(evaluate_tool_calls, wanted, calls, argument_matching=matching),
                "result": lambda compiled=compiled: compiled.evaluate(calls).to_dict(),
                "compile": partial(compile_expected, wanted, argument_matching=matching),
            },
            rounds,
        )
        name = f"{expected} of {actual}, {names} name{'s' * (names > 1)}, {matching}"
        ratios += [
            Ratio(f"{name}: compiled", "the loop", costs["compiled"], costs["loop"], bar=bar),
            Ratio("  compiled", "the loop with bare ==", costs["compiled"], costs["bare"], bar=NO_BAR),
            Ratio("  compiled, with to_dict()", "the loop", costs["result"], costs["loop"], bar=NO_BAR),
            Ratio("  one-off", "the loop", costs["one-off"], costs["loop"], bar=NO_BAR),
            Ratio("  compiling alone", "the loop", costs["compile"], costs["loop"], bar=NO_BAR),
        ]
    return ratios


def measure_growth(rounds: int = 9) -> list[Ratio]:
    """Twice the expected calls on twice the calls, which are four times the pairs."""
    ratios = []
    for title, make in (("distinct", partial(workload, names=1)), ("overlapping", overlapping)):
        for order in ("ignore", "strict"):
            tasks = {}
            for count in (50, 100, 200, 400):
                wanted, calls = make(count, 10 * count)
                tasks[str(count)] = partial(compile_expected(wanted, tool_call_order=order).evaluate, calls)
            costs = interleaved(tasks, rounds)
            for less, more in (("50", "100"), ("100", "200"), ("200", "400")):
                name = f"{title}, {order}: {more} of {more}0"
                ratios.append(Ratio(name, f"{less} of {less}0", costs[more], costs[less], bar=5))
    return ratios


if __name__ == "__main__":
    sys.exit(
        report(
            [
                *measure(5, 20, 3, NO_BAR),
                *measure(50, 500, 10, NO_BAR),
                *measure(50, 500, 1, BAR),
                *measure_growth(),
            ]
        )
    )
