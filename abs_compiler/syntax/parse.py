"""The way in: one source text, read as JSON or as YAML."""

from __future__ import annotations

from abs_compiler.diagnostics import Sink
from abs_compiler.source import SourceFile, Span
from abs_compiler.syntax.document import Document
from abs_compiler.syntax.limits import Limits

_DEFAULT_LIMITS = Limits()


def parse(source: SourceFile, sink: Sink, limits: Limits = _DEFAULT_LIMITS) -> list[Document]:
    """The documents of a source. Problems are reported; no documents come back where the text cannot be read."""
    from abs_compiler.syntax.yaml_reader import read_yaml

    size = len(source.text.encode("utf-8", "surrogatepass")) if len(source.text) * 4 > limits.file_bytes else 0
    if size > limits.file_bytes:
        sink.report(
            "too-large",
            f"the file is {size:,} bytes long; at most {limits.file_bytes:,} are read",
            Span(0, 0),
        )
        return []
    return read_yaml(source, sink, limits)
