"""Explain a code of a report: what it means, an example, what to do.

CODE is the code (ABS201) or the name (unknown-key) of a finding.

exit status: 0 explained; 2 usage, or a code that does not exist
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from abs_compiler.cli.console import report
from abs_compiler.cli.failure import CommandError
from abs_compiler.diagnostics import registry
from abs_compiler.diagnostics.explain import find_code, page
from abs_compiler.spec.suggest import nearest


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("code", metavar="CODE")


def run(arguments: Namespace) -> int:
    """Explain; the exit status. Raises CommandError for a code that does not exist."""
    code = find_code(arguments.code)
    if code is None:
        near = nearest(arguments.code, [row.name for row in registry()])
        help_ = f"one close to it is `{near}`" if near else "`absc rules` lists them all"
        raise CommandError(f"there is no code `{arguments.code}`; {help_}")
    with report() as out:
        out.write(page(code.code) or f"{code.code} {code.name} ({code.severity.value})\n")
    return 0
