"""Specs on their way from the command line to compiled programs, shared by every command."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

import attrs

from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, read_standard_input
from abs_compiler.diagnostics import Diagnostic, Severity
from abs_compiler.files import display_name
from abs_compiler.ir import Program
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import Compilation, analyse, analyse_path

# Findings that say: this is no text at all, or too much of it. They end a command like a file that is not there.
_UNREADABLE = ("unreadable-file", "not-utf8", "too-large")


@attrs.frozen(slots=True)
class CompiledSpec:
    """One spec file and all stages of its compilation."""

    path: Path
    name: str
    compilation: Compilation

    @property
    def programs(self) -> tuple[Program, ...]:
        """Its compiled sessions; none where it holds an error."""
        return self.compilation.programs

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything there is to say about it."""
        return self.compilation.diagnostics

    @property
    def status(self) -> int:
        """The exit status this file alone gives: 2 where it cannot be read, 1 where it holds an error, else 0."""
        if any(item.name in _UNREADABLE for item in self.diagnostics):
            return 2
        return int(any(item.severity is Severity.ERROR for item in self.diagnostics))


def add_compile_options(parser: ArgumentParser) -> None:
    """The options that change what a spec compiles to."""
    parser.add_argument(
        "--observe",
        choices=("all", "tools"),
        help="what the recorded runs show: everything, or tool events only (overrides the spec)",
    )
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="NAME=RECORDED,...",
        help='the recorded names of a target, `*` for any text: --target "Order MCP=get_order,orders/*"',
    )


def compile_options(arguments: Namespace) -> CompileOptions:
    """The options given. Raises CommandError for a malformed `--target`."""
    targets: dict[str, tuple[str, ...]] = {}
    for item in arguments.target:
        name, _, globs = item.partition("=")
        listed = tuple(glob.strip() for glob in globs.split(",") if glob.strip())
        if not name.strip() or not listed:
            raise CommandError(f'`--target {item}`: write "NAME=RECORDED,..." such as "Order MCP=get_order,orders/*"')
        targets[name.strip()] = targets.get(name.strip(), ()) + listed
    return CompileOptions(observe=arguments.observe, targets=targets)


def compile_spec(path: Path, options: CompileOptions, stdin_name: str | None = None) -> CompiledSpec:
    """Compile one spec file, or standard input (`-`) under the name `stdin_name`."""
    if path != STDIN:
        return CompiledSpec(path, display_name(path), analyse_path(path, options))
    name = stdin_name or "<stdin>"
    data = read_standard_input(options.limits.file_bytes + 1)
    return CompiledSpec(path, name, analyse(data, name, options))


def add_report_options(parser: ArgumentParser, formats: Sequence[str]) -> None:
    """The options that say how and where the report is written."""
    parser.add_argument("--format", choices=formats, default=formats[0], help="default: %(default)s")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file instead of standard output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
