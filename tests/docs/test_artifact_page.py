"""`specs/artifact.md` names every field and tag that is decoded, and shows a header as it is written."""

from __future__ import annotations

import re
from pathlib import Path

from abs_compiler.artifact.project import CACHE_FOLDER, CACHE_VARIABLE
from abs_compiler.runtime import artifact, checks, program
from tests.support.artifacts import refund_matcher

PAGE = (Path(__file__).resolve().parents[2] / "specs" / "artifact.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"[A-Za-z_]+", " ".join(re.findall(r"`([^`]+)`", PAGE))))


def test_every_field_is_there() -> None:
    fields = {
        *artifact._FIELDS,
        *artifact._OPTION_FIELDS,
        *program._PROGRAM_KEYS,
        *program._MATCH_KEYS,
        *program._BEHAVIOR_KEYS,
        *checks._COMMON,
        *checks._FIELDS,
        *(field for names in checks._FIELDS.values() for field in names),
    }
    assert fields - WORDS == set()


def test_the_header_is_as_written() -> None:
    (example,) = re.findall(r"^    (absc-artifact .*)$", PAGE, re.MULTILINE)
    written = refund_matcher().to_bytes().decode().splitlines()[0]
    kinds = [re.sub(r"[0-9a-f]{64}", "SUM", line).split(" ") for line in (example, written)]
    assert kinds[0][:2] == kinds[1][:2]
    assert kinds[0][3] == kinds[1][3] == "SUM"
    assert "of the format: a decimal" in PAGE
    assert f"{artifact.MAX_BYTES // 1024 // 1024} MiB" in PAGE


def test_the_cache_is_where_it_says() -> None:
    assert f"`{CACHE_VARIABLE}`" in PAGE
    assert f"`{CACHE_FOLDER}`" in PAGE
