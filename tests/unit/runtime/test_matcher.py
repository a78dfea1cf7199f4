"""The matcher as Python code uses it: arguments of the wrong kind are refused in plain words."""

from __future__ import annotations

from typing import Any

import pytest

import abs_compiler as absc

SPEC = """\
session: pay once
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: pay}
"""


@pytest.mark.parametrize("values", [5, "a", ["a"], None])
def test_values_that_are_no_mapping(values: Any) -> None:
    (matcher,) = absc.compile_text(SPEC)
    with pytest.raises(absc.BindError, match=f"bind takes a mapping of names to values, not {type(values).__name__}"):
        matcher.bind(values)


def test_a_judge_that_cannot_be_called() -> None:
    (matcher,) = absc.compile_text(SPEC)
    judge: Any = 5
    with pytest.raises(TypeError, match="judge must be a callable, not int"):
        matcher.match([], judge=judge)


def test_a_finished_monitor_takes_no_more_events() -> None:
    (matcher,) = absc.compile_text(SPEC)
    monitor = matcher.monitor()
    monitor.feed({"actor": "assistant", "action": "calls", "target": "pay"})
    assert monitor.finish().status == "passed"
    with pytest.raises(absc.TraceError, match="the monitor is finished: make a new one"):
        monitor.feed({"actor": "user", "action": "says"})
    assert monitor.finish().status == "passed"
