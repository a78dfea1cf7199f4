"""What the runtime, an artifact and a cached result import: little, and nothing of the compiler."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import abs_compiler as absc
from tests.support.absc import environment
from tests.support.artifacts import spec_text

# Slow to import, or needed by the compiler alone.
HEAVY = {
    "asyncio",
    "attr",
    "attrs",
    "click",
    "dataclasses",
    "inspect",
    "jsonschema",
    "lark",
    "logging",
    "re2",
    "referencing",
    "rich",
    "typing",
    "yaml",
}
COMPILER = {
    "automaton",
    "diagnostics",
    "ir",
    "lint",
    "options",
    "pipeline",
    "predicate",
    "source",
    "spec",
    "syntax",
}

# Runs the code it is given, then prints on standard error what was imported.
_WATCHED = """
import sys
before = set(sys.modules)
exec(sys.argv.pop(1))
import json
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""

LOAD_AND_MATCH = """
import json
from abs_compiler.runtime import artifact
(matcher,) = artifact.load(sys.argv[1])
verdict = matcher.match(json.loads(sys.argv[2]))
assert verdict.status == "passed"
if len(sys.argv) > 3:
    verdict.explain(), verdict.to_dict()
"""
CLOSED = [{"actor": "assistant", "action": "calls", "target": "close", "with": {"id": "T1"}}]
COMMAND = """
from abs_compiler.cli import main
assert main(sys.argv[1:]) == 0
"""
COMPILE_FILE = """
import abs_compiler as absc
(matcher,) = absc.compile_file(sys.argv[1], cache=True)
"""


def imported(code: str, *arguments: str, cwd: Path) -> set[str]:
    """The modules that running the code imports, beyond those an interpreter starts with."""
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, code, *arguments],
        cwd=cwd,
        env=environment({"ABS_CACHE_DIR": str(cwd / "cache")}),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(json.loads(done.stderr.decode().splitlines()[-1]))


def heavy(modules: set[str]) -> set[str]:
    """Of these modules those that a lean process does without."""
    found = {name for name in modules if name.partition(".")[0] in HEAVY}
    return found | {name for name in modules if name.startswith("abs_compiler.") and name.split(".")[1] in COMPILER}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a spec, its artifact, and a run that passes."""
    spec = 'session: pay once\nabs_version: "0.2"\nbehaviors:\n  - {actor: assistant, action: calls, target: pay}\n'
    (tmp_path / "pay.abs.yaml").write_text(spec, encoding="utf-8")
    (tmp_path / "pay.json").write_text('[{"actor": "assistant", "action": "calls", "target": "pay"}]')
    *_, matcher = absc.compile_text(spec_text("two-sessions"))
    (tmp_path / "close.absc").write_bytes(matcher.bind({"ticket": "T1"}).to_bytes())
    return tmp_path


@pytest.mark.parametrize("explained", [(), ("explained",)], ids=["matched", "explained"])
def test_load_and_match(place: Path, explained: tuple[str, ...]) -> None:
    found = imported(LOAD_AND_MATCH, "close.absc", json.dumps(CLOSED), *explained, cwd=place)
    assert heavy(found) == set()
    assert {name for name in found if name.startswith("abs_compiler")} <= {
        name for name in found if name == "abs_compiler" or name.startswith("abs_compiler.runtime")
    }
    assert "pathlib" not in found


def test_load_from_the_public_surface(place: Path) -> None:
    found = imported("import abs_compiler as absc\nabsc.load(sys.argv[1])", "close.absc", cwd=place)
    assert heavy(found) == set()


@pytest.mark.parametrize(
    ("evaluation", "needed"),
    [
        ("{type: contains, value: ok}", set()),
        ("{type: regex, pattern: '^o[a-z]$'}", {"re2"}),
        ("{type: schema, schema: {type: string, maxLength: 2}}", {"referencing"}),
        ("{type: schema, schema: {not: {format: date}}}", {"referencing", "jsonschema"}),
    ],
    ids=["none", "pattern", "schema", "format"],
)
def test_what_a_pattern_or_a_format_needs_is_imported_for_it_alone(
    place: Path, evaluation: str, needed: set[str]
) -> None:
    (place / "checked.abs.yaml").write_text(
        'session: checked\nabs_version: "0.2"\nbehaviors:\n'
        f"  - {{actor: tool, action: responds, target: pay, evaluations: [{evaluation}]}}\n",
        encoding="utf-8",
    )
    imported(COMMAND, "compile", "checked.abs.yaml", cwd=place)
    events = json.dumps([{"actor": "tool", "action": "responds", "target": "pay", "content": "ok"}])
    found = {name.partition(".")[0] for name in heavy(imported(LOAD_AND_MATCH, "checked.absc", events, cwd=place))}
    assert found & {"re2", "jsonschema", "referencing"} == needed
    assert needed or not found


@pytest.mark.parametrize(
    ("predicate", "needed"),
    [("length in 1..5 and not in ['x']", set()), ("string matches /^o+[a-z]*$/", {"re2"})],
    ids=["none", "pattern"],
)
def test_what_a_predicate_needs(place: Path, predicate: str, needed: set[str]) -> None:
    (place / "tested.abs.yaml").write_text(
        'session: tested\nabs_version: "0.2"\nbehaviors:\n'
        f'  - {{actor: assistant, action: calls, target: pay, with: {{how: {{$is: "{predicate}"}}}}}}\n',
        encoding="utf-8",
    )
    imported(COMMAND, "compile", "tested.abs.yaml", cwd=place)
    events = json.dumps([{"actor": "assistant", "action": "calls", "target": "pay", "with": {"how": "ok"}}])
    assert heavy(imported(LOAD_AND_MATCH, "tested.absc", events, cwd=place)) & HEAVY == needed


@pytest.mark.parametrize(
    "command",
    [
        ("match", "pay.abs.yaml", "pay.json"),
        ("match", "pay.abs.yaml", "pay.json", "--format", "json", "--target", "pay=checkout"),
        ("compile", "pay.abs.yaml", "-o", "out"),
        ("compile", "pay.abs.yaml", "--format", "json"),
    ],
    ids=" ".join,
)
def test_a_cached_result_on_the_command_line(place: Path, command: tuple[str, ...]) -> None:
    assert heavy(imported(COMMAND, *command, cwd=place)) >= {"yaml", "abs_compiler.pipeline"}
    assert heavy(imported(COMMAND, *command, cwd=place)) == set()


def test_an_artifact_on_the_command_line(place: Path) -> None:
    imported(COMMAND, "compile", "pay.abs.yaml", cwd=place)
    assert heavy(imported(COMMAND, "match", "pay.absc", "pay.json", "--observe", "tools", cwd=place)) == set()
    assert heavy(imported(COMMAND, "cache", "info", cwd=place)) == set()


def test_a_cached_result_in_the_library(place: Path) -> None:
    assert heavy(imported(COMPILE_FILE, "pay.abs.yaml", cwd=place)) >= {"yaml", "abs_compiler.pipeline"}
    assert heavy(imported(COMPILE_FILE, "pay.abs.yaml", cwd=place)) == set()
