"""What is wrong where a value or a pattern stands bare: without the test it belongs to, or without its slashes.

Each rule takes a stop (see `mistakes`) and gives an error, or None where it has nothing to say.
"""

from __future__ import annotations

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.loose import CLOSERS, PREDICATE, Token, mistake
from abs_compiler.predicate.stop import VALUE_KINDS, Stop
from abs_compiler.predicate.words import COMPARISONS, KEYWORDS, TYPES

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def bare_pattern(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if stop.previous != "matches" or word is None or word.kind in ("text", "pattern", "reference"):
        return None
    if word.kind.startswith(("open", "empty")) or word.text in (*KEYWORDS, *CLOSERS.values()):
        return None
    pattern = stop.text[word.start :].split()[0]
    right = "/" + pattern.replace("/", "\\/") + "/"
    return PredicateSyntaxError(
        PREDICATE.code_name,
        "`matches` takes a pattern between slashes",
        word.start,
        word.start + len(pattern),
        "no slashes here",
        [Advice(f"write `{right}`", Edit(word.start, word.start + len(pattern), right))],
    )


def bare_value(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not (stop.wants_test or stop.previous in TYPES):
        return None
    kind = VALUE_KINDS.get(word.kind) or ("boolean" if word.text in ("true", "false") else "")
    if word.text == "[":
        kind = "list"
    elif word.text == "{":
        kind = "mapping"
    elif kind == "number" and stop.after and stop.after[0].text == "..":
        kind = "range"
    if not kind:
        return None
    return mistake(
        PREDICATE, f"a bare {kind} is not a test", word, "what must hold of it?", *_bare_helps(stop, word, kind)
    )


def _bare_helps(stop: Stop, word: Token, kind: str) -> list[Advice]:
    def insert(what: str) -> Edit:
        return Edit(word.start, word.start, f"{what} ")

    match kind:
        case "list":
            return [
                Advice("for one of these values, write `in [...]`", insert("in")),
                Advice("for the list itself, write `== [...]`", insert("==")),
            ]
        case "mapping":
            return [
                Advice("for an object with at least these keys, write `has {...}`", insert("has")),
                Advice("for exactly this object, write `== {...}`", insert("==")),
            ]
        case "range":
            end = stop.after[1].text if len(stop.after) > 1 else "…"
            return [Advice(f"to require a number in this range, write `in {word.text}..{end}`", insert("in"))]
        case "pattern":
            return [Advice(f"write `matches {word.text}`", insert("matches"))]
        case "number" if (turned := _turned_around(stop, word)) is not None:
            return [turned]
        case _:
            helps = [Advice(f"to require this value, write `== {word.text}`", insert("=="))]
            test = test_before(stop.before[:-1]) if stop.previous in ("and", "or") else None
            if kind == "text" and word.text[1:-1] in TYPES and test is None:
                type_ = word.text[1:-1]
                helps.insert(0, Advice(f"for the type, write `{type_}`", Edit(word.start, word.end, type_)))
            elif test is not None and test not in COMPARISONS:
                helps.insert(0, Advice(f"to say the same of it, write `{test} {word.text}`", insert(test)))
            return helps


def test_before(before: tuple[Token, ...]) -> str | None:
    """The test whose one operand ends some tokens."""
    if len(before) < 2 or before[-1].kind not in VALUE_KINDS:
        return None
    if before[-2].text in (*COMPARISONS, "contains"):
        length = "length " if len(before) > 2 and before[-3].text == "length" else ""
        return length + before[-2].text
    if before[-2].text == "with" and len(before) > 2:
        return f"{before[-3].text} with"
    return None


def _turned_around(stop: Stop, word: Token) -> Advice | None:
    """`1 < integer < 5`, with the value that is compared in the middle."""
    after = stop.after
    if stop.before or len(after) not in (2, 4) or after[0].text not in _TURNED or after[1].kind != "word":
        return None
    type_ = f"{after[1].text} " if after[1].text in TYPES else ""
    right = f"{type_}{_TURNED[after[0].text]} {word.text}"
    if len(after) == 4:
        if after[2].text not in _TURNED or after[3].kind != "number":
            return None
        right += f" and {after[2].text} {after[3].text}"
    return Advice(f"a test stands behind the type: `{right}`", Edit(0, len(stop.text), right))
