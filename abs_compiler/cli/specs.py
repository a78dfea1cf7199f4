"""Specs on their way from the command line to compiled programs, shared by every command."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import attrs

from abs_compiler.cli.failure import CommandError
from abs_compiler.diagnostics import Diagnostic, Severity, Sink
from abs_compiler.files import display_name, read_at_most, reason
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import compile_source

# Findings that say: this is no text at all, or too much of it. They end a command like a file that is not there.
_UNREADABLE = ("unreadable-file", "not-utf8", "too-large")


@attrs.frozen(slots=True)
class CompiledSpec:
    """One spec file: its programs (none where it holds an error) and everything there is to say about it."""

    path: Path
    name: str
    programs: tuple[dict[str, Any], ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def status(self) -> int:
        """The exit status this file alone would give `absc check`."""
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


def compile_spec(path: Path, options: CompileOptions, name: str | None = None) -> CompiledSpec:
    """Compile one spec file (`-`: standard input); one that cannot be read has a diagnostic that says so."""
    from_stdin = path == Path("-")
    name = name or ("<stdin>" if from_stdin else display_name(path))
    try:
        limit = options.limits.file_bytes
        data = sys.stdin.buffer.read(limit + 1) if from_stdin else read_at_most(path, limit)
    except OSError as error:
        sink = Sink(None, name)
        sink.report("unreadable-file", f"cannot read the file: {reason(error)}")
        return CompiledSpec(path, name, (), tuple(sink.diagnostics()))
    programs, diagnostics = compile_source(data, name, options)
    refused = any(item.severity is Severity.ERROR for item in diagnostics)
    return CompiledSpec(path, name, () if refused else tuple(programs), tuple(diagnostics))
