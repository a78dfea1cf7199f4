"""Report every mistake in ABS specs, with its place and what to do.

SPEC is a file, a folder (the *.abs.yaml, *.abs.yml and *.abs.json below it that git does not ignore) or `-` for
standard input.

exit status: 0 no error (there may be warnings); 1 errors; 2 usage, or a file that cannot be read
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from abs_compiler.cli.console import note, refuse_output_over, report
from abs_compiler.cli.inputs import specs_among
from abs_compiler.cli.options import add_compile_options, add_report_options, refuse_artifact, refuse_unknown_targets
from abs_compiler.cli.specs import CompiledSpec, compile_options, compile_spec
from abs_compiler.diagnostics import Severity
from abs_compiler.diagnostics.render import render


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--stdin-filename", metavar="NAME", help="what messages call the spec on standard input")
    add_compile_options(parser)
    add_report_options(parser, ("full", "concise", "json"))


def run(arguments: Namespace) -> int:
    """Check every spec; the exit status."""
    options = compile_options(arguments)
    paths = specs_among(arguments.specs)
    refuse_output_over(arguments.output, paths)
    for path in paths:
        refuse_artifact(str(path), "check")
    specs = [compile_spec(path, options, arguments.stdin_filename) for path in paths]
    if not any(spec.status for spec in specs):  # else the name may be one of a spec with errors
        refuse_unknown_targets(options.targets, (program for spec in specs for program in spec.programs))
    diagnostics = [item for spec in specs for item in spec.diagnostics]
    with report(arguments.output, arguments.color) as out:
        out.write(render(diagnostics, arguments.format, color=out.color, explain=True))
    note(_summary(specs))
    statuses = {spec.status for spec in specs}
    return 2 if 2 in statuses else max(statuses)


def _summary(specs: Sequence[CompiledSpec]) -> str:
    severities = [item.severity for spec in specs for item in spec.diagnostics]
    found = [
        _count(severities.count(severity), severity.value)
        for severity in (Severity.ERROR, Severity.WARNING)
        if severity in severities
    ]
    return f"checked {_count(len(specs), 'spec')}: {', '.join(found) or 'nothing to report'}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
