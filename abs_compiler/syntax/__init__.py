"""Syntax: YAML and JSON text in, one positioned tree out."""

from abs_compiler.syntax.tree import Entry, JsonValue, Mapping, Node, Scalar, Sequence, kind_name, to_json

__all__ = ["Entry", "JsonValue", "Mapping", "Node", "Scalar", "Sequence", "kind_name", "to_json"]
