"""Values from options, the environment and dataset rows, in their order of precedence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from abs_compiler.cli.bindings import bind_rows, dataset_paths, given_values, refuse_unknown_names
from abs_compiler.cli.dataset import read_dataset
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.specs import CompiledSpec, compile_spec
from abs_compiler.options import CompileOptions
from abs_compiler.runtime import Matcher, load_programs

SPEC = """\
session: look an order up
abs_version: "0.2"
dataset: {id: cases, path: rows.json}
behaviors:
  - actor: assistant
    action: calls
    target: get_order
    with: {id: "{{cases.id}}", region: "{{region}}", token: "{{token}}"}
"""


@pytest.fixture(autouse=True)
def _no_values_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("region", "token"):
        monkeypatch.delenv(f"ABS_VAR_{name}", raising=False)


def compiled(folder: Path, text: str = SPEC) -> tuple[CompiledSpec, Matcher]:
    (folder / "spec.abs.yaml").write_text(text, encoding="utf-8")
    spec = compile_spec(folder / "spec.abs.yaml", CompileOptions())
    (matcher,) = load_programs(spec.programs)
    return spec, matcher


def passes(matcher: Matcher, **arguments: Any) -> bool:
    return bool(matcher.match([{"actor": "assistant", "action": "calls", "target": "get_order", "with": arguments}]))


def test_a_row_wins_over_options_and_options_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.json").write_text('[{"id": 1, "token": "row", "unused": null}, {"id": "2"}]')
    monkeypatch.setenv("ABS_VAR_token", "environment")
    monkeypatch.setenv("ABS_VAR_region", "environment")
    monkeypatch.setenv("ABS_VAR_unknown", "never looked at")
    spec, matcher = compiled(tmp_path)
    bound = list(bind_rows(matcher, spec, given_values(["region=option"], []), None))
    assert [item.row for item in bound] == [1, 2]
    assert passes(bound[0].matcher, id=1, region="option", token="row")
    assert passes(bound[1].matcher, id="2", region="option", token="environment")
    assert not passes(bound[1].matcher, id=2, region="option", token="environment")


def test_dataset_option_replaces_the_specs_own(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text('{"id": 7, "region": "eu", "token": [1]}\n')
    spec, matcher = compiled(tmp_path)
    (bound,) = bind_rows(matcher, spec, {}, read_dataset(tmp_path / "other.jsonl"))
    assert bound.row == 1
    assert passes(bound.matcher, id=7, region="eu", token=[1])
    assert dataset_paths([matcher], spec.path) == {tmp_path / "rows.json"}


def test_without_a_dataset_there_is_one_run(tmp_path: Path) -> None:
    spec, matcher = compiled(
        tmp_path, SPEC.replace("dataset: {id: cases, path: rows.json}\n", "").replace("cases.", "")
    )
    (bound,) = bind_rows(matcher, spec, given_values(["id=1", "region=eu"], ['token={"a": [1, 2]}']), None)
    assert bound.row is None
    assert passes(bound.matcher, id="1", region="eu", token={"a": [1, 2]})


def test_an_unknown_column_names_the_row(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": 1}, {"Id": 2, "b": 3}]')
    spec, matcher = compiled(tmp_path)
    with pytest.raises(CommandError, match=r"row 2 of `.*rows.json` has no column `id` .* it has `Id`, `b`"):
        list(bind_rows(matcher, spec, {"region": "", "token": ""}, None))


def test_a_missing_value_names_the_spec_and_the_row(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": 1, "token": ""}]')
    spec, matcher = compiled(tmp_path)
    with pytest.raises(CommandError, match=r"^row 1 of `.*rows\.json`: no value for `region`: give"):
        list(bind_rows(matcher, spec, {}, None))


@pytest.mark.parametrize(
    ("capture", "row", "near"),
    [
        ("token2", {"id": 1, "region": ""}, r"`token` \(`token2` is captured\): give"),
        ("other", {"id": 1, "region": "", "Token": ""}, r"`token` \(`Token` is a column\): give"),
        ("other", {"id": 1, "region": ""}, "`token`: give"),
    ],
)
def test_a_missing_value_whose_name_is_nearly_there(
    tmp_path: Path, capture: str, row: dict[str, Any], near: str
) -> None:
    (tmp_path / "rows.json").write_text(json.dumps(row))
    first = f'  - {{actor: assistant, action: calls, target: get_token, capture: {{{capture}: "{{{{content}}}}"}}}}\n'
    spec, matcher = compiled(tmp_path, SPEC.replace("behaviors:\n", "behaviors:\n" + first))
    with pytest.raises(CommandError, match=near):
        list(bind_rows(matcher, spec, {}, None))


@pytest.mark.parametrize(
    ("texts", "jsons", "message"),
    [
        (["x"], [], "`--var x`: write NAME=VALUE"),
        (["=x"], [], "`--var =x`: write NAME=VALUE"),
        ([], ["x"], "`--var-json x`: write NAME=VALUE"),
        ([], ["x=y"], "the value of `--var-json x`, column 1: not JSON: expecting value"),
        ([], ["x=NaN"], "the value of `--var-json x`, column 1: NaN is not JSON"),
        (["x=1", "x=2"], [], "a value for `x` is given more than once"),
        (["x=1"], ["x=2"], "a value for `x` is given more than once"),
    ],
)
def test_malformed_options(texts: list[str], jsons: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        given_values(texts, jsons)


def test_values_may_hold_equals_signs_and_be_empty() -> None:
    assert given_values(["a=b=c", "d="], ["e=null"]) == {"a": "b=c", "d": "", "e": None}


def test_a_name_no_spec_mentions_is_refused(tmp_path: Path) -> None:
    _, matcher = compiled(tmp_path)
    refuse_unknown_names({"region": ""}, [matcher])
    with pytest.raises(CommandError, match=r"no spec mentions a variable `regoin`; the names are `cases.id`, `region`"):
        refuse_unknown_names({"regoin": ""}, [matcher])
