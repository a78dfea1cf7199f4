"""From typed sessions to programs: the passes in order, then lowering.

Passes run over every session even where one has mistakes, so that all are reported; nothing is lowered then.
"""

from __future__ import annotations

from collections.abc import Mapping

from abs_compiler.bounds import allowance
from abs_compiler.ir.lower import Program, lower
from abs_compiler.ir.model import Ir
from abs_compiler.ir.passes.chain_checks import check_evaluations
from abs_compiler.ir.passes.expand import expand_sessions
from abs_compiler.ir.passes.groups import find_groups
from abs_compiler.ir.passes.ids import resolve_ids
from abs_compiler.ir.passes.limits import check_limits
from abs_compiler.ir.passes.names import names_of_items, resolve_names
from abs_compiler.ir.passes.shares import number_shares
from abs_compiler.ir.passes.supported import refuse_unsupported
from abs_compiler.ir.passes.tool_calls import merge_tool_calls
from abs_compiler.options import CompileOptions
from abs_compiler.source import SourceFile
from abs_compiler.spec import Context, SpecFile
from abs_compiler.spec.model import MatchOptions
from abs_compiler.syntax import JsonValue

# Steps of work (see `abs_compiler.bounds`) for putting the predicates of a file into their shortest form.
_MOST_WORK = 1_000_000


def build(ctx: Context, file: SpecFile, options: CompileOptions) -> tuple[Ir, ...]:
    """The IR of every session of a file."""
    built = []
    for ir in expand_sessions(ctx, file):
        targets = merged_targets(ir.session.match, options)
        ir = merge_tool_calls(ctx, resolve_ids(ctx, ir), targets)
        ir = resolve_names(ctx, number_shares(find_groups(ctx, ir)))
        check_evaluations(ctx, ir)
        built.append(ir)
    if not ctx.sink.has_errors:  # what is wrong comes before what is not supported yet
        for ir in built:
            refuse_unsupported(ctx, ir)
    return tuple(built)


def lower_all(
    ctx: Context, irs: tuple[Ir, ...], file: SpecFile, options: CompileOptions, source: SourceFile, sha256: str
) -> tuple[Program, ...]:
    """The programs of a file; none where one is too much for the runtime, which is reported. Call it only when nothing
    was reported as an error."""
    names = {name for ir in irs for name in ir.names}
    for fragment in file.fragments.values():
        names |= names_of_items(fragment.items)
    file_names: list[JsonValue] = [*sorted(names)]
    with allowance(_MOST_WORK):  # beyond it predicates are lowered test by test, which says the same
        programs = tuple(lower(ir, source, sha256, file_names, _match(ir.session.match, options)) for ir in irs)
    for ir, program in zip(irs, programs, strict=True):
        check_limits(ctx, ir, program)
    return () if ctx.sink.has_errors else programs


def merged_targets(match: MatchOptions, options: CompileOptions) -> Mapping[str, tuple[str, ...]]:
    """The recorded names of targets: those of the document, entries of the options in place of theirs."""
    written = {entry.target.text: tuple(name.text for name in entry.names) for entry in match.targets}
    return {**written, **options.targets}


def _match(match: MatchOptions, options: CompileOptions) -> Program:
    targets = merged_targets(match, options)
    return {
        "extras": match.extras,
        "ignore": [name.text for name in match.ignore],
        "targets": {target: list(targets[target]) for target in sorted(targets)},
        "observe": options.observe or match.observe or "all",
        "allow_empty": match.allow_empty,
    }
