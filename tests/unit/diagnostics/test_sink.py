"""The sink and the registry: codes, order, repeats, and files of the same mistake over and over."""

from __future__ import annotations

import re

import pytest

from abs_compiler.diagnostics import CompileError, Help, Label, Severity, Sink, code_named, registry
from abs_compiler.source import SourceFile, Span


def sink(text: str = "abcdef\nghi") -> Sink:
    return Sink(SourceFile("x.yaml", text), "x.yaml")


def test_codes_are_unique_ascending_and_well_named() -> None:
    codes = [row.code for row in registry()]
    assert codes == sorted(set(codes))
    assert len({row.name for row in registry()}) == len(codes)
    for row in registry():
        assert re.fullmatch(r"ABS\d{3}", row.code)
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", row.name)
        assert code_named(row.name) is row
    with pytest.raises(KeyError):
        code_named("no-such-name")


def test_a_report_takes_code_and_severity_from_the_registry() -> None:
    found = sink()
    found.report("duplicate-keys", "message", Span(1, 2), "label", also=[Label(Span(0, 1), "other")], helps=["do"])
    found.report("ambiguous-scalars", "message", Span(3, 4), severity=Severity.INFO, notes=["note"])
    first, second = found.diagnostics()
    assert (first.code, first.name, first.severity) == ("ABS101", "duplicate-keys", Severity.ERROR)
    assert first.labels == (Label(Span(1, 2), "label"), Label(Span(0, 1), "other"))
    assert first.helps == (Help("do"),)
    assert (second.severity, second.notes) == (Severity.INFO, ("note",))
    assert found.has_errors
    assert found.has("duplicate-keys")
    assert not found.has("yaml-syntax")


def test_order_and_exact_repeats() -> None:
    found = sink()
    found.report("yaml-syntax", "b", Span(5, 6))
    found.report("duplicate-keys", "z", Span(2, 3))
    found.report("duplicate-keys", "a", Span(2, 3))
    found.report("duplicate-keys", "a", Span(2, 3))
    found.report("unreadable-file", "no place")
    assert [item.message for item in found.diagnostics()] == ["no place", "a", "z", "b"]


def test_of_one_code_two_hundred_are_kept_and_the_rest_counted() -> None:
    text = "x" * 1000
    found, other = sink(text), sink(text)
    for at in range(150):
        found.report("duplicate-keys", "again", Span(at, at + 1))
    for at in range(150, 1000):
        other.report("duplicate-keys", "again", Span(at, at + 1))
    other.report("yaml-syntax", "once", Span(0, 1))
    found.extend(other)
    items = found.diagnostics()
    repeats = [item for item in items if item.name == "duplicate-keys"]
    assert (len(items), len(repeats)) == (201, 200)
    assert repeats[-1].notes == ("800 more of ABS101 in this file are not shown",)
    assert all(not item.notes for item in items if item is not repeats[-1])


def test_a_compile_error_names_each_error_with_its_place() -> None:
    found = sink()
    found.report("duplicate-keys", "twice", Span(7, 8))
    found.report("ambiguous-scalars", "a warning", Span(0, 1))
    found.report("unreadable-file", "gone")
    error = CompileError(found.diagnostics())
    assert str(error) == "x.yaml: ABS001 gone\nx.yaml:2:1: ABS101 twice"
    assert len(error.diagnostics) == 3
