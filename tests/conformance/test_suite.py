"""The conformance cases hold through the public API, and their files are what their README says they are."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from abs_compiler.diagnostics import Sink, registry
from abs_compiler.source import SourceFile
from abs_compiler.syntax import Limits, parse
from abs_compiler.syntax.tree import to_json
from tests.support.conformance import FILES, FOLDER, ConformanceCase, answer_to, conformance_cases, read_case_file

SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", conformance_cases(), ids=str)
def test_case(case: ConformanceCase) -> None:
    status, codes = answer_to(case)
    assert (status, sorted(codes)) == (case.expected, sorted(codes))
    assert case.code is None or case.code in codes


def test_there_are_enough_cases() -> None:
    assert len(conformance_cases()) >= 1100
    assert {case.expected for case in conformance_cases()} == {"passed", "failed", "inconclusive", "refused"}


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_is_as_the_schema_says(path: Path) -> None:
    data = read_case_file(path)
    errors = [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(data)]
    assert errors == []
    names = [case["name"] for case in data["cases"]]
    assert len(names) == len(set(names))
    known = {row.code for row in registry()} | {"bind", "dataset"}
    assert {case["code"] for case in data["cases"] if "code" in case} <= known


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_reads_the_same_under_both_versions_of_yaml(path: Path) -> None:
    source = SourceFile(path.name, path.read_text(encoding="utf-8"))
    sink = Sink(source, path.name)
    (document,) = parse(source, sink, Limits(nodes=1_000_000))
    assert [item.message for item in sink.diagnostics()] == []
    assert json.dumps(to_json(document.root)) == json.dumps(read_case_file(path))
