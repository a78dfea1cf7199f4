"""Expected calls, compiled once for many runs: `compile_expected(expected, options).evaluate(actual)`."""

from __future__ import annotations

from abs_compiler.runtime.argument_tables import argument_masks, screen
from abs_compiler.runtime.pairing import pair, pair_in_order, size

from .actual import certain, read_calls
from .errors import hidden_in_tests
from .expectation import read_expectations
from .options import options_of
from .result import ToolCallMatchResult
from .values import SCALARS

__tracebackhide__ = hidden_in_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from abs_compiler.runtime.pairing import Pairing
    from abs_compiler.runtime.templates import ResolvedArguments

    from .actual import Calls
    from .calls import ToolCall
    from .options import Layer, MatchOptions

    Test = tuple[Callable[[Any], int], str | None, frozenset[Any] | None]


class ExpectedCalls:
    """A list of expected calls (`calls`) under match options. Immutable; one object may be used by many threads."""

    __slots__ = ("_tests", "calls", "expectations", "options")

    def __init__(self, expected: Any, options: MatchOptions) -> None:
        self.options = options
        self.expectations = tuple(read_expectations(expected, options.argument_matching))
        self.calls: tuple[ToolCall, ...] = tuple(item.call for item in self.expectations)
        self._tests = self._compile()

    def evaluate(self, actual: Any) -> ToolCallMatchResult:
        """The result of matching a run: a list of calls, or anything the trace readers understand."""
        calls = read_calls(actual)
        if self.options.is_negative_test:
            return ToolCallMatchResult(self, calls, [], certain(not calls.names, calls.doubt))
        pairing = self._pair(self._masks_of(calls))
        passed = self._passes(pairing, len(calls))
        if self.options.max_extra_tool_calls is not None or self.options.tool_call_order == "positional":
            certain(passed, calls.doubt)
        return ToolCallMatchResult(self, calls, pairing, passed)

    def to_abs(self, session: str = "expected tool calls") -> str:
        """The ABS session, as YAML: see the function `to_abs`. ValidatorValueError where there is none."""
        from .abs_text import abs_text

        return abs_text(self, session)

    def __len__(self) -> int:
        return len(self.expectations)

    def __repr__(self) -> str:
        return f"<ExpectedCalls {len(self)} {self.options!r}>"

    def _compile(self) -> dict[str, Test]:
        """For every name: a function from arguments to the expectations that a call of that name satisfies, and an
        argument with the values that any of them needs it to have (or None twice)."""
        bits: dict[str, int] = {}
        constraints: dict[str, dict[Any, tuple[int, ResolvedArguments]]] = {}
        for index, item in enumerate(self.expectations):
            name, bit = item.call.tool_name, 1 << index
            bits[name] = bits.get(name, 0) | bit
            alike = constraints.setdefault(name, {})
            if item.constraint is not None:
                known = alike.get(item.constraint.key)
                alike[item.constraint.key] = ((known[0] if known else 0) | bit, item.constraint)
        tests: dict[str, Test] = {}
        for name, full in bits.items():
            alike_ones = tuple(constraints[name].values())
            tests[name] = (argument_masks(full, alike_ones), *(screen(full, alike_ones) or (None, None)))
        return tests

    def _masks_of(self, calls: Calls) -> list[int]:
        """For every call the expectations it satisfies, as bits."""
        masks: list[int] = []
        add = masks.append
        test_of = self._tests.get
        for name, arguments in zip(calls.names, calls.arguments, strict=True):
            test = test_of(name)
            if test is None:
                add(0)
                continue
            mask, key, values = test
            if values is not None and arguments.__class__ is dict:
                value = arguments.get(key)
                if value.__class__ in SCALARS and value not in values:  # this spares most calls the look-up
                    add(0)
                    continue
            add(mask(arguments))
        return masks

    def _pair(self, masks: list[int]) -> Pairing:
        count = len(self.expectations)
        match self.options.tool_call_order:
            case "positional":
                rows = range(len(masks))
                return [index if index in rows and masks[index] >> index & 1 else None for index in range(count)]
            case "superset":
                return pair_in_order(masks, count)
            case "strict":
                in_order = pair_in_order(masks, count)
                if None not in in_order:
                    return in_order
                largest = pair(masks, count)
                return in_order if size(in_order) == size(largest) else largest
            case _:
                return pair(masks, count)

    def _passes(self, pairing: Pairing, actual: int) -> bool:
        if not actual or None in pairing:
            return False
        limit = self.options.max_extra_tool_calls
        if limit is not None and actual - len(pairing) > limit:
            return False
        return self.options.tool_call_order == "ignore" or pairing == sorted(row for row in pairing if row is not None)


def compile_expected(expected: Any, options: Layer = None, **keywords: Any) -> ExpectedCalls:
    """Expected calls, ready to be matched with many runs. Options as in `evaluate_tool_calls`."""
    return ExpectedCalls(expected, options_of(options, keywords))
