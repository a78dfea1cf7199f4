"""The report of `absc match`: as text, as one JSON document, or as JUnit's XML."""

from __future__ import annotations

import json

from abs_compiler import __version__
from abs_compiler.cli.console import Report, note
from abs_compiler.cli.ready import diagnostic_dicts, diagnostics_text
from abs_compiler.runtime.vocabulary import seen_by_tools_only
from abs_compiler.traces import TOOLS_ONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abs_compiler.cli.bindings import BoundMatcher
    from abs_compiler.cli.ready import ReadySpec
    from abs_compiler.diagnostics import Diagnostic
    from abs_compiler.diagnostics.render.junit import Case
    from abs_compiler.runtime import Trace, Verdict

JSON_VERSION = 1

_COLORS = {"passed": 32, "failed": 31, "inconclusive": 33}


class Run:
    """One session matched with one recorded run."""

    __slots__ = ("session", "spec", "trace", "trace_name", "verdict")

    def __init__(self, spec: str, session: BoundMatcher, trace_name: str, trace: Trace, verdict: Verdict) -> None:
        self.spec = spec
        self.session = session
        self.trace_name = trace_name
        self.trace = trace
        self.verdict = verdict

    @property
    def hint(self) -> str | None:
        """What to try where the recording cannot show what was missed."""
        if self.verdict.status != "failed" or self.trace.format not in TOOLS_ONLY:
            return None
        behaviors = self.session.matcher.program["behaviors"]
        missed = [behaviors[step.index] for step in self.verdict.steps if step.state == "unmatched"]
        if all(seen_by_tools_only(behavior["actor"], behavior["action"]) for behavior in missed):
            return None
        return "this format records tool events only: match with `--observe tools`"

    def explain(self) -> str:
        """The verdict's explanation, and the hint."""
        text = self.verdict.explain()
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class Tally:
    """How many of what; decides the exit status."""

    def __init__(self) -> None:
        self.verdicts = {"passed": 0, "failed": 0, "inconclusive": 0}
        self.refused_specs = 0
        self.unreadable_specs = 0
        self.unbound_specs = 0
        self.bad_rows = 0
        self.unreadable_traces = 0

    def add_spec(self, spec: ReadySpec) -> None:
        """Count a spec that cannot be matched."""
        self.unreadable_specs += spec.status == 2
        self.refused_specs += spec.status == 1

    def add_verdict(self, status: str) -> None:
        """Count a verdict."""
        self.verdicts[status] += 1

    def exit_status(self, inconclusive: str | None) -> int:
        """2 for input that cannot be read, else 1 for a failure, else 3 (or as `inconclusive` says), else 0."""
        if self.unreadable_specs or self.unbound_specs or self.bad_rows or self.unreadable_traces:
            return 2
        if self.refused_specs or self.verdicts["failed"]:
            return 1
        if self.verdicts["inconclusive"]:
            return {"pass": 0, "fail": 1, None: 3}[inconclusive]
        return 0

    def summary(self) -> str:
        """One line for standard error."""
        parts = [f"{count} {status}" for status, count in self.verdicts.items() if count]
        for count, one, rest in (
            (self.refused_specs, "spec", "refused"),
            (self.unreadable_specs, "spec", "unreadable"),
            (self.unbound_specs, "spec", "without all values"),
            (self.bad_rows, "row", "without all values"),
            (self.unreadable_traces, "recorded run", "unreadable"),
        ):
            if count:
                parts.append(f"{count} {one}{'s' if count > 1 else ''} {rest}")
        return ", ".join(parts)


class FullReport:
    """The report as text, written run by run: what was matched with what, then the verdict's own explanation."""

    def __init__(self, out: Report, inconclusive: str | None) -> None:
        self._out = out
        self._between = ""

    def spec(self, spec: ReadySpec) -> None:
        """Report what there is to say about a spec itself."""
        if spec.diagnostics:
            self._out.write(self._between + diagnostics_text(spec.diagnostics, color=self._out.color))
            self._between = "\n"

    def problem(self, trace_name: str, message: str) -> None:
        """Report a recorded run that cannot be read."""
        note(f"absc: {trace_name}: {message}")

    def unbound(self, spec_name: str, message: str) -> None:
        """Report a spec whose variables do not all get a value."""
        note(f"absc: {spec_name}: {message}")

    def run(self, run: Run) -> None:
        """Report a verdict."""
        row = "" if run.session.row is None else f" · row {run.session.row}"
        events = f"{len(run.trace)} event{'' if len(run.trace) == 1 else 's'}"
        status = run.verdict.status
        text = run.explain()
        if self._out.color:
            text = text.replace(status, f"\x1b[1;{_COLORS[status]}m{status}\x1b[0m", 1)
        self._out.write(f"{self._between}{run.spec}{row} · {run.trace_name} ({run.trace.format}, {events})\n{text}\n")
        self._between = "\n"

    def end(self, tally: Tally, status: int) -> None:
        """Nothing is left to write."""


class JsonReport:
    """The report as one JSON document, written run by run."""

    def __init__(self, out: Report, inconclusive: str | None) -> None:
        self._out = out
        self._diagnostics: list[Diagnostic] = []
        self._problems: list[object] = []
        self._between = ""

    def spec(self, spec: ReadySpec) -> None:
        """Keep what there is to say about a spec itself."""
        self._diagnostics.extend(spec.diagnostics)

    def problem(self, trace_name: str, message: str) -> None:
        """Keep a recorded run that cannot be read; standard error names it too."""
        note(f"absc: {trace_name}: {message}")
        self._problems.append({"trace": trace_name, "message": message})

    def unbound(self, spec_name: str, message: str) -> None:
        """Keep a spec whose variables do not all get a value; standard error names it too."""
        note(f"absc: {spec_name}: {message}")
        self._problems.append({"spec": spec_name, "message": message})

    def run(self, run: Run) -> None:
        """Write a verdict."""
        entry = {
            "spec": run.spec,
            "session": run.verdict.session,
            "row": run.session.row,
            "trace": run.trace_name,
            "format": run.trace.format,
            "note": run.trace.note,
            "hint": run.hint,
            "verdict": run.verdict.to_dict(),
        }
        self._out.write((self._between or self._head()) + _indented(entry, "    "))
        self._between = ",\n"

    def _head(self) -> str:
        head = {"version": JSON_VERSION, "tool": {"name": "absc", "version": __version__}, "command": "match"}
        return json.dumps(head, indent=2).removesuffix("\n}") + ',\n  "runs": [\n'

    def end(self, tally: Tally, status: int) -> None:
        """Write what is known at the end."""
        rest = {
            "unreadable": self._problems,
            "diagnostics": diagnostic_dicts(self._diagnostics),
            "summary": tally.verdicts,
            "exit_status": status,
        }
        opened = "\n  ]" if self._between else self._head().removesuffix("\n") + "]"
        self._out.write(opened + "," + json.dumps(rest, indent=2).removeprefix("{") + "\n")


class JunitReport:
    """The report as JUnit's XML, written at the end: one case for each spec and recorded run (and session and row),
    and one for each evaluation. What is inconclusive is an error, unless it counts as a pass; what was not run is
    skipped."""

    def __init__(self, out: Report, inconclusive: str | None) -> None:
        self._out = out
        self._cases: list[Case] = []
        self._outcomes = {
            "passed": "passed",
            "failed": "failed",
            "inconclusive": "skipped" if inconclusive == "pass" else "error",
            "skipped": "skipped",
        }

    def spec(self, spec: ReadySpec) -> None:
        """A spec that was refused is an error."""
        if spec.status:
            text = diagnostics_text(spec.diagnostics, color=False)
            self._cases.append(_case(spec.name, "compiles", "error", "the spec was refused", text))

    def problem(self, trace_name: str, message: str) -> None:
        """A recorded run that cannot be read is an error; standard error names it too."""
        note(f"absc: {trace_name}: {message}")
        self._cases.append(_case(trace_name, "is read", "error", message, message))

    def unbound(self, spec_name: str, message: str) -> None:
        """A spec whose variables do not all get a value is an error; standard error names it too."""
        note(f"absc: {spec_name}: {message}")
        self._cases.append(_case(spec_name, "has all values", "error", message, message))

    def run(self, run: Run) -> None:
        """Keep a verdict and its evaluations."""
        verdict = run.verdict
        row = "" if run.session.row is None else f" · row {run.session.row}"
        name = f"{verdict.session} · {run.trace_name}{row}"
        outcome = self._outcomes[verdict.status]
        reasons = "; ".join(verdict.reasons)
        text = "" if outcome == "passed" else run.explain()
        self._cases.append(_case(run.spec, name, outcome, reasons, text))
        for result in verdict.checks:
            where = "session" if result.behavior is None else f"step {result.behavior + 1}"
            title = f"{name} · {where}: {result.check.name} (line {result.check.at[0]})"
            self._cases.append(_case(run.spec, title, self._outcomes[result.state], result.reason, result.reason))

    def end(self, tally: Tally, status: int) -> None:
        """Write the document."""
        from abs_compiler.diagnostics.render.junit import junit_document

        self._out.write(junit_document("absc match", self._cases))


REPORTS: dict[str, type[FullReport] | type[JsonReport] | type[JunitReport]] = {
    "full": FullReport,
    "json": JsonReport,
    "junit": JunitReport,
}


def _case(group: str, name: str, outcome: str, message: str, text: str) -> Case:
    from abs_compiler.diagnostics.render.junit import Case

    if outcome == "passed":
        return Case(group, name)
    return Case(group, name, outcome, message, text)


def _indented(value: object, indent: str) -> str:
    return indent + json.dumps(value, indent=2).replace("\n", "\n" + indent)
