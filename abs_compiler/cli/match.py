"""Match recorded runs against ABS specs and explain every verdict.

Specs are files named *.abs.yaml, *.abs.yml, *.abs.json, *.yaml or *.yml, or compiled ones (*.absc). Recorded runs are
any other *.json, *.jsonl, `-` for standard input, or a file of any name with --trace. A folder stands for the *.abs.*
specs, the *.absc without a spec beside them, and the recorded runs below it. Every spec is matched with every run, or,
with --pair stem, with the runs of its name (refund.abs.yaml with refund.json and refund.2.json). The file that the
report goes to is no recorded run. Specs that git ignores are left out of folders; recorded runs are not.

Values for a spec's variables: a row of its dataset, else --var or --var-json, else ABS_VAR_name in the environment.

exit status: 0 everything passed; 1 a run did not match or a spec has errors; 2 usage, or input that cannot be read;
3 nothing failed but something is inconclusive
"""

from __future__ import annotations

import functools
from pathlib import Path

from abs_compiler.cli.bindings import BoundMatcher, bind_rows, dataset_paths, given_values, refuse_unknown_names
from abs_compiler.cli.console import note, refuse_output_over, report
from abs_compiler.cli.dataset import given_filters, read_dataset
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.inputs import STDIN, Inputs, pair_by_stem, read_standard_input, specs_and_traces
from abs_compiler.cli.match_report import REPORTS, Run, Tally
from abs_compiler.cli.options import (
    add_cache_options,
    add_compile_options,
    add_report_options,
    plain_compile_options,
    refuse_unknown_targets,
)
from abs_compiler.cli.ready import ReadySpec, ready_specs
from abs_compiler.files import display_name
from abs_compiler.runtime.errors import TraceError
from abs_compiler.traces import FORMATS, UnclearFormatError, read_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from abs_compiler.cli.dataset import Dataset
    from abs_compiler.cli.match_report import FullReport, JsonReport, JunitReport
    from abs_compiler.runtime import Matcher, Trace

MOST_NAMES = 5  # that one line of a message lists


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


class _UnboundError(CommandError):
    """A session that cannot get the values of its variables."""


class _Source:
    """Where the values of the specs' variables come from."""

    __slots__ = ("filters", "given", "override")

    def __init__(self, given: Mapping[str, Any], override: Dataset | None, filters: Sequence[tuple[str, str]]) -> None:
        self.given = given
        self.override = override
        self.filters = filters

    def sessions(self, spec: ReadySpec, bad_row: Callable[[str], None]) -> Iterator[BoundMatcher]:
        """The sessions of a spec with all values, each once for every row of its dataset. Raises _UnboundError."""
        try:
            for matcher in spec.matchers:
                yield from bind_rows(matcher, spec, self.given, self.override, self.filters, bad_row)
        except CommandError as error:
            raise _UnboundError(str(error)) from None


def run(arguments: Namespace) -> int:
    """Match; the exit status. Raises CommandError for what makes matching pointless."""
    given = given_values(arguments.var, arguments.var_json)
    filters = given_filters(arguments.filter)
    options = plain_compile_options(arguments)
    inputs = specs_and_traces(arguments.paths, arguments.trace, arguments.output)
    given_dataset = [] if arguments.dataset is None else [arguments.dataset]
    refuse_output_over(arguments.output, [*inputs.specs, *inputs.traces, *given_dataset])
    override = None if arguments.dataset is None else read_dataset(Path(arguments.dataset), filters)
    source = _Source(given, override, filters)
    specs = ready_specs(inputs.specs, options, use_cache=not arguments.no_cache)
    datasets = _datasets(specs, source, arguments.dataset, options["targets"])
    refuse_output_over(arguments.output, datasets)
    pairs = _pairs(arguments.pair, specs, inputs, datasets)
    with report(arguments.output, arguments.color) as out:
        writer = REPORTS[arguments.format](out, arguments.inconclusive)
        tally = Tally()
        for spec in specs:
            tally.add_spec(spec)
            writer.spec(spec)
        matching = _Matching(specs, source, tally, writer)
        for path, paired in pairs.items():
            trace = _read(path, arguments.trace_format)
            problem = trace if isinstance(trace, str) else matching.match(trace, _name(path), paired, arguments)
            if problem is not None:
                tally.unreadable_traces += 1
                writer.problem(_name(path), problem)
        status = tally.exit_status(arguments.inconclusive)
        writer.end(tally, status)
    note(tally.summary())
    return status


class _Matching:
    """Specs being matched, and what is counted and written of it. A spec whose variables do not get their values, and
    a row that lacks some, is a problem of its own, said once; the others are matched all the same."""

    __slots__ = ("_matchable", "_said", "_source", "_tally", "_writer")

    def __init__(
        self, specs: list[ReadySpec], source: _Source, tally: Tally, writer: FullReport | JsonReport | JunitReport
    ) -> None:
        self._source = source
        self._tally = tally
        self._writer = writer
        self._matchable = [spec for spec in specs if spec.matchers]
        self._said: set[tuple[str, str]] = set()
        # The first good row of each is bound at once: what is wrong with all is said before anything is matched.
        for spec in list(self._matchable):
            try:
                for matcher in spec.matchers:
                    self._check_first(matcher, spec)
            except CommandError as error:
                self._give_up(spec, error)

    def _check_first(self, matcher: Matcher, spec: ReadySpec) -> None:
        bad: list[str] = []
        source = self._source
        rows = bind_rows(matcher, spec, source.given, source.override, source.filters, bad.append)
        if next(rows, None) is None and bad:
            raise CommandError(bad[0])

    def match(self, trace: Trace, name: str, paired: list[Path], arguments: Namespace) -> str | None:
        """Match a recorded run with the specs among `paired`; why it cannot be matched at all, if so."""
        for spec in list(self._matchable):
            if spec.path not in paired:
                continue
            try:
                for session in self._source.sessions(spec, functools.partial(self._bad_row, spec)):
                    verdict = session.matcher.match(
                        trace, observe=spec.observe, allow_empty=arguments.allow_empty or None
                    )
                    self._tally.add_verdict(verdict.status)
                    self._writer.run(Run(spec.name, session, name, trace, verdict))
            except TraceError as error:
                return str(error)
            except _UnboundError as error:  # and not a report that cannot be written
                self._give_up(spec, error)
        return None

    def _bad_row(self, spec: ReadySpec, message: str) -> None:
        if (spec.name, message) not in self._said:
            self._said.add((spec.name, message))
            self._tally.bad_rows += 1
            self._writer.unbound(spec.name, message)

    def _give_up(self, spec: ReadySpec, error: CommandError) -> None:
        self._matchable.remove(spec)
        self._tally.unbound_specs += 1
        self._writer.unbound(spec.name, str(error))


def _pairs(how: str, specs: list[ReadySpec], inputs: Inputs, datasets: set[Path]) -> dict[Path, list[Path]]:
    """For every run the specs to match it with. Raises CommandError where nothing would be matched."""
    paths = [spec.path for spec in specs]
    traces = [path for path in inputs.traces if path.resolve() not in datasets]
    if not traces:
        raise CommandError("no recorded run given: the files named are datasets of the specs")
    if how != "stem":
        return dict.fromkeys(traces, paths)
    pairs, strays = pair_by_stem(paths, traces, inputs.found)
    if strays:
        names = ", ".join(f"`{display_name(path)}`" for path in strays[:MOST_NAMES])
        more = f" and {len(strays) - MOST_NAMES} more" if len(strays) > MOST_NAMES else ""
        note(f"absc: passed over, since no spec goes by the name: {names}{more}")
    return pairs


def _datasets(specs: list[ReadySpec], source: _Source, dataset_option: str | None, targets: Iterable[str]) -> set[Path]:
    """The dataset files. Raises CommandError for a value, a target or a filter that nothing could use."""
    compiled = [spec for spec in specs if spec.matchers]
    if len(compiled) == len(specs):  # else the name may be one of a spec with errors
        matchers = [matcher for spec in compiled for matcher in spec.matchers]
        refuse_unknown_names(source.given, matchers)
        refuse_unknown_targets(targets, (matcher.program for matcher in matchers))
    datasets: set[Path] = {Path(dataset_option).resolve()} if dataset_option else set()
    for spec in compiled:
        datasets |= {path.resolve() for path in dataset_paths(spec.matchers, spec.path)}
    if source.filters and not datasets and compiled:
        raise CommandError("`--filter` chooses rows of a dataset, and there is none")
    return datasets


def _read(path: Path, trace_format: str) -> Trace | str:
    """A recorded run, or why it cannot be read."""
    name = _name(path)
    try:
        source = read_standard_input() if path == STDIN else path
        return read_trace(source, trace_format, name=name)
    except UnclearFormatError as error:
        return f"{error.problem.removeprefix(f'{name}: ')}; name the format with --trace-format"
    except TraceError as error:
        return str(error).removeprefix(f"{name}: ")


def _name(path: Path) -> str:
    return "<stdin>" if path == STDIN else display_name(path)
