"""A predicate that stands where it is plain data: `amount: '> 5'`, `{is: 'integer > 5'}`, `"{$is: 'integer > 5'}"`.

Only `{$is: '…'}` tests a value; without it the call must send just that text. Reported are arguments and parts of
answers that are more than one word and that the language of predicates can read: `integer` alone may well be a value,
and prose is no predicate. So are patterns, `"^ORD-\\d+$"`, where no argument is named like one that takes a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from abs_compiler.diagnostics import Edit, Fix, Help
from abs_compiler.lint.contract import FileContext, Report
from abs_compiler.lint.places import Place, scalars, walk_documents
from abs_compiler.options import CompileOptions
from abs_compiler.source import Span
from abs_compiler.spec.behavior import is_tool_response
from abs_compiler.spec.model import Name
from abs_compiler.spec.values import IS, LITERAL, reserved_key, reserved_key_meant
from abs_compiler.syntax import Entry, Mapping, Scalar

_ARGUMENTS = ("with", "with_only")
_CONTENT = "content"
_ELSEWHERE = (_CONTENT, "capture", "schema")
_WRITTEN_IS = re.compile(
    r"\{?\s*[\"']?\$is[\"']?\s*:?\s+(?P<quote>['\"]?)(?P<predicate>.+?)(?P=quote)\s*\}?", re.DOTALL
)
_TYPES = r"(?:string|number|integer|boolean|array|object|null|any|absent)"
# What a predicate begins with, and what every one holds that is more than a few words of prose: the parser is slow to
# import.
_BEGINS = re.compile(
    rf"[(\s]*(?:not[(\s]+)*(?:{_TYPES}\b|[<>=!]|(?:in|matches|length|contains|starts|ends|has|same)\s)"
)
_HOLDS = re.compile(rf"[<>=\[\"/]|\d\.\.|\{{\{{|\b(?:or|and)\s+(?:not\s+)?{_TYPES}\b|\barray\s+(?:each|some|has)\b")
_LONGEST = 200
# Arguments whose values are conditions of another language: `python_requires: '>=3.8'`, `filter: '> 5'`.
CONDITIONS = frozenset(
    (
        *("version", "versions", "requires", "requirement", "requirements", "dependency", "dependencies", "specifier"),
        *("engine", "engines", "python", "node", "constraint", "constraints", "condition", "conditions", "criteria"),
        *("criterion", "filter", "filters", "where", "expression", "expr", "formula", "equation", "inequality", "sql"),
        *("predicate", "predicates", "operator"),
    )
)


# Arguments that take a pattern, or a text in which the signs of patterns mean something else.
_PATTERNS = frozenset(
    (
        *(
            "pattern",
            "patterns",
            "regex",
            "regexes",
            "regexp",
            "re",
            "glob",
            "globs",
            "path",
            "paths",
            "query",
            "queries",
        ),
        *("search", "grep", "find", "match", "matches", "matcher", "replace", "replacement", "exclude"),
        *("include", "ignore", "rule", "rules", "format", "mask", "validation", "validator", "template", "selector"),
        *(
            "xpath",
            "command",
            "cmd",
            "script",
            "code",
            "schema",
            "route",
            "url",
            "uri",
            "latex",
            "math",
            "tex",
            "needle",
        ),
    )
)
# Both ends are anchored, and a class, an escape or a repetition stands between them.
_PATTERN = re.compile(
    r"(?P<slash>/)?(?P<body>\^(?=.*(?:\\[dwsDWS.\-]|\[[^\]]+\]|\.[*+]|[\w)]\{\d)).+\$)(?(slash)/[a-z]*)", re.DOTALL
)


def check(context: FileContext) -> Iterator[Report]:
    """Report every argument that is the text of a predicate."""
    if not any(_may_be(node, owner) for node, owner in scalars(context.documents)):
        return
    for place in tested(context):
        node = place.node
        if isinstance(node, Mapping):
            if len(node.entries) == 1 and node.entries[0].key.lower() == "is":
                report = _is_without_sign(context, place, node)
                if report is not None:
                    yield report
        elif isinstance(node, Scalar) and isinstance(node.value, str) and len(node.value) <= _LONGEST:
            report = _plain(context, place, node, node.value)
            if report is not None:
                yield report


def tested(context: FileContext) -> Iterator[Place]:
    """Every value in which a predicate may stand: in arguments, and in the content of an answer outside of lists."""
    for place in walk_documents(context.documents):
        if _is_argument(place.keys):
            yield place
        elif isinstance(place.node, Mapping) and _CONTENT not in place.keys and _is_answer(place.node):
            entry = place.node.entry(_CONTENT)
            if entry is not None:
                yield from _outside_lists(Place(entry.value, (*place.keys, _CONTENT), entry.key_span))


def _is_answer(node: Mapping) -> bool:
    """Whether this is a behavior whose content is compared."""
    actor, action = node.get("actor"), node.get("action")
    if not isinstance(actor, Scalar) or not isinstance(action, Scalar):
        return False
    return is_tool_response(Name(actor.text, actor.span), Name(action.text, action.span))


def _outside_lists(place: Place) -> Iterator[Place]:
    pending = [place]
    while pending:
        place = pending.pop()
        yield place
        if isinstance(place.node, Mapping) and place.node.alias_of is None and reserved_key(place.node) is None:
            pending.extend(Place(entry.value, (*place.keys, entry.key), entry.key_span) for entry in place.node.entries)


def _may_be(node: Scalar, owner: Entry | None) -> bool:
    """Whether a value looks like a predicate, wherever it stands: most files hold none, and this is quick."""
    text = node.value
    if not isinstance(text, str):
        return False
    return (
        (owner is not None and owner.key.lower() == "is") or "$is" in text or _looks(text) or _pattern(text) is not None
    )


def _looks(text: str) -> bool:
    return _BEGINS.match(text) is not None and _HOLDS.search(text) is not None


def _pattern(text: str) -> str | None:
    """The pattern that a text plainly is, as a predicate writes it; None for other texts."""
    if len(text) > _LONGEST or text[:1] not in ("^", "/"):
        return None
    found = _PATTERN.fullmatch(text)
    if found is None:
        return None
    body = found["body"] if found["slash"] else re.sub(r"(?<!\\)/", r"\\/", found["body"])
    return f"/{body}/{'i' if found['slash'] and text.endswith('i') else ''}"


def _is_argument(keys: tuple[str, ...]) -> bool:
    """Whether these keys lead to an argument, or into one."""
    at = next((index for index, key in enumerate(keys) if key in _ARGUMENTS or key in _ELSEWHERE), None)
    if at is None or keys[at] not in _ARGUMENTS:
        return False
    inside = keys[at + 1 :]
    return IS not in inside and LITERAL not in inside


def _named_like(keys: tuple[str, ...], names: frozenset[str]) -> bool:
    """Whether one of the keys below `with` or `content` is made of one of these words."""
    from abs_compiler.predicate.negation import parts

    at = next(index for index, key in enumerate(keys) if key in _ARGUMENTS or key == _CONTENT)
    return any(not names.isdisjoint(parts(key)) for key in keys[at + 1 :])


def _is_without_sign(context: FileContext, place: Place, node: Mapping) -> Report | None:
    entry = node.entries[0]
    value = entry.value
    if not isinstance(value, Scalar) or not isinstance(value.value, str) or not reads(value.value, context.options):
        return None
    quote = context.source.text[entry.key_span.start]
    key = f"{quote}{IS}{quote}" if quote in "\"'" else IS
    what = what_is_tested(place)
    return Report(
        "predicates-as-text",
        f"`{entry.key}` is an ordinary key, so nothing tests this {what}",
        entry.key_span,
        "compared as a mapping with this key",
        helps=(
            Help(f"to test the {what}, write `{IS}`", Fix(f"write `{IS}`", (Edit(entry.key_span, key),))),
            f"to mean the mapping itself, wrap it: `{{{LITERAL}: {{{entry.key}: …}}}}`",
        ),
    )


def _plain(context: FileContext, place: Place, node: Scalar, text: str) -> Report | None:
    if place.key in _ARGUMENTS or place.key.lower().strip() == "is" or reserved_key_meant(place.key) is not None:
        return None  # the key is to blame, which is said of it
    if (pattern := _pattern(text)) is not None:
        return _compared_pattern(context, place, node, pattern)
    written = _WRITTEN_IS.fullmatch(text.strip())
    predicate = text.strip() if written is None else written["predicate"]
    if written is None and (not _looks(predicate) or _named_like(place.keys, CONDITIONS)):
        return None
    if not reads(predicate, context.options) or (written is None and _is_void(predicate, context.options)):
        return None
    return Report(
        "predicates-as-text",
        f"this predicate is plain text here, so nothing tests the {what_is_tested(place)}",
        node.span,
        "compared with this very text",
        helps=(
            _test(context, node, predicate, what_is_tested(place)),
            f"to mean the text itself, wrap it: `{{{LITERAL}: …}}`",
        ),
    )


def _compared_pattern(context: FileContext, place: Place, node: Scalar, pattern: str) -> Report | None:
    test = f"string matches {pattern}"
    if _named_like(place.keys, CONDITIONS | _PATTERNS) or not reads(test, context.options):
        return None
    shown = test.replace("'", "''")
    return Report(
        "predicates-as-text",
        "this pattern is plain text here, so nothing is matched with it",
        node.span,
        "compared letter by letter",
        helps=(
            f"to test the {what_is_tested(place)}, write `{{{IS}: '{shown}'}}`",
            f"to mean the text itself, wrap it: `{{{LITERAL}: …}}`",
        ),
    )


def _test(context: FileContext, node: Scalar, predicate: str, what: str) -> Help:
    shown = predicate.replace("'", "''")
    advice = f"to test the {what}, write `{{{IS}: '{shown}'}}`"
    if node.style in ("literal", "folded") or "\n" in predicate:
        return Help(advice)
    if node.style == "json":
        inner = context.source.text[node.span.start : node.span.end] if predicate == node.text else None
        right = None if inner is None else f'{{"{IS}": {inner}}}'
    else:
        right = f"{{{IS}: '{shown}'}}"
    if right is None:
        return Help(advice)
    return Help(advice, Fix("write a predicate", (Edit(Span(node.span.start, node.span.end), right),)))


def what_is_tested(place: Place) -> str:
    """What a value is a part of."""
    return "argument" if any(key in _ARGUMENTS for key in place.keys) else "answer"


def _is_void(text: str, options: CompileOptions) -> bool:
    """Whether a predicate refuses nothing or everything: then it is more likely prose, such as `any or null`."""
    from abs_compiler.predicate import findings, parse

    found = {finding.code_name for finding in findings(parse(text, options.limits))}
    return not found.isdisjoint(("always-true-predicates", "unsatisfiable-predicates"))


def reads(text: str, options: CompileOptions) -> bool:
    """Whether a text is a predicate."""
    from abs_compiler.predicate import PredicateSyntaxError, parse  # slow to import, and rarely needed

    try:
        parse(text, options.limits, fixes=False)
    except PredicateSyntaxError:
        return False
    return True
