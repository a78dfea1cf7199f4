"""Reports in the XML that test runners write (JUnit's), well formed whatever the texts hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import attrs

from abs_compiler.diagnostics.record import Diagnostic, Severity
from abs_compiler.diagnostics.render.full import render_full
from abs_compiler.diagnostics.render.order import ordered
from abs_compiler.repr_mixin import ReprMixin

# What XML 1.0 cannot hold, escaped or not.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


@attrs.frozen(slots=False, repr=False)
class Case(ReprMixin):
    """One test case: `group` is the file or spec it belongs to. `outcome` is passed, failed, error or skipped;
    `message` is one line about it, `text` all there is to say."""

    group: str
    name: str
    outcome: str = "passed"
    message: str = ""
    text: str = ""


def render_junit(
    diagnostics: Iterable[Diagnostic], paths: Sequence[str] = (), fails: Callable[[Diagnostic], bool] | None = None
) -> str:
    """One case a diagnostic; a file of `paths` without any is a case that passed. What is only information passes. A
    warning fails; with `fails`, what that holds for does, and other warnings and errors count as skipped."""
    items = ordered(diagnostics)
    own: dict[str, list[Diagnostic]] = {path: [] for path in paths}
    for item in items:
        own.setdefault(item.path, []).append(item)
    cases = []
    for path, found in own.items():
        cases += [_case(item, fails) for item in found] or [Case(path, "no findings")]
    return junit_document("absc lint", cases)


def junit_document(name: str, cases: Sequence[Case]) -> str:
    """The document of some cases."""
    failures = sum(case.outcome == "failed" for case in cases)
    errors = sum(case.outcome == "error" for case in cases)
    skipped = sum(case.outcome == "skipped" for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="{_text(name)}" {counts}>']
    lines.append(f'  <testsuite name="{_text(name)}" {counts}>')
    for case in cases:
        lines += _lines(case)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _case(item: Diagnostic, fails: Callable[[Diagnostic], bool] | None) -> Case:
    where = ""
    if item.source is not None and item.labels:
        where = ":{}:{}".format(*item.source.position(item.labels[0].span.start))
    outcome = "passed" if item.severity is Severity.INFO else "failed"
    if fails is not None and (outcome == "failed" or fails(item)):
        outcome = "failed" if fails(item) else "skipped"
    return Case(item.path, f"{item.code} {item.name}{where}", outcome, item.message, render_full([item]))


def _lines(case: Case) -> list[str]:
    opening = f'    <testcase classname="{_text(case.group)}" name="{_text(case.name)}"'
    if case.outcome == "passed":
        return [f"{opening}/>"]
    tag = {"failed": "failure", "error": "error", "skipped": "skipped"}[case.outcome]
    text = _text(case.text).replace("&#10;", "\n")
    inner = f'      <{tag} message="{_text(case.message)}">{text}</{tag}>'
    return [f"{opening}>", inner, "    </testcase>"]


def _text(text: str) -> str:
    text = _FORBIDDEN.sub("\ufffd", text)
    return "".join(_ESCAPES.get(char, char) for char in text)
