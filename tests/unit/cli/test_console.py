"""The report stream: colour, encodings, files, readers that go away."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from abs_compiler.cli.console import Report, note, report
from abs_compiler.cli.failure import CommandError


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "terminal", "env", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color(
    choice: str, terminal: bool, env: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert Report(_Terminal() if terminal else io.StringIO(), "the report", choice).color is expected


def test_a_report_file_takes_any_text(tmp_path: Path) -> None:
    with report(str(tmp_path / "out.txt")) as out:
        out.write("naïve \ud800\n")
    assert (tmp_path / "out.txt").read_bytes() == "naïve \\ud800\n".encode()


@pytest.mark.parametrize("path", ["missing/out.txt", "."])
def test_a_report_file_that_cannot_be_written(path: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot write"), report(str(tmp_path / path)):
        pass


def test_a_narrow_stream_gets_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(raw, encoding="ascii"))
    with report() as out:
        out.write("é\n")
    note("ü")
    assert raw.getvalue() == b"\\xe9\n\\xfc\n"


def test_closed_streams_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    monkeypatch.setattr("sys.stderr", None)
    with report() as out:
        out.write("nobody reads this\n")
        assert out.color is False
    note("nor this")
