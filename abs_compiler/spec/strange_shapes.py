"""Items of `behaviors` and documents that hold no key of theirs, but say in another way what they are: `- user: asks`,
an evaluation among the behaviors, a document below a key of its own. One finding says what is meant.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.source import Span
from abs_compiler.spec.groups import ANY_ORDER
from abs_compiler.spec.reading import Context, near, replacement
from abs_compiler.spec.vocabulary import ACTIONS, ACTORS, BEHAVIOR_KEYS, BEHAVIOR_SYNONYMS, DOCUMENT_KEYS
from abs_compiler.syntax import Entry, Mapping, Node, Scalar, Sequence

# How other languages call what happens together or in any order.
_GROUPS = frozenset(("parallel", "any_order", "anyorder", "concurrent", "concurrently", "together", "group", "set"))
_KNOWN = frozenset((*BEHAVIOR_KEYS, *BEHAVIOR_SYNONYMS)) - {"evaluations", "type"}


def report_strange_item(ctx: Context, node: Mapping) -> bool:
    """Report an item of a list of behaviors that is none. The answer is whether it was."""
    if node.get("type") is not None and node.get("actor") is None and node.get("action") is None:
        _report_evaluation(ctx, node)
        return True
    if any(entry.key in _KNOWN for entry in node.entries):
        return False
    first = node.entries[0]
    if len(node.entries) == 1 and near(ctx, first.key, ("include",)) is not None:
        fix = replacement(ctx, first.key_span, "include")
        _report(ctx, first, f"unknown key `{first.key}`", "no behavior", Help("the key is called `include`", fix))
        return True
    if isinstance(first.value, Sequence) and first.key.lower() in _GROUPS:
        _report(ctx, first, f"unknown key `{first.key}`", "no behavior", ANY_ORDER)
        return True
    if first.key not in (*ACTORS, *ACTIONS):
        return False
    kind = "an actor" if first.key in ACTORS else "an action"
    _report(ctx, first, f"`{first.key}` is {kind}, no key of a behavior", "not a key", _as_behavior(node, first))
    return True


def report_wrapped_document(ctx: Context, root: Mapping) -> bool:
    """Report a document that stands below a key of its own, or a list of documents. The answer is whether it is one."""
    if len(root.entries) != 1:
        return False
    (entry,) = root.entries
    value = entry.value
    inner = value.items[0] if isinstance(value, Sequence) and value.items else value
    if entry.key in DOCUMENT_KEYS or not isinstance(inner, Mapping) or inner.get("behaviors") is None:
        return False
    help_ = f"write `session`, `behaviors` and the others at the top level, without `{entry.key}:`"
    if isinstance(value, Sequence):
        help_ += "; several sessions are documents, with a line `---` between them"
    _report(ctx, entry, f"the document stands below `{entry.key}`", "no key of a document", help_)
    return True


def _report(ctx: Context, entry: Entry, message: str, label: str, help_: str | Help) -> None:
    ctx.sink.report("unknown-key", message, entry.key_span, label, helps=(help_,))


def _report_evaluation(ctx: Context, node: Mapping) -> None:
    ctx.sink.report(
        "misplaced-evaluation",
        "an evaluation stands among the behaviors",
        next(entry.key_span for entry in node.entries if entry.key == "type"),
        "evaluations have a `type`, behaviors `actor` and `action`",
        helps=("move it under `evaluations`: of the behavior it checks, or at the top level for the whole run",),
    )


def _as_behavior(node: Mapping, entry: Entry) -> Help | str:
    word = _word(entry.value)
    if entry.key in ACTORS and word in ACTIONS:
        right = f"{{actor: {entry.key}, action: {word}}}"
        edit = Edit(Span(entry.key_span.start, entry.value.span.end), right)
        plain = len(node.entries) == 1 and node.span.start == entry.key_span.start
        return Help(f"write `{right}`", Fix(f"write `{right}`", (edit,), Applicability.UNSAFE) if plain else None)
    if entry.key in ACTIONS and word:
        return f"write `{{actor: …, action: {entry.key}, target: {word}}}`"
    role = "actor" if entry.key in ACTORS else "action"
    return f"write `{role}: {entry.key}`, in a mapping with `actor` and `action`"


def _word(node: Node) -> str:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""
