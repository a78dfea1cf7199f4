"""Run `absc` as a process of its own, the way a user's shell does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "abs_compiler.cli")

# What a caller's shell may have set and a test must not depend on.
_UNSET = ("ABS_CACHE_DIR", "NO_COLOR", "FORCE_COLOR", "ABSC_DEBUG", "PYTHONWARNINGS", "GITHUB_ACTIONS")


class Outcome(NamedTuple):
    """What a command printed and how it ended."""

    status: int
    stdout: str
    stderr: str


def run_absc(
    arguments: Sequence[str],
    cwd: Path,
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 20,
    prefix: Sequence[str] = (),
) -> Outcome:
    """Run one command line in `cwd`; `prefix` is put before it. A hang raises TimeoutExpired."""
    done = subprocess.run(
        [*prefix, *COMMAND, *arguments],
        cwd=cwd,
        env=environment(env),
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment in which `COMMAND` works from any folder."""
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET and not name.startswith("ABS_VAR_")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}
