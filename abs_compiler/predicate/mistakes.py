"""What is wrong with a predicate that could not be parsed.

Takes the text, the place where the parser stopped, and the names of the terminals that could have stood there; gives
one error in the user's words. Only reached on failure, so it may look at the whole text again.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import CLOSERS, PREDICATE, Token, lexical_mistake, mistake, open_brackets, tokens
from abs_compiler.predicate.words import KEYWORDS, SUBJECTS, TESTS, TYPES, constant_for, suggest

_TEST_HELP = "write a type such as `string`, or a test such as `> 5`"
_VALUE_HELP = "write a number, a text in quotes or a reference, for example `> 5`"
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
_HALVES = {"starts": "with", "ends": "with", "same": "items as", "items": "as"}
_BARE = {"text": "text", "number": "number", "reference": "reference", "pattern": "pattern"}
# What terminals are called in a list of what was expected, most telling first.
_EXPECTED = (
    ("TYPE", "a type such as `string`"),
    ("LENGTH", "a test such as `> 5`"),
    ("NUMBER", "a value"),
    ("AND", "`and`"),
    ("OR", "`or`"),
    ("COMMA", "`,`"),
    ("COLON", "`:`"),
    ("DOTS", "`..`"),
    ("NAME", "a key"),
    ("PATTERN", "a pattern between slashes"),
)


@attrs.frozen(slots=True)
class _Stop:
    """Where and how parsing stopped: the offending token (None at the end), those before it, what could follow."""

    text: str
    found: Token | None
    before: tuple[Token, ...]
    after: tuple[Token, ...]
    expected: frozenset[str]

    @property
    def previous(self) -> str:
        return self.before[-1].text if self.before else ""

    @property
    def place(self) -> Token:
        """The token to point at: the offending one, or the empty place at the end."""
        end = len(self.text.rstrip(" \t\r\n"))
        return self.found or Token("end", "", end, end)

    @property
    def wants_value(self) -> bool:
        return bool(self.expected & {"NUMBER", "TEXT", "PATTERN"}) and "LENGTH" not in self.expected

    @property
    def wants_test(self) -> bool:
        return "LENGTH" in self.expected and "AND" not in self.expected

    @property
    def is_complete(self) -> bool:
        """Whether what was read so far is a whole test."""
        return "AND" in self.expected


def explain(text: str, at: int | None, expected: frozenset[str]) -> PredicateSyntaxError:
    """The mistake in a predicate; `at` is None when the text ended too early."""
    found = tokens(text)
    if not found:
        return PredicateSyntaxError(
            "predicate-syntax",
            "the predicate is empty",
            0,
            0,
            "no test here",
            ["write what the value must be, for example `string` or `> 5`"],
        )
    index = len(found) if at is None else next(i for i, token in enumerate(found) if token.end > at)
    stop = _Stop(
        text,
        found[index] if index < len(found) else None,
        tuple(found[:index]),
        tuple(found[index + 1 :]),
        expected,
    )
    for rule in _RULES:
        error = rule(stop)
        if error is not None:
            return error
    return _out_of_place(stop)


# --- rules, in the order in which they are tried --------------------------------------------------------------------


def _token_itself(stop: _Stop) -> PredicateSyntaxError | None:
    return None if stop.found is None else lexical_mistake(stop.text, stop.found, PREDICATE)


def _half_of_a_test(stop: _Stop) -> PredicateSyntaxError | None:
    rest = _HALVES.get(stop.previous)
    if rest is None or not stop.expected <= {"WITH", "ITEMS", "AS"}:
        return None
    half = stop.before[-1]
    whole = f"{half.text} {rest}" if half.text != "items" else "same items as"
    helps: list[Advice | str] = [f"write `{whole}`"]
    if stop.found is not None and not (stop.found.kind == "word" and stop.found.text not in KEYWORDS):
        helps = [Advice(f"write `{whole}`", Edit(half.end, half.end, f" {rest}"))]
    what = "part of a longer test" if "items" in whole else "half of a test"
    return mistake(
        PREDICATE,
        f"`{half.text}` is {what}",
        stop.place,
        f"`{rest}` is missing before this" if stop.found else f"`{rest}` is missing",
        *helps,
    )


def _unknown_word(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or word.kind != "word" or word.text in KEYWORDS:
        return None
    if stop.wants_value:
        return _unquoted_value(word)
    place = Edit(word.start, word.end, "")
    suggestion = suggest(word.text)
    label = "words are lower case" if word.text.lower() in KEYWORDS else "not known"
    helps: list[Advice | str] = []
    if suggestion is not None:
        edit = None if suggestion.replacement is None else attrs.evolve(place, text=suggestion.replacement)
        helps.append(Advice(suggestion.advice, edit))
    elif "FALSE" in stop.expected:
        text = quoted(word.text)
        helps.append(Advice(f"if it is a text, quote it: `{text}`", attrs.evolve(place, text=text)))
    elif word.text in SUBJECTS or (stop.after and stop.after[0].text in (*_COMPARISONS, *TESTS)):
        helps.append(_without_subject(stop, word))
    return mistake(
        PREDICATE,
        f"`{word.text}` is not a word of predicates",
        word,
        label,
        *helps,
        code_name="unknown-word",
    )


def _without_subject(stop: _Stop, word: Token) -> Advice:
    rest = stop.text[stop.after[0].start :] if stop.after else "> 5"
    edit = Edit(word.start, stop.after[0].start, "") if stop.after else None
    return Advice(f"a test has no subject; it always looks at the value in this place: `{rest.strip()}`", edit)


def _unquoted_value(word: Token) -> PredicateSyntaxError:
    constant = constant_for(word.text)
    right = constant or quoted(word.text)
    return mistake(
        PREDICATE,
        f"`{word.text}` is not a value",
        word,
        "values are written as in JSON" if constant else "texts are written in quotes",
        Advice(f"write `{right}`", Edit(word.start, word.end, right)),
        code_name="unknown-word",
    )


def _absent_misplaced(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or word.text != "absent":
        return None
    brackets = open_brackets(list(stop.before))
    if stop.wants_value and brackets and brackets[-1].text == "[":
        return mistake(
            PREDICATE,
            "`absent` cannot stand in a list of values",
            word,
            "it is not a value",
            "write `absent or in [...]`",
            code_name="misplaced-absent",
        )
    if stop.previous in ("each", "some"):
        return misplaced_absent(word.start, word.end, stop.previous)
    if stop.previous in TYPES or stop.previous == "not":
        return mistake(
            PREDICATE,
            "`absent` is a test of its own",
            word,
            f"after `{stop.previous}`",
            "write `absent or …` for an argument that may be missing",
            code_name="misplaced-absent",
        )
    return None


def misplaced_absent(start: int, end: int, where: str) -> PredicateSyntaxError:
    """The error for `absent` inside `each` or `some`."""
    return PredicateSyntaxError(
        "misplaced-absent",
        f"`absent` cannot stand inside `{where}`",
        start,
        end,
        "an item of a list is never absent",
        [f"leave it out; for a missing list, write `absent` outside: `absent or array {where} …`"],
    )


def _wants_parentheses(stop: _Stop) -> PredicateSyntaxError | None:
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


def _parenthesise(stop: _Stop, word: Token) -> Edit | None:
    """Parentheses from a word to the end, where nothing but one test follows."""
    if any(token.text in ("and", "or", ")", "}", ",") for token in stop.after) or not stop.after:
        return None
    return Edit(word.start, len(stop.text), f"({stop.text[word.start :].rstrip()})")


def _key_of_value(stop: _Stop) -> str | None:
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


def _nothing_before(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or word.text not in ("and", "or"):
        return None
    if not stop.before or stop.previous == "(":
        return mistake(PREDICATE, f"`{word.text}` needs a test before it", word, "nothing stands before it")
    return None


def _something_missing(stop: _Stop) -> PredicateSyntaxError | None:
    """An operator without what belongs behind it."""
    word, previous = stop.found, stop.previous
    ends_here = word is None or word.text in ("and", "or", ")", "]", "}", ",")

    def label(what: str) -> str:
        return "nothing follows" if word is None else f"`{word.text}` stands where the {what} belongs"

    if previous in ("and", "or", "not") and stop.wants_test and ends_here:
        return mistake(PREDICATE, f"`{previous}` needs a test after it", stop.place, label("test"), _TEST_HELP)
    if previous in ("each", "some") and ends_here:
        return mistake(
            PREDICATE,
            f"`{previous}` needs a test of the items",
            stop.place,
            label("test"),
            f"write for example `{previous} string`",
        )
    if previous == "length" and (ends_here or (word is not None and word.text not in _COMPARISONS)):
        return _length_without_comparison(stop)
    if previous == "has":
        return _has_without_braces(stop)
    if previous == "matches" and ends_here:
        return mistake(
            PREDICATE, "`matches` needs a pattern after it", stop.place, label("pattern"), "write `matches /…/`"
        )
    if previous in (*_COMPARISONS, "contains") and stop.wants_value and ends_here:
        return mistake(PREDICATE, f"`{previous}` needs a value after it", stop.place, label("value"), _VALUE_HELP)
    if previous == "with" and stop.wants_value and ends_here:
        test = " ".join(token.text for token in stop.before[-2:])
        return mistake(PREDICATE, f"`{test}` needs a text after it", stop.place, label("text"), f'write `{test} "…"`')
    if previous == ".." and ends_here:
        return mistake(PREDICATE, "a range needs a number at its end", stop.place, label("number"), "write `in 1..5`")
    if previous in ("in", "as") and ends_here:
        test = "in" if previous == "in" else "same items as"
        return mistake(
            PREDICATE, f"`{test}` needs a list after it", stop.place, label("list"), f"write `{test} [1, 2]`"
        )
    return None


def _length_without_comparison(stop: _Stop) -> PredicateSyntaxError:
    example = "write for example `length == 5` or `length in 1..64`"
    if stop.found is not None and stop.found.kind == "number":
        number = stop.found.text
        example = f"write `length == {number}`, `length >= {number}` or `length in 1..{number}`"
    return mistake(PREDICATE, "`length` needs a comparison", stop.place, "what must hold of the length?", example)


def _has_without_braces(stop: _Stop) -> PredicateSyntaxError:
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


def _bare_value(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not (stop.wants_test or stop.previous in TYPES):
        return None
    kind = _BARE.get(word.kind) or ("boolean" if word.text in ("true", "false") else "")
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


def _bare_helps(stop: _Stop, word: Token, kind: str) -> list[Advice]:
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
        case _:
            return [Advice(f"to require this value, write `== {word.text}`", insert("=="))]


def _range_mistakes(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None:
        return None
    if word.text == "..":
        brackets = open_brackets(list(stop.before))
        if brackets and brackets[-1].text == "[":
            return mistake(
                PREDICATE,
                "a range is not written in brackets",
                word,
                "`..` cannot stand in a list",
                "write the range without brackets, for example `in 1..5`",
            )
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


def _list_mistakes(stop: _Stop) -> PredicateSyntaxError | None:
    brackets = open_brackets(list(stop.before))
    word = stop.found
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
    if stop.expected & {"RBRACKET", "RBRACE"} and word is not None and word.kind in (*_BARE, "word"):
        return mistake(
            PREDICATE,
            f"a comma is missing in this {what}",
            word,
            "before this",
            Advice("write `,` between the values", Edit(stop.before[-1].end, stop.before[-1].end, ",")),
        )
    return None


def _key_mistakes(stop: _Stop) -> PredicateSyntaxError | None:
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


def _key_names_has(stop: _Stop) -> bool:
    brackets = open_brackets(list(stop.before))
    before = [token for token in stop.before if brackets and token.start < brackets[-1].start]
    return bool(before) and before[-1].text == "has"


def _brackets(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    brackets = open_brackets(list(stop.before))
    if word is not None and word.text in (")", "]", "}"):
        if word.text == ")" and stop.previous == "(":
            return mistake(PREDICATE, "nothing stands between the parentheses", word, "a test is missing", _TEST_HELP)
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


def _side_by_side(stop: _Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not stop.is_complete:
        return None
    if word.text == ",":
        return _comma_between_tests(stop, word)
    if word.text in TYPES and word.kind == "word":
        both = stop.previous in TYPES
        return mistake(
            PREDICATE,
            "two types stand side by side" if both else "two tests stand side by side",
            word,
            "a second type begins here" if both else "a second test begins here",
            Advice(
                "write `or` between them if either will do" if both else "join them with `and`",
                Edit(word.start, word.start, "or " if both else "and "),
            ),
        )
    if word.text in (*_COMPARISONS, *TESTS, "(", "absent", "not"):
        return mistake(
            PREDICATE,
            "two tests stand side by side",
            word,
            "a second test begins here",
            Advice("join them with `and`", Edit(word.start, word.start, "and ")),
        )
    if word.kind in _BARE and stop.before[-1].kind in _BARE:
        return mistake(
            PREDICATE,
            "two values stand side by side",
            word,
            "a second value begins here",
            "for one of several values, write `in [...]`",
        )
    return None


def _comma_between_tests(stop: _Stop, word: Token) -> PredicateSyntaxError:
    left, right = stop.text[: word.start].strip(), stop.text[word.end :].strip()
    helps = []
    if right and len(left) + len(right) < 60:
        helps.append(f"write `{left} or {right}` for either, `{left} and {right}` for both at once")
    return mistake(PREDICATE, "a comma does not join tests", word, "between two tests stands `and` or `or`", *helps)


def _out_of_place(stop: _Stop) -> PredicateSyntaxError:
    # The parser's tables also name what could follow only inside brackets.
    ruled_out = set() if open_brackets(list(stop.before)) else {"COMMA"}
    ruled_out |= {"TYPE"} if stop.is_complete else set()
    names = [phrase for terminal, phrase in _EXPECTED if terminal in stop.expected - ruled_out][:5]
    label = "expected " + (", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else "".join(names))
    if not names:
        label = "not expected here"
    if stop.found is None:
        return mistake(PREDICATE, "the predicate ends too early", stop.place, label)
    if stop.found.kind == "sign" and stop.found.text not in (
        *CLOSERS,
        *CLOSERS.values(),
        ",",
        ":",
        "..",
        *_COMPARISONS,
    ):
        return mistake(PREDICATE, f"`{stop.found.text}` means nothing in a predicate", stop.found, label)
    return mistake(PREDICATE, f"`{stop.found.text}` cannot stand here", stop.found, label)


_RULES: tuple[Callable[[_Stop], PredicateSyntaxError | None], ...] = (
    _token_itself,
    _half_of_a_test,
    _key_mistakes,
    _absent_misplaced,
    _unknown_word,
    _wants_parentheses,
    _nothing_before,
    _list_mistakes,
    _range_mistakes,
    _something_missing,
    _bare_value,
    _brackets,
    _side_by_side,
)
