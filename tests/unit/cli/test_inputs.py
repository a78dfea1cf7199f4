"""Which arguments are specs, which are recorded runs, and which belong together."""

from __future__ import annotations

from pathlib import Path

import pytest

from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, pair_by_stem, specs_among, specs_and_traces


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "a.abs.yaml",
        "a.json",
        "b.abs.json",
        "b.2.jsonl",
        "notes.txt",
        "config.yaml",
        "deep/c.abs.yml",
        "deep/c.JSON",
        ".hidden/d.abs.yaml",
        ".e.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(paths: list[Path]) -> list[str]:
    return [path.as_posix() for path in paths]


def test_names_say_what_a_file_is(folder: Path) -> None:
    inputs = specs_and_traces(["a.json", "config.yaml", "-", "b.abs.json", "b.2.jsonl", "a.abs.yaml"])
    assert names(inputs.specs) == ["config.yaml", "b.abs.json", "a.abs.yaml"]
    assert inputs.traces == [Path("a.json"), STDIN, Path("b.2.jsonl")]
    assert inputs.found == set()


def test_a_folder_stands_for_what_is_below_it_without_hidden_and_unmarked_files(folder: Path) -> None:
    inputs = specs_and_traces(["."])
    assert names(inputs.specs) == ["a.abs.yaml", "b.abs.json", "deep/c.abs.yml"]
    assert names(inputs.traces) == ["a.json", "b.2.jsonl", "deep/c.JSON"]
    assert inputs.found == set(inputs.traces)
    assert names(specs_among(["."])) == names(inputs.specs)


@pytest.mark.parametrize("output", ["b.2.jsonl", "./deep/../b.2.jsonl"])
def test_a_folder_does_not_stand_for_the_file_of_the_report(folder: Path, output: str) -> None:
    assert names(specs_and_traces(["."], output=output).traces) == ["a.json", "deep/c.JSON"]
    assert names(specs_and_traces(["."], output="new.json").traces) == ["a.json", "b.2.jsonl", "deep/c.JSON"]


def test_specs_that_git_ignores_are_left_out_of_folders_and_runs_are_not(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("a.*\n*.absc\ndeep/\n", encoding="utf-8")
    (folder / "a.absc").touch()
    (folder / "z.absc").touch()
    inputs = specs_and_traces(["."])
    assert names(inputs.specs) == ["b.abs.json", "z.absc"], "a.absc goes with a.abs.yaml"
    assert names(inputs.traces) == ["a.json", "b.2.jsonl", "deep/c.JSON"]
    assert names(specs_among(["."])) == ["b.abs.json"]
    assert names(specs_among(["a.abs.yaml", "deep"])) == ["a.abs.yaml", "deep/c.abs.yml"], "what is named counts"
    (folder / ".gitignore").write_text("*.abs.*\n*.absc\n", encoding="utf-8")
    (folder / "z.absc").unlink()
    with pytest.raises(CommandError, match=r"no spec in `\.`: git ignores all that are there"):
        specs_among(["."])
    with pytest.raises(CommandError, match=r"no spec given: git ignores all that are in `\.`"):
        specs_and_traces(["."])


def test_a_run_that_is_named_was_not_only_found(folder: Path) -> None:
    inputs = specs_and_traces([".", "a.json"], [str(folder / "b.2.jsonl")])
    assert names(inputs.traces) == ["a.json", "b.2.jsonl", "deep/c.JSON"]
    assert inputs.found == {Path("deep/c.JSON")}


def test_a_file_counts_once(folder: Path) -> None:
    inputs = specs_and_traces(["a.abs.yaml", ".", str(folder / "a.json")], ["deep/../a.json"])
    assert names(inputs.specs).count("a.abs.yaml") == 1
    assert len([path for path in inputs.traces if path.name == "a.json"]) == 1


def test_trace_option_takes_any_name(folder: Path) -> None:
    assert specs_and_traces(["a.abs.yaml"], ["notes.txt"]).traces == [Path("notes.txt")]
    assert specs_and_traces(["a.abs.yaml"], ["-"]).traces == [STDIN]


def test_check_takes_a_file_of_any_name(folder: Path) -> None:
    assert names(specs_among(["notes.txt", "missing"])) == ["notes.txt", "missing"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.abs.yaml"], "no recorded run given"),
        (["a.json"], "no spec given"),
        (["a.abs.yaml", "notes.txt"], "`notes.txt` is neither a spec"),
        (["a.abs.yaml", "missing"], "cannot read `missing`: no such file or directory"),
        (["a.abs.yaml", "-", "-"], "can be read once only"),
        (["empty"], "neither a spec nor a recorded run in `empty`"),
    ],
)
def test_what_cannot_be_told_is_refused(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(CommandError, match=message):
        specs_and_traces(arguments)


def test_pairs_go_by_the_longest_name(folder: Path) -> None:
    specs = [Path("x/order.abs.yaml"), Path("order.refund.abs.yaml"), Path("orders.yaml")]
    traces = [Path("order.json"), Path("order.1.json"), Path("t/order.refund.jsonl"), Path("order.refund.a.json")]
    pairs, _ = pair_by_stem(specs, [*traces, Path("orders.json")])
    assert {trace.as_posix(): names(found) for trace, found in pairs.items()} == {
        "order.json": ["x/order.abs.yaml"],
        "order.1.json": ["x/order.abs.yaml"],
        "t/order.refund.jsonl": ["order.refund.abs.yaml"],
        "order.refund.a.json": ["order.refund.abs.yaml"],
        "orders.json": ["orders.yaml"],
    }


def test_pairs_stay_in_their_folder(folder: Path) -> None:
    pairs, _ = pair_by_stem(
        [Path("a/x.abs.yaml"), Path("b/x.abs.yaml")], [Path("a/x.json"), Path("b/x.json"), Path("x.1.json")]
    )
    assert [names(found) for found in pairs.values()] == [
        ["a/x.abs.yaml"],
        ["b/x.abs.yaml"],
        ["a/x.abs.yaml", "b/x.abs.yaml"],
    ]


def test_strays_of_a_folder_are_passed_over_and_named_runs_are_not(folder: Path) -> None:
    specs, traces = [Path("order.abs.yaml")], [Path("order.json"), Path("package.json"), Path("orders.json")]
    pairs, strays = pair_by_stem(specs, traces, set(traces))
    assert (list(pairs), strays) == ([Path("order.json")], [Path("package.json"), Path("orders.json")])
    with pytest.raises(CommandError, match=r"no spec goes by the name of `orders\.json`"):
        pair_by_stem(specs, traces, {Path("package.json")})
    with pytest.raises(CommandError, match=r"no recorded run goes by the name of `order\.abs\.yaml`"):
        pair_by_stem(specs, traces[1:], set(traces))


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        (["order.json"], "no recorded run goes by the name of `refund.abs.yaml`"),
        (["order.json", "refund.json", "refunds.json"], "no spec goes by the name of `refunds.json`"),
    ],
)
def test_nothing_stays_unpaired(traces: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        pair_by_stem([Path("order.abs.yaml"), Path("refund.abs.yaml")], [Path(trace) for trace in traces])
