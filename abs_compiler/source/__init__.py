"""Source text: bytes in, positioned text out. Offsets become lines and columns only here."""

from abs_compiler.source.decode import SourceError, decode
from abs_compiler.source.text import SourceFile, Span

__all__ = ["SourceError", "SourceFile", "Span", "decode"]
