"""The runtime: compiled programs in, verdicts out. Depends on the standard library only.

load_programs -> Matcher.bind -> Matcher.match | Matcher.monitor -> Verdict

Names are resolved on first use, and what a process may do without (monitors, explanations, evaluations) is imported
when it is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .errors import AbsError, ArtifactError, BindError, TraceError
    from .events import Event, Trace, as_trace
    from .matcher import Matcher, load_programs
    from .monitor import Monitor, Running
    from .verdict import StepResult, Verdict

__all__ = [
    "AbsError",
    "ArtifactError",
    "BindError",
    "Event",
    "Matcher",
    "Monitor",
    "Running",
    "StepResult",
    "Trace",
    "TraceError",
    "Verdict",
    "as_trace",
    "load_programs",
]

_HOME = {
    "AbsError": "errors",
    "ArtifactError": "errors",
    "BindError": "errors",
    "Event": "events",
    "Matcher": "matcher",
    "Monitor": "monitor",
    "Running": "monitor",
    "StepResult": "verdict",
    "Trace": "events",
    "TraceError": "errors",
    "Verdict": "verdict",
    "as_trace": "events",
    "load_programs": "matcher",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
