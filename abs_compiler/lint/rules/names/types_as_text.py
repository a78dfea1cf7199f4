"""Names of types as the content of an answer: `content: {total: number}`.

The content of an answer is an example, of which the types are compared; a name of a type is a text, so that the answer
must hold a text there. `string` happens to say what it means, and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, walk, walk_documents
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.values import IS, LITERAL
from abs_compiler.syntax import Scalar

# An example of each type, as JSON writes it, and the word of predicates for it.
_EXAMPLES = {
    "number": ("0", "number"),
    "float": ("0", "number"),
    "integer": ("0", "integer"),
    "int": ("0", "integer"),
    "boolean": ("true", "boolean"),
    "bool": ("true", "boolean"),
    "array": ("[]", "array"),
    "list": ("[]", "array"),
    "object": ("{}", "object"),
    "dict": ("{}", "object"),
}
# One of the names as a whole scalar, or escapes behind which it may be hidden: without either there is nothing to find.
_WRITTEN = re.compile(rf"""\\[xuU]|[ \t'",:\[]({"|".join(_EXAMPLES)})[ \t\r\n'",}}\]]""")
_ABOUT_TYPES = ("type", "kind", "format", "object", "class")  # keys that may well hold the name of a type


def check(context: FileContext) -> Iterator[Report]:
    """Report each name of a type in the content of answers."""
    if _WRITTEN.search(f"{context.source.text}\n") is None:
        return
    answers = {
        step.behavior.content_span.start
        for ir in context.irs
        for step in ir.steps
        if step.behavior.content_span is not None and is_tool_response(step.behavior.actor, step.behavior.action)
    }
    if not answers:
        return
    for content in walk_documents(context.documents):
        if content.key == "content" and content.key_span is not None and content.key_span.start in answers:
            yield from (_report(place) for place in walk(content.node) if _is_type(place))


def _is_type(place: Place) -> bool:
    node = place.node
    if not isinstance(node, Scalar) or node.alias_of is not None or node.value not in _EXAMPLES:
        return False
    if IS in place.keys or LITERAL in place.keys:
        return False
    return not place.key.lower().endswith(_ABOUT_TYPES)


def _report(place: Place) -> Report:
    node = place.node
    assert isinstance(node, Scalar)
    example, word = _EXAMPLES[node.text]
    return Report(
        "types-as-text",
        f"`{node.text}` is a text here, so the answer must hold a text, whatever it says",
        node.span,
        f"matches no {word}",
        notes=("the content of an answer is an example: its types are compared, not its values",),
        helps=(
            Help("for the type, write an example", Fix(f"write `{example}`", (Edit(node.span, example),))),
            f"or a predicate: `{{{IS}: '{word}'}}`",
        ),
    )
