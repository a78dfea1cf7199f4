"""What is wrong where a value or a pattern stands bare: without the test it belongs to, or without its slashes.

Each rule takes a stop (see `mistakes`) and gives an error, or None where it has nothing to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from abs_compiler.predicate.brackets import bracketed_range, is_dash
from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import CLOSERS, PREDICATE, Token, mistake
from abs_compiler.predicate.stop import VALUE_KINDS, Stop
from abs_compiler.predicate.words import COMPARISONS, KEYWORDS, TESTS, TYPES

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:[\d:.]+Z?)?(?![\w-])")
_BOUND = re.compile(
    r"(?P<number>-?\d+(?:\.\d+)?)"
    r"(?:\+(?!\S)|\s+(?:or|and)\s+(?:(?:more|above|over|greater|higher)|(?P<less>less|fewer|below|under|lower))\b)"
)
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


def pattern_signs(stop: Stop) -> PredicateSyntaxError | None:
    """`=~ /x/`, `~ /x/` and `!~ /x/`, with which other languages test patterns."""
    first = stop.found
    if first is None or stop.wants_value or "LENGTH" not in stop.expected:
        return None
    found = (first, *stop.after)
    signs = 1 if first.text == "~" else 2
    if first.text not in ("~", "=", "!") or (signs == 2 and [token.text for token in found[1:2]] != ["~"]):
        return None
    if signs == 2 and found[1].start != first.end:
        return None
    end = found[signs - 1].end
    test = "not matches" if first.text == "!" else "matches"
    sign = stop.text[first.start : end]
    behind = found[signs] if len(found) > signs else None
    space = "" if behind is None or behind.start > end else " "
    edit = Edit(first.start, end, test + space) if behind is not None and behind.kind == "pattern" else None
    label = f"a pattern is tested with `{test} /…/`"
    return PredicateSyntaxError(
        PREDICATE.code_name, f"`{sign}` is not a test", first.start, end, label, [Advice(f"write `{test}`", edit)]
    )


def unquoted_date(stop: Stop) -> PredicateSyntaxError | None:
    """A date without quotes where a value belongs: `> 2020-01-01`."""
    if stop.found is None or not stop.before or not is_dash(stop.before[-1], stop.found):
        return None
    date = _DATE.match(stop.text, stop.before[-1].start)
    if date is None:
        return None
    advice = Advice(f"a date is a text: write `{quoted(date[0])}`", Edit(date.start(), date.end(), quoted(date[0])))
    return PredicateSyntaxError(
        PREDICATE.code_name, f"`{date[0]}` is not a value", date.start(), date.end(), "not in quotes", [advice]
    )


def bare_value(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not (stop.wants_test or stop.previous in TYPES):
        return None
    if (subject := _named_subject(stop, word)) is not None:
        return subject
    kind = VALUE_KINDS.get(word.kind) or ("boolean" if word.text in ("true", "false") else "")
    if word.text == "[" and (found := _bracketed_range(word, stop.after)) is not None:
        return found
    if word.text == "[":
        kind = "list"
    elif word.text == "{":
        kind = "mapping"
    elif kind in ("number", "reference") and stop.after and stop.after[0].text == "..":
        kind = "range"
    elif kind == "number" and (found := _said_of_a_number(stop.text, word, stop.after)) is not None:
        return found
    if not kind:
        return None
    return mistake(
        PREDICATE, f"a bare {kind} is not a test", word, "what must hold of it?", *_bare_helps(stop, word, kind)
    )


def _named_subject(stop: Stop, word: Token) -> PredicateSyntaxError | None:
    """`{{a}} > 5` and `"a" == 1`: what is tested stands before the test."""
    behind = stop.after[0] if stop.after else None
    if word.kind not in ("reference", "text") or behind is None:
        return None
    if behind.kind == "word" and behind.text == "not" and len(stop.after) > 1 and stop.after[1].kind == "word":
        pass
    elif behind.text not in (*COMPARISONS, *TESTS, *TYPES):
        return None
    label = "nothing is tested here by name"
    return mistake(PREDICATE, f"a bare {word.kind} is not a test", word, label, _without_subject(stop))


def _without_subject(stop: Stop) -> Advice:
    rest = stop.text[stop.after[0].start :].strip()
    return Advice(f"a test has no subject; it always looks at the value in this place: `{rest}`")


def slash_between_words(stop: Stop) -> PredicateSyntaxError | None:
    """`string/null`: a slash that touches what stands before it begins no pattern."""
    slash = stop.found
    if slash is None or not stop.before or stop.before[-1].end != slash.start:
        return None
    if not slash.kind.endswith("pattern") or stop.before[-1].kind not in ("word", "text", "number", "reference"):
        return None
    if stop.previous in KEYWORDS - set(TYPES) - {"absent", "true", "false"}:
        return None
    written = re.search(r"[\w/]*\Z", stop.text[: slash.start])
    whole = re.compile(r"[\w/]*").match(stop.text, written.start() if written else slash.start)
    words = whole[0].split("/") if whole else []
    advice = Advice("between two tests stands `or` or `and`")
    if len(words) > 1 and all(word in (*TYPES, "absent") for word in words):
        advice = Advice(f"if either will do, write `{' or '.join(words)}`")
    place = Token("sign", "/", slash.start, slash.start + 1)
    return mistake(PREDICATE, "a slash does not join tests", place, "a pattern stands behind `matches`", advice)


def _bracketed_range(word: Token, after: tuple[Token, ...]) -> PredicateSyntaxError | None:
    found = bracketed_range((word, *after))
    if found is None:
        return None
    right, end = found
    advice = Advice(f"write `in {right}`", Edit(word.start, end, f"in {right}"))
    return PredicateSyntaxError(
        PREDICATE.code_name, "a bare range is not a test", word.start, end, "what must hold of it?", [advice]
    )


def _said_of_a_number(text: str, word: Token, after: tuple[Token, ...]) -> PredicateSyntaxError | None:
    """`1-5`, `5+`, `5 or more` and `2020-01-01`: a number together with what follows it."""
    if date := _DATE.match(text, word.start):
        what, end, right = "date", date.end(), f"== {quoted(date[0])}"
    elif bound := _BOUND.match(text, word.start):
        what, end, right = "number", bound.end(), f"{'<=' if bound['less'] else '>='} {bound['number']}"
    elif after and is_dash(word, after[0]) and text[after[0].end : after[0].end + 1] != "-":
        what, end, right = "range", after[0].end, f"in {word.text}..{after[0].text[1:]}"
    else:
        return None
    advice = Advice(f"write `{right}`", Edit(word.start, end, right))
    return PredicateSyntaxError(
        PREDICATE.code_name, f"a bare {what} is not a test", word.start, end, "what must hold of it?", [advice]
    )


def _bare_helps(stop: Stop, word: Token, kind: str) -> list[Advice]:
    def insert(what: str) -> Edit:
        return Edit(word.start, word.start, f"{what} ")

    if (several := _one_of_several(stop, word)) is not None:
        return [several]
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
        case _ if stop.previous == "not":
            negation = stop.before[-1]
            right = f"!= {word.text}"
            # Behind another test, `not` is more likely meant to go with that one.
            alone = len(stop.before) == 1 or stop.before[-2].text in TYPES
            edit = Edit(negation.start, word.end, right) if alone else None
            return [Advice(f"to refuse this value, write `{right}`", edit)]
        case _:
            return _as_a_test(stop, word, kind, insert)


def _one_of_several(stop: Stop, word: Token) -> Advice | None:
    """`"a"|"b"`, which is one of several values."""
    found = [word, *stop.after]
    count = next((i for i in range(1, len(found), 2) if found[i].text not in ("|", "||")), len(found))
    values = found[:count:2]
    plain = all(token.kind in ("text", "number", "reference") for token in values)
    if len(values) < 2 or count % 2 == 0 or not plain or any(token.text[1:-1] in TYPES for token in values):
        return None
    right = f"in [{', '.join(token.text for token in values)}]"
    # Between numbers the sign may mean bits, behind another word more than one thing.
    alone = (not stop.before or stop.previous in TYPES) and all(token.kind == "text" for token in values)
    edit = Edit(word.start, values[-1].end, right) if alone and count == len(found) else None
    return Advice(f"for one of these values, write `{right}`", edit)


def _as_a_test(stop: Stop, word: Token, kind: str, insert: Callable[[str], Edit]) -> list[Advice]:
    if stop.after and stop.after[0].text in (*COMPARISONS, *TESTS):
        return [_without_subject(stop)]
    equal = Advice(f"to require this value, write `== {word.text}`", insert("=="))
    joined = stop.previous in ("and", "or")
    if joined and (test := _negated_test(stop.before[:-1])) is not None:
        return [Advice(f"`not` holds for one test; to refuse this value too, write `and {test} {word.text}`")]
    earlier = test_before(stop.before[:-1]) if joined else None
    type_ = word.text[1:-1]
    if kind == "text" and type_ in TYPES and earlier is None:
        return [Advice(f"for the type, write `{type_}`", Edit(word.start, word.end, type_)), equal]
    if earlier is None or earlier in COMPARISONS:
        return [equal]
    return [Advice(f"to say the same of it, write `{earlier} {word.text}`", insert(earlier)), equal]


def _negated_test(before: tuple[Token, ...]) -> str | None:
    """The negated test whose one operand ends some tokens."""
    test = test_before(before)
    if test is None or test == "!=":
        return test
    start = next((i for i in reversed(range(len(before))) if before[i].text in ("and", "or", *CLOSERS)), -1)
    return f"not {test}" if any(token.text == "not" for token in before[start + 1 :]) else None


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
