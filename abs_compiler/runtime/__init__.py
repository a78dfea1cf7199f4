"""The runtime: compiled programs in, verdicts out. Depends on the standard library only.

load_programs -> Matcher.bind -> Matcher.match | Matcher.monitor -> Verdict
"""

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
