"""Matchers travel to other processes: with their values, options and name, and shared by many threads' pools."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import pytest

from abs_compiler.runtime import Matcher, load_programs
from abs_compiler.runtime.artifact import load
from tests.support.artifacts import REFUND, REFUND_RUN, refund_matcher


def report(matcher: Matcher, events: list[dict[str, Any]]) -> dict[str, Any]:
    return matcher.match(events).to_dict()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_and_back(protocol: int) -> None:
    matcher = refund_matcher().bind(REFUND)
    back = pickle.loads(pickle.dumps(matcher, protocol))  # noqa: S301 - bytes made on this very line
    assert report(back, REFUND_RUN) == report(matcher, REFUND_RUN)
    assert back.to_bytes() == matcher.to_bytes()
    assert back.path == matcher.path


def test_copied() -> None:
    matcher = refund_matcher().bind(REFUND)
    for back in (copy.copy(matcher), copy.deepcopy([matcher])[0]):
        assert report(back, REFUND_RUN) == report(matcher, REFUND_RUN)


def test_the_pickle_holds_the_artifact_and_nothing_to_run_but_the_loader() -> None:
    matcher = refund_matcher().bind(REFUND)
    function, arguments = matcher.__reduce__()
    assert function.__module__ == "abs_compiler.runtime.artifact"
    assert arguments == (matcher.to_bytes(), matcher.path)


def test_in_worker_processes() -> None:
    matcher = refund_matcher().bind(REFUND)
    runs = [REFUND_RUN[:length] for length in range(len(REFUND_RUN) + 1)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        reports = pool.starmap(report, [(matcher, run) for run in runs])
    assert reports == [report(matcher, run) for run in runs]


def test_options_are_kept() -> None:
    options: dict[str, Any] = {
        "observe": "tools",
        "targets": {"Orders": ("other",), "refund": ("pay*", "x")},
        "ignore": ("noise", "noise/*"),
        "allow_empty": True,
        "budget": 3,
    }
    (matcher,) = load_programs([refund_matcher().program], **options)
    (back,) = load(matcher.to_bytes())
    kept = back._options
    assert {name: getattr(kept, name) for name in options} == options
    assert back.to_bytes() == matcher.to_bytes()
    assert back.bind(REFUND).match(REFUND_RUN).status == matcher.bind(REFUND).match(REFUND_RUN).status


@pytest.mark.parametrize("budget", [0, -7, 1 << 80])
def test_a_budget_without_meaning_becomes_one_that_has_one(budget: int) -> None:
    (matcher,) = load_programs([refund_matcher().program], budget=budget)
    (back,) = load(matcher.to_bytes())
    assert back.bind(REFUND).match(REFUND_RUN).status == "passed"


def test_values_of_every_kind_are_kept() -> None:
    items = [None, True, 0.5, 10**30, 1.0, 1, {"": "\ud800 \u2028"}]
    values = {"cases.id": items, "cases.phrase": 1e300}
    (back,) = load(refund_matcher().bind(values).to_bytes())
    assert back._bindings == values
    assert [type(item) for item in back._bindings["cases.id"]] == [type(item) for item in items]


def test_later_values_win_over_kept_ones() -> None:
    (back,) = load(refund_matcher().bind({**REFUND, "cases.id": "other"}).to_bytes())
    assert back.match(REFUND_RUN).status == "failed"
    assert back.bind({"cases.id": "R1"}).match(REFUND_RUN).status == "passed"
