"""Input that is no spec and no recorded run: one clear message, the right exit status, no traceback, no hang."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.absc import COMMAND, ROOT, Outcome, environment, run_absc
from tests.support.permissions import needs_file_modes, obeying_file_modes

EXAMPLES = ROOT / "specs" / "examples"
GOOD_SPEC = (EXAMPLES / "no-refund.abs.yaml").read_bytes()
SECONDS = 15  # a loose bound for a loaded machine: alone, each of these takes a second or two at most

ALIAS_BOMB = b"a0: &a0 [x, x, x, x, x, x, x, x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (level, level, b", ".join([b"*a%d" % (level - 1)] * 9)) for level in range(1, 12)
)

BAD_SPECS = {
    "empty": (b"", 1, "ABS011"),
    "blank": (b"\n  \n# nothing\n", 1, "ABS011"),
    "binary": (bytes(range(256)) * 20, 2, "ABS002"),
    "utf-16": (GOOD_SPEC.decode().encode("utf-16"), 2, "ABS002"),
    "utf-16 without mark": (GOOD_SPEC.decode().encode("utf-16-le"), 2, "ABS002"),
    "utf-32": (GOOD_SPEC.decode().encode("utf-32"), 2, "ABS002"),
    "latin-1": ("session: é\n".encode("latin-1"), 2, "ABS002"),
    "ten megabytes": (b"session: x\nbehaviors: [" + b"a, " * 3_500_000 + b"]\n", 2, "ABS003"),
    "deep list": (b"[" * 100_000, 1, "ABS006"),
    "deep block list": (b"- " * 100_000, 1, "ABS006"),
    "deep mapping": (b"session: " + b"{a: " * 100_000, 1, "ABS006"),
    "deep json": (b'{"a":' * 100_000, 1, "ABS006"),
    "alias bomb": (ALIAS_BOMB, 1, "ABS007"),
    "tabs": (b"session: x\nbehaviors:\n\t- actor: user\n", 1, "ABS004"),
    "many nodes": (b"[" + b"a," * 300_000 + b"]", 1, "ABS009"),
    "long scalar": (b"session: " + b"a" * 200_000, 1, "ABS010"),
    "unfinished json": (b'{"session": "x", ', 1, "ABS005"),
}


def bounded(arguments: list[str], cwd: Path, **more: object) -> Outcome:
    started = time.monotonic()
    outcome = run_absc(arguments, cwd, **more)
    assert time.monotonic() - started < SECONDS
    assert "Traceback" not in outcome.stdout + outcome.stderr
    assert "internal error" not in outcome.stdout + outcome.stderr
    return outcome


@pytest.mark.parametrize("name", BAD_SPECS)
def test_bad_spec(name: str, tmp_path: Path) -> None:
    data, status, code = BAD_SPECS[name]
    (tmp_path / "bad.abs.yaml").write_bytes(data)
    outcome = bounded(["check", "bad.abs.yaml", "--format", "concise"], tmp_path)
    assert outcome.status == status, outcome
    lines = outcome.stdout.splitlines()
    assert len(lines) == 1, outcome.stdout[:2000]
    assert lines[0].startswith("bad.abs.yaml")
    assert code in lines[0]
    assert len(lines[0]) < 300

    shutil.copyfile(EXAMPLES / "no-refund.json", tmp_path / "run.json")
    matched = bounded(["match", "bad.abs.yaml", "run.json"], tmp_path)
    assert (matched.status, code in matched.stdout) == (status, True), matched


@pytest.mark.parametrize("transform", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n")])
def test_byte_order_mark_and_crlf_are_fine(transform, tmp_path: Path) -> None:
    (tmp_path / "good.abs.yaml").write_bytes(transform(GOOD_SPEC))
    assert bounded(["check", "good.abs.yaml"], tmp_path).status == 0


BAD_TRACES = {
    "empty": b"",
    "blank": b" \n \n",
    "binary": bytes(range(256)) * 20,
    "utf-16": '[{"actor": "user"}]'.encode("utf-16"),
    "deep": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "deep and closed": b"[" * 100_000 + b"]" * 100_000,
    "text": b"hello, I am a log\n",
    "unfinished": b'[{"actor": "user", "action": "says"',
    "a number": b"12",
    "nobody's format": b'{"steps": [{"tool": "x"}]}',
    "tabs and yaml": b"session:\n\t- x",
    "huge number": b'[{"actor": "user", "action": "says", "content": ' + b"9" * 100_000 + b"}]",
}


@pytest.mark.parametrize("name", BAD_TRACES)
def test_bad_trace(name: str, tmp_path: Path) -> None:
    (tmp_path / "spec.abs.yaml").write_bytes(GOOD_SPEC)
    (tmp_path / "bad.json").write_bytes(BAD_TRACES[name])
    outcome = bounded(["match", "spec.abs.yaml", "bad.json"], tmp_path)
    assert outcome.status == 2, outcome
    complaints = [line for line in outcome.stderr.splitlines() if line.startswith("absc: ")]
    assert len(complaints) == 1, outcome.stderr
    assert complaints[0].startswith("absc: bad.json: ")
    assert len(complaints[0]) < 400
    assert outcome.stdout == ""


def test_a_long_recorded_run_is_fine(tmp_path: Path) -> None:
    (tmp_path / "spec.abs.yaml").write_bytes(GOOD_SPEC)
    event = {"actor": "user", "action": "asks", "content": "x" * 1000}
    events = [event] * 10_000 + [{"actor": "assistant", "action": "informs", "content": "no"}]
    (tmp_path / "run.json").write_text(json.dumps(events), encoding="utf-8")
    assert bounded(["match", "spec.abs.yaml", "run.json"], tmp_path).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "missing.abs.yaml"], "no such file or directory"),
        (["check", "folder"], "no spec in `folder`"),
        (["match", "missing.abs.yaml", "run.json"], "no such file or directory"),
        (["match", "spec.abs.yaml", "missing.json"], "no such file"),
        (["match", "spec.abs.yaml", "folder"], "neither a spec nor a recorded run in `folder`"),
        (["match", "spec.abs.yaml", "--trace", "folder"], "is a directory"),
        (["match", "spec.abs.yaml", "run.json", "--dataset", "folder"], "is a directory"),
        (["match", "spec.abs.yaml", "run.json", "--output", "folder"], "is a directory"),
        (["dump", "folder", "--stage", "tree"], "is a directory"),
    ],
)
def test_files_that_are_not_there(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "spec.abs.yaml").write_bytes(GOOD_SPEC)
    shutil.copyfile(EXAMPLES / "no-refund.json", tmp_path / "run.json")
    outcome = bounded(arguments, tmp_path)
    assert outcome.status == 2
    assert (outcome.stdout + outcome.stderr).count(said) == 1


@needs_file_modes
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "shut"], "permission denied"),
        (["match", "open.abs.yaml", "--trace", "shut"], "no permission to read it"),
        (["check", "closed-folder"], "permission denied"),
    ],
)
def test_files_that_may_not_be_read(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "open.abs.yaml").write_bytes(GOOD_SPEC)
    (tmp_path / "shut").write_bytes(GOOD_SPEC)
    (tmp_path / "closed-folder").mkdir()
    (tmp_path / "shut").chmod(0)
    (tmp_path / "closed-folder").chmod(0)
    try:
        outcome = bounded(arguments, tmp_path, prefix=obeying_file_modes())
    finally:
        (tmp_path / "closed-folder").chmod(0o700)
    assert outcome.status == 2, outcome
    assert (outcome.stdout + outcome.stderr).count(said) == 1


def start(arguments: list[str], cwd: Path, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*COMMAND, *arguments], cwd=cwd, env=environment(), stderr=subprocess.PIPE, **more)


@pytest.mark.parametrize("example", ["flight-change", "bag-fee"])
def test_a_reader_that_goes_away_changes_nothing(example: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    spec, trace = (str(EXAMPLES / f"{example}{ending}") for ending in (".abs.yaml", ".json"))
    with start(["match", spec, trace], tmp_path, stdout=writing) as process:
        os.close(writing)
        errors = process.communicate(timeout=SECONDS)[1].decode()
    assert process.returncode == {"flight-change": 0, "bag-fee": 1}[example]
    assert errors.splitlines() == [{"flight-change": "1 passed", "bag-fee": "1 failed"}[example]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [["--version"], ["match", "flight-change.abs.yaml", "flight-change.json"]])
def test_a_full_disk(command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full, start(command, EXAMPLES, stdout=full) as process:
        errors = process.communicate(timeout=SECONDS)[1].decode()
    assert process.returncode == 2
    assert errors.splitlines() == ["absc: cannot write the report: no space left on device"]


def test_interrupted_while_reading(tmp_path: Path) -> None:
    (tmp_path / "spec.abs.yaml").write_bytes(GOOD_SPEC)
    os.mkfifo(tmp_path / "pipe")
    process = start(["match", "spec.abs.yaml", "--trace", "pipe"], tmp_path, stdout=subprocess.PIPE)
    with process, (tmp_path / "pipe").open("wb"):  # opens when the command opens the other end
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert (output, errors) == (b"", b"absc: interrupted\n")
