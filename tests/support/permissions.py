"""Files that may not be read, also for tests that run as root."""

from __future__ import annotations

import os
import sys

import pytest

# Where root cannot be held to the mode of a file, it makes no sense to test what the mode forbids.
needs_file_modes = pytest.mark.skipif(
    os.name != "posix" or (os.geteuid() == 0 and not sys.platform.startswith("linux")),
    reason="this user may read every file whatever its mode",
)

# Gives up the two capabilities by which root overrides file modes, then becomes the command in its arguments.
_DROP = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
prctl = ctypes.CDLL(None).prctl
assert all(prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0 for each in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH))
os.execv(sys.argv[1], sys.argv[1:])
"""


def obeying_file_modes() -> tuple[str, ...]:
    """What to put before a command so that file modes hold for it."""
    return () if os.geteuid() != 0 else (sys.executable, "-c", _DROP)
