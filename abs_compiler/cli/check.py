"""Report every mistake in ABS specs, with its place and what to do.

SPEC is a file, a folder (the *.abs.yaml, *.abs.yml and *.abs.json below it) or `-` for standard input.

exit status: 0 no error (there may be warnings); 1 errors; 2 usage, or a file that cannot be read
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from abs_compiler.cli.console import note, report
from abs_compiler.cli.inputs import specs_among
from abs_compiler.cli.specs import CompiledSpec, compile_spec
from abs_compiler.diagnostics import Severity
from abs_compiler.options import CompileOptions


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--stdin-filename", metavar="NAME", help="what messages call the spec on standard input")
    parser.add_argument("--format", choices=("full", "concise", "json"), default="full")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file instead of standard output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: Namespace) -> int:
    """Check every spec; the exit status."""
