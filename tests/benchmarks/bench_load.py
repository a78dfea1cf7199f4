"""What starting costs: loading an artifact, and a process that loads one and matches.

    python -m tests.benchmarks.bench_load

Loading is held against `json.loads` of the same bytes, a process against an interpreter that does nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import abs_compiler as absc
from abs_compiler.runtime.artifact import load
from tests.benchmarks.specs import run_of, spec_text
from tests.benchmarks.support import Ratio, interleaved, interleaved_processes, report

BEHAVIORS = 30

_MATCH = """
from abs_compiler.runtime.artifact import load
(matcher,) = load("orders.absc")
event = {"actor": "assistant", "action": "calls", "target": "get_order_0", "with": {}}
assert matcher.match([event]).status == "failed"
"""
_COMMAND = """
import sys
from abs_compiler.cli import main
sys.exit(main(["match", "small.abs.yaml", "run.json", "--output", "report.txt"]))
"""
_SMALL = 'session: small\nabs_version: "0.2"\nbehaviors:\n  - {actor: user, action: asks}\n'


def measure_load(rounds: int = 25) -> list[Ratio]:
    """Loading, in a warm process."""
    (matcher,) = absc.compile_text(spec_text(BEHAVIORS))
    data = matcher.to_bytes()
    payload = data.partition(b"\n")[2]
    costs = interleaved({"load": lambda: load(data), "json": lambda: json.loads(payload)}, rounds)
    return [Ratio("load an artifact of 30 behaviors", "json.loads", costs["load"], costs["json"], bar=3)]


def measure_start(rounds: int = 15) -> list[Ratio]:
    """Processes from start to end."""
    (matcher,) = absc.compile_text(spec_text(BEHAVIORS))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "orders.absc").write_bytes(matcher.bind({"customer": "C1"}).to_bytes())
        (folder / "small.abs.yaml").write_text(_SMALL, encoding="utf-8")
        (folder / "run.json").write_text(json.dumps(run_of(3)), encoding="utf-8")
        costs = interleaved_processes(
            {
                "bare": ["-c", "pass"],
                "json": ["-c", "import json, hashlib"],
                "match": ["-c", _MATCH],
                "command": ["-c", _COMMAND],
            },
            folder,
            rounds,
        )
    return [
        Ratio("import the runtime, load, match", "an interpreter", costs["match"], costs["bare"], bar=4, goal=2.5),
        Ratio("import json and hashlib alone", "an interpreter", costs["json"], costs["bare"], bar=float("inf")),
        Ratio("absc match, cached", "an interpreter", costs["command"], costs["bare"], bar=float("inf")),
    ]


if __name__ == "__main__":
    sys.exit(report([*measure_load(), *measure_start()]))
