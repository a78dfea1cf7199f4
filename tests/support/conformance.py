"""The conformance cases of `specs/conformance`: read once, each with the bytes of its spec, and the verdict on one."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

import abs_compiler as absc
from abs_compiler.cli.bindings import bind_rows, refuse_unknown_names
from abs_compiler.cli.failure import CommandError

FOLDER = Path(__file__).resolve().parents[2] / "specs" / "conformance"
FILES = sorted(FOLDER.glob("*/*.yaml"))


@dataclass(frozen=True)
class ConformanceCase:
    """One case: what to compile, what to match, what to expect."""

    file: str
    name: str
    source: bytes
    events: Any
    bindings: dict[str, Any]
    files: dict[str, str] | None
    expected: str
    code: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"


def read_case_file(path: Path) -> Any:
    """A case file as plain data, read by a YAML reader that is not the compiler's."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


@cache
def conformance_cases() -> tuple[ConformanceCase, ...]:
    """Every case of the suite, in the order of the files."""
    return tuple(
        ConformanceCase(
            file=str(path.relative_to(FOLDER).with_suffix("")),
            name=case["name"],
            source=base64.b64decode(case["spec_base64"]) if "spec_base64" in case else case["spec"].encode(),
            events=json.loads(case["events_json"]) if "events_json" in case else case["events"],
            bindings=case.get("bindings", {}),
            files=case.get("files"),
            expected=case["expected"],
            code=case.get("code"),
        )
        for path in FILES
        for case in read_case_file(path)["cases"]
    )


def joined(statuses: list[str]) -> str:
    """The verdict on a document from those on its sessions."""
    return next((worst for worst in ("failed", "inconclusive") if worst in statuses), "passed")


def answer(source: bytes, bindings: dict[str, Any], events: Any) -> tuple[str, set[str]]:
    """What the public API says: the verdict or `refused`, and the codes of a refusal."""
    try:
        matchers = [matcher.bind(bindings) for matcher in absc.compile_text(source)]
    except absc.CompileError as error:
        return "refused", {item.code for item in error.diagnostics if item.severity is absc.Severity.ERROR}
    except absc.BindError:
        return "refused", {"bind"}
    return joined([matcher.match(events).status for matcher in matchers]), set()


@dataclass(frozen=True)
class _SpecFile:
    """A spec beside its dataset, as the commands know it."""

    path: Path
    name: str


def answer_with_files(
    source: bytes, files: dict[str, str], bindings: dict[str, Any], events: Any
) -> tuple[str, set[str]]:
    """What the commands say about a document and the files beside it: one run for every row of its dataset."""
    try:
        matchers = absc.compile_text(source)
    except absc.CompileError as error:
        return "refused", {item.code for item in error.diagnostics if item.severity is absc.Severity.ERROR}
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="")
        spec = _SpecFile(Path(folder, "spec.abs.yaml"), "spec")
        try:
            refuse_unknown_names(bindings, matchers)
            bound = [session.matcher for matcher in matchers for session in bind_rows(matcher, spec, bindings, None)]
        except CommandError:
            return "refused", {"dataset"}
    return joined([matcher.match(events).status for matcher in bound]), set()


def answer_to(case: ConformanceCase) -> tuple[str, set[str]]:
    """What this implementation says about a case."""
    if case.files is None:
        return answer(case.source, case.bindings, case.events)
    return answer_with_files(case.source, case.files, case.bindings, case.events)
