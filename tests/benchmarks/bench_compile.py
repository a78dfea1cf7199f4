"""What compiling costs: a spec of 30 behaviors in a warm process, cold and from the cache.

    python -m tests.benchmarks.bench_compile

Cold is held against reading the same file with PyYAML's `safe_load` (its Python loader, as `yaml.safe_load` is), and a
result from the cache against cold. The C loader of PyYAML is shown beside it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import yaml

import abs_compiler as absc
from tests.benchmarks.specs import run_of, spec_text
from tests.benchmarks.support import Ratio, interleaved, report

BEHAVIORS = 30


def measure(rounds: int = 25) -> list[Ratio]:
    """The ratios."""
    text = spec_text(BEHAVIORS)
    with tempfile.TemporaryDirectory() as place:
        spec = Path(place, "orders.abs.yaml")
        spec.write_text(text, encoding="utf-8")
        kept = os.environ.get("ABS_CACHE_DIR")
        os.environ["ABS_CACHE_DIR"] = str(Path(place, "cache"))
        try:
            (matcher,) = absc.compile_file(spec, cache=True)
            assert matcher.bind({"customer": "C1"}).match(run_of(BEHAVIORS)).status == "passed"
            costs = interleaved(
                {
                    "cold": lambda: absc.compile_file(spec),
                    "cached": lambda: absc.compile_file(spec, cache=True),
                    "safe_load": lambda: yaml.safe_load(spec.read_text(encoding="utf-8")),
                    "c": lambda: yaml.load(spec.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader),
                },
                rounds,
            )
        finally:
            os.environ.pop("ABS_CACHE_DIR")
            if kept is not None:
                os.environ["ABS_CACHE_DIR"] = kept
    return [
        Ratio("compile_file, cold", "yaml.safe_load", costs["cold"], costs["safe_load"], bar=0.5),
        Ratio("compile_file, cached", "compile_file, cold", costs["cached"], costs["cold"], bar=0.1, goal=0.02),
        Ratio("compile_file, cold", "PyYAML's C loader", costs["cold"], costs["c"], bar=float("inf")),
    ]


if __name__ == "__main__":
    sys.exit(report(measure()))
