"""`absc compile`, `absc match` on what it wrote, and `absc cache`: whole command lines, one after the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import abs_compiler as absc
from tests.support.absc import Outcome, run_absc
from tests.support.permissions import needs_file_modes, obeying_file_modes

PAY = """\
session: pay once
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: pay, with: {amount: 20}}
"""
TWO = PAY + "---\n" + PAY.replace("pay once", "pay twice")
BROKEN = "session: broken\nbehaviour: []\n"

Absc = Callable[..., Outcome]


@pytest.fixture
def absc_in(tmp_path: Path) -> Absc:
    """Runs a command line in a folder with specs in `specs`, `specs/deep` and a run that pays 20."""
    (tmp_path / "specs" / "deep").mkdir(parents=True)
    (tmp_path / "specs" / "pay.abs.yaml").write_text(PAY, encoding="utf-8")
    (tmp_path / "specs" / "deep" / "two.abs.yml").write_text(TWO, encoding="utf-8")
    event = {"actor": "assistant", "action": "calls", "target": "pay", "with": {"amount": 20}}
    (tmp_path / "run.json").write_text(json.dumps([event]), encoding="utf-8")

    def run(*arguments: str, **more: object) -> Outcome:
        return run_absc(arguments, tmp_path, **more)

    return run


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_beside_the_specs(absc_in: Absc, tmp_path: Path) -> None:
    outcome = absc_in("compile", "specs", "--no-cache")
    assert (outcome.status, outcome.stderr) == (0, "compiled 2 specs\n")
    assert below(tmp_path / "specs") == ["deep/two.abs.yml", "deep/two.absc", "pay.abs.yaml", "pay.absc"]
    sizes = [f"{len((tmp_path / 'specs' / name).read_bytes()):,}" for name in ("deep/two.absc", "pay.absc")]
    assert sorted(outcome.stdout.splitlines()) == [
        f"specs/deep/two.abs.yml -> specs/deep/two.absc (2 sessions, {sizes[0]} bytes)",
        f"specs/pay.abs.yaml -> specs/pay.absc (1 session, {sizes[1]} bytes)",
    ]
    assert [matcher.session for matcher in absc.load(tmp_path / "specs" / "deep" / "two.absc")] == [
        "pay once",
        "pay twice",
    ]


def test_into_a_folder_that_keeps_the_shape(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("compile", "specs", "specs/pay.abs.yaml", "-o", "build/here", "--no-cache").status == 0
    assert below(tmp_path / "build") == ["here/deep/two.absc", "here/pay.absc"]
    assert absc_in("compile", "specs/deep/two.abs.yml", "-o", "flat", "--no-cache").status == 0
    assert below(tmp_path / "flat") == ["two.absc"]


def test_as_json(absc_in: Absc, tmp_path: Path) -> None:
    outcome = absc_in("compile", "specs/pay.abs.yaml", "--format", "json", "-o", "out")
    report = json.loads(outcome.stdout)
    data = (tmp_path / "out" / "pay.absc").read_bytes()
    assert report["artifacts"] == [
        {
            "spec": "specs/pay.abs.yaml",
            "artifact": "out/pay.absc",
            "sessions": ["pay once"],
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
    ]
    assert (report["command"], report["exit_status"], report["diagnostics"]) == ("compile", 0, [])


def test_an_artifact_is_matched_like_its_spec(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("compile", "specs", "-o", "build").status == 0
    for form in ("full", "json"):
        from_specs = absc_in("match", "specs", "run.json", "--format", form)
        from_artifacts = absc_in("match", "build", "run.json", "--format", form)
        assert from_artifacts.status == from_specs.status == 0
        turned = from_artifacts.stdout.replace("build/deep/two.absc", "specs/deep/two.abs.yml")
        turned = turned.replace("build/pay.absc", "specs/pay.abs.yaml")
        if form == "full":
            assert turned == from_specs.stdout
        else:
            reports = [json.loads(text)["runs"] for text in (turned, from_specs.stdout)]
            for run in (run for report in reports for run in report):
                run["verdict"].pop("spec")
            assert reports[0] == reports[1]


def test_a_folder_with_both_is_matched_once(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("compile", "specs").status == 0
    (tmp_path / "specs" / "deep" / "two.abs.yml").unlink()
    outcome = absc_in("match", "specs", "run.json")
    assert outcome.stderr == "3 passed\n"
    assert "specs/pay.abs.yaml ·" in outcome.stdout
    assert "specs/deep/two.absc ·" in outcome.stdout
    assert absc_in("match", "specs/pay.absc", "specs/pay.abs.yaml", "run.json").stderr == "2 passed\n"


def test_options_of_an_artifact(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "says.abs.yaml").write_text(
        'session: talk\nabs_version: "0.2"\nbehaviors:\n  - {actor: user, action: says}\n'
        "  - {actor: assistant, action: calls, target: pay}\n",
        encoding="utf-8",
    )
    assert absc_in("compile", "says.abs.yaml").status == 0
    for spec in ("says.abs.yaml", "says.absc"):
        assert absc_in("match", spec, "run.json").status == 1
        assert absc_in("match", spec, "run.json", "--observe", "tools").status == 0
    refused = absc_in("match", "says.absc", "run.json", "--target", "pay=checkout")
    assert refused.status == 2
    assert refused.stderr == (
        "absc: `says.absc` is compiled already, and `--target` says how to compile: give it to `absc compile`\n"
    )


def test_values_and_datasets_lie_outside_of_artifacts(absc_in: Absc, tmp_path: Path) -> None:
    spec = PAY.replace("20", '"{{rows.amount}}"').replace(
        "behaviors", "dataset: {id: rows, path: rows.json}\nbehaviors"
    )
    (tmp_path / "pay.abs.yaml").write_text(spec, encoding="utf-8")
    assert absc_in("compile", "pay.abs.yaml", "-o", "build").status == 0
    (tmp_path / "build" / "rows.json").write_text('[{"amount": 20}, {"amount": 30}]', encoding="utf-8")
    assert absc_in("match", "build/pay.absc", "run.json").stderr == "1 passed, 1 failed\n"
    (tmp_path / "build" / "rows.json").write_text('[{"amount": 20}]', encoding="utf-8")
    assert absc_in("match", "build/pay.absc", "run.json").stderr == "1 passed\n"


def test_broken_artifacts_are_reported_and_the_rest_is_matched(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("compile", "specs/pay.abs.yaml", "-o", ".").status == 0
    whole = (tmp_path / "pay.absc").read_bytes()
    (tmp_path / "cut.absc").write_bytes(whole[:-9])
    (tmp_path / "none.absc").write_text(PAY, encoding="utf-8")
    (tmp_path / "newer.absc").write_bytes(whole.replace(b"absc-artifact 1 ", b"absc-artifact 9 "))
    outcome = absc_in("match", "pay.absc", "cut.absc", "none.absc", "newer.absc", "missing.absc", "run.json")
    assert outcome.status == 2
    assert outcome.stderr == "1 passed, 4 specs unreadable\n"
    for text in (
        "the artifact is corrupt: its checksum does not fit its content; compile it anew\n --> cut.absc",
        "this is no compiled artifact; `absc compile` makes one from a spec\n --> none.absc",
        "the artifact is of format 9, and this version (absc ",
        "cannot read the file: no such file or directory\n --> missing.absc",
    ):
        assert text in outcome.stdout


def test_a_spec_with_an_error_leaves_its_artifact_and_the_rest_is_written(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("compile", "specs").status == 0
    before = (tmp_path / "specs" / "pay.absc").read_bytes()
    (tmp_path / "specs" / "pay.abs.yaml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "specs" / "deep" / "two.absc").unlink()
    outcome = absc_in("compile", "specs")
    assert (outcome.status, outcome.stderr) == (1, "compiled 1 spec, 1 spec refused\n")
    assert "error[ABS2" in outcome.stdout
    assert "specs/deep/two.abs.yml -> " in outcome.stdout
    assert (tmp_path / "specs" / "pay.absc").read_bytes() == before
    missing = absc_in("compile", "specs/none.abs.yaml", "specs/deep/two.abs.yml")
    assert (missing.status, missing.stderr) == (2, "compiled 1 spec, 1 spec refused\n")


def test_two_specs_that_would_become_one_artifact(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "pay.abs.json").write_text('{"session": "x", "behaviors": []}', encoding="utf-8")
    outcome = absc_in("compile", "pay.abs.json", "specs/pay.abs.yaml", "-o", "out")
    assert (outcome.status, outcome.stdout) == (2, "")
    assert outcome.stderr == "absc: `pay.abs.json` and `specs/pay.abs.yaml` would both become `out/pay.absc`\n"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-",), "standard input (`-`) has no name that an artifact could get: give a file"),
        (("old.absc",), "`old.absc` is an artifact already"),
        (("specs/pay.abs.yaml", "-o", "run.json"), "cannot write `run.json/pay.absc`: file exists"),
    ],
)
def test_what_cannot_be_compiled(absc_in: Absc, arguments: tuple[str, ...], message: str) -> None:
    outcome = absc_in("compile", *arguments)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (2, "", f"absc: {message}\n")


@needs_file_modes
def test_a_folder_that_cannot_be_written(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    outcome = absc_in("compile", "specs/pay.abs.yaml", "-o", "out", prefix=obeying_file_modes())
    (tmp_path / "out").chmod(0o700)
    assert (outcome.status, outcome.stderr) == (2, "absc: cannot write `out/pay.absc`: permission denied\n")
    assert below(tmp_path / "out") == []


def test_the_cache_from_the_command_line(absc_in: Absc, tmp_path: Path) -> None:
    assert absc_in("cache", "dir").stdout == ".abs_cache\n"
    assert absc_in("cache", "info").stdout.splitlines()[1] == "results  0 results (0 bytes)"
    assert not (tmp_path / ".abs_cache").exists()
    assert absc_in("match", "specs", "run.json").status == 0
    assert absc_in("compile", "specs", "-o", "out").status == 0
    folder, results, limit = absc_in("cache", "info").stdout.splitlines()
    assert folder == "folder   .abs_cache"
    assert results.startswith("results  2 results (")
    assert limit == "limit    256.0 MiB; beyond it the oldest results go"
    (tmp_path / ".abs_cache" / f"{'0' * 64}.entry.1.abc.part").write_bytes(b"x" * 2048)
    assert "2 results (" in absc_in("cache", "info").stdout
    assert " and 1 never finished" in absc_in("cache", "info").stdout
    assert absc_in("cache", "clean").stdout.startswith("removed 2 results (")
    assert below(tmp_path / ".abs_cache") == [".gitignore", "CACHEDIR.TAG"]
    assert absc_in("cache", "info").stdout.splitlines()[1] == "results  0 results (0 bytes)"


def test_a_cache_elsewhere(absc_in: Absc, tmp_path: Path) -> None:
    environment = {"ABS_CACHE_DIR": str(tmp_path / "there")}
    assert absc_in("cache", "dir", env=environment).stdout == f"{tmp_path / 'there'}\n"
    assert absc_in("match", "specs", "run.json", env=environment).status == 0
    assert not (tmp_path / ".abs_cache").exists()
    assert len(list((tmp_path / "there").glob("*.entry"))) == 2


def test_a_damaged_entry_is_told_and_does_not_matter(absc_in: Absc, tmp_path: Path) -> None:
    first = absc_in("match", "specs", "run.json")
    for entry in (tmp_path / ".abs_cache").glob("*.entry"):
        entry.write_bytes(entry.read_bytes()[:-1])
    second = absc_in("match", "specs", "run.json")
    assert (second.status, second.stdout) == (first.status, first.stdout)
    assert second.stderr == (
        "absc: note: the cached result of `specs/pay.abs.yaml` was damaged; it was made anew\n"
        "absc: note: the cached result of `specs/deep/two.abs.yml` was damaged; it was made anew\n" + first.stderr
    )
    assert absc_in("match", "specs", "run.json") == first


def test_a_cache_that_cannot_be_looked_into(absc_in: Absc, tmp_path: Path) -> None:
    (tmp_path / ".abs_cache").touch()
    for action in ("info", "clean"):
        outcome = absc_in("cache", action)
        assert (outcome.status, outcome.stdout) == (2, "")
        assert outcome.stderr == "absc: cannot look into the cache in `.abs_cache`: not a directory\n"
