"""The report stream: colour, encodings, files, readers that go away."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from abs_compiler.cli.console import Report, note, refuse_output_over, report
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


def _fail_halfway(path: Path) -> None:
    with report(str(path)) as out:
        out.write("half")
        out.flush()
        raise CommandError("no more")


def test_a_report_file_stays_as_it_was_until_the_report_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")
    path.chmod(0o640)
    with pytest.raises(CommandError, match="no more"):
        _fail_halfway(path)
    assert (path.read_text(), [item.name for item in tmp_path.iterdir()]) == ("before", ["out.txt"])
    with report(str(path)) as out:
        out.write("all of it")
        out.flush()
        assert path.read_text() == "before"
    assert (path.read_text(), [item.name for item in tmp_path.iterdir()]) == ("all of it", ["out.txt"])
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_report_goes_through_links_and_into_devices(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out.txt")
    for place in (tmp_path / "link", Path("/dev/null")):
        with report(str(place)) as out:
            out.write("text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.txt").read_text() == "text"
    assert not Path("/dev/null").is_file()


def test_a_report_never_goes_over_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    (tmp_path / "soft").symlink_to(tmp_path / "a")
    for output in ("a", "hard", "soft", "../" + tmp_path.name + "/a"):
        with pytest.raises(CommandError, match=r"would replace `.*/a`, which this command reads or makes"):
            refuse_output_over(str(tmp_path / output), [tmp_path / "missing", tmp_path / "a"])
    with pytest.raises(CommandError, match="would replace"):
        refuse_output_over(str(tmp_path / "new"), [tmp_path / "new"])
    refuse_output_over(str(tmp_path / "new"), [tmp_path / "a"])
    refuse_output_over(None, [tmp_path / "a"])
    refuse_output_over("/dev/null", ["/dev/null"])


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
