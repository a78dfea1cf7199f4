"""The report of `absc lint`: the findings of all files in, their text, a summary and an exit status out."""

from __future__ import annotations

from collections.abc import Sequence

from abs_compiler.diagnostics import Diagnostic, Severity
from abs_compiler.diagnostics.render import render
from abs_compiler.lint.fixes import best_fix
from abs_compiler.lint.one_file import restore
from abs_compiler.lint.selection import OF_TOOLS, Shown, choose
from abs_compiler.lint.settings import Settings, fails
from abs_compiler.lint.work import Findings, Job

# Findings that say: this could not be looked at at all. They end a command like a file that is not there.
_UNREADABLE = ("unreadable-file", "not-utf8", "too-large", "internal-error")


class Outcome:
    """The findings of a run that are shown."""

    def __init__(self, settings: Settings, jobs: Sequence[Job], found: Sequence[Findings]) -> None:
        self._settings = settings
        self._jobs = jobs
        self._shown = [shown(settings, job, item) for job, item in zip(jobs, found, strict=True)]
        self._least = {job.name: settings.fail_on(job.path) for job in jobs}
        self._diagnostics = [item for one in self._shown for item in one.diagnostics]

    def rendered(self, form: str, *, color: bool) -> str:
        """The report in one of the formats."""
        return render(
            self._diagnostics,
            form,
            color=color,
            explain=True,
            paths=[job.name for job in self._jobs],
            fails=self._fails,
            suppressed=[(item.diagnostic, item.suppression.reason) for one in self._shown for item in one.suppressed],
        )

    def _fails(self, item: Diagnostic) -> bool:
        return item.name in _UNREADABLE or fails([item.severity.value], self._least[item.path])

    def summary(self) -> str:
        """One line: how many files, how many findings, how many of them can be mended."""
        severities = [item.severity for item in self._diagnostics]
        found = [_count(severities.count(severity), severity.value) for severity in Severity if severity in severities]
        safe = sum(best_fix(item, unsafe=False) is not None for item in self._diagnostics)
        unsafe = sum(best_fix(item, unsafe=True) is not None for item in self._diagnostics) - safe
        text = f"linted {_count(len(self._jobs), 'spec')}: {', '.join(found) or 'nothing to report'}"
        if safe:
            text += f"; --fix mends {safe}" + (f", --unsafe-fixes {unsafe} more" if unsafe else "")
        elif unsafe:
            text += f"; --fix --unsafe-fixes mends {unsafe}"
        return text

    def status(self, *, exit_zero: bool) -> int:
        """2 where a file could not be looked at, 1 where a finding is bad enough, else 0."""
        if any(item.name in _UNREADABLE for item in self._diagnostics):
            return 2
        failed = any(
            fails([item.severity.value for item in one.diagnostics], self._settings.fail_on(job.path))
            for job, one in zip(self._jobs, self._shown, strict=True)
        )
        return int(failed and not exit_zero)


def shown(settings: Settings, job: Job, found: Findings) -> Shown:
    """What is shown of one file."""
    restored = restore(found, job)
    inactive = frozenset() if job.options.get("tools") else OF_TOOLS
    return choose(restored.source, restored.diagnostics, restored.suppressions, settings.selection(job.path), inactive)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 or noun == 'info' else 's'}"
