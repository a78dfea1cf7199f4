"""Specs on their way from the command line to compiled programs, shared by every command."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import attrs

from abs_compiler.cli.configured import configured
from abs_compiler.cli.inputs import STDIN, read_standard_input
from abs_compiler.cli.options import plain_compile_options
from abs_compiler.diagnostics import Diagnostic, Severity
from abs_compiler.files import display_name
from abs_compiler.ir import Program
from abs_compiler.options import CompileOptions
from abs_compiler.pipeline import Compilation, analyse, analyse_path
from abs_compiler.plain_options import full_options, plain_options
from abs_compiler.repr_mixin import ReprMixin

# Findings that say: this is no text at all, or too much of it. They end a command like a file that is not there.
_UNREADABLE = ("unreadable-file", "not-utf8", "too-large")


@attrs.frozen(slots=False, repr=False)
class CompiledSpec(ReprMixin):
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


def compile_options(arguments: Namespace) -> CompileOptions:
    """The options given. Raises CommandError for a malformed `--target`."""
    return full_options(plain_compile_options(arguments))


def compile_spec(path: Path, options: CompileOptions, stdin_name: str | None = None) -> CompiledSpec:
    """Compile one spec file, or standard input (`-`) under the name `stdin_name`."""
    if path != STDIN:
        own = full_options(configured(path, plain_options(options)))
        return CompiledSpec(path, display_name(path), analyse_path(path, own))
    name = stdin_name or "<stdin>"
    data = read_standard_input(options.limits.file_bytes + 1)
    return CompiledSpec(path, name, analyse(data, name, options))
