"""What a compilation had to say is said again by its cached result."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest

from abs_compiler.artifact.cache import Cache
from abs_compiler.artifact.warnings import plain, restored
from abs_compiler.cached import compile_spec_file
from abs_compiler.diagnostics import Applicability, Diagnostic, Edit, Fix, Help, Label, Severity
from abs_compiler.diagnostics.render import FORMATS, render
from abs_compiler.source import Span, decode
from tests.support.absc import run_absc

SOURCE = "\ufeffsession: ☃ x\r\nbehaviors:\n  - {actor: user, action: yells}\n".encode()
WARNED = 'session: shout\nbehaviors:\n  - {actor: user, action: yells, target: "😀"}\n'


def everything() -> Diagnostic:
    """A diagnostic with something in every field."""
    fix = Fix("quote it", (Edit(Span(0, 0), '"'), Edit(Span(3, 4), "")), Applicability.SAFE)
    return Diagnostic(
        code="ABS309",
        name="unknown-action",
        severity=Severity.WARNING,
        message="`yells` is ☃",
        path="x.abs.yaml",
        source=decode(SOURCE, "x.abs.yaml"),
        labels=(Label(Span(1, 3), "here"), Label(Span(0, 0))),
        notes=("one", "two"),
        helps=(Help("do this"), Help("or that", fix)),
    )


def test_every_field_comes_back() -> None:
    item = everything()
    data = json.loads(json.dumps(plain([item])))
    (back,) = restored(data, SOURCE, "x.abs.yaml")
    assert back.source is not None
    assert item.source is not None
    assert (back.source.name, back.source.text) == (item.source.name, item.source.text)
    assert attrs.evolve(back, source=item.source) == item
    assert all(attrs.asdict(item, recurse=False).values())


def test_messages_call_the_file_as_this_caller_does() -> None:
    (back,) = restored(plain([everything()]), SOURCE, "specs/x.abs.yaml")
    assert back.path == "specs/x.abs.yaml"
    assert back.source is not None
    assert back.source.name == "specs/x.abs.yaml"


def test_the_same_with_and_without_the_cache(tmp_path: Path) -> None:
    spec = tmp_path / "shout.abs.yaml"
    spec.write_text(WARNED, encoding="utf-8")
    cache = Cache(str(tmp_path / "cache"))
    without, first, second = (
        compile_spec_file(spec),
        compile_spec_file(spec, cache=cache),
        compile_spec_file(spec, cache=cache),
    )
    assert without.artifact == first.artifact == second.artifact
    assert len(without.diagnostics) >= 2
    for form in FORMATS:
        texts = {render(item.diagnostics, form, color=True) for item in (without, first, second)}
        assert len(texts) == 1
    assert cache.notes == []


@pytest.mark.parametrize("form", ["full", "json"])
@pytest.mark.parametrize("command", ["match", "compile"])
def test_on_the_command_line(tmp_path: Path, command: str, form: str) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "shout.abs.yaml").write_text(WARNED, encoding="utf-8")
    (tmp_path / "run.json").write_text('[{"actor": "user", "action": "yells", "target": "😀"}]', encoding="utf-8")
    more = [str(tmp_path / "run.json")] if command == "match" else []
    environment = {"ABS_CACHE_DIR": str(tmp_path / "cache")}

    def outcome(cwd: Path, spec: str, *options: str) -> object:
        return run_absc([command, spec, *more, "--format", form, *options], cwd, env=environment)

    without = outcome(tmp_path, "specs/shout.abs.yaml", "--no-cache")
    assert not (tmp_path / "cache").exists()
    assert outcome(tmp_path, "specs/shout.abs.yaml") == without
    assert len(list((tmp_path / "cache").glob("*.entry"))) == 1
    assert outcome(tmp_path, "specs/shout.abs.yaml") == without
    from_there = outcome(tmp_path / "specs", "shout.abs.yaml", "--no-cache")
    assert outcome(tmp_path / "specs", "shout.abs.yaml") == from_there != without
    assert len(list((tmp_path / "cache").glob("*.entry"))) == 1
