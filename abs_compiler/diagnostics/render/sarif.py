"""Diagnostics as SARIF 2.1.0, the exchange format of static analysis, as GitHub code scanning and others read it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from abs_compiler import __version__
from abs_compiler.diagnostics.explain import page, summary
from abs_compiler.diagnostics.record import Diagnostic, Fix, Label, Severity
from abs_compiler.diagnostics.render.order import ordered
from abs_compiler.diagnostics.render.text import help_text
from abs_compiler.source import SourceFile, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render_sarif(diagnostics: Iterable[Diagnostic], suppressed: Iterable[tuple[Diagnostic, str]] = ()) -> str:
    """One run with all findings. `suppressed` are those that comments in the sources suppress, with their reasons."""
    reasons = {id(item): (item, reason) for item, reason in suppressed}
    shown: list[tuple[Diagnostic, str | None]] = [(item, None) for item in ordered(diagnostics)]
    shown += [(item, reasons[id(item)][1]) for item in ordered(item for item, _ in reasons.values())]
    codes = sorted({item.code: item for item, _ in shown}.items())
    index = {code: number for number, (code, _) in enumerate(codes)}
    seen: dict[str, int] = {}
    run = {
        "tool": {
            "driver": {
                "name": "absc",
                "version": __version__,
                "rules": [_rule(item) for _, item in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, index[item.code], seen, reason) for item, reason in shown],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(item: Diagnostic) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": item.code, "name": "".join(word.title() for word in item.name.split("-"))}
    text = page(item.code)
    if text is not None:
        rule["shortDescription"] = {"text": summary(item.code)}
        rule["help"] = {"text": text, "markdown": text}
    rule["properties"] = {"tags": [item.name]}
    return rule


def _result(item: Diagnostic, index: int, seen: dict[str, int], reason: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": index,
        "level": _LEVELS[item.severity],
        "message": {"text": _message(item)},
        "locations": [_location(item, item.labels[0] if item.labels else None)],
        "partialFingerprints": {"absFinding/v1": _fingerprint(item, seen)},
    }
    source = item.source
    if source is None:
        return result
    if len(item.labels) > 1:
        others = enumerate(item.labels[1:], start=1)
        result["relatedLocations"] = [{"id": number, **_location(item, label)} for number, label in others]
    fixes = [_fix(item, source, help_.fix) for help_ in item.helps if help_.fix is not None]
    if fixes:
        result["fixes"] = fixes
    if reason is not None:
        why = {"justification": reason} if reason else {}
        result["suppressions"] = [{"kind": "inSource", **why}]
    return result


def _message(item: Diagnostic) -> str:
    lines = [item.message]
    if item.labels and item.labels[0].text:
        lines.append(item.labels[0].text)
    lines += [f"note: {note}" for note in item.notes]
    lines += [f"help: {help_text(help_)}" for help_ in item.helps]
    return "\n".join(lines)


def _location(item: Diagnostic, label: Label | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(item.path)}}
    location: dict[str, Any] = {"physicalLocation": physical}
    if label is not None and item.source is not None:
        physical["region"] = _region(item.source, label.span)
        if label is not item.labels[0] and label.text:
            location["message"] = {"text": label.text}
    return location


def _region(source: SourceFile, span: Span) -> dict[str, int]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(item: Diagnostic, source: SourceFile, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": {"uri": _uri(item.path)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _uri(path: str) -> str:
    """A path as a reference; names that are no text stay what they are, percent by percent."""
    written = quote(path, errors="surrogatepass")
    return f"file://{'' if written.startswith('/') else '/'}{written}" if PurePath(path).is_absolute() else written


def _fingerprint(item: Diagnostic, seen: dict[str, int]) -> str:
    """What stays the same when lines are added above: the code, the file, the text of the line, and which of several
    such findings it is."""
    line = ""
    if item.source is not None and item.labels:
        line = item.source.line_text(item.source.position(item.labels[0].span.start)[0])
    known = "\0".join((item.code, item.path, " ".join(line.split()), item.message))
    seen[known] = seen.get(known, 0) + 1
    return hashlib.sha256(f"{known}\0{seen[known]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
