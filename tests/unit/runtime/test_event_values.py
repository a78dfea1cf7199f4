"""Events made in memory may hold what is not JSON: that is an error which says where, and never a strange verdict."""

from __future__ import annotations

import datetime as dt
import decimal
from collections import OrderedDict
from typing import Any

import pytest

import abs_compiler as absc
from abs_compiler import TraceError

HEAD = 'session: s\nabs_version: "0.2"\nbehaviors:\n'
CALL = HEAD + "  - {actor: assistant, action: calls, target: t, with: {a: %s}}\n"
CYCLE: list[Any] = []
CYCLE.append(CYCLE)


def matcher(text: str) -> Any:
    (found,) = absc.compile_text(text)
    return found


def call(value: Any, key: Any = "a") -> dict[str, Any]:
    return {"actor": "assistant", "action": "calls", "target": "t", "with": {key: value}}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "`with.a` is nan, which is no number in JSON"),
        (float("-inf"), "`with.a` is -inf, which is no number in JSON"),
        ({1}, "`with.a` is of the type set, which JSON does not have; make it a list"),
        ((1, 2), "`with.a` is of the type tuple, which JSON does not have; make it a list"),
        (b"x", "`with.a` is of the type bytes, which JSON does not have"),
        (object(), "`with.a` is of the type object, which JSON does not have"),
        (decimal.Decimal(1), "`with.a` is of the type Decimal, which JSON does not have"),
        (dt.date(2026, 1, 1), "`with.a` is of the type date, which JSON does not have"),
        (OrderedDict(x=1), "`with.a` is of the type OrderedDict, which JSON does not have"),
        ({1: "x"}, "`with.a` has a key of the type int; keys are texts in JSON"),
        ({"b": [0, {"c d": float("nan")}]}, '`with.a.b[1]["c d"]` is nan, which is no number in JSON'),
    ],
)
@pytest.mark.parametrize(
    "wanted",
    [
        "5", "[1, 2]", "{b: 1}", "{$is: '> 5'}", "{$is: '< 5'}", "{$is: 'not == 5'}", "{$is: 'not string'}",
        "{$is: 'number and not == 5'}", "{$is: 'number'}", "{$is: 'not in 1..3 and not == 7'}",
        "{$is: 'array each integer'}",
        "{$is: 'in [1, \"a\"]'}", "{$is: 'has {b: string}'}", "{$is: 'length > 3'}", "{$is: 'not == {{v}}'}",
        "{$is: '> {{n}}'}", "{$is: '< {{n}}'}", "'{{v}}'",
    ],
)  # fmt: skip
def test_what_is_not_json_is_an_error_that_says_where(wanted: str, value: Any, said: str) -> None:
    one = matcher(CALL % wanted)
    if one.parameters:
        one = one.bind({name: 0 if name == "n" else "x" for name in one.parameters})
    if value.__class__ is dict and "not" in wanted:
        return  # that no part of it is looked at makes it no other mapping
    events = [{"actor": "user", "action": "asks", "content": "x"}, call(value)]
    with pytest.raises(TraceError) as caught:
        one.match(events)
    assert str(caught.value) == f"events[1]: {said}"
    monitor = one.monitor()
    for event in events:
        monitor.feed(event)
    with pytest.raises(TraceError) as caught:
        monitor.finish()
    assert str(caught.value) == f"events[1]: {said}"


def test_what_nothing_looks_at_is_not_asked_for() -> None:
    one = matcher(CALL % "5")
    strange = {"actor": "tool", "action": "responds", "target": "u", "content": {1, 2}}
    assert one.match([strange, call(5)]).status == "passed"
    assert one.match([{**call(5), "with": {"a": 5, 1: float("nan")}}]).status == "passed"
    assert one.match([strange, call(6)]).status == "failed"
    with pytest.raises(TraceError, match=r"events\[1\]: `with\.a` is nan"):
        one.match([strange, call(float("nan"))])
    checked = matcher(CALL % "5" + "evaluations:\n  - {type: never, match: {actor: user, action: asks}}\n")
    with pytest.raises(TraceError, match=r"events\[0\]: `content` is of the type set"):
        checked.match([strange, call(6)])
    with pytest.raises(TraceError, match=r"events\[0\]: `with` is of the type tuple"):
        one.match([{**call(6), "with": (1, 2)}])


def test_whatever_evaluations_make_of_it() -> None:
    text = HEAD + "  - actor: assistant\n    action: responds\n    evaluations:\n      - EVALUATION\n"
    for evaluation in (
        "{type: contains, value: x}", "{type: schema, schema: {type: string}}",
        "{type: none_of, evaluations: [{type: regex, pattern: x}]}",
    ):  # fmt: skip
        one = matcher(text.replace("EVALUATION", evaluation))
        for value in ({1, 2}, object(), {"a": {1}}):
            event = {"actor": "assistant", "action": "responds", "content": value}
            said = "passed"
            try:
                said = one.match([event]).status
            except TraceError as error:
                said = str(error)
            assert said == "passed" or said.startswith("events[0]: `content")


def test_deep_and_cyclic_values_end() -> None:
    one = matcher(CALL % "5")
    deep: Any = float("nan")
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(TraceError, match=r"events\[0\]: `with\.a(\[0\]){11} and deeper` is nan"):
        one.match([call(deep)])
    assert one.match([call(CYCLE)]).status == "failed"
    shared = [[1, "x", None, True, 2.5, {"k": []}]] * 1000
    assert one.match([call(shared)]).status == "failed"


def test_a_mistake_of_the_runtime_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    one = matcher(CALL % "5")

    def broken(*_: Any) -> Any:
        raise TypeError("broken")

    monkeypatch.setattr("abs_compiler.runtime.matcher.decide", broken)
    with pytest.raises(TypeError, match="broken"):
        one.match([call(5)])
    with pytest.raises(TraceError, match="nan"):
        one.match([call(float("nan"))])
