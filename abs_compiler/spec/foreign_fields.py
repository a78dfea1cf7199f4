"""Keys of an evaluation that its type does not have: what each was most likely meant to be.

A key that means a field of the type (a slip, a common word for it) would silently switch a check off, so it is an error
that names the field; so is a selector outside of `match`, and a word that turns a check round. What else nothing looks
at is a warning.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.predicate.negation import parts
from abs_compiler.source import Span
from abs_compiler.spec.evaluation_types import COMPOSITIONS, TYPES, EvaluationType
from abs_compiler.spec.reading import Context, check_keys, listed, near, reference_in_key, run_together
from abs_compiler.spec.telling_words import CONDITION, NEGATION, ORDER, QUANTITY, kind_of_word
from abs_compiler.spec.vocabulary import BEHAVIOR_SYNONYMS
from abs_compiler.syntax import Entry, Mapping, Scalar

_ARGUMENTS = {word: key for word, key in BEHAVIOR_SYNONYMS.items() if key in ("with", "target")}
_TEXTS = ("text", "string", "substring", "phrase", "keyword", "word", "content", "contains", "includes")
_EXPECTED = ("expected", "expect", "equals", "equal", "is", "value", "content", "output")
_PATTERNS = ("regex", "regexp", "expression", "matches", "value", "text")
_CRITERIA = ("rubric", "criterion", "instruction", "instructions", "question", "value", "text")
_MATCHES = ("selector", "event", "where", "matches", "call")
# The common words for a field, by type.
_WORDS: dict[str, dict[str, str]] = {
    "exact_match": dict.fromkeys((*_EXPECTED, "text"), "value"),
    "contains": dict.fromkeys((*_TEXTS, "pattern", "expected", "equals"), "value"),
    "regex": dict.fromkeys(_PATTERNS, "pattern"),
    "schema": dict.fromkeys(("json_schema", "jsonSchema", "value", "definition"), "schema"),
    "tool_call": {**_ARGUMENTS, "name": "target", "function": "target"},
    "custom": {"name": "id", "check": "id", **dict.fromkeys(_CRITERIA, "criteria")},
    "sequence": dict.fromkeys(("steps", "sequence", "events", "selectors", "items", "calls"), "order"),
    "eventually": dict.fromkeys(_MATCHES, "match"),
    "never": dict.fromkeys(_MATCHES, "match"),
    "count": {
        **dict.fromkeys(_MATCHES, "match"),
        **dict.fromkeys(("minimum", "at_least", "atLeast", "least", "min_count"), "min"),
        **dict.fromkeys(("maximum", "at_most", "atMost", "most", "max_count", "limit"), "max"),
        **dict.fromkeys(("no_more_than", "not_more_than", "up_to"), "max"),
        **dict.fromkeys(("no_less_than", "not_less_than", "no_fewer_than"), "min"),
    },
    "within": {
        **dict.fromkeys(_MATCHES, "match"),
        **dict.fromkeys(("steps", "within", "max", "limit", "at_most", "max_events", "distance"), "max_steps"),
        **dict.fromkeys(("since", "from", "start"), "after"),
    },
    "variable_consistency": dict.fromkeys(("name", "var", "variables"), "variable"),
    "expected": dict.fromkeys(("id", "step", "behaviour"), "behavior"),
    **{
        name: dict.fromkeys(("checks", "evals", "assertions", "conditions", "of", "items"), "evaluations")
        for name in ("all_of", "any_of", "none_of")
    },
}
# The common words for fields that several types have.
_CONDITIONS = dict.fromkeys(("if", "only_if", "condition", "only_when", "whenever"), "when")
_SCORES = dict.fromkeys(
    ("min_score", "minimum_score", "score", "passing_score", "pass_threshold", "cutoff"), "threshold"
)
_LEAST = dict.fromkeys(("at_least", "min", "minimum"), "threshold")
# Bounds that leave their own number out, the bound that is meant and how far it is away.
_OPEN_BOUNDS = {
    **dict.fromkeys(("less_than", "fewer_than", "below", "under"), ("max", -1)),
    **dict.fromkeys(("more_than", "greater_than", "above", "over"), ("min", 1)),
}
_SELECTOR_TYPES = ("eventually", "never", "count", "within")
_SELECTOR_WORDS = {
    **{word: key for word, key in BEHAVIOR_SYNONYMS.items() if key in ("actor", "action", "target")},
    **{key: key for key in ("actor", "action", "target")},
}
_ARGUMENT_WORDS = ("with", "with_only", *(word for word, key in _ARGUMENTS.items() if key == "with"))
_EXACTLY = ("exactly", "exact", "times", "count", "equals", "value", "n", "number")
_TURNED = ("not", "negate", "negated", "negation", "invert", "inverted", "negative", "inverse")
_ADVICE = {
    ("contains", "case_sensitive"): "`contains` ignores case; for a text as it is written, use `regex`",
    ("contains", "ignore_case"): "remove it: `contains` ignores case anyway",
    ("regex", "flags"): "write flags at the start of the pattern: `(?i)` ignores case",
    ("regex", "ignore_case"): "to ignore case, begin the pattern with `(?i)`",
    ("regex", "case_sensitive"): "to ignore case, begin the pattern with `(?i)`",
    ("tool_call", "action"): "remove it: `tool_call` is about calls anyway",
    ("tool_call", "actor"): "remove it, or add a check with a selector: `{type: eventually, match: {actor: …}}`",
    ("tool_call", "match"): "write `target` and `with` beside `type`",
}


def check_fields(ctx: Context, mapping: Mapping, kind: EvaluationType) -> set[str]:
    """Report every key that a type does not have. Gives the fields that such keys mean."""
    meant: set[str] = set()
    astray: list[Entry] = []
    for entry in mapping.entries:
        if entry.key in kind.known:
            continue
        if "{{" in entry.key:
            reference_in_key(ctx, entry)
        elif ":" in entry.key and (words := run_together(ctx, [entry])):
            meant |= words
        elif entry.key == "ordered":
            _report_ordered(ctx, entry, kind)
        elif entry.key in _TURNED:
            _report_turned(ctx, entry, kind)
        elif kind.name == "count" and entry.key in _OPEN_BOUNDS:
            meant.add(_open_bound(ctx, entry, mapping))
        elif kind.name == "count" and entry.key in _EXACTLY:
            meant |= _exact_count(ctx, entry, mapping)
        elif kind.name in _SELECTOR_TYPES and entry.key in _SELECTOR_WORDS:
            astray.append(entry)
        elif kind.name in _SELECTOR_TYPES and entry.key in _ARGUMENT_WORDS:
            _report_arguments(ctx, entry, kind)
        elif (field := _field(ctx, entry, mapping, kind)) is not None:
            one = Mapping(mapping.span, (entry, *(other for other in mapping.entries if other.key == field)))
            meant |= check_keys(ctx, one, kind.known, f"`{kind.name}`", synonyms={entry.key: field})
        elif (telling := _telling(entry, kind)) is not None:
            _report_telling(ctx, entry, mapping, kind, telling)
            if telling == QUANTITY and kind.name == "within":
                meant.add("max_steps")
        else:
            _warn(ctx, entry, kind, _advice(entry, mapping, kind))
    if astray:
        _report_selector(ctx, astray, mapping, kind)
        meant.add("match")
    return meant


def _field(ctx: Context, entry: Entry, mapping: Mapping, kind: EvaluationType) -> str | None:
    """The field that a key means: by its word where the field is missing, or by its spelling."""
    field = _words(kind).get(entry.key)
    if kind.name == "tool_call" and entry.key == "order" and isinstance(entry.value, Scalar):
        field = "ordered" if isinstance(entry.value.value, bool) else None
    if field is not None and (mapping.get(field) is None or field in ("with", "target")):
        return field
    return None if _telling(entry, kind) is not None else near(ctx, entry.key, kind.known)


def _words(kind: EvaluationType) -> dict[str, str]:
    words = {**_CONDITIONS, **(_SCORES if kind.scored else {}), **(_LEAST if _is_judged(kind) else {})}
    if kind.name in _WORDS:
        return {**words, **_WORDS[kind.name]}
    return {**words, **(dict.fromkeys(_CRITERIA, "criteria") if "criteria" in kind.fields else {})}


def _telling(entry: Entry, kind: EvaluationType) -> str | None:
    """What a key is about that says whether, how often, when or in which order; None for any other. What a judge gets
    may well be called `max_tokens`."""
    found = kind_of_word(entry.key)
    return None if found == QUANTITY and _is_judged(kind) else found


def _is_judged(kind: EvaluationType) -> bool:
    return kind.scored and kind.name not in COMPOSITIONS


def _open_bound(ctx: Context, entry: Entry, mapping: Mapping) -> str:
    """`less_than: 3` of `count`, which is `max: 2`; gives the bound."""
    bound, step = _OPEN_BOUNDS[entry.key]
    value = entry.value.value if isinstance(entry.value, Scalar) else None
    whole = isinstance(value, int) and not isinstance(value, bool) and value + step >= 0
    shown = str(value + step) if isinstance(value, int) and whole else "…"
    fix = None
    if whole and mapping.get(bound) is None and entry.value.alias_of is None:
        quote = _quote(ctx, entry)
        edits = (Edit(entry.key_span, f"{quote}{bound}{quote}"), Edit(entry.value.span, shown))
        fix = Fix(f"write `{bound}: {shown}`", edits, Applicability.UNSAFE)
    ctx.sink.report(
        "unknown-key",
        f"unknown key `{entry.key}` in `count`",
        entry.key_span,
        "not known here",
        helps=(Help(f"bounds count themselves in: `{bound}: {shown}`", fix),),
    )
    return bound


def _report_telling(ctx: Context, entry: Entry, mapping: Mapping, kind: EvaluationType, telling: str) -> None:
    """A word that demands something which nothing looks at. A field of another type is a warning all the same."""
    if any(entry.key in other.fields for other in TYPES.values()):
        _warn(ctx, entry, kind, _telling_help(ctx, entry, mapping, kind, telling))
        return
    ctx.sink.report(
        "unknown-key",
        f"unknown key `{entry.key}` in `{kind.name}`",
        entry.key_span,
        "nothing looks at it, so less is checked than it says",
        helps=(_telling_help(ctx, entry, mapping, kind, telling),),
    )


def _telling_help(ctx: Context, entry: Entry, mapping: Mapping, kind: EvaluationType, telling: str) -> str | Help:
    says_true = isinstance(entry.value, Scalar) and entry.value.value is True
    words = set(parts(entry.key))
    if kind.name == "tool_call" and says_true and (words & {"unordered", "parallel"} or {"any", "order"} <= words):
        quote = _quote(ctx, entry)
        fix = None
        if mapping.get("ordered") is None:
            edits = (Edit(entry.key_span, f"{quote}ordered{quote}"), Edit(entry.value.span, "false"))
            fix = Fix("write `ordered: false`", edits, Applicability.UNSAFE)
        return Help("calls in any order are written `ordered: false`", fix)
    known = _ADVICE.get((kind.name, entry.key))
    if known is not None:
        return known
    if telling == QUANTITY and kind.name in COMPOSITIONS:
        return "how many must hold is said by `threshold`, as a share from 0 to 1"
    owners = [other.name for other in TYPES.values() if entry.key in other.fields]
    if owners:
        return f"`{entry.key}` belongs to {listed(owners)}: write that as a check of its own"
    if telling == CONDITION:
        turned = " turned round" if words & {"unless", "not", "except", "else", "otherwise", "no"} else ""
        return f"write the condition{turned} under `when`: `when: \"{'not ' if turned else ''}{{{{name}}}} == 'a'\"`"
    if telling == NEGATION:
        return f"for what must not hold, write `{{type: none_of, evaluations: [{{type: {kind.name}, …}}]}}`"
    if telling == QUANTITY:
        if "score" in words:
            return f"leave it out: `{kind.name}` holds or does not, without a score"
        if kind.name == "within":
            return "`within` has one bound, `max_steps`; for an event that may not come early, no type exists"
        return "how often is said by a check of its own: `{type: count, match: {target: …}, min: …, max: …}`"
    if telling == ORDER and kind.name == "tool_call":
        return "the order of calls is that of the behaviors; `ordered: false` lets them come in any order"
    if telling == ORDER:
        later = "`after` stands beside `type`; " if "after" in kind.fields else ""
        return f"{later}for events in order, write `{{type: sequence, order: [{{target: …}}, {{target: …}}]}}`"
    return "leave it out: every evaluation must hold, unless `when` says otherwise"


def _exact_count(ctx: Context, entry: Entry, mapping: Mapping) -> set[str]:
    """`exactly: 3` of `count`, which is written with two bounds."""
    both = mapping.get("min") is None and mapping.get("max") is None
    number = _written(ctx, entry)
    fix = None
    if both and number is not None:
        quote = _quote(ctx, entry)
        words = [f"{quote}{bound}{quote}: {number}" for bound in ("min", "max")]
        span = Span(entry.key_span.start, entry.value.span.end)
        fix = Fix("write both bounds", (Edit(span, _between(ctx, mapping, entry).join(words)),), Applicability.UNSAFE)
    shown = number or "…"
    ctx.sink.report(
        "unknown-key",
        f"unknown key `{entry.key}` in `count`",
        entry.key_span,
        "not known here",
        helps=(Help(f"for an exact number, write both bounds: `min: {shown}, max: {shown}`", fix),),
    )
    return {"min", "max"}


def _report_selector(ctx: Context, astray: list[Entry], mapping: Mapping, kind: EvaluationType) -> None:
    """Parts of a selector beside `type`, where they belong into `match`."""
    quote = _quote(ctx, astray[0])
    keys = [f"{quote}{_SELECTOR_WORDS[entry.key]}{quote}" for entry in astray]
    values = [_written(ctx, entry) for entry in astray]
    inner = ", ".join(f"{key}: {value or '…'}" for key, value in zip(keys, values, strict=True))
    begin = mapping.entries.index(astray[0])
    adjacent = mapping.entries[begin : begin + len(astray)] == tuple(astray)
    fix = None
    if None not in values and adjacent and mapping.get("match") is None:
        span = Span(astray[0].key_span.start, astray[-1].value.span.end)
        fix = Fix("put it under `match`", (Edit(span, f"{quote}match{quote}: {{{inner}}}"),), Applicability.UNSAFE)
    ctx.sink.report(
        "unknown-key",
        f"unknown key{'s' if len(astray) > 1 else ''} {listed([entry.key for entry in astray])} in `{kind.name}`",
        astray[0].key_span,
        "part of a selector",
        helps=(
            Help(
                f"events are selected under `match`: `match: {{{inner.replace(quote, '') if quote else inner}}}`", fix
            ),
        ),
    )


def _report_arguments(ctx: Context, entry: Entry, kind: EvaluationType) -> None:
    call = "{type: tool_call, target: …, with: {…}}"
    advice = f"for a call with certain arguments, write `{call}`"
    if kind.name == "never":
        advice = f"to forbid a call with certain arguments, write `{{type: none_of, evaluations: [{call}]}}`"
    ctx.sink.report(
        "unknown-key",
        f"unknown key `{entry.key}` in `{kind.name}`",
        entry.key_span,
        "selectors know no arguments",
        helps=(advice,),
    )


def _report_turned(ctx: Context, entry: Entry, kind: EvaluationType) -> None:
    ctx.sink.report(
        "unknown-key",
        f"unknown key `{entry.key}` in `{kind.name}`",
        entry.key_span,
        "nothing looks at it, so the check is not turned round",
        helps=(f"for what must not hold, write `{{type: none_of, evaluations: [{{type: {kind.name}, …}}]}}`",),
    )


def _report_ordered(ctx: Context, entry: Entry, kind: EvaluationType) -> None:
    """`ordered` belongs to `tool_call`; a sequence that is said to have no order contradicts itself."""
    says_false = isinstance(entry.value, Scalar) and entry.value.value is False
    if kind.name != "sequence" or not says_false:
        _report_telling(ctx, entry, Mapping(entry.key_span, ()), kind, ORDER)
        return
    ctx.sink.report(
        "misplaced-ordered-false",
        "`ordered: false` cannot stand in `sequence`",
        entry.key_span,
        "a sequence is about order",
        helps=("to ask for events in any order, write one `eventually` for each",),
    )


def _warn(ctx: Context, entry: Entry, kind: EvaluationType, help_: str | Help) -> None:
    ctx.sink.report(
        "unknown-evaluation-field",
        f"`{kind.name}` has no field `{entry.key}`",
        entry.key_span,
        "nothing looks at it",
        helps=(help_,),
    )


def _advice(entry: Entry, mapping: Mapping, kind: EvaluationType) -> str:
    known = _ADVICE.get((kind.name, entry.key))
    if known is not None:
        return known
    owners = [other.name for other in TYPES.values() if entry.key in other.fields]
    field = _words(kind).get(entry.key)
    if field is not None and not owners:
        return f"`{field}` is already given here; remove `{entry.key}`"
    if not owners:
        return f"remove `{entry.key}`"
    if len(owners) == 1:
        return f"`{entry.key}` belongs to {listed(owners)}: write it as a check of its own, or remove it"
    return f"`{entry.key}` belongs to {listed(owners)}"


def _quote(ctx: Context, entry: Entry) -> str:
    """The quote that a key is written in."""
    sign = "" if ctx.sink.source is None else ctx.sink.source.text[entry.key_span.start : entry.key_span.start + 1]
    return sign if sign and sign in "\"'" else ""


def _written(ctx: Context, entry: Entry) -> str | None:
    """A value as it is written, where it stands on one line with its key."""
    source, value = ctx.sink.source, entry.value
    if source is None or value.alias_of is not None or value.span.end <= value.span.start:
        return None
    if "\n" in source.text[entry.key_span.end : value.span.end]:
        return None
    return source.text[value.span.start : value.span.end]


def _between(ctx: Context, mapping: Mapping, entry: Entry) -> str:
    """What stands between two entries: a comma in braces, else a line end and the indentation of the key."""
    source = ctx.sink.source
    if source is None or source.text.startswith("{", mapping.span.start):
        return ", "
    return "\n" + " " * (source.position(entry.key_span.start)[1] - 1)
