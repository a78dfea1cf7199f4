"""Keys of an evaluation that its type does not have: what each was most likely meant to be.

A key that means a field of the type (a slip, a common word for it) would silently switch a check off, so it is an error
that names the field; so is a selector outside of `match`, and a word that turns a check round. What else nothing looks
at is a warning.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.source import Span
from abs_compiler.spec.evaluation_types import TYPES, EvaluationType
from abs_compiler.spec.reading import Context, check_keys, listed, near, reference_in_key, run_together
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
        elif kind.name == "count" and entry.key in _EXACTLY:
            meant |= _exact_count(ctx, entry, mapping)
        elif kind.name in _SELECTOR_TYPES and entry.key in _SELECTOR_WORDS:
            astray.append(entry)
        elif kind.name in _SELECTOR_TYPES and entry.key in _ARGUMENT_WORDS:
            _report_arguments(ctx, entry, kind)
        elif (field := _field(ctx, entry, mapping, kind)) is not None:
            one = Mapping(mapping.span, (entry, *(other for other in mapping.entries if other.key == field)))
            meant |= check_keys(ctx, one, kind.known, f"`{kind.name}`", synonyms={entry.key: field})
        else:
            _warn(ctx, entry, mapping, kind)
    if astray:
        _report_selector(ctx, astray, mapping, kind)
        meant.add("match")
    return meant


def _field(ctx: Context, entry: Entry, mapping: Mapping, kind: EvaluationType) -> str | None:
    """The field that a key means: by its word where the field is missing, or by its spelling."""
    field = _words(kind).get(entry.key)
    if field is not None and (mapping.get(field) is None or field in ("with", "target")):
        return field
    return near(ctx, entry.key, kind.known)


def _words(kind: EvaluationType) -> dict[str, str]:
    if kind.name in _WORDS:
        return _WORDS[kind.name]
    return dict.fromkeys(_CRITERIA, "criteria") if "criteria" in kind.fields else {}


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
        _warn(ctx, entry, Mapping(entry.key_span, ()), kind)
        return
    ctx.sink.report(
        "misplaced-ordered-false",
        "`ordered: false` cannot stand in `sequence`",
        entry.key_span,
        "a sequence is about order",
        helps=("to ask for events in any order, write one `eventually` for each",),
    )


def _warn(ctx: Context, entry: Entry, mapping: Mapping, kind: EvaluationType) -> None:
    ctx.sink.report(
        "unknown-evaluation-field",
        f"`{kind.name}` has no field `{entry.key}`",
        entry.key_span,
        "nothing looks at it",
        helps=(_advice(entry, mapping, kind),),
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
