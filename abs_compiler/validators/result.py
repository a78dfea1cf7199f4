"""The result of matching a run with expected calls: the verdict at once, the lists of findings on demand."""

from __future__ import annotations

from abs_compiler.runtime.mismatch import Mismatch, argument_mismatches

from .calls import plain_arguments
from .nearest import LeftOver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from abs_compiler.runtime.pairing import Pairing

    from .actual import Calls
    from .calls import ToolCall
    from .expectation import Expectation
    from .expected import ExpectedCalls
    from .options import MatchOptions


class OutOfOrderToolCall:
    """A matched call that came before one it was expected after: its name and where it was expected and seen."""

    __slots__ = ("actual_index", "expected_index", "tool_name")

    def __init__(self, tool_name: str, expected_index: int, actual_index: int) -> None:
        self.tool_name = tool_name
        self.expected_index = expected_index
        self.actual_index = actual_index

    def to_dict(self) -> dict[str, Any]:
        return {
            "toolName": self.tool_name,
            "expectedIndex": self.expected_index,
            "actualIndex": self.actual_index,
        }

    def __repr__(self) -> str:
        return f"<OutOfOrderToolCall {self.tool_name!r} expected[{self.expected_index}] = actual[{self.actual_index}]>"


class ArgumentMismatch:
    """An expected call and the call of its name that comes nearest to it."""

    __slots__ = ("_constraint", "actual_args", "actual_index", "expected_args", "expected_index", "tool_name")

    def __init__(self, expected: Expectation, arguments: Any, expected_index: int, actual_index: int) -> None:
        self.tool_name = expected.call.tool_name
        self.expected_args: dict[str, Any] = plain_arguments(expected.call.arguments or {})
        self.actual_args: Any = {} if arguments is None else arguments
        self.expected_index = expected_index
        self.actual_index = actual_index
        self._constraint = expected.constraint

    @property
    def differences(self) -> tuple[Mismatch, ...]:
        """The places that differ, the first 20: each has a `path` (`arguments.items[0].id`), and `expected` and
        `observed` as texts."""
        if self._constraint is None:
            return ()
        return tuple(
            Mismatch("arguments" + difference.path.removeprefix("with"), difference.expected, difference.observed)
            for difference in argument_mismatches(self._constraint, self.actual_args)
        )

    def to_dict(self) -> dict[str, Any]:
        return {"toolName": self.tool_name, "expectedArgs": self.expected_args, "actualArgs": self.actual_args}

    def __repr__(self) -> str:
        return f"<ArgumentMismatch {self.tool_name!r} expected[{self.expected_index}] = actual[{self.actual_index}]>"


class Findings:
    """What the lists hold, as indices: expected calls that are missing, actual ones that are extra, pairs of both."""

    __slots__ = ("displaced", "extra", "mismatched", "missing", "out_of_order")

    def __init__(self) -> None:
        self.missing: list[int] = []
        self.extra: list[int] = []
        self.mismatched: dict[int, int] = {}
        self.out_of_order: list[tuple[int, int]] = []
        self.displaced: dict[int, int] = {}  # missing ones whose call was there, out of its place


class ToolCallMatchResult:
    """The result of a match. `bool(result)` is `result.passed`.

    `missing` are expected calls that no call matched, `extra` calls beyond the expected ones, `out_of_order` matched
    calls in the wrong order (`strict` only), `argument_mismatches` calls of the right name with other arguments.
    `pairs` are the indices (expected, actual) of the calls that match."""

    __slots__ = ("_actual", "_calls", "_expected", "_findings", "_pairing", "passed")

    def __init__(self, expected: ExpectedCalls, calls: Calls, pairing: Pairing, passed: bool) -> None:
        self.passed = passed
        self._expected = expected
        self._calls = calls
        self._pairing = pairing
        self._findings: Findings | None = None
        self._actual: tuple[ToolCall, ...] | None = None

    def __bool__(self) -> bool:
        return self.passed

    @property
    def options(self) -> MatchOptions:
        """The options of the match."""
        return self._expected.options

    @property
    def expected(self) -> tuple[ToolCall, ...]:
        """The expected calls."""
        return self._expected.calls

    @property
    def actual(self) -> tuple[ToolCall, ...]:
        """The calls of the run."""
        if self._actual is None:
            self._actual = tuple(self._calls.call(index) for index in range(len(self._calls)))
        return self._actual

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple((item, row) for item, row in enumerate(self._pairing) if row is not None)

    @property
    def missing(self) -> tuple[ToolCall, ...]:
        return tuple(self._expected.expectations[item].call for item in self.findings.missing)

    @property
    def extra(self) -> tuple[ToolCall, ...]:
        return tuple(self._calls.call(row) for row in self.findings.extra)

    @property
    def out_of_order(self) -> tuple[OutOfOrderToolCall, ...]:
        names = self._calls.names
        return tuple(OutOfOrderToolCall(names[row], item, row) for item, row in self.findings.out_of_order)

    @property
    def argument_mismatches(self) -> tuple[ArgumentMismatch, ...]:
        return tuple(self.mismatch(item) for item in self.findings.mismatched)

    @property
    def findings(self) -> Findings:
        """The indices behind the lists."""
        if self._findings is None:
            self._findings = self._find()
        return self._findings

    def mismatch(self, item: int) -> ArgumentMismatch:
        """The mismatch of the expected call with this index, one of `findings.mismatched`."""
        row = self.findings.mismatched[item]
        return ArgumentMismatch(self._expected.expectations[item], self._calls.arguments[row], item, row)

    def to_dict(self) -> dict[str, Any]:
        """The result as an object in camelCase: passed, missing, extra, outOfOrder, argumentMismatches."""
        return {
            "passed": self.passed,
            "missing": [call.to_dict() for call in self.missing],
            "extra": [self._calls.to_dict(row) for row in self.findings.extra],
            "outOfOrder": [row.to_dict() for row in self.out_of_order],
            "argumentMismatches": [row.to_dict() for row in self.argument_mismatches],
        }

    def explain(self) -> str:
        """The result as a text: what was expected, what was there, and where they differ."""
        from .explain import explain

        return explain(self)

    def __repr__(self) -> str:
        from .explain import first_reason

        return f"<ToolCallMatchResult {'passed' if self.passed else f'failed: {first_reason(self)}'}>"

    def _find(self) -> Findings:
        found = Findings()
        taken = {row for row in self._pairing if row is not None}
        unpaired = [item for item, row in enumerate(self._pairing) if row is None]
        if unpaired:
            if self.options.tool_call_order == "positional":
                self._compare_places(found, unpaired)
            else:
                self._compare_nearest(found, unpaired, taken)
            taken.update(found.mismatched.values())
        found.extra = [row for row in range(len(self._calls)) if row not in taken]
        if self.options.tool_call_order == "strict":
            highest = -1
            for item, row in sorted((*self.pairs, *found.mismatched.items())):
                if row < highest:
                    found.out_of_order.append((item, row))
                highest = max(highest, row)
        return found

    def _compare_places(self, found: Findings, unpaired: list[int]) -> None:
        names = self._calls.names
        for item in unpaired:
            if item < len(names) and names[item] == self._expected.expectations[item].call.tool_name:
                found.mismatched[item] = item
            else:
                found.missing.append(item)

    def _compare_nearest(self, found: Findings, unpaired: list[int], taken: set[int]) -> None:
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(self._calls.names):
            if row not in taken:
                rows.setdefault(name, []).append(row)
        left = {name: LeftOver(own, self._calls.arguments) for name, own in rows.items()}
        for item in unpaired:
            expectation = self._expected.expectations[item]
            calls = left.get(expectation.call.tool_name)
            nearest = calls.take_nearest(expectation) if calls is not None else None
            if nearest is None:
                found.missing.append(item)
                continue
            differing, row = nearest
            if differing:
                found.mismatched[item] = row
            else:  # a call that fits, only not where it could be taken: both stay what they are
                found.missing.append(item)
                found.displaced[item] = row
