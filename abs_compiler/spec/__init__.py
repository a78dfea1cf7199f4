"""Spec: positioned trees in, typed sessions and shared fragments out; every mistake of shape is reported here."""

from abs_compiler.spec.document import read_file
from abs_compiler.spec.model import Session, SpecFile
from abs_compiler.spec.reading import Context

__all__ = ["Context", "Session", "SpecFile", "read_file"]
