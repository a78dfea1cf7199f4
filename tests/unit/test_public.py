"""The public surface: every name is there, documented, and costs nothing before it is used."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import abs_compiler as absc
from tests.support.absc import ROOT, environment

SPEC = """\
session: pay
abs_version: "0.2"
behaviors:
  - {actor: assistant, action: calls, target: pay, with: {amount: "{{amount}}"}}
"""
PAID = [{"actor": "assistant", "action": "calls", "target": "pay", "with": {"amount": 20}}]


@pytest.mark.parametrize("name", absc.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    assert inspect.getdoc(getattr(absc, name))
    assert name in dir(absc)


def test_any_other_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'compile'"):
        absc.compile  # noqa: B018


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after running code, without those it holds anyway."""
    program = (
        f"import sys; before = set(sys.modules); {code}; import json; print(json.dumps([*set(sys.modules) - before]))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.mark.parametrize("code", ["import abs_compiler", "import abs_compiler.runtime", "import abs_compiler.traces"])
def test_the_runtime_loads_nothing_of_the_compiler(code: str) -> None:
    heavy = {"attr", "attrs", "dataclasses", "jsonschema", "lark", "re2", "rich", "typing", "yaml", "inspect"}
    assert not loaded_by(code) & heavy


def test_from_a_text_to_a_verdict() -> None:
    (matcher,) = absc.compile_text(SPEC)
    assert matcher.parameters == ("amount",)
    assert matcher.bind({"amount": 20}).match(PAID).status == "passed"
    assert not matcher.bind({"amount": "20"}).match(PAID)
    with pytest.raises(absc.BindError, match="`amount`"):
        matcher.match(PAID)
    with pytest.raises(absc.BindError, match="never mentions `sum`"):
        matcher.bind({"amount": 20, "sum": 20})
    with pytest.raises(absc.TraceError, match=r"events\[0\]"):
        matcher.bind({"amount": 20}).match([{}])


def test_a_mistake_is_an_error_that_holds_every_finding() -> None:
    wrong = SPEC.replace("target", "traget").replace('abs_version: "0.2"\n', "")
    with pytest.raises(absc.CompileError, match=r"wrong\.abs\.yaml:3:39: ABS201 unknown key `traget`") as caught:
        absc.compile_text(wrong, name="wrong.abs.yaml")
    assert isinstance(caught.value, absc.AbsError)
    found = [(item.code, item.severity) for item in caught.value.diagnostics]
    assert found == [("ABS206", absc.Severity.WARNING), ("ABS201", absc.Severity.ERROR)]
    assert [item.code for item in absc.check_text(wrong)] == ["ABS206", "ABS201"]


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "pay.abs.yaml"
    path.write_text(SPEC + "---\n" + SPEC.replace("session: pay", "session: pay again"), encoding="utf-8")
    assert [matcher.session for matcher in absc.compile_file(path)] == ["pay", "pay again"]
    assert absc.check_file(str(path)) == []
    assert [item.code for item in absc.check_file(tmp_path / "missing")] == ["ABS001"]
    with pytest.raises(absc.CompileError, match="no such file or directory"):
        absc.compile_file(tmp_path / "missing")


def test_options_say_what_the_file_does_not() -> None:
    spec = SPEC.replace("behaviors:", "behaviors:\n  - {actor: user, action: asks}").replace("{{amount}}", "20")
    options = absc.CompileOptions(observe="tools", targets={"pay": ("pay_*",)})
    (matcher,) = absc.compile_text(spec.replace('"20"', "20"), options=options)
    assert matcher.match([{**PAID[0], "target": "pay_now"}])


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "abs_compiler").rglob("*.py")
        if not path.read_text(encoding="utf-8").startswith(('"""', 'r"""'))
    ]
    assert silent == []
