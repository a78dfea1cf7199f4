"""What is wrong with a predicate that could not be parsed.

Takes the text, the place where the parser stopped, and the names of the terminals that could have stood there; gives
one error in the user's words. Only reached on failure, so it may look at the whole text again.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from abs_compiler.predicate.bare_values import (
    bare_pattern,
    bare_value,
    pattern_signs,
    slash_between_words,
    test_before,
    unquoted_date,
)
from abs_compiler.predicate.brackets import (
    brackets_mistakes,
    has_without_braces,
    key_mistakes,
    list_mistakes,
    range_mistakes,
    too_many_dots,
    wants_parentheses,
)
from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import (
    CLOSERS,
    PREDICATE,
    Token,
    lexical_mistake,
    mistake,
    open_brackets,
    slash_in_pattern,
    tokens,
)
from abs_compiler.predicate.phrases import phrase
from abs_compiler.predicate.ranges import odd_range, unquoted_time
from abs_compiler.predicate.stop import VALUE_KINDS, Stop
from abs_compiler.predicate.words import (
    COMPARISONS,
    KEYWORDS,
    NO_CURRENT_DATE,
    NOTHING_YET,
    ORDERS,
    SUBJECTS,
    TEST_HELP,
    TESTS,
    TYPES,
    Suggestion,
    constant_for,
    kind_named,
    suggest,
    type_meant,
)

_VALUE_HELP = "write a number, a text in quotes or a reference, for example `> 5`"
_HALVES = {"starts": "with", "ends": "with", "same": "items as", "items": "as"}
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
    stop = Stop(
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


def _token_itself(stop: Stop) -> PredicateSyntaxError | None:
    return None if stop.found is None else lexical_mistake(stop.text, stop.found, PREDICATE)


def _half_of_a_test(stop: Stop) -> PredicateSyntaxError | None:
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


def _unknown_word(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or word.kind != "word" or word.text in KEYWORDS:
        return None
    if stop.wants_value:
        return _unquoted_value(stop, word)
    place = Edit(word.start, word.end, "")
    if word.text.lower() in ("true", "false") and "FALSE" not in stop.expected:
        suggestion: Suggestion | None = Suggestion(f"write `== {word.text.lower()}`", f"== {word.text.lower()}")
    elif word.text == "of" and stop.previous == "array" and stop.after and type_meant(stop.after[0].text.rstrip("s")):
        suggestion = Suggestion("a test of the items is written `each`", "each")
    elif (kind := kind_named(word.text)) is not None and _stands_alone(stop):
        suggestion = Suggestion(kind)
    else:
        suggestion = suggest(word.text)
        if suggestion is not None and suggestion.replacement == "any" and stop.after and stop.after[0].text == "and":
            suggestion = Suggestion("a test asks for a value that is there anyway; leave this out")
    label = "words are lower case" if word.text.lower() in KEYWORDS else "not known"
    helps: list[Advice | str] = []
    if suggestion is not None:
        edit = None if suggestion.replacement is None else attrs.evolve(place, text=suggestion.replacement)
        helps.append(Advice(suggestion.advice, edit))
        if suggestion.advice == kind_named(word.text):
            test = quoted(word.text) if "FALSE" in stop.expected else f"== {quoted(word.text)}"
            helps.append(Advice(f"for this very text, write `{test}`"))
    elif "FALSE" in stop.expected:
        text = quoted(word.text)
        helps.append(Advice(f"if it is a text, quote it: `{text}`", attrs.evolve(place, text=text)))
    elif word.text in SUBJECTS or (stop.after and stop.after[0].text in (*COMPARISONS, *TESTS)):
        helps.append(_without_subject(stop, word))
    elif not stop.is_complete and _stands_alone(stop):
        # It may as well name a kind of value that there is no word for: no fix.
        helps.append(Advice(f"for this very text, write `== {quoted(word.text)}`"))
    return mistake(
        PREDICATE,
        f"`{word.text}` is not a word of predicates",
        word,
        label,
        *helps,
        code_name="unknown-word",
    )


def _without_subject(stop: Stop, word: Token) -> Advice:
    rest = stop.text[stop.after[0].start :] if stop.after else "> 5"
    # Another word may say something of weight.
    edit = Edit(word.start, stop.after[0].start, "") if stop.after and word.text in SUBJECTS else None
    return Advice(f"a test has no subject; it always looks at the value in this place: `{rest.strip()}`", edit)


def _stands_alone(stop: Stop) -> bool:
    return not stop.after or stop.after[0].text in ("and", "or", "|", "||", "&", "&&", ",", *CLOSERS.values())


def _unquoted_value(stop: Stop, word: Token) -> PredicateSyntaxError:
    constant = constant_for(word.text)
    right = constant or quoted(word.text)
    edit: Edit | None = Edit(word.start, word.end, right)
    kind = kind_named(word.text)
    if kind == NO_CURRENT_DATE:
        helps = [Advice(kind), Advice(f"for this very text, write `{right}`")]
        return mistake(PREDICATE, f"`{word.text}` is not a value", word, "not known", *helps, code_name="unknown-word")
    if constant is None and (stop.previous in ORDERS or kind == NOTHING_YET):
        # Few texts are meant to be ordered.
        edit = None
    return mistake(
        PREDICATE,
        f"`{word.text}` is not a value",
        word,
        "values are written as in JSON" if constant else "texts are written in quotes",
        Advice(f"write `{right}`" if edit else f"for this very text, write `{right}`", edit),
        code_name="unknown-word",
    )


def _absent_misplaced(stop: Stop) -> PredicateSyntaxError | None:
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


def _nothing_before(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or word.text not in ("and", "or"):
        return None
    if not stop.before or stop.previous == "(":
        return mistake(PREDICATE, f"`{word.text}` needs a test before it", word, "nothing stands before it")
    return None


def _something_missing(stop: Stop) -> PredicateSyntaxError | None:
    """An operator without what belongs behind it."""
    word, previous = stop.found, stop.previous
    ends_here = word is None or word.text in ("and", "or", ")", "]", "}", ",")

    def label(what: str) -> str:
        return "nothing follows" if word is None else f"`{word.text}` stands where the {what} belongs"

    if previous in ("and", "or", "not") and stop.wants_test and ends_here:
        return mistake(PREDICATE, f"`{previous}` needs a test after it", stop.place, label("test"), TEST_HELP)
    if previous in ("each", "some") and ends_here:
        return mistake(
            PREDICATE,
            f"`{previous}` needs a test of the items",
            stop.place,
            label("test"),
            f"write for example `{previous} string`",
        )
    if previous == "length" and (ends_here or (word is not None and word.text not in COMPARISONS)):
        return _length_without_comparison(stop)
    if previous == "has":
        return has_without_braces(stop)
    if previous == "matches" and ends_here:
        return mistake(
            PREDICATE, "`matches` needs a pattern after it", stop.place, label("pattern"), "write `matches /…/`"
        )
    if previous in (*COMPARISONS, "contains") and stop.wants_value and ends_here:
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


def _length_without_comparison(stop: Stop) -> PredicateSyntaxError:
    example = "write for example `length == 5` or `length in 1..64`"
    if stop.found is not None and stop.found.kind == "number":
        number = stop.found.text
        example = f"write `length == {number}`, `length >= {number}` or `length in 1..{number}`"
    return mistake(PREDICATE, "`length` needs a comparison", stop.place, "what must hold of the length?", example)


def _negated_type(stop: Stop) -> PredicateSyntaxError | None:
    """A second type behind `not`, behind a type."""
    word = stop.found
    if word is None or word.text not in TYPES or stop.previous != "not" or len(stop.before) < 2:
        return None
    negation = stop.before[-1]
    if stop.before[-2].text not in TYPES:
        return None
    return mistake(
        PREDICATE,
        "`not` after a type takes a test",
        negation,
        "here stands a second type",
        Advice("join them with `and`", Edit(negation.start, negation.start, "and ")),
    )


def _side_by_side(stop: Stop) -> PredicateSyntaxError | None:
    word = stop.found
    if word is None or not stop.is_complete:
        return None
    if word.text == ",":
        return _comma_between_tests(stop, word)
    if word.text in TYPES and word.kind == "word":
        if stop.previous in TYPES:
            return _two_types(stop.previous, word)
        return mistake(
            PREDICATE,
            "two tests stand side by side",
            word,
            "a second test begins here",
            Advice("join them with `and`", Edit(word.start, word.start, "and ")),
        )
    if word.text in (*COMPARISONS, *TESTS, "(", "absent", "not"):
        return mistake(
            PREDICATE,
            "two tests stand side by side",
            word,
            "a second test begins here",
            Advice("join them with `and`", Edit(word.start, word.start, "and ")),
        )
    if word.kind == "pattern" and stop.before[-1].kind == "pattern":
        return slash_in_pattern(stop.text, stop.before[-1])
    if word.kind in VALUE_KINDS and stop.before[-1].kind in VALUE_KINDS:
        test = test_before(stop.before)
        advice = Advice("for one of several values, write `in [...]`")
        if test not in (None, "=="):
            advice = Advice(f"write `or {test} {word.text}` for either, `and {test} {word.text}` for both")
        return mistake(PREDICATE, "two values stand side by side", word, "a second value begins here", advice)
    return None


def _two_types(first: str, second: Token) -> PredicateSyntaxError:
    helps = [f"if either will do, write `{first} or {second.text}`"]
    if "array" in (first, second.text) and first != second.text:
        item = second.text if first == "array" else first
        helps.append(f"for a list whose items are of one type, write `array each {item}`")
    return mistake(PREDICATE, "two types stand side by side", second, "a second type begins here", *helps)


def _comma_between_tests(stop: Stop, word: Token) -> PredicateSyntaxError:
    left, right = stop.text[: word.start].strip(), stop.text[word.end :].strip()
    helps = []
    is_test = bool(stop.after) and stop.after[0].text in (*COMPARISONS, *TESTS, *TYPES, "(", "absent", "not")
    if is_test and len(left) + len(right) < 60:
        helps.append(f"write `{left} or {right}` for either, `{left} and {right}` for both at once")
    return mistake(PREDICATE, "a comma does not join tests", word, "between two tests stands `and` or `or`", *helps)


def _out_of_place(stop: Stop) -> PredicateSyntaxError:
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
        *COMPARISONS,
    ):
        return mistake(PREDICATE, f"`{stop.found.text}` means nothing in a predicate", stop.found, label)
    return mistake(PREDICATE, f"`{stop.found.text}` cannot stand here", stop.found, label)


_RULES: tuple[Callable[[Stop], PredicateSyntaxError | None], ...] = (
    phrase,
    pattern_signs,
    unquoted_date,
    unquoted_time,
    bare_pattern,
    slash_between_words,
    odd_range,
    too_many_dots,
    _token_itself,
    _half_of_a_test,
    key_mistakes,
    _absent_misplaced,
    _unknown_word,
    wants_parentheses,
    _nothing_before,
    _negated_type,
    list_mistakes,
    range_mistakes,
    _something_missing,
    bare_value,
    brackets_mistakes,
    _side_by_side,
)
