"""Diagnostics: the record, the code registry, the sink, the renderers."""

from abs_compiler.diagnostics.errors import CompileError
from abs_compiler.diagnostics.record import Applicability, Diagnostic, Edit, Fix, Help, Label, Severity
from abs_compiler.diagnostics.registry import Code, code_named, registry
from abs_compiler.diagnostics.sink import Sink

__all__ = [
    "Applicability",
    "Code",
    "CompileError",
    "Diagnostic",
    "Edit",
    "Fix",
    "Help",
    "Label",
    "Severity",
    "Sink",
    "code_named",
    "registry",
]
