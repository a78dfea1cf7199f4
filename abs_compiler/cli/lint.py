"""Find what is wrong or doubtful in ABS specs before any agent runs.

PATH is a spec, a folder (the *.abs.yaml, *.abs.yml and *.abs.json below it that git does not ignore), or `-` for
standard input; without any, the working directory. A finding is ignored in its place with a comment, at the end of the
line or alone above it:

  target: order-mcp  # abs: ignore[near-miss-names] -- another server

`# abs: file-ignore[...]` is for a whole file. Errors of compilation cannot be ignored. Configuration is read from the
nearest abs-compiler.toml, or pyproject.toml with a table tool.abs-compiler, above each spec.

exit status: 0 nothing at or above --fail-on; 1 findings; 2 usage, configuration, or a file that cannot be read
"""

from __future__ import annotations

import os

from abs_compiler.artifact.cache import Cache
from abs_compiler.artifact.project import cache_folder
from abs_compiler.cli.console import note, refuse_output_over, report
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.options import (
    add_cache_options,
    add_compile_options,
    plain_compile_options,
    refuse_artifact,
    refuse_unknown_targets,
)
from abs_compiler.files import reason
from abs_compiler.lint.discovery import UnreadableFolderError, find_specs
from abs_compiler.lint.settings import Overrides, Settings
from abs_compiler.lint.work import Findings, Job, lint_jobs, read_job

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from abs_compiler.cli.console import Report
    from abs_compiler.ir import Program

FORMATS = ("full", "concise", "json", "json-lines", "sarif", "github", "junit")
SEVERITIES = ("error", "warning", "info")
STDIN = "-"


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", default=["."])
    parser.add_argument(
        "--select", action="append", metavar="CODES", help="show these only: codes, beginnings, names, all"
    )
    parser.add_argument("--extend-select", action="append", default=[], metavar="CODES", help="show these too")
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES", help="do not show these")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="leave out such files in folders"
    )
    parser.add_argument("--force-exclude", action="store_true", help="leave out excluded files that are named, too")
    parser.add_argument("--fail-on", choices=SEVERITIES, help="the least severity that fails (default: error)")
    parser.add_argument(
        "--exit-zero", action="store_true", help="findings do not fail; what ends in status 2 still does"
    )
    parser.add_argument("--fix", action="store_true", help="mend what can be mended without changing what is checked")
    parser.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: what may change it, too")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and change nothing")
    parser.add_argument(
        "--tools",
        action="append",
        default=[],
        metavar="FILE",
        help="hold calls against tools: MCP tools/list, a tools array, a folder of JSON Schemas",
    )
    parser.add_argument("--config", metavar="FILE", help="use this configuration file for every spec")
    parser.add_argument("--isolated", action="store_true", help="read no configuration file")
    parser.add_argument("--stdin-filename", metavar="NAME", help="what messages call the spec on standard input")
    parser.add_argument("--format", choices=FORMATS, help="default: full; github in a job of GitHub Actions")
    parser.add_argument("--output", metavar="FILE", help="write the report to a file instead of standard output")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    add_compile_options(parser)
    add_cache_options(parser)


def run(arguments: Namespace) -> int:
    """Lint; the exit status."""
    settings = _settings(arguments)
    paths = _paths(arguments, settings)
    excluded_input = STDIN in paths and _excludes_input(arguments, settings)
    if excluded_input:
        paths.remove(STDIN)
    for path in paths:
        refuse_artifact(path, "lint")
    configuration = [] if arguments.config is None else [arguments.config]
    refuse_output_over(arguments.output, [*paths, *arguments.tools, *configuration])
    jobs = _jobs(paths, arguments.stdin_filename, settings)
    if settings.problems:
        return _refuse(arguments, settings)
    if arguments.target:
        _refuse_unused_targets(arguments, jobs)
    cache = None if arguments.no_cache else Cache(cache_folder())
    found = lint_jobs(jobs, cache)
    for text in (*settings.notes, *(cache.notes if cache else ())):
        note(f"absc: {text}")
    if arguments.fix or arguments.diff:
        from abs_compiler.cli.inputs import read_standard_input
        from abs_compiler.cli.lint_fix import run_fixes

        unchanged = read_standard_input() if excluded_input and not arguments.diff else None
        return run_fixes(arguments, settings, jobs, found, unchanged)
    return show(arguments, settings, jobs, found)


def show(
    arguments: Namespace, settings: Settings, jobs: Sequence[Job], found: Sequence[Findings], done: str = ""
) -> int:
    """Write the report on all files; the exit status. `done` is what was done to them already."""
    with report(arguments.output, arguments.color) as out:
        return write_report(out, arguments, settings, jobs, found, done)


def write_report(
    out: Report,
    arguments: Namespace,
    settings: Settings,
    jobs: Sequence[Job],
    found: Sequence[Findings],
    done: str = "",
) -> int:
    """Write the report where it goes; the exit status."""
    form = arguments.format or ("github" if os.environ.get("GITHUB_ACTIONS") == "true" else "full")
    clean = all(job.data is not None and not item.diagnostics for job, item in zip(jobs, found, strict=True))
    if clean and not any(item.suppressions for item in found) and form in ("full", "concise", "github", "json-lines"):
        note(f"{done}linted {_count(len(jobs), 'spec')}: nothing to report")  # and what writes others is not imported
        return 0
    from abs_compiler.cli.lint_report import Outcome

    outcome = Outcome(settings, jobs, found)
    out.write(outcome.rendered(form, color=out.color))
    note(done + outcome.summary())
    return outcome.status(exit_zero=arguments.exit_zero)


def _settings(arguments: Namespace) -> Settings:
    options = plain_compile_options(arguments)
    words = _words(arguments.select or [])
    overrides = Overrides(
        select=None if arguments.select is None else words,
        extend_select=_words(arguments.extend_select),
        ignore=_words(arguments.ignore),
        exclude=tuple(arguments.exclude),
        fail_on=arguments.fail_on,
        observe=options["observe"],
        targets=options["targets"],
        tools=tuple(arguments.tools),
    )
    if overrides.selects:
        from abs_compiler.lint.config import code_problem

        for word in (*words, *overrides.extend_select, *overrides.ignore):
            problem, help_ = code_problem(word, ignored=word in overrides.ignore)
            if problem:
                raise CommandError(f"{problem}; {help_}")
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise CommandError("`--unsafe-fixes` goes with `--fix` or `--diff`")
    if arguments.isolated and arguments.config is not None:
        raise CommandError("`--isolated` reads no configuration, so `--config` cannot go with it")
    if arguments.stdin_filename is not None and STDIN not in arguments.paths:
        raise CommandError("`--stdin-filename` goes with `-`, the spec on standard input")
    if arguments.diff and arguments.format is not None:
        raise CommandError("`--diff` has a format of its own, so `--format` cannot go with it")
    if arguments.config is not None and not os.access(arguments.config, os.R_OK):
        raise CommandError(f"cannot read the configuration `{arguments.config}`")
    return Settings(overrides, "" if arguments.isolated else arguments.config)


def _words(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for item in given for word in item.split(",") if word.strip())


def _paths(arguments: Namespace, settings: Settings) -> list[str]:
    named = list(arguments.paths)
    if named.count(STDIN) > 1:
        raise CommandError("standard input (`-`) can be read once only")
    try:
        paths, empty = find_specs(
            (path for path in named if path != STDIN), settings.excludes, named_too=arguments.force_exclude
        )
    except UnreadableFolderError as error:
        raise CommandError(f"cannot read `{error.folder}`: {reason(error.error)}") from None
    for folder, why in empty.items():
        raise CommandError(f"no spec in `{folder}`: {why}")
    return [STDIN, *paths] if STDIN in named else paths


def _excludes_input(arguments: Namespace, settings: Settings) -> bool:
    """Whether the spec on standard input is left out by its name."""
    name = arguments.stdin_filename
    return bool(arguments.force_exclude and name and settings.excludes(name))


def _jobs(paths: Sequence[str], stdin_name: str | None, settings: Settings) -> list[Job]:
    try:
        return [_job(path, stdin_name, settings) for path in paths]
    except Exception as error:
        if type(error).__name__ != "ToolsError":  # whose module is imported only where tools are read
            raise
        raise CommandError(str(error)) from None


def _job(path: str, stdin_name: str | None, settings: Settings) -> Job:
    if path != STDIN:
        return read_job(path, settings.options(path))
    from abs_compiler.cli.inputs import read_standard_input

    options = settings.options(stdin_name or "")
    return Job(stdin_name or "", stdin_name or "<stdin>", read_standard_input(), options, stdin=True)


def _refuse_unused_targets(arguments: Namespace, jobs: Sequence[Job]) -> None:
    """Raise CommandError for a name of `--target` that none of the specs uses, where all of them compile."""
    from abs_compiler.pipeline import analyse
    from abs_compiler.plain_options import full_options

    programs: list[Program] = []
    for job in jobs:
        found = None if job.data is None else analyse(job.data, job.name, full_options(job.options))
        if found is None or not found.programs:
            return
        programs += found.programs
    refuse_unknown_targets(plain_compile_options(arguments)["targets"], programs)


def _refuse(arguments: Namespace, settings: Settings) -> int:
    """Report what is wrong in configuration files; nothing is linted then."""
    from abs_compiler.diagnostics.render import render

    form, output = arguments.format or "full", arguments.output
    if form == "sarif" and output is not None:  # a file without findings would say that all earlier ones are mended
        form, output = "full", None
    with report(output, arguments.color) as out:
        out.write(render(settings.problems, form, color=out.color, explain=True))
    note("nothing was linted: the configuration is wrong")
    return 2


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
