"""What is wrong with a condition that could not be parsed: one error in the user's words. See `mistakes`."""

from __future__ import annotations

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.loose import CLOSERS, CONDITION, Token, lexical_mistake, mistake, open_brackets, tokens
from abs_compiler.predicate.when_habits import borrowed
from abs_compiler.predicate.words import TESTS, TYPES, constant_for, suggest

_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
_JOINS = ("and", "or", "not", "&&", "||", "!")
_CONSTANTS = ("true", "false", "null")
_VALUE_HELP = "write a reference, a text in quotes, a number, `true`, `false` or `null`"
_COMPARED = "conditions compare with `==`, `!=`, `<`, `<=`, `>` and `>=`"
_NONE_OF_VALUES = "write one comparison with `!=` for each value, joined with `and`"
_VALUES = ("text", "number", "reference")


def explain_when(text: str, at: int | None, expected: frozenset[str]) -> PredicateSyntaxError:
    """The mistake in a condition; `at` is None when the text ended too early."""
    found = tokens(text)
    if not found:
        help_ = 'write what must hold, for example `{{name}} == "value"`'
        return PredicateSyntaxError("when-syntax", "the condition is empty", 0, 0, "no condition here", [help_])
    index = len(found) if at is None else next(i for i, token in enumerate(found) if token.end > at)
    before = found[:index]
    if index == len(found):
        return _ended(text, before)
    token = found[index]
    return (
        borrowed(text, token, before, found[index + 1 :])
        or lexical_mistake(text, token, CONDITION)
        or _unknown_word(token, before, found[index + 1 :], wants_value="TEXT" in expected)
        or _out_of_place(token, before, found[index + 1 :], wants_value="TEXT" in expected)
    )


def _ended(text: str, before: list[Token]) -> PredicateSyntaxError:
    end = len(text.rstrip(" \t\r\n"))
    place = Token("end", "", end, end)
    last = before[-1].text
    if last in _COMPARISONS:
        return mistake(CONDITION, f"`{last}` needs a value after it", place, "nothing follows", _VALUE_HELP)
    if last in _JOINS:
        return mistake(CONDITION, f"`{last}` needs a condition after it", place, "nothing follows", _VALUE_HELP)
    brackets = open_brackets(before)
    if brackets:
        return mistake(CONDITION, "`(` is not closed", brackets[-1], "opened here", "add `)` where the group ends")
    return mistake(CONDITION, "the condition ends too early", place, "something is missing", _VALUE_HELP)


def _unknown_word(
    word: Token, before: list[Token], after: list[Token], *, wants_value: bool
) -> PredicateSyntaxError | None:
    if word.kind != "word" or word.text in (*_JOINS, *_CONSTANTS):
        return None
    whole = Edit(word.start, word.end, "")
    if word.text.lower() in _JOINS:
        lower = word.text.lower()
        return mistake(
            CONDITION,
            f"`{word.text}` is not a word of conditions",
            word,
            "words are lower case",
            Advice(f"write `{lower}`", Edit(word.start, word.end, lower)),
            code_name="unknown-word",
        )
    if not wants_value:
        return _word_of_predicates(word, after)
    constant = constant_for(word.text)
    if constant is not None:
        advice = [Advice(f"write `{constant}`", Edit(word.start, word.end, constant))]
        label = "values are written as in JSON"
    else:
        text, name = quoted(word.text), f"{{{{{word.text}}}}}"
        advice = [
            Advice(f"for the text, quote it: `{text}`", Edit(whole.start, whole.end, text)),
            Advice(f"for the variable, write `{name}`", Edit(whole.start, whole.end, name)),
        ]
        label = "not known"
        compared = bool(after) and after[0].text not in (*_JOINS, ")")
        if compared or not before or before[-1].text not in _COMPARISONS:
            # On the left, and alone, stands a variable.
            del advice[0]
            if not compared and any(token.text in _COMPARISONS for token in before):
                # `== gold or silver`: alone it may be meant as another value.
                advice = [Advice(f"to compare it too, write `{{{{name}}}} == {text}`")]
    return mistake(CONDITION, f"`{word.text}` is not a value", word, label, *advice, code_name="unknown-word")


def negates(word: str) -> bool:
    """Whether a word of a condition turns something around; names of variables do not, whatever they are made of."""
    if word.lower() == "not":
        return True
    found = suggest(word)
    return found is not None and found.replacement in ("!=", "not in")


def _word_of_predicates(word: Token, after: list[Token]) -> PredicateSyntaxError:
    found = suggest(word.text)
    if found is not None and found.replacement in _COMPARISONS:
        return _comparison_in_words(word, found.replacement, after)
    if found is not None and found.replacement == "not in":
        return mistake(CONDITION, f"`{word.text}` is not a word of conditions", word, _COMPARED, _NONE_OF_VALUES)
    if word.text in (*TESTS, *TYPES):
        help_ = "write one comparison for each value, joined with `or`"
        return mistake(
            CONDITION,
            f"`{word.text}` belongs to predicates, not to conditions",
            word,
            _COMPARED,
            *([help_] if word.text == "in" else []),
        )
    return mistake(
        CONDITION,
        f"`{word.text}` is not a word of conditions",
        word,
        "expected a comparison, `and` or `or`",
        code_name="unknown-word",
    )


def _comparison_in_words(word: Token, sign: str, after: list[Token]) -> PredicateSyntaxError:
    advice = Advice(f"write `{sign}`", Edit(word.start, word.end, sign))
    if after and after[0].text.lower() == "not":
        advice = Advice("write `!=`" if sign == "==" else f"write `{sign}`")
    message = f"`{word.text}` is not a word of conditions"
    return mistake(CONDITION, message, word, _COMPARED, advice, code_name="unknown-word")


def _out_of_place(token: Token, before: list[Token], after: list[Token], *, wants_value: bool) -> PredicateSyntaxError:
    last = before[-1].text if before else ""
    if token.text in _COMPARISONS and not wants_value:
        return mistake(
            CONDITION,
            "comparisons do not chain",
            token,
            "a second comparison begins here",
            "join two comparisons with `and`",
        )
    if wants_value and (last in _COMPARISONS or last in _JOINS):
        what = "value" if last in _COMPARISONS else "condition"
        label = f"`{token.text}` stands where the {what} belongs"
        return mistake(CONDITION, f"`{last}` needs a {what} after it", token, label, _VALUE_HELP)
    if wants_value and token.text in (*_JOINS, *_COMPARISONS):
        message = f"`{token.text}` needs something before it"
        return mistake(CONDITION, message, token, "nothing stands before it", _VALUE_HELP)
    if token.text == ")" and not wants_value:
        advice = Advice("remove it", Edit(token.start, token.end, ""))
        return mistake(CONDITION, "`)` closes nothing", token, "no `(` is open here", advice)
    if token.text == ")":
        return mistake(
            CONDITION, "nothing stands between the parentheses", token, "a condition is missing", _VALUE_HELP
        )
    if not wants_value and token.text == "not" and after and after[0].text == "in":
        return mistake(
            CONDITION, "`not in` belongs to predicates, not to conditions", token, _COMPARED, _NONE_OF_VALUES
        )
    if not wants_value and (token.kind in _VALUES or token.text in (*_CONSTANTS, "(", "not")):
        return mistake(
            CONDITION,
            "two values stand side by side",
            token,
            "a second value begins here",
            "to compare them, write `!=`" if token.text == "not" else "write a comparison such as `==` between them",
        )
    label = "expected a value" if wants_value else "expected a comparison, `and` or `or`"
    known = token.text in (*CLOSERS, *CLOSERS.values(), ",", ":", "..")
    message = f"`{token.text}` cannot stand here" if known else f"`{token.text}` means nothing in a condition"
    return mistake(CONDITION, message, token, label)
