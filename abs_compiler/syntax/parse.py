"""The way in: one source text, read as JSON or as YAML."""

from __future__ import annotations

import re

from abs_compiler.diagnostics import Sink
from abs_compiler.source import SourceFile
from abs_compiler.syntax.document import Document
from abs_compiler.syntax.limits import Limits

_DEFAULT_LIMITS = Limits()
_BLANKS = r"(?:[ \t\r\n]|//[^\r\n]*|/\*.*?\*/)*"  # with the comments of JavaScript, which JSON does not have
_JSON_START = re.compile(_BLANKS + r"[{\[]", re.DOTALL)
# The start of a mapping or list that only JSON writers write: a quoted key or text, also in lists of lists.
_JSON_LOOK = re.compile(rf'{_BLANKS}(?:\{{{_BLANKS}"|(?:\[{_BLANKS})+(?:"|\{{{_BLANKS}["}}]))', re.DOTALL)


def parse(source: SourceFile, sink: Sink, limits: Limits = _DEFAULT_LIMITS) -> list[Document]:
    """The documents of a source. Problems are reported; no documents come back where the text cannot be read.

    A name ending in `.json` is read as JSON only; another one as JSON where it starts like JSON and reads as JSON,
    else as YAML.
    """
    size = len(source.text.encode("utf-8", "surrogatepass")) if len(source.text) * 4 > limits.file_bytes else 0
    if size > limits.file_bytes:
        sink.report(
            "too-large",
            f"the file is {size:,} bytes long; at most {limits.file_bytes:,} are read",
            helps=["split the file: sessions need not live in one"],
        )
        return []
    if source.name.endswith(".json"):
        return _json(source, sink, limits)
    if not _JSON_START.match(source.text):
        return _yaml(source, sink, limits)
    as_json = Sink(source, sink.path, sink.uncounted)
    documents = _json(source, as_json, limits)
    if not as_json.has("json-syntax") and not as_json.has("bad-reference"):
        sink.extend(as_json)
        return documents
    as_yaml = Sink(source, sink.path, sink.uncounted)
    documents = _yaml(source, as_yaml, limits)
    sink.extend(as_json if not documents and _JSON_LOOK.match(source.text) else as_yaml)
    return documents


def _json(source: SourceFile, sink: Sink, limits: Limits) -> list[Document]:
    from abs_compiler.syntax.json_reader import read_json

    return read_json(source, sink, limits)


def _yaml(source: SourceFile, sink: Sink, limits: Limits) -> list[Document]:
    from abs_compiler.syntax.yaml_reader import read_yaml  # loads PyYAML, which JSON does without

    return read_yaml(source, sink, limits)
