"""Compile ABS specs to artifacts, which `absc match` and `abs_compiler.load` take in their place.

SPEC is a file or a folder (the *.abs.yaml, *.abs.yml and *.abs.json below it that git does not ignore).
`refund.abs.yaml` becomes `refund.absc` beside it, or in DIR; what lies in folders below a folder lies in the same
folders below DIR. A spec with an error is reported and leaves its artifact as it was; the others are written all the
same.

exit status: 0 everything compiled (there may be warnings); 1 a spec has errors; 2 usage, a file that cannot be read or
written
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from abs_compiler import __version__
from abs_compiler.cli.console import Report, note, refuse_output_over, report
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, artifact_name, is_artifact_name, is_folder, specs_among
from abs_compiler.cli.options import (
    add_cache_options,
    add_compile_options,
    add_report_options,
    plain_compile_options,
    refuse_unknown_targets,
)
from abs_compiler.cli.ready import ReadySpec, diagnostic_dicts, diagnostics_text, ready_specs
from abs_compiler.files import display_name, reason, replace_file
from abs_compiler.runtime.canonical import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

JSON_VERSION = 1


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("-o", "--output-dir", metavar="DIR", help="where the artifacts go (made where it is missing)")
    add_compile_options(parser)
    add_cache_options(parser)
    add_report_options(parser, ("full", "json"))


def run(arguments: Namespace) -> int:
    """Compile; the exit status. Raises CommandError before anything is written where two specs have one artifact."""
    targets = _targets(arguments.specs, arguments.output_dir)
    refuse_output_over(arguments.output, [*targets, *targets.values()])
    options = plain_compile_options(arguments)
    specs = ready_specs(targets, options, use_cache=not arguments.no_cache)
    if not any(spec.status for spec in specs):  # else the name may be one of a spec with errors
        refuse_unknown_targets(options["targets"], (item.program for spec in specs for item in spec.matchers))
    written = [_write(spec, targets[spec.path]) for spec in specs if spec.artifact is not None]
    status = max(spec.status for spec in specs)
    with report(arguments.output, arguments.color) as out:
        if arguments.format == "json":
            _report_json(out, specs, written, status)
        else:
            _report_text(out, specs, written)
    refused = len(specs) - len(written)
    note(f"compiled {_count(len(written), 'spec')}" + (f", {_count(refused, 'spec')} refused" if refused else ""))
    return status


def _targets(arguments: Sequence[str], folder: str | None) -> dict[Path, Path]:
    """For every spec the file it compiles to."""
    targets: dict[Path, Path] = {}
    origin: dict[str, Path] = {}
    seen: set[str] = set()
    for argument in arguments:
        base = Path(argument) if is_folder(Path(argument)) else Path(argument).parent
        for spec in specs_among([argument]):
            if spec == STDIN:
                raise CommandError("standard input (`-`) has no name that an artifact could get: give a file")
            if is_artifact_name(spec):
                raise CommandError(f"`{display_name(spec)}` is an artifact already")
            if os.path.realpath(spec) in seen:
                continue
            seen.add(os.path.realpath(spec))
            place = spec.parent if folder is None else Path(folder) / spec.parent.relative_to(base)
            target = place / artifact_name(spec)
            other = origin.setdefault(os.path.realpath(target), spec)
            if other != spec:
                raise CommandError(
                    f"`{display_name(other)}` and `{display_name(spec)}` would both become `{display_name(target)}`"
                )
            targets[spec] = target
    return targets


def _write(spec: ReadySpec, target: Path) -> dict[str, Any]:
    """Write the artifact of a spec; what the report says of it."""
    data = spec.artifact or b""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(str(target), data)
    except OSError as error:
        raise CommandError(f"cannot write `{display_name(target)}`: {reason(error)}") from None
    return {
        "spec": spec.name,
        "artifact": display_name(target),
        "sessions": [matcher.session for matcher in spec.matchers],
        "bytes": len(data),
        "sha256": sha256(data).decode(),
    }


def _report_text(out: Report, specs: list[ReadySpec], written: list[dict[str, Any]]) -> None:
    findings = [item for spec in specs for item in spec.diagnostics]
    text = diagnostics_text(findings, color=out.color)
    for item in written:
        sessions = _count(len(item["sessions"]), "session")
        text += f"{item['spec']} -> {item['artifact']} ({sessions}, {item['bytes']:,} bytes)\n"
    out.write(text)


def _report_json(out: Report, specs: list[ReadySpec], written: list[dict[str, Any]], status: int) -> None:
    document = {
        "version": JSON_VERSION,
        "tool": {"name": "absc", "version": __version__},
        "command": "compile",
        "exit_status": status,
        "artifacts": written,
        "diagnostics": diagnostic_dicts([item for spec in specs for item in spec.diagnostics]),
    }
    out.write(json.dumps(document, indent=2) + "\n")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
