"""Evaluation types that the language does not have, and what is written instead.

Takes the evaluation and its type; reports it. A type that says what must *not* hold (`not_contains`, `never_calls`) is
never taken for the one it negates: it becomes that one under `none_of`, or `never` where it is about the run.
"""

from __future__ import annotations

from abs_compiler.diagnostics import Applicability, Edit, Fix, Help
from abs_compiler.predicate.negation import parts, without_negation
from abs_compiler.source import Span
from abs_compiler.spec.evaluation_types import COMMON, COMPOSITIONS, STEP, TYPES
from abs_compiler.spec.model import Name
from abs_compiler.spec.reading import Context, near_help, replacement
from abs_compiler.syntax import Mapping, Scalar

# Words that people bring from other formats, and what they are called here.
_SYNONYMS = {
    "equals": "exact_match",
    "equal": "exact_match",
    "exact": "exact_match",
    "includes": "contains",
    "substring": "contains",
    "match": "regex",
    "matches": "regex",
    "pattern": "regex",
    "json_schema": "schema",
    "tool_called": "tool_call",
    "tool_calls": "tool_call",
    "judge": "llm_judge",
    "llm": "llm_judge",
    "order": "sequence",
    "forbidden": "never",
    "not": "none_of",
    "all": "all_of",
    "any": "any_of",
    "one_of": "any_of",
    "none": "none_of",
    "and": "all_of",
    "or": "any_of",
}
# The same behind a negation, where the verb is often another form.
_NEGATED = {
    "contain": "contains",
    "include": "contains",
    "in": "contains",
    "say": "contains",
    "says": "contains",
    "mention": "contains",
    "mentions": "contains",
    "call": "tool_call",
    "calls": "tool_call",
    "called": "tool_call",
    "use": "tool_call",
    "uses": "tool_call",
    "used": "tool_call",
    "invoked": "tool_call",
    "invokes": "tool_call",
    "matched": "regex",
    "happen": "eventually",
    "happens": "eventually",
    "happened": "eventually",
    "occur": "eventually",
    "occurs": "eventually",
    "occurred": "eventually",
}
# Words that deny something without a negation of their own.
_DENIALS = {
    "excludes": "contains",
    "exclude": "contains",
    "lacks": "contains",
    "omits": "contains",
    "differs": "exact_match",
    "unequal": "exact_match",
}
_RUN = ("tool_call", "eventually")
_EXAMPLE_FIELDS = {"exact_match": "value", "contains": "value", "regex": "pattern", "llm_judge": "criteria"}


def report_unknown_type(ctx: Context, mapping: Mapping, found: Name, level: str) -> None:
    """Report a type that is none of the language, with what was most likely meant."""
    ctx.sink.report(
        "unknown-evaluation-type",
        f"unknown evaluation type `{found.text}`",
        found.span,
        "no type of the language",
        helps=_helps(ctx, mapping, found, level),
    )


def _helps(ctx: Context, mapping: Mapping, found: Name, level: str) -> tuple[str | Help, ...]:
    meant = _SYNONYMS.get("_".join(parts(found.text)))
    if meant is not None:
        return (Help(f"this type is called `{meant}`", replacement(ctx, found.span, meant)),)
    denied = _denied(found.text)
    if denied is None:
        otherwise = "a check of your own is written `{type: custom, id: …}`"
        return (near_help(ctx, found, TYPES, "a known type", otherwise),)
    if denied in _RUN:
        where = "" if level != STEP else "under `evaluations` at the top level of the document, "
        return (f"for what must not happen in the whole run, {where}write `{_never(mapping, denied)}`",)
    if denied:
        return (_none_of(ctx, mapping, found, denied),)
    return (
        "for what must not hold, write `{type: none_of, evaluations: [{type: contains, value: …}]}`",
        "for what must not happen in the whole run, write `{type: never, match: {…}}`",
    )


def _denied(word: str) -> str | None:
    """The type that a word denies: empty where it denies something else, None where it denies nothing."""
    joined = "_".join(parts(word))
    if joined in _DENIALS:
        return _DENIALS[joined]
    rest = without_negation(word)
    if rest is None:
        return None
    for form in (rest, f"{rest}s", rest.removesuffix("s")):
        if form in TYPES and form not in COMPOSITIONS:
            return form
        meant = _SYNONYMS.get(form) or _NEGATED.get(form)
        if meant is not None:
            return meant
    for verb in ("call", "calls", "called"):
        if verb in rest.split("_"):
            return "tool_call"
    return ""


def _never(mapping: Mapping, denied: str) -> str:
    node = next((node for key in ("target", "tool", "name") if (node := mapping.get(key)) is not None), None)
    target = node.text if isinstance(node, Scalar) and node.text else "…"
    if denied == "tool_call" and any(
        mapping.get(key) is not None for key in ("with", "with_only", "arguments", "args")
    ):
        return f"{{type: none_of, evaluations: [{{type: tool_call, target: {target}, with: {{…}}}}]}}"
    if denied == "tool_call":
        return f"{{type: never, match: {{action: calls, target: {target}}}}}"
    return "{type: never, match: {…}}"


def _none_of(ctx: Context, mapping: Mapping, found: Name, denied: str) -> Help:
    field = _EXAMPLE_FIELDS.get(denied)
    example = f"{{type: {denied}}}" if field is None else f"{{type: {denied}, {field}: …}}"
    text = f"for what must not hold, write `{{type: none_of, evaluations: [{example}]}}`"
    source = ctx.sink.source
    first = mapping.entries[0]
    own = [entry for entry in mapping.entries if entry.key not in COMMON]
    if source is None or first.key != "type" or len(own) + 1 < len(mapping.entries) or mapping.alias_of is not None:
        return Help(text)
    closing = mapping.span.end - 1
    if not source.text.startswith("{", mapping.span.start) or source.text[closing] != "}":
        return Help(text)
    quote = source.text[found.span.start]
    quote = quote if quote in "\"'" else ""
    key = '"' if source.text.startswith('"', first.key_span.start) else ""
    if field is not None and mapping.get(field) is None:
        return Help(text)
    opening = f"{quote}none_of{quote}, {key}evaluations{key}: [{{{key}type{key}: {quote}{denied}{quote}"
    edits = (Edit(found.span, opening), Edit(Span(closing, closing), "}]"))
    return Help(text, Fix(f"demand that `{denied}` fails", edits, Applicability.UNSAFE))
