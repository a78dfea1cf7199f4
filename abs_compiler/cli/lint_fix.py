"""`absc lint --fix` and `--diff`: mend the files, or show what that would change."""

from __future__ import annotations

import difflib
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from abs_compiler.cli import lint
from abs_compiler.cli.console import Report, note, report
from abs_compiler.cli.failure import CommandError
from abs_compiler.cli.lint_report import shown
from abs_compiler.diagnostics import Diagnostic
from abs_compiler.files import reason, replace_file
from abs_compiler.lint.fixes import best_fix, fix_text
from abs_compiler.lint.one_file import lint_one
from abs_compiler.lint.settings import Settings
from abs_compiler.lint.work import Findings, Job
from abs_compiler.source import SourceError, decode

_MARK = b"\xef\xbb\xbf"


class _Mended:
    """A file and what its fixes make of it."""

    def __init__(self, job: Job, data: bytes, count: int) -> None:
        self.job = job
        self.data = data
        self.count = count


def run_fixes(
    arguments: Namespace, settings: Settings, jobs: Sequence[Job], found: Sequence[Findings], unchanged: bytes | None
) -> int:
    """Mend, or show the difference; the exit status. Standard input comes out mended, and its report goes to standard
    error, unless that has a file of its own. `unchanged` is standard input that was not to be linted."""
    mended = [_mended(arguments, settings, job, item) for job, item in zip(jobs, found, strict=True)]
    if arguments.diff:
        return _show_diff(arguments, mended)
    changed = [item for item in mended if item.count]
    for item in changed:
        if not item.job.stdin:
            _write(item)
    after = [(item.job.changed(item.data), lint_one(item.job.changed(item.data))[0]) for item in changed]
    by_name = {job.name: (job, one) for job, one in after}
    both = [by_name.get(job.name, (job, one)) for job, one in zip(jobs, found, strict=True)]
    fixes = sum(item.count for item in changed)
    done = f"mended {_count(fixes, 'finding')} in {_count(len(changed), 'spec')}; " if fixes else ""
    after_jobs, after_found = [job for job, _ in both], [one for _, one in both]
    piped = [item.data for item in mended if item.job.stdin] if unchanged is None else [unchanged]
    for data in piped:
        with report(None, "never") as out:
            out.write(data.decode("utf-8", "surrogateescape"))
    if piped and arguments.output is None:
        out = Report(sys.stderr, "the report", arguments.color)
        return lint.write_report(out, arguments, settings, after_jobs, after_found, done)
    return lint.show(arguments, settings, after_jobs, after_found, done)


def _mended(arguments: Namespace, settings: Settings, job: Job, found: Findings) -> _Mended:
    unchanged = _Mended(job, job.data or b"", 0)
    if job.data is None or not (found.diagnostics or found.suppressions):
        return unchanged
    try:
        source = decode(job.data, job.name)
    except SourceError:
        return unchanged
    first = shown(settings, job, found).diagnostics
    if not any(best_fix(item, unsafe=arguments.unsafe_fixes) for item in first):
        return unchanged
    mark = _MARK if job.data.startswith(_MARK) else b""

    def findings(text: str) -> tuple[Diagnostic, ...]:
        other = job.changed(mark + text.encode("utf-8"))
        return shown(settings, other, lint_one(other)[0]).diagnostics

    fixed = fix_text(source.text, findings, unsafe=arguments.unsafe_fixes)
    return _Mended(job, mark + fixed.text.encode("utf-8"), fixed.count)


def _write(item: _Mended) -> None:
    """Replace a file; a link keeps pointing where it does, and the file keeps its permissions."""
    try:
        path = Path(item.job.path).resolve(strict=True)
        if not path.is_file():
            raise CommandError(f"cannot write `{item.job.name}`: it is a pipe or a device")
        mode = path.stat().st_mode & 0o7777
        replace_file(str(path), item.data)
        path.chmod(mode)
    except OSError as error:
        raise CommandError(f"cannot write `{item.job.name}`: {reason(error)}") from None


def _show_diff(arguments: Namespace, mended: Sequence[_Mended]) -> int:
    changed = [item for item in mended if item.count]
    with report(arguments.output, arguments.color) as out:
        for item in changed:
            out.write("".join(_diff(item)))
    fixes = sum(item.count for item in changed)
    what = (
        f"--fix would mend {_count(fixes, 'finding')} in {_count(len(changed), 'spec')}" if fixes else "nothing to mend"
    )
    note(f"linted {_count(len(mended), 'spec')}: {what}")
    return int(bool(changed) and not arguments.exit_zero)


def _diff(item: _Mended) -> Iterator[str]:
    before = (item.job.data or b"").decode("utf-8").splitlines(keepends=True)
    after = item.data.decode("utf-8").splitlines(keepends=True)
    for line in difflib.unified_diff(before, after, item.job.name, item.job.name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
