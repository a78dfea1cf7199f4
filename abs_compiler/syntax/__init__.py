"""Syntax: YAML and JSON text in, one positioned tree per document out."""

from abs_compiler.syntax.document import Document
from abs_compiler.syntax.limits import Limits
from abs_compiler.syntax.parse import parse
from abs_compiler.syntax.tree import Entry, JsonValue, Mapping, Node, Scalar, Sequence, kind_name, to_json

__all__ = [
    "Document",
    "Entry",
    "JsonValue",
    "Limits",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "kind_name",
    "parse",
    "to_json",
]
