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
from abs_compiler.cli.dataset import given_filters, read_dataset
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, pair_by_stem, read_standard_input, specs_and_traces
from abs_compiler.cli.match_report import REPORTS, Run, Tally
from abs_compiler.cli.options import add_cache_options, add_compile_options, add_report_options, plain_compile_options
from abs_compiler.cli.ready import ReadySpec, ready_specs
from abs_compiler.files import display_name
from abs_compiler.runtime.errors import TraceError
from abs_compiler.traces import FORMATS, read_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from abs_compiler.cli.dataset import Dataset
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
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="only rows of the dataset whose column has this value",
    )
    parser.add_argument("--allow-empty", action="store_true", help="a recorded run without any event may pass")
    parser.add_argument(
        "--inconclusive",
        choices=("pass", "fail"),
        help="count inconclusive as a pass or a failure (exit status 0 or 1)",
    )
    add_compile_options(parser)
    add_cache_options(parser)
    add_report_options(parser, ("full", "json", "junit"))


class _Source:
    """Where the values of the specs' variables come from."""

    __slots__ = ("filters", "given", "override")

    def __init__(self, given: Mapping[str, Any], override: Dataset | None, filters: Sequence[tuple[str, str]]) -> None:
        self.given = given
        self.override = override
        self.filters = filters

    def sessions(self, spec: ReadySpec) -> Iterator[BoundMatcher]:
        """The sessions of a spec with all values, each once for every row of its dataset."""
        for matcher in spec.matchers:
            yield from bind_rows(matcher, spec, self.given, self.override, self.filters)


def run(arguments: Namespace) -> int:
    """Match; the exit status. Raises CommandError for what makes matching pointless."""
    given = given_values(arguments.var, arguments.var_json)
    filters = given_filters(arguments.filter)
    options = plain_compile_options(arguments)
    spec_paths, trace_paths = specs_and_traces(arguments.paths, arguments.trace)
    override = None if arguments.dataset is None else read_dataset(Path(arguments.dataset), filters)
    source = _Source(given, override, filters)
    with report(arguments.output, arguments.color) as out:
        writer = REPORTS[arguments.format](out, arguments.inconclusive)
        tally = Tally()
        specs = ready_specs(spec_paths, options, use_cache=not arguments.no_cache)
        for spec in specs:
            tally.add_spec(spec)
            writer.spec(spec)
        compiled, datasets = _check_values(specs, source, arguments.dataset)
        pairs = _pairs(arguments.pair, specs, [path for path in trace_paths if path.resolve() not in datasets])
        for path, paired in pairs.items():
            trace = _read(path, arguments.trace_format)
            if isinstance(trace, str):
                tally.unreadable_traces += 1
                writer.problem(_name(path), trace)
                continue
            for spec in compiled:
                for session in source.sessions(spec) if spec.path in paired else ():
                    verdict = session.matcher.match(
                        trace, observe=spec.observe, allow_empty=arguments.allow_empty or None
                    )
                    tally.add_verdict(verdict.status)
                    writer.run(Run(spec.name, session, _name(path), trace, verdict))
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


def _check_values(
    specs: list[ReadySpec], source: _Source, dataset_option: str | None
) -> tuple[list[ReadySpec], set[Path]]:
    """The specs without errors, and the dataset files they name. The first row of each is bound at once, so that what
    is wrong with all of them is said before anything is matched."""
    compiled = [spec for spec in specs if spec.matchers]
    if len(compiled) == len(specs):  # else the name may be one of a spec with errors
        refuse_unknown_names(source.given, (matcher for spec in compiled for matcher in spec.matchers))
    datasets: set[Path] = {Path(dataset_option).resolve()} if dataset_option else set()
    for spec in compiled:
        datasets |= {path.resolve() for path in dataset_paths(spec.matchers, spec.path)}
        for matcher in spec.matchers:
            next(bind_rows(matcher, spec, source.given, source.override, source.filters), None)
    if source.filters and not datasets:
        raise CommandError("`--filter` chooses rows of a dataset, and there is none")
    return compiled, datasets


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
