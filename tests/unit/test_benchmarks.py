"""The benchmarks run and say what they measured; whether a bar holds is for their reader, not for a test."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.benchmarks import bench_compile, bench_load, bench_match
from tests.benchmarks.support import Ratio

MEASURES = {
    "compile": lambda: bench_compile.measure(rounds=1),
    "match": lambda: bench_match.measure(rounds=1),
    "load": lambda: bench_load.measure_load(rounds=1),
    "start": lambda: bench_load.measure_start(rounds=1),
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())
def test_each_ratio_is_measured_against_its_floor(measure: Callable[[], list[Ratio]]) -> None:
    ratios = measure()
    assert ratios
    for ratio in ratios:
        assert math.isfinite(ratio.value)
        assert ratio.value > 0
        assert str(ratio)
