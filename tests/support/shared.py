"""Recorded data that lives beside the repository, in `../shared`; tests reach it only through here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[3] / "shared"


def shared_root() -> Path | None:
    """The folder of recorded data beside the repository, or None where this checkout has none."""
    return _ROOT if (_ROOT / "data").is_dir() else None


# Without the data a marked test is skipped, except on CI: there the data must exist, so the test runs and fails.
needs_shared = pytest.mark.skipif(
    shared_root() is None and not os.environ.get("CI"),
    reason="no recorded data beside the repository (../shared)",
)
