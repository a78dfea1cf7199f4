"""Templates: typed values in, tagged JSON lists out, so that data never reads as code.

["=", json]                         a constant; whatever holds no reference and no predicate is folded into one
["ref", name]                       one whole placeholder
["text", [text | ["ref", name], …]] text with placeholders inside
["obj", {key: template}]            a mapping with something open inside
["arr", [template, …]]              a list with something open inside
["is", predicate]                   a predicate, as data of the predicate language
"""

from __future__ import annotations

from abs_compiler.spec.model import ArrayValue, FromPath, Literal, ObjectValue, Predicate, Reference, Text, Value
from abs_compiler.syntax import JsonValue


def template(value: Value) -> JsonValue:
    """The template of a value."""
    match value:
        case Literal(value=constant):
            return ["=", constant]
        case Reference(name=name):
            return ["ref", name]
        case Text(parts=parts):
            return ["text", [part if isinstance(part, str) else ["ref", part.name] for part in parts]]
        case ObjectValue(entries=entries):
            return ["obj", {entry.key: template(entry.value) for entry in entries}]
        case ArrayValue(items=items):
            return ["arr", [template(item) for item in items]]
        case Predicate(tree=tree):
            from abs_compiler.predicate import lower

            return ["is", lower(tree)]
        case FromPath():
            raise ValueError("a `$from` reached lowering; it is refused before")
