"""The validators start as quickly as the runtime: what importing and using them loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = ("attr", "attrs", "dataclasses", "jsonschema", "lark", "re2", "rich", "typing", "yaml")
PROGRAM = """
import sys
from abs_compiler.validators import evaluate_tool_calls, to_abs, assert_tool_calls
expected = [{"toolName": "t", "arguments": {"x": "string"}}]
assert evaluate_tool_calls(expected, [{"toolName": "t", "arguments": {"x": "a"}}])
assert not evaluate_tool_calls([{"toolName": "t", "arguments": {"x": 1}}], [{"toolName": "t"}]).to_dict()["passed"]
print(*sorted(sys.modules))
"""


def test_no_heavy_module_is_loaded() -> None:
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-S", "-c", PROGRAM], cwd=root, capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert not loaded.intersection(HEAVY)
    ours = {".".join(name.split(".")[:2]) for name in run.stdout.split() if name.startswith("abs_compiler")}
    assert ours == {"abs_compiler", "abs_compiler.runtime", "abs_compiler.validators"}
