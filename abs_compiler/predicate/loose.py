"""A tolerant reading of an expression that could not be parsed, and the mistakes that lie in single tokens.

Takes the text; gives tokens for every character of it, right or wrong, so that a message can name what stands there.
Shared by predicates and conditions; `language` says which of the two is read.
"""

from __future__ import annotations

import re
import unicodedata

import attrs

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted, quoted_reference
from abs_compiler.repr_mixin import ReprMixin

_TOKEN = re.compile(
    r"""(?P<reference>\{\{[^{}"']*\}?\}?)
      | (?P<text>"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*"|'(?:[^'\\\x00-\x1f]|\\[^\x00-\x1f])*')
      | (?P<open_text>["'])
      | (?P<pattern>/(?:[^/\\\x00-\x1f]|\\[^\x00-\x1f])+/[A-Za-z]*)
      | (?P<empty_pattern>//)
      | (?P<open_pattern>/)
      | (?P<number>[+-]?(?:[0-9]\w*(?:\.(?!\.)\w*)*|\.[0-9]\w*)(?:(?<=[eE])[+-][0-9]+)?)
      | (?P<word>[^\W\d]\w*)
      | (?P<space>[ \t\r\n]+)
      | (?P<sign>===|!==|==|!=|<=|>=|=>|=<|<>|&&|\|\||\.\.|[\s\S])""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_REFERENCE = re.compile(r"\{\{[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?\}\}\Z")
_SIGNS = {
    "=": ("==", "equality is written `==`"),
    "===": ("==", "equality is written `==`"),
    "!==": ("!=", '"not equal" is written `!=`'),
    "<>": ("!=", '"not equal" is written `!=`'),
    "≠": ("!=", '"not equal" is written `!=`'),
    "=>": (">=", '"at least" is written `>=`'),
    "≥": (">=", '"at least" is written `>=`'),
    "=<": ("<=", '"at most" is written `<=`'),
    "≤": ("<=", '"at most" is written `<=`'),
}
_WORD_SIGNS = {"&&": "and", "&": "and", "||": "or", "|": "or", "!": "not"}
_QUOTES = {"“": "”", "”": "”", "„": "“", "‘": "’", "’": "’", "«": "»", "`": "`"}
_MORE_THAN = {
    "text": re.compile(r"\b(?:and|or|not)\b|&&|\|\||[\])},\"']"),
    "pattern": re.compile(r"\s(?:and|or|not)\b"),
}
CLOSERS = {"(": ")", "[": "]", "{": "}"}


@attrs.frozen(slots=False, repr=False, eq=False)
class Language(ReprMixin):
    """What the wording of a message depends on."""

    code_name: str
    what: str
    test: str
    words: str


PREDICATE = Language("predicate-syntax", "predicate", "test", "predicates")
CONDITION = Language("when-syntax", "condition", "comparison", "conditions")


@attrs.frozen(slots=False, repr=False, eq=False)
class Token(ReprMixin):
    """A piece of the text; `kind` is a group of the expression above."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Every token of a text, without the spaces between them."""
    found = (Token(str(match.lastgroup), match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text))
    return [token for token in found if token.kind != "space"]


def open_brackets(before: list[Token]) -> list[Token]:
    """The brackets that are open after some tokens, outermost first."""
    stack: list[Token] = []
    for token in before:
        if token.kind != "sign":
            continue
        if token.text in CLOSERS:
            stack.append(token)
        elif stack and CLOSERS[stack[-1].text] == token.text:
            stack.pop()
    return stack


def mistake(
    language: Language, message: str, token: Token, label: str, *helps: Advice | str, code_name: str | None = None
) -> PredicateSyntaxError:
    """An error that points at a token."""
    return PredicateSyntaxError(code_name or language.code_name, message, token.start, token.end, label, helps)


def lexical_mistake(text: str, token: Token, language: Language) -> PredicateSyntaxError | None:
    """What is wrong with a token by itself; None when nothing is."""
    match token.kind:
        case "open_text" | "open_pattern":
            return _unclosed(text, token, language)
        case "reference" if not _REFERENCE.match(token.text):
            return _bad_reference(token)
        case "text" if "{{" in token.text:
            return quoted_reference(token.text, token.start, language.what)
        case "number" if not _NUMBER.match(token.text):
            return _bad_number(token, language)
        case "empty_pattern":
            return mistake(
                language,
                "the pattern is empty",
                token,
                "it would match every text",
                "for any text, write `string`",
                code_name="bad-regex",
            )
        case "sign":
            return _bad_sign(text, token, language)
        case _:
            return None


def _unclosed(text: str, token: Token, language: Language) -> PredicateSyntaxError:
    line_end = re.search(r"[\x00-\x1f]|\Z", text[token.start :])
    end = token.start + (line_end.start() if line_end else 0)
    what = "text" if token.kind == "open_text" else "pattern"
    if end < len(text) and text[end] not in "\r\n":
        return PredicateSyntaxError(
            language.code_name,
            f"a {what} cannot hold the character U+{ord(text[end]):04X}",
            end,
            end + 1,
            "this character",
            ["write it as an escape: `\\t` for a tab" if text[end] == "\t" else "write it as an escape or remove it"],
        )
    body = text[token.start : end].rstrip()
    if what == "pattern" and token.start and (earlier := _pattern_that_ends(text, token.start)) is not None:
        return slash_in_pattern(text, earlier)
    place = token.start + len(body)
    # Where more than a text seems to follow, its end is anywhere.
    edit = None if _MORE_THAN[what].search(body, 1) else Edit(place, place, token.text)
    advice = Advice(f"end it with `{token.text}`", edit)
    return PredicateSyntaxError(
        language.code_name,
        f"this {what} is not closed",
        token.start,
        token.start + len(body),
        f"the closing `{token.text}` is missing",
        [advice],
    )


def _pattern_that_ends(text: str, end: int) -> Token | None:
    """The pattern that ended with a slash where, or shortly before where, something stands that follows no pattern."""
    last = next((token for token in reversed(tokens(text[:end])) if token.kind == "pattern"), None)
    return last if last is not None and not re.search(r"\s", text[last.end : end]) else None


def slash_in_pattern(text: str, pattern: Token) -> PredicateSyntaxError:
    """The error for a slash inside a pattern that ends it too early."""
    slash = pattern.start + pattern.text.rindex("/")
    return PredicateSyntaxError(
        "bad-regex",
        "the pattern ends at this slash",
        slash,
        slash + 1,
        "what follows does not belong to it",
        [Advice("for the character, write `\\/`", Edit(slash, slash + 1, "\\/"))],
    )


def _bad_reference(token: Token) -> PredicateSyntaxError:
    def error(message: str, label: str, *helps: Advice | str) -> PredicateSyntaxError:
        return PredicateSyntaxError("bad-reference", message, token.start, token.end, label, helps)

    if not token.text.endswith("}}"):
        return error("this reference is not closed", "the closing `}}` is missing")
    name = token.text[2:-2]
    tight = f"{{{{{name.strip()}}}}}"
    if name.strip() != name and _REFERENCE.match(tight):
        advice = Advice(f"write `{tight}`", Edit(token.start, token.end, tight))
        return error("a reference holds a name and nothing else", "spaces do not belong here", advice)
    if not name.strip():
        return error("a reference without a name", "a name is missing", "write for example `{{orderId}}`")
    return error(
        f"`{name.strip()}` cannot be the name of a reference",
        "names are letters, digits and `_`, with at most one dot",
        "rename the variable",
    )


def _bad_number(token: Token, language: Language) -> PredicateSyntaxError:
    label = "numbers are written as in JSON"
    plain = token.text.replace("_", "").removeprefix("+")
    sign = "-" if plain.startswith("-") else ""
    body = plain.removeprefix("-")
    whole, dot, rest = body.partition(".")
    whole = whole.lstrip("0") or "0" if whole.isdigit() or not whole else whole
    candidate = sign + whole + (dot + rest if rest else "")
    helps = []
    if re.fullmatch(r"-?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)", plain):
        candidate = str(int(plain, 0))
    if _NUMBER.match(candidate):
        helps.append(Advice(f"write `{candidate}`", Edit(token.start, token.end, candidate)))
    elif re.match(r"[0-9]{4}-|[0-9]+:", token.text):
        helps.append(Advice("if it is a text, quote it"))
    return PredicateSyntaxError(
        language.code_name, f"`{token.text}` is not a number", token.start, token.end, label, helps
    )


def _bad_sign(text: str, token: Token, language: Language) -> PredicateSyntaxError | None:
    sign = token.text
    if sign in _SIGNS:
        right, label = _SIGNS[sign]
        advice = Advice(f"write `{right}`", Edit(token.start, token.end, right))
        return mistake(language, f"`{sign}` is not a {language.test}", token, label, advice)
    if sign in _WORD_SIGNS and language is PREDICATE:
        word = _WORD_SIGNS[sign]
        advice = Advice(f"write `{word}`", spaced(text, token, word))
        message = f"`{sign}` is not a word of {language.words}"
        return mistake(language, message, token, f"written `{word}`", advice)
    if sign in ("&", "|") and language is CONDITION:
        word = _WORD_SIGNS[sign]
        advice = Advice(f"write `{word}`", spaced(text, token, word))
        return mistake(language, f"`{sign}` is not a word of {language.words}", token, "one sign only", advice)
    if sign in _QUOTES:
        return _typographic_quotes(text, token, language)
    if not sign.isprintable():
        right = " " if unicodedata.category(sign) in ("Zs", "Zl", "Zp") else ""
        return mistake(
            language,
            f"the character U+{ord(sign):04X} cannot stand here",
            token,
            f"not to be seen: {unicodedata.name(sign, 'a control character').lower()}",
            Advice("write an ordinary space" if right else "remove it", Edit(token.start, token.end, right)),
        )
    return None


def spaced(text: str, sign: Token, word: str) -> Edit:
    """A word in the place of a sign, apart from what the sign touches."""
    before, behind = text[: sign.start][-1:], text[sign.end : sign.end + 1]
    lead = " " if before and not (before.isspace() or before in CLOSERS) else ""
    tail = " " if behind and not behind.isspace() else ""
    return Edit(sign.start, sign.end, lead + word + tail)


def _typographic_quotes(text: str, token: Token, language: Language) -> PredicateSyntaxError:
    close = text.find(_QUOTES[token.text], token.end)
    helps: list[Advice | str] = ['write `"` on both sides']
    if close > 0:
        right = quoted(text[token.end : close])
        helps = [Advice(f"write `{right}`", Edit(token.start, close + 1, right))]
    return mistake(
        language,
        "a text is written between straight quotes",
        token,
        f"`{token.text}` is not a quote here" if token.text != "`" else "a backtick is not a quote here",
        *helps,
    )
