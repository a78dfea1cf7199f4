"""Print one stage of the compilation of an ABS spec as JSON, for looking inside.

SPEC is a file, or `-` for standard input. Stages, in the order they are made:
  tree       the text as read, every node with its place (line:column-line:column)
  spec       the typed sessions
  ir         the resolved sessions: what is compiled
  automaton  the machine that is matched: steps and the order they may come in

Nothing is promised about the shape of the output; it changes with the compiler.

exit status: 0 dumped; 1 the spec has errors (they are reported instead); 2 usage, or a file that cannot be read
"""

from __future__ import annotations

import enum
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from abs_compiler.automaton.explore import explore
from abs_compiler.cli.console import refuse_output_over, report
from abs_compiler.cli.options import add_compile_options, refuse_artifact, refuse_unknown_targets
from abs_compiler.cli.specs import compile_options, compile_spec
from abs_compiler.diagnostics.render import render
from abs_compiler.pipeline import Compilation
from abs_compiler.source import SourceFile, Span

STAGES = ("tree", "spec", "ir", "automaton")


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("spec", metavar="SPEC")
    parser.add_argument("--stage", choices=STAGES, required=True)
    parser.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    add_compile_options(parser)


def run(arguments: Namespace) -> int:
    """Dump; the exit status."""
    refuse_output_over(arguments.output, [arguments.spec])
    refuse_artifact(arguments.spec, "dump")
    options = compile_options(arguments)
    spec = compile_spec(Path(arguments.spec), options)
    if not spec.status:
        refuse_unknown_targets(options.targets, spec.programs)
    compilation = spec.compilation
    # The tree of a file with mistakes is worth looking at; what is made of a wrong tree is not.
    readable = not spec.status or (arguments.stage == "tree" and bool(compilation.documents))
    with report(arguments.output) as out:
        if readable and compilation.source is not None:
            stage = _stage(compilation, compilation.source, arguments.stage)
            out.write(json.dumps(stage, indent=2, ensure_ascii=False) + "\n")
            return 0
        out.write(render(spec.diagnostics, "full", color=out.color, explain=True))
    return spec.status


def _stage(found: Compilation, source: SourceFile, stage: str) -> Any:
    match stage:
        case "tree":
            return plain([document.root for document in found.documents], source)
        case "spec":
            return plain(found.spec, source)
        case "ir":
            return list(found.programs)
        case _:
            return [plain(explore(program), source) for program in found.programs]


def plain(value: object, source: SourceFile) -> Any:
    """Any value of any stage as JSON: attrs values as objects under their class name, spans as places."""
    if isinstance(value, Span):
        start, end = source.position(value.start), source.position(value.end)
        return f"{start[0]}:{start[1]}-{end[0]}:{end[1]}"
    if isinstance(value, enum.Enum):
        return value.value
    kind = type(value)
    if attrs.has(kind):
        shown = {field.name: plain(getattr(value, field.name), source) for field in attrs.fields(kind) if field.repr}
        return {"is": kind.__name__, **shown}
    if isinstance(value, Mapping):
        return {str(key): plain(item, source) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item, source) for item in value)
    if isinstance(value, (list, tuple)):
        return [plain(item, source) for item in value]
    return value
