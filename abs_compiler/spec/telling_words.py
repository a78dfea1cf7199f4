"""Unknown keys that say whether, how often, when or in which order something is to happen, and what the language has
for that.

Whoever writes `forbidden: true` or `times: 2` demands something. Without the key less is demanded, or the opposite, so
that removing it is never the advice; nor is a key that is spelt alike.
"""

from __future__ import annotations

from collections.abc import Callable

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.predicate.negation import parts
from abs_compiler.source import SourceFile
from abs_compiler.syntax import Entry, Mapping, Scalar

NEGATION, OBLIGATION, CONDITION, QUANTITY, ORDER = "negation", "obligation", "condition", "quantity", "order"
_WORDS = {
    CONDITION: "if unless when whenever condition conditions conditional provided else otherwise except",
    NEGATION: "not no never none non nor without cannot forbid forbids forbidden prohibit prohibited disallow"
    " disallowed deny denied ban banned exclude excludes excluded avoid avoids avoided absent negate negated inverted"
    " mustnt shouldnt dont doesnt",
    OBLIGATION: "required require mandatory must obligatory compulsory needed necessary should",
    QUANTITY: "times count counts repeat repeats repeated occurs occurrences min max minimum maximum least most exactly"
    " exact limit once twice more less fewer than greater larger smaller",
    ORDER: "before after until first last then follows followed precedes preceded ordered unordered order parallel"
    " next previous sequence",
}
# What such words are joined with. Any other word makes a name of its own, such as `order_id` and `first_name`.
_JOINED = (
    "with args arguments target tool action actor content text call calls called time is be to of in by allowed or and"
    " only match matches contains contain score steps event events run runs any all status extras extra"
)
_COMPANIONS = frozenset(_JOINED.split())
# What may well be the name of an argument.
_ARGUMENTS = frozenset(
    ("limit", "count", "order", "first", "last", "before", "after", "condition", "min", "max", "until", "next")
)
_KIND_OF = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_NEVER = "`{type: never, match: {target: …}}`"
_NOT_WITH = "`{type: none_of, evaluations: [{type: tool_call, target: …, with: {…}}]}`"
_NO_TEXT = "`evaluations: [{type: none_of, evaluations: [{type: contains, value: …}]}]`"
_COUNT = "`{type: count, match: {target: …}, min: …, max: …}`"
_SEQUENCE = "`{type: sequence, order: [{target: …}, {target: …}]}`"
_FREE = "`evaluations: [{type: tool_call, ordered: false}]` on the last of the calls"


def kind_of_word(key: str) -> str | None:
    """What a key is about: a condition, a negation, an obligation, a quantity or an order; None for any other."""
    words = parts(key)
    found = {_KIND_OF[word] for word in words if word in _KIND_OF}
    if "more" in words or "less" in words or "fewer" in words:
        found.discard(NEGATION)  # `no_more_than`
    if NEGATION not in found and not all(word in _KIND_OF or word in _COMPANIONS for word in words):
        return None
    return next((kind for kind in _WORDS if kind in found), None)


def advice(source: SourceFile | None, entry: Entry, mapping: Mapping, where: str) -> str | Help | None:
    """What to write for such a key of a behavior, a selector, the options of `match` or a document; None for any other
    key or place."""
    give = _GIVERS.get(where)
    kind = None if give is None else kind_of_word(entry.key)
    return None if kind is None or give is None else give(source, entry, mapping, kind)


def _is(entry: Entry, *, value: bool) -> bool:
    return isinstance(entry.value, Scalar) and entry.value.value is value


def _behavior(source: SourceFile | None, entry: Entry, mapping: Mapping, kind: str) -> str | Help:
    if entry.key in _ARGUMENTS:
        return f"{_of_behavior(source, entry, mapping, kind)}; an argument of a call belongs under `with`"
    return _of_behavior(source, entry, mapping, kind)


def _of_behavior(source: SourceFile | None, entry: Entry, mapping: Mapping, kind: str) -> str | Help:
    if kind == NEGATION:
        if _is(entry, value=False):
            return "leave it out: what is forbidden is said by an evaluation of the session, of the type `never`"
        if {"with", "args", "arguments"} & set(parts(entry.key)):
            return f"for arguments that a call must not have, write an evaluation of the session: {_NOT_WITH}"
        if {"content", "contain", "contains", "text", "match", "matches"} & set(parts(entry.key)):
            return f"for a text that must not be there, write {_NO_TEXT}"
        call = _NEVER if mapping.get("with") is None and mapping.get("with_only") is None else _NOT_WITH
        return f"to forbid something, write no behavior, but an evaluation of the session: {call}"
    if kind == OBLIGATION:
        return _obligation(source, entry, mapping)
    if kind == QUANTITY:
        return f"how often is said by an evaluation of the session: {_COUNT}"
    if kind == CONDITION:
        return "conditions belong to evaluations: `when`; a behavior that may be missing says `optional: true`"
    if {"before", "until", "after", "follows", "followed", "precedes", "preceded"} & set(parts(entry.key)):
        return "behaviors happen in the order of the list: move this one to its place"
    return f"behaviors happen in the order of the list; for any order, write {_FREE}"


def _obligation(source: SourceFile | None, entry: Entry, mapping: Mapping) -> str | Help:
    if not _is(entry, value=False):
        return "leave it out: a behavior is required unless it says `optional: true`"
    said = "a behavior that may be missing says `optional: true`"
    if mapping.get("optional") is not None or source is None:
        return said
    quote = source.text[entry.key_span.start]
    key = f"{quote}optional{quote}" if quote in "\"'" else "optional"
    edits = (Edit(entry.key_span, key), Edit(entry.value.span, "true"))
    return Help(said, Fix("write `optional: true`", edits, Applicability.UNSAFE))


def _selector(_source: SourceFile | None, entry: Entry, _mapping: Mapping, kind: str) -> str:
    if kind == NEGATION and {"with", "args", "arguments"} & set(parts(entry.key)):
        return f"for arguments that a call must not have, write {_NOT_WITH}"
    if kind == NEGATION:
        return f"a selector names what it selects; what must not happen is {_NEVER}"
    if kind == QUANTITY:
        return f"how often is said by an evaluation: {_COUNT}"
    if kind == ORDER:
        return f"order is said beside `match`, with `after`, or by an evaluation: {_SEQUENCE}"
    if kind == CONDITION:
        return "conditions stand beside `type`: `when`"
    return "leave it out: the type of the evaluation says whether there must be such an event"


def _options(_source: SourceFile | None, _entry: Entry, _mapping: Mapping, kind: str) -> str | None:
    if kind == QUANTITY:
        return "how many other calls there may be is `extras: 2`; how often one call may happen, an evaluation: `count`"
    if kind == NEGATION:
        return f"no other calls at all is `extras: forbid`; to forbid one, write an evaluation: {_NEVER}"
    if kind == ORDER:
        return f"the order of calls is no option; for any order, write {_FREE}"
    return None


def _document(_source: SourceFile | None, _entry: Entry, _mapping: Mapping, kind: str) -> str:
    if kind == NEGATION:
        return f"what must not happen is said under `evaluations`: {_NEVER}"
    if kind == QUANTITY:
        return f"how often is said under `evaluations`: {_COUNT}"
    if kind == ORDER:
        return f"behaviors happen in the order of the list; for any order, write {_FREE}"
    if kind == CONDITION:
        return "conditions belong to single evaluations: `when`"
    return "list what is required under `behaviors`"


_GIVERS: dict[str, Callable[[SourceFile | None, Entry, Mapping, str], str | Help | None]] = {
    "a behavior": _behavior,
    "a selector": _selector,
    "`match`": _options,
    "a document": _document,
}
