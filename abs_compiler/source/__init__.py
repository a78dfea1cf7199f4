"""Source text: bytes in, positioned text out. Offsets become lines and columns only here."""

from abs_compiler.source.text import SourceFile, Span

__all__ = ["SourceFile", "Span"]
