"""The runtime: compiled programs in, verdicts out. Depends on the standard library only.

load_programs -> Matcher.bind -> Matcher.match | Matcher.monitor -> Verdict

What a process may do without (monitors, explanations, evaluations) is imported when it is first used.
"""

from __future__ import annotations

from .errors import AbsError, ArtifactError, BindError, TraceError
from .events import Event, Trace, as_trace
from .matcher import Matcher, load_programs
from .verdict import StepResult, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .monitor import Monitor, Running

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


def __getattr__(name: str) -> object:
    if name not in ("Monitor", "Running"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import monitor

    value: object = getattr(monitor, name)
    globals()[name] = value
    return value
