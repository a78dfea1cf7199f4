"""`absc lint` on real files: what mending leaves alone, results from the cache, odd files and folders."""

from __future__ import annotations

import io
import json
import os
import threading
from pathlib import Path

import pytest

from abs_compiler.cli import main
from abs_compiler.lint import one_file

TEXT = 'session: t\nabs_version: "0.2"\nbehaviors:\n  - {actor: user, action: says, capture: {a: no}}\n'
MENDED = TEXT.replace("no}", '"no"}')


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ABS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


def test_permissions_links_and_marks_stay(folder: Path) -> None:
    real = folder / "real.abs.yaml"
    real.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    real.chmod(0o640)
    link = folder / "link.abs.yaml"
    link.symlink_to(real.name)
    assert main(["lint", "--fix", "link.abs.yaml"]) == 0
    assert link.is_symlink()
    assert real.read_bytes() == b"\xef\xbb\xbf" + MENDED.replace("\n", "\r\n").encode()
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in folder.glob("*.part")) == []


def test_a_file_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "a.abs.yaml").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr("abs_compiler.cli.lint_fix.replace_file", full)
    assert main(["lint", "--fix", "--no-cache", "a.abs.yaml"]) == 2
    assert "cannot write `a.abs.yaml`: no space left on device" in capsys.readouterr().err
    assert (folder / "a.abs.yaml").read_text(encoding="utf-8") == TEXT


def test_nothing_is_written_where_nothing_is_mended(folder: Path) -> None:
    path = folder / "a.abs.yaml"
    path.write_text(MENDED, encoding="utf-8")
    before = path.stat().st_mtime_ns
    assert main(["lint", "--fix", "a.abs.yaml"]) == 0
    assert path.stat().st_mtime_ns == before


def test_the_second_time_comes_from_the_cache(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.abs.yaml").write_text(TEXT + "# abs: file-ignore[ABS314] -- reason\n", encoding="utf-8")
    assert main(["lint", "--format", "sarif"]) == 0
    first = capsys.readouterr().out

    def refuse(_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(one_file, "lint_one", refuse)
    assert main(["lint", "--format", "sarif"]) == 0
    assert capsys.readouterr().out == first
    assert "suppressions" in json.loads(first)["runs"][0]["results"][-1]
    assert main(["lint", "--ignore", "ABS102", "--format", "concise"]) == 0
    assert capsys.readouterr().out == ""


def test_a_damaged_result_is_made_anew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.abs.yaml").write_text(TEXT, encoding="utf-8")
    main(["lint", "--format", "concise"])
    first = capsys.readouterr().out
    (entry,) = (folder / "cache").glob("*.entry")
    entry.write_bytes(entry.read_bytes()[:-1])
    main(["lint", "--format", "concise"])
    outcome = capsys.readouterr()
    assert outcome.out == first
    assert "was damaged; it was made anew" in outcome.err


def test_what_is_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.abs.yaml")
    (folder / "a.abs.yaml").write_text(MENDED, encoding="utf-8")
    (folder / "loop").symlink_to("loop")
    assert main(["lint"]) == 0
    assert "linted 1 spec" in capsys.readouterr().err
    assert main(["lint", "dangling.abs.yaml", "--format", "concise"]) == 2
    assert main(["lint", "a\0b"]) == 2
    assert main(["lint", "--config", "none.toml"]) == 2


@pytest.mark.parametrize("target", ["nowhere", "x.abs.yaml"])
def test_a_link_that_leads_nowhere(folder: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    (folder / "a.abs.yaml").write_text(MENDED, encoding="utf-8")
    (folder / "x.abs.yaml").symlink_to(target)
    assert main(["lint", "--format", "concise"]) == 2
    assert "x.abs.yaml: ABS001 cannot read the file" in capsys.readouterr().out


def test_a_file_and_a_link_to_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "real").mkdir()
    (folder / "real" / "x.abs.yaml").write_text(MENDED, encoding="utf-8")
    (folder / "a.abs.yaml").symlink_to("real/x.abs.yaml")
    assert main(["lint", "--format", "concise"]) == 0
    assert {line.partition(":")[0] for line in capsys.readouterr().out.splitlines()} == {"real/x.abs.yaml"}


def test_no_sarif_of_a_run_that_linted_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.abs.yaml").write_text(MENDED, encoding="utf-8")
    (folder / "abs-compiler.toml").write_text("ingore = []\n", encoding="utf-8")
    assert main(["lint", "--format", "sarif", "--output", "absc.sarif"]) == 2
    assert "unknown key `ingore`" in capsys.readouterr().out
    assert not (folder / "absc.sarif").exists()


def test_every_format_of_nothing_to_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.abs.yaml").write_text(MENDED.replace(', capture: {a: "no"}', ""), encoding="utf-8")
    for form in ("full", "concise", "github", "json-lines"):
        assert main(["lint", "--format", form]) == 0
        assert capsys.readouterr().out == ""
    assert main(["lint", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []
    assert main(["lint", "--format", "sarif"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []
    assert main(["lint", "--format", "junit"]) == 0
    assert 'tests="1" failures="0"' in capsys.readouterr().out


def test_one_file_named_in_several_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.abs.yaml").write_text(TEXT, encoding="utf-8")
    assert main(["lint", "a.abs.yaml", "./a.abs.yaml", str(folder / "a.abs.yaml"), "."]) == 0
    assert "linted 1 spec" in capsys.readouterr().err


def test_a_folder_of_which_everything_is_excluded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "drafts").mkdir()
    (folder / "drafts" / "d.abs.yaml").write_text(TEXT, encoding="utf-8")
    (folder / "abs-compiler.toml").write_text('exclude = ["drafts/"]\n', encoding="utf-8")
    assert main(["lint", "drafts"]) == 2
    assert "no spec in `drafts`: `exclude` or `--exclude` leaves out all that are there" in capsys.readouterr().err
    (folder / "empty").mkdir()
    assert main(["lint", "empty"]) == 2
    assert "names of specs end in .abs.yaml" in capsys.readouterr().err


def test_standard_input_that_is_excluded_by_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "abs-compiler.toml").write_text('exclude = ["drafts/"]\n', encoding="utf-8")

    def lint(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
        status = main(["lint", "-", "--stdin-filename", "drafts/d.abs.yaml", "--fail-on", "warning", *arguments])
        return status, capsys.readouterr().out

    assert lint()[0] == 1
    assert lint("--force-exclude") == (0, "")
    assert lint("--force-exclude", "--fix") == (0, TEXT)
    assert lint("--force-exclude", "--diff") == (0, "")


def test_two_dashes_end_the_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "-dash.abs.yaml").write_text(TEXT, encoding="utf-8")
    assert main(["lint", "--fix", "--", "-dash.abs.yaml"]) == 0
    assert (folder / "-dash.abs.yaml").read_text(encoding="utf-8") == MENDED
    assert main(["check", "--", "-dash.abs.yaml"]) == 0
    assert main(["eval", "--", "< 0", "-5", "-x"]) == 2
    assert "-x" in capsys.readouterr().err
    assert main(["lint", "--format", "concise", "--", "--fix"]) == 2
    assert "--fix: ABS001" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are files on POSIX systems only")
def test_pipes_are_read_like_files_and_never_replaced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = folder / "a.abs.yaml"
    os.mkfifo(pipe)

    def lint(*arguments: str) -> int:
        writer = threading.Thread(target=pipe.write_text, args=(TEXT,))
        writer.start()
        status = main(["lint", *arguments, "a.abs.yaml"])
        writer.join()
        return status

    assert lint("--fail-on", "warning") == 1
    assert lint("--fix") == 2
    assert "cannot write `a.abs.yaml`: it is a pipe or a device" in capsys.readouterr().err
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--isolated", "--config", "c.toml"], "`--config` cannot go with it"),
        (["--stdin-filename", "x.abs.yaml", "a.abs.yaml"], "goes with `-`"),
        (["--diff", "--format", "json"], "`--diff` has a format of its own"),
    ],
)
def test_options_that_would_say_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    (folder / "a.abs.yaml").write_text(MENDED, encoding="utf-8")
    assert main(["lint", *options]) == 2
    assert says in capsys.readouterr().err
