"""What is wrong inside brackets: lists, ranges, keys of `has`, parentheses that are missing or too many.

Each rule takes a stop (see `mistakes`) and gives an error, or None where it has nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import CLOSERS, PREDICATE, Token, mistake, open_brackets, tokens
from abs_compiler.predicate.stop import VALUE_KINDS, Stop
from abs_compiler.predicate.words import CONSTANTS, TEST_HELP


def wants_parentheses(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not stop.before:
        return None
    if word.text == "not" and stop.previous in ("each", "some"):
        return mistake(
            PREDICATE,
            "`not` needs parentheses here",
            word,
            f"after `{stop.previous}`",
            Advice(f"write `{stop.previous} (not …)`", _parenthesise(stop, word)),
        )
    key = _key_of_value(stop)
    if key is not None and (word.text in ("and", "or") or (word.text in ("not", "absent") and stop.previous == ":")):
        return mistake(
            PREDICATE,
            f"`{word.text}` needs parentheses here",
            word,
            "a value in `has` is one test",
            f"put the whole test of `{key}` in parentheses: `{key}: (…)`",
        )
    return None


def _parenthesise(stop: Stop, word: Token) -> Edit | None:
    """Parentheses from a word to the end, where nothing but one test follows."""
    if any(token.text in ("and", "or", ")", "}", ",") for token in stop.after) or not stop.after:
        return None
    return Edit(word.start, len(stop.text), f"({stop.text[word.start :].rstrip()})")


def _key_of_value(stop: Stop) -> str | None:
    """The key whose value in `has` is being read, if that is where parsing stopped."""
    brackets = open_brackets(list(stop.before))
    if not brackets or brackets[-1].text != "{":
        return None
    inside = [token for token in stop.before if token.start > brackets[-1].start]
    before = [token for token in stop.before if token.start < brackets[-1].start]
    if not before or before[-1].text != "has":
        return None
    for token, following in zip(reversed(inside[:-1]), reversed(inside[1:]), strict=True):
        if following.text == ":":
            return token.text
    return None


def too_many_dots(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or stop.previous != ".." or word.start != stop.before[-1].end or not word.text.startswith("."):
        return None
    dots = len(word.text) - len(word.text.lstrip("."))
    return PredicateSyntaxError(
        PREDICATE.code_name,
        "a range is written with two dots",
        word.start,
        word.start + dots,
        "one dot too many" if dots == 1 else "dots too many",
        [Advice("remove it" if dots == 1 else "remove them", Edit(word.start, word.start + dots, ""))],
    )


def range_mistakes(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None:
        return None
    if word.text == "..":
        brackets = open_brackets(list(stop.before))
        if brackets and brackets[-1].text == "[":
            return _range_in_brackets(stop, brackets[-1], word, "`..` cannot stand in a list")
        return mistake(PREDICATE, "a range stands after `in`", word, "no range here", "write for example `in 1..5`")
    after_number = len(stop.before) > 1 and stop.before[-1].kind == "number" and stop.before[-2].text == "in"
    if after_number and word.kind == "number" and word.text[0] in "+-":
        low = stop.previous
        right = f"..{word.text.lstrip('+-')}"
        return mistake(
            PREDICATE,
            "a range is written with two dots",
            word,
            "`..` is missing before this",
            Advice(f"write `{low}{right}`", Edit(word.start, word.end, right)),
        )
    if after_number and word.text in ("-", "–", "…", ",", ":"):
        return mistake(PREDICATE, "a range is written with two dots", word, "`..` belongs here", "write `in 1..5`")
    return None


def bracketed_range(found: Sequence[Token]) -> tuple[str, int] | None:
    """`[1..5]` or `[1-5]` at the beginning of some tokens, as `1..5`, and where it ends."""
    match [token.text for token in found[:5]], [token.kind for token in found[:5]]:
        case ["[", low, "..", high, "]"], [_, "number", _, "number", _]:
            return f"{low}..{high}", found[4].end
        case ["[", low, high, "]", *_], [_, "number", "number", *_] if is_dash(found[1], found[2]):
            return f"{low}..{high[1:]}", found[3].end
    return None


def is_dash(low: Token, high: Token) -> bool:
    """Whether the sign of the second of two numbers is a dash between them: `1-5`, unlike `1 -5`."""
    return low.kind == high.kind == "number" and high.start == low.end and high.text.startswith("-")


def _range_in_brackets(stop: Stop, opener: Token, place: Token, label: str) -> PredicateSyntaxError:
    everything = (*stop.before, *((stop.found,) if stop.found else ()), *stop.after)
    index = everything.index(opener)
    found = bracketed_range(everything[index:])
    advice = Advice("write the range without brackets, for example `in 1..5`")
    if found is not None and index and everything[index - 1].text == "in":
        right, end = found
        advice = Advice(f"write `in {right}`", Edit(opener.start, end, right))
    return mistake(PREDICATE, "a range is not written in brackets", place, label, advice)


def list_mistakes(stop: Stop) -> PredicateSyntaxError | None:
    brackets = open_brackets(list(stop.before))
    word = stop.found
    if word is not None and word.text == "(" and stop.previous in ("in", "as"):
        return _round_brackets(stop, word)
    if not brackets or brackets[-1].text == "(":
        return None
    what = "list" if brackets[-1].text == "[" else "mapping"
    if word is not None and stop.previous == "," and word.text in ("]", "}", ","):
        kind = "value" if what == "list" else "key"
        return mistake(
            PREDICATE,
            f"a {kind} is missing after the comma",
            word,
            f"`{word.text}` stands where the {kind} belongs",
            "remove the comma",
        )
    if what == "list" and word is not None and is_dash(stop.before[-1], word):
        return _range_in_brackets(stop, brackets[-1], word, "a dash between numbers is no comma")
    if stop.expected & {"RBRACKET", "RBRACE"} and word is not None and word.kind in (*VALUE_KINDS, "word"):
        return mistake(
            PREDICATE,
            f"a comma is missing in this {what}",
            word,
            "before this",
            Advice("write `,` between the values", Edit(stop.before[-1].end, stop.before[-1].end, ",")),
        )
    return None


def without_brackets(error: PredicateSyntaxError, text: str) -> PredicateSyntaxError:
    """The error for one value behind `in` where more follow: `in "a", "b"`."""
    found = [token for token in tokens(text) if token.start >= error.start]
    values, signs = [found[0]], set()
    for sign, value, behind in zip(found[1::2], found[2::2], [*found[3::2], None], strict=False):
        is_value = value.kind in VALUE_KINDS or value.text in CONSTANTS
        if sign.text not in (",", "or", "|") or not is_value or (behind is not None and behind.text == ":"):
            break
        values.append(value)
        signs.add(sign.text)
    if len(values) == 1:
        return error
    right = f"[{', '.join(value.text for value in values)}]"
    test = "same items as" if "same items as" in error.message else "in"
    edit = Edit(error.start, values[-1].end, right) if signs == {","} else None
    advice = Advice(f"a list stands in brackets: `{test} {right}`", edit)
    return PredicateSyntaxError(
        error.code_name, error.message, error.start, values[-1].end, "the brackets are missing", [advice]
    )


def _round_brackets(stop: Stop, word: Token) -> PredicateSyntaxError:
    """A list or a range in parentheses."""
    close = next((token for token in stop.after if token.text in CLOSERS.values()), None)
    inside = [token for token in stop.after if close is not None and token.end <= close.start]
    is_range = stop.previous == "in" and any(token.text == ".." for token in inside)
    advice = Advice("write `in 1..5`, without parentheses" if is_range else f"write `{stop.previous} [...]`")
    if close is not None and close.text == ")" and inside:
        body = stop.text[word.end : close.start].strip()
        right = body if is_range else f"[{body}]"
        advice = Advice(f"write `{stop.previous} {right}`", Edit(word.start, close.end, right))
    message = "a range stands without parentheses" if is_range else "a list is written in square brackets"
    return mistake(PREDICATE, message, word, "parentheses go around tests", advice)


def key_mistakes(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if "COLON" in stop.expected and stop.before and stop.before[-1].kind in ("word", "text"):
        key = stop.previous
        if word is not None and word.text == "=":
            return None
        return mistake(
            PREDICATE,
            f"the key `{key}` has no test" if _key_names_has(stop) else f"the key {key} has no value",
            stop.place,
            "`:` and a test are missing" if _key_names_has(stop) else "`:` and a value are missing",
            Advice(f"if any value will do, write `{key}: any`", Edit(stop.before[-1].end, stop.before[-1].end, ": any"))
            if _key_names_has(stop) and word is not None and word.text in ("}", ",")
            else "write `key: …`",
        )
    if word is None:
        return None
    if word.text == "}" and stop.previous == "{" and len(stop.before) > 1 and stop.before[-2].text == "has":
        return mistake(PREDICATE, "`has` needs at least one key", word, "no key here", "for any object, write `object`")
    if word.text in ("}", ",") and stop.previous == ":":
        return mistake(
            PREDICATE,
            f"the key `{stop.before[-2].text}` has no test",
            word,
            "a test is missing before this",
            "if any value will do, write `any`",
        )
    bare_key = word.kind == "word" and bool(stop.after) and stop.after[0].text == ":"
    if bare_key and stop.previous in ("{", ",") and "TEXT" in stop.expected and "NAME" not in stop.expected:
        return _bare_key(word)
    return None


def _bare_key(word: Token) -> PredicateSyntaxError:
    right = quoted(word.text)
    return mistake(
        PREDICATE,
        "keys of an object value are quoted",
        word,
        "a bare key",
        Advice(f"write `{right}`", Edit(word.start, word.end, right)),
        "for an object with at least these keys, write `has {...}`",
    )


def _key_names_has(stop: Stop) -> bool:
    brackets = open_brackets(list(stop.before))
    before = [token for token in stop.before if brackets and token.start < brackets[-1].start]
    return bool(before) and before[-1].text == "has"


def has_without_braces(stop: Stop) -> PredicateSyntaxError:
    word = stop.found
    if word is None or word.kind not in ("text", "word"):
        return mistake(PREDICATE, "`has` takes keys in braces", stop.place, "expected `{`", "write `has {key: any}`")
    name = word.text.strip("\"'")
    right = f"{{{name}: any}}" if name.isidentifier() and name.isascii() else f"{{{quoted(name)}: any}}"
    return mistake(
        PREDICATE,
        "`has` takes keys in braces",
        word,
        "this is a text" if word.kind == "text" else "a bare key",
        Advice(f"write `has {right}`", Edit(word.start, word.end, right)),
    )


def brackets_mistakes(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    brackets = open_brackets(list(stop.before))
    if word is not None and word.text in (")", "]", "}"):
        if word.text == ")" and stop.previous == "(":
            return mistake(PREDICATE, "nothing stands between the parentheses", word, "a test is missing", TEST_HELP)
        if not brackets or word.text not in (CLOSERS[bracket.text] for bracket in brackets):
            opener = next(key for key, closer in CLOSERS.items() if closer == word.text)
            return mistake(
                PREDICATE,
                f"`{word.text}` closes nothing",
                word,
                f"no `{opener}` is open here",
                Advice("remove it", Edit(word.start, word.end, "")),
            )
    if brackets and (word is None or word.text in (")", "]", "}")):
        closer = CLOSERS[brackets[-1].text]
        what = {"(": "group", "[": "list", "{": "mapping"}[brackets[-1].text]
        return mistake(
            PREDICATE,
            f"`{brackets[-1].text}` is not closed",
            brackets[-1],
            "opened here",
            f"add `{closer}` where the {what} ends",
        )
    return None
