"""Match recorded runs against ABS specs and explain every verdict.

Specs are files named *.abs.yaml, *.abs.yml, *.abs.json, *.yaml or *.yml, or compiled ones (*.absc). Recorded runs are
any other *.json, *.jsonl, `-` for standard input, or a file of any name with --trace. A folder stands for the *.abs.*
specs, the *.absc without a spec beside them, and the recorded runs below it. Every spec is matched with every run, or,
with --pair stem, with the runs of its name (refund.abs.yaml with refund.json and refund.2.json).

Values for a spec's variables: a row of its dataset, else --var or --var-json, else ABS_VAR_name in the environment.

exit status: 0 everything passed; 1 a run did not match or a spec has errors; 2 usage, or input that cannot be read;
3 nothing failed but something is inconclusive
"""

from __future__ import annotations

from pathlib import Path

from abs_compiler.cli.bindings import BoundMatcher, bind_rows, dataset_paths, given_values, refuse_unknown_names
from abs_compiler.cli.console import note, report
from abs_compiler.cli.dataset import read_dataset
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, pair_by_stem, read_standard_input, specs_and_traces
from abs_compiler.cli.match_report import FullReport, JsonReport, Run, Tally
from abs_compiler.cli.options import add_cache_options, add_compile_options, add_report_options, plain_compile_options
from abs_compiler.cli.ready import ReadySpec, ready_specs
from abs_compiler.files import display_name
from abs_compiler.runtime.errors import TraceError
from abs_compiler.traces import FORMATS, read_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping
    from typing import Any

    from abs_compiler.runtime import Trace


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("paths", nargs="+", metavar="SPEC|TRACE", help="specs and recorded runs, in any order")
    parser.add_argument("--trace", action="append", default=[], metavar="FILE", help="a recorded run of any name")
    parser.add_argument("--trace-format", choices=("auto", *FORMATS), default="auto")
    parser.add_argument("--pair", choices=("all", "stem"), default="all", help="every spec with every run, or by name")
    parser.add_argument("--var", action="append", default=[], metavar="NAME=TEXT")
    parser.add_argument("--var-json", action="append", default=[], metavar="NAME=JSON")
    parser.add_argument("--dataset", metavar="FILE", help="one run per row, instead of the spec's own dataset")
    parser.add_argument("--allow-empty", action="store_true", help="a recorded run without any event may pass")
    parser.add_argument(
        "--inconclusive",
        choices=("pass", "fail"),
        help="count inconclusive as a pass or a failure (exit status 0 or 1)",
    )
    add_compile_options(parser)
    add_cache_options(parser)
    add_report_options(parser, ("full", "json"))


class _BoundSpec:
    """A spec with all values: its sessions, once for every row of a dataset."""

    __slots__ = ("sessions", "spec")

    def __init__(self, spec: ReadySpec, sessions: list[BoundMatcher]) -> None:
        self.spec = spec
        self.sessions = sessions


def run(arguments: Namespace) -> int:
    """Match; the exit status. Raises CommandError for what makes matching pointless."""
    given = given_values(arguments.var, arguments.var_json)
    options = plain_compile_options(arguments)
    spec_paths, trace_paths = specs_and_traces(arguments.paths, arguments.trace)
    with report(arguments.output, arguments.color) as out:
        writer = JsonReport(out) if arguments.format == "json" else FullReport(out)
        tally = Tally()
        specs = ready_specs(spec_paths, options, use_cache=not arguments.no_cache)
        for spec in specs:
            tally.add_spec(spec)
            writer.spec(spec)
        bound, datasets = _bind(specs, given, arguments.dataset)
        pairs = _pairs(arguments.pair, specs, [path for path in trace_paths if path.resolve() not in datasets])
        for path, paired in pairs.items():
            trace = _read(path, arguments.trace_format)
            if isinstance(trace, str):
                tally.unreadable_traces += 1
                writer.problem(_name(path), trace)
                continue
            for item in bound:
                for session in item.sessions if item.spec.path in paired else ():
                    verdict = session.matcher.match(
                        trace, observe=item.spec.observe, allow_empty=arguments.allow_empty or None
                    )
                    tally.add_verdict(verdict.status)
                    writer.run(Run(item.spec.name, session, _name(path), trace, verdict))
        status = tally.exit_status(arguments.inconclusive)
        writer.end(tally, status)
    note(tally.summary())
    return status


def _pairs(how: str, specs: list[ReadySpec], traces: list[Path]) -> dict[Path, list[Path]]:
    """For every run the specs to match it with. Raises CommandError where nothing would be matched."""
    paths = [spec.path for spec in specs]
    if not traces:
        raise CommandError("no recorded run given: the files named are datasets of the specs")
    return pair_by_stem(paths, traces) if how == "stem" else dict.fromkeys(traces, paths)


def _bind(
    specs: list[ReadySpec], given: Mapping[str, Any], dataset_option: str | None
) -> tuple[list[_BoundSpec], set[Path]]:
    """The specs without errors, bound row by row, and the dataset files they name."""
    compiled = [spec for spec in specs if spec.matchers]
    if len(compiled) == len(specs):  # else the name may be one of a spec with errors
        refuse_unknown_names(given, (matcher for spec in compiled for matcher in spec.matchers))
    override = None if dataset_option is None else read_dataset(Path(dataset_option))
    bound = []
    datasets: set[Path] = {Path(dataset_option).resolve()} if dataset_option else set()
    for spec in compiled:
        sessions = [session for matcher in spec.matchers for session in bind_rows(matcher, spec, given, override)]
        bound.append(_BoundSpec(spec, sessions))
        datasets |= {path.resolve() for path in dataset_paths(spec.matchers, spec.path)}
    return bound, datasets


def _read(path: Path, trace_format: str) -> Trace | str:
    """A recorded run, or why it cannot be read."""
    name = _name(path)
    try:
        source = read_standard_input() if path == STDIN else path
        return read_trace(source, trace_format, name=name)
    except TraceError as error:
        return str(error).removeprefix(f"{name}: ")


def _name(path: Path) -> str:
    return "<stdin>" if path == STDIN else display_name(path)
