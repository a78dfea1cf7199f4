"""Compile ABS (Agent Behavior Specification) files and match them against what an agent was seen to do.

    import abs_compiler as absc

    (matcher,) = absc.compile_file("refund.abs.yaml")
    verdict = matcher.match(absc.read_trace("run.json"))
    print(verdict.explain())

This module is the public surface and nothing else. Names are resolved on first use, so that
`import abs_compiler.runtime` stays as small as the runtime itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from abs_compiler.api import check_file, check_text, compile_file, compile_text
    from abs_compiler.diagnostics import CompileError, Diagnostic, Severity
    from abs_compiler.options import CompileOptions
    from abs_compiler.runtime import Event, Matcher, Trace, Verdict
    from abs_compiler.runtime.artifact import load
    from abs_compiler.runtime.errors import AbsError, ArtifactError, BindError, TraceError
    from abs_compiler.traces import read_trace

__version__ = "0.1.0"

__all__ = [
    "AbsError",
    "ArtifactError",
    "BindError",
    "CompileError",
    "CompileOptions",
    "Diagnostic",
    "Event",
    "Matcher",
    "Severity",
    "Trace",
    "TraceError",
    "Verdict",
    "check_file",
    "check_text",
    "compile_file",
    "compile_text",
    "load",
    "read_trace",
]

_HOME = {
    "AbsError": "abs_compiler.runtime.errors",
    "ArtifactError": "abs_compiler.runtime.errors",
    "BindError": "abs_compiler.runtime.errors",
    "CompileError": "abs_compiler.diagnostics",
    "CompileOptions": "abs_compiler.options",
    "Diagnostic": "abs_compiler.diagnostics",
    "Event": "abs_compiler.runtime",
    "Matcher": "abs_compiler.runtime",
    "Severity": "abs_compiler.diagnostics",
    "Trace": "abs_compiler.runtime",
    "TraceError": "abs_compiler.runtime.errors",
    "Verdict": "abs_compiler.runtime",
    "check_file": "abs_compiler.api",
    "check_text": "abs_compiler.api",
    "compile_file": "abs_compiler.api",
    "compile_text": "abs_compiler.api",
    "load": "abs_compiler.runtime.artifact",
    "read_trace": "abs_compiler.traces",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
