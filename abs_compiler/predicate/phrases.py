"""Phrases of English and of SQL: `does not contain "x"`, `is not null`, `at least 5`, `like "ORD-%"`.

A phrase is words that say nothing, perhaps with a negation among them, and then a test in words. One rule, `phrase`,
takes a stop (see `mistakes`) and gives an error, or None where it has nothing to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs

from abs_compiler.predicate.errors import Advice, Edit, PredicateSyntaxError
from abs_compiler.predicate.literals import quoted
from abs_compiler.predicate.stop import Stop
from abs_compiler.predicate.words import KEYWORDS, type_meant
from abs_compiler.repr_mixin import ReprMixin

_TEXT = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_NUMBER = r"-?\d+(?:\.\d+)?(?![\w.-])"
_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?(?![\w-])"
_VALUE = rf"(?:{_DATE}|{_TEXT}|{_NUMBER}|\{{\{{[\w.]+\}}\}})"
_PATTERN = r"/(?:[^/\\]|\\.)+/\w*"
_LEAD = re.compile(
    r"(?:(?:(?:it|must|should|shall|may|can|will|does|do|is|are|be)(?:n['’]?t)?|not|never|cannot|won['’]?t|can['’]?t)"
    r"\s+)*",
    re.IGNORECASE,
)
_PERMISSIVE = re.compile(r"\b(?:may|can)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"\b(?:not|never|cannot)\b|n['’]?t\b|(?:can|won)['’]?t\b", re.IGNORECASE)
# What may follow a negated phrase without being negated along with it, by the habits of English.
_GOES_ON = re.compile(
    rf"\s*(?:,|n?or\b|but\b|and\b(?!\s*(?:[<>=!(]|(?:{'|'.join(KEYWORDS - {'true', 'false'})})\b)))", re.IGNORECASE
)
_UNITS = r"(?:\s+(?:char(?:acter)?s?|letters?|items?|elements?|entry|entries|keys?)\b)?"
# A comparison in words, its sign, and the sign of its opposite.
_ORDERS = (
    (r"(?:greater|more|larger|bigger|higher|longer)\s+than\s+or\s+equals?(?:\s+to)?", ">=", "<"),
    (r"(?:less|fewer|smaller|lower|shorter)\s+than\s+or\s+equals?(?:\s+to)?", "<=", ">"),
    (r"at\s+least|no\s+(?:less|fewer|smaller|lower|shorter)\s+than|min(?:imum)?", ">=", "<"),
    (r"at\s+most|no\s+(?:more|greater|larger|higher|longer)\s+than|up\s+to|max(?:imum)?", "<=", ">"),
    (r"(?:greater|more|larger|bigger|higher|longer)\s+than|above|over|after|exceeds", ">", "<="),
    (r"(?:less|fewer|smaller|lower|shorter)\s+than|below|under|before", "<", ">="),
)
_SIZED = ("string", "array", "object")


@attrs.frozen(slots=False, repr=False)
class _Meant(ReprMixin):
    """What a phrase means: the characters of it, and what is written instead; or advice alone, where that depends on
    more than the phrase."""

    length: int
    right: str = ""
    advice: str = ""


@attrs.frozen(slots=False, repr=False)
class _Rest(ReprMixin):
    """What follows the words that say nothing: whether there were any, whether they negate, and what stands before
    the whole phrase."""

    text: str
    led: bool
    negated: bool
    previous: str

    def match(self, pattern: str) -> re.Match[str] | None:
        return re.match(pattern, self.text, re.IGNORECASE)

    def test(self, found: re.Match[str], right: str) -> _Meant:
        """A test that was found, negated where the words before it negate."""
        return _Meant(found.end(), f"not {right}" if self.negated else right)


def phrase(stop: Stop) -> PredicateSyntaxError | None:
    """A test that is said in words."""
    word = stop.found
    if word is None or word.kind != "word" or stop.wants_value or stop.previous in (".", "$", "has"):
        return None
    if "LENGTH" not in stop.expected and stop.previous != "length":
        return None
    before = list(stop.before)
    while before and before[-1].text == "not":
        word = before.pop()
    lead = _LEAD.match(stop.text, word.start)
    end = lead.end() if lead else word.start
    said = stop.text[word.start : end]
    negations = len(_NEGATIVE.findall(said))
    if negations > 1:
        return None
    previous = before[-1].text if before else ""
    rest = _Rest(stop.text[end:], said.strip().lower() not in ("", "not"), negations == 1, previous)
    meant = next((found for rule in _TESTS if (found := rule(rest)) is not None), None)
    if meant is None:
        if not (rest.led and rest.negated):
            return None
        meant = _Meant(0, advice='write `not` before the test, for example `not contains "x"`')
    elif meant.right and not rest.negated and _PERMISSIVE.search(said):
        meant = attrs.evolve(meant, right="", advice=f"for what may be but need not, write `{meant.right} or …`")
    elif meant.right and rest.negated and _GOES_ON.match(rest.text, meant.length):
        meant = attrs.evolve(meant, right="", advice=f"write each test in full, the first as `{meant.right}`")
    elif meant.right.startswith("not ") and previous in (":", "each", "some"):
        meant = attrs.evolve(meant, right=f"({meant.right})")
    return _said_in_words(stop.text, word.start, end + meant.length, meant)


def _said_in_words(text: str, start: int, end: int, meant: _Meant) -> PredicateSyntaxError:
    said = text[start:end].rstrip()
    end = start + len(said)
    edit = Edit(start, end, meant.right) if meant.right else None
    return PredicateSyntaxError(
        "unknown-word",
        f"`{said}` is not a {'phrase' if ' ' in said else 'word'} of predicates",
        start,
        end,
        "tests are written in signs and few words",
        [Advice(meant.advice or f"write `{meant.right}`", edit)],
    )


# --- tests in words ---------------------------------------------------------------------------------------------------


def _of_a_text(rest: _Rest) -> _Meant | None:
    for pattern, right in (
        (rf"(?:contains?|includes?)\s+({_VALUE})", "contains"),
        (rf"(?:starts?|begins?)\s+with\s+({_VALUE})", "starts with"),
        (rf"ends?\s+with\s+({_VALUE})", "ends with"),
        (rf"(?:match(?:es)?|r?like|regexp?)\s+({_PATTERN})", "matches"),
    ):
        found = rest.match(pattern)
        if found:
            return rest.test(found, f"{right} {_written(found[1])}")
    return None


def _equal(rest: _Rest) -> _Meant | None:
    other = rest.match(rf"(?:other\s+than|different\s+from|any(?:thing)?\s+(?:but|except))\s+({_VALUE})")
    if other and not rest.negated:
        return _Meant(other.end(), advice=f"write `!= {_written(other[1])}`")
    found = rest.match(rf"(?:equals?(?:\s+to)?|exactly|identical\s+to|the\s+same\s+as)\s+({_VALUE})")
    if found is None and rest.led:
        found = rest.match(rf"({_VALUE}|(?:true|false)\b)")
    if found is None:
        return None
    value = found[1].lower() if found[1].lower() in ("true", "false") else _written(found[1])
    return _Meant(found.end(), f"{'!=' if rest.negated else '=='} {value}")


def _one_of(rest: _Rest) -> _Meant | None:
    values = r"\s*(\[[^\[\]]*\])"
    none = rest.match(rf"none\s+of{values}")
    if none:
        return None if rest.negated else _Meant(none.end(), f"not in {none[1]}")
    found = rest.match(rf"(?:(?:one|any|either)\s+of|among){values}")
    bare = None if found else rest.match(rf"(?:one|either|none)\s+of\s+{_VALUE}(?:(?:\s*,\s*|\s+or\s+){_VALUE})*")
    if bare:
        negated = rest.negated or bare[0].lower().startswith("none")
        return _Meant(bare.end(), advice=f"a list of values is written `{'not ' if negated else ''}in [1, 2]`")
    if found is None and rest.led:
        found = rest.match(rf"in(?:{values}|\s+(-?\d\S*\s*\.\.\s*-?\d[\d.]*))")
    return None if found is None else rest.test(found, f"in {found[found.lastindex or 1]}")


def _order(rest: _Rest) -> _Meant | None:
    for words, sign, opposite in _ORDERS:
        found = rest.match(rf"(?:{words})\s+({_VALUE})({_UNITS})(?!\s+(?:and|or)\s+[\d\"'])")
        if found is None:
            continue
        length = "" if rest.previous == "length" else "length "
        value = _written(found[1])
        if rest.negated:
            sign = opposite
        if length and not found[2] and not re.search(r"longer|shorter", found[0], re.IGNORECASE):
            if rest.previous in _SIZED and re.match(_NUMBER, found[1]) and not re.match(_DATE, found[1]):
                return _Meant(found.end(), advice=f"for its length, write `length {sign} {value}`")
            length = ""
        right = f"{length}{sign} {value}"
        if rest.negated:  # `not > 5` accepts more than `<= 5`
            return _Meant(found.end(), advice=f"write `{right}`")
        dated = f"dates are compared as texts: `{right}`" if value != found[1] else ""
        return _Meant(found.end(), right, dated)
    return None


def _between(rest: _Rest) -> _Meant | None:
    found = rest.match(rf"(?:between|from)\s+({_VALUE})\s*(?:and|to|\.\.|,)\s*({_VALUE})({_UNITS})")
    if found is None:
        return None
    low, high = _written(found[1]), _written(found[2])
    if low[0] in "\"'" or high[0] in "\"'":
        return rest.test(found, f"(>= {low} and <= {high})")
    length = "length " if found[3] and rest.previous != "length" else ""
    return rest.test(found, f"{length}in {low}..{high}")


def _empty(rest: _Rest) -> _Meant | None:
    found = rest.match(r"(?:empty|blank)\b")
    if found is None:
        return None
    if rest.negated:
        return _Meant(found.end(), advice="for a text, list or mapping that is not empty, write `length > 0`")
    return _Meant(found.end(), advice="for an empty text, list or mapping, write `length == 0`")


def _there(rest: _Rest) -> _Meant | None:
    if not (rest.led or rest.negated):
        return None
    found = rest.match(r"(?:absent|missing|undefined|unset)\b")
    if found:
        return rest.test(found, "absent")
    found = rest.match(r"(?:present|defined|there|given|exists?|set|provided)\b")
    if found and rest.negated:
        return _Meant(found.end(), advice="for an argument that must not be sent, write `absent`")
    found = found or rest.match(r"(?:required|mandatory)\b")
    if found and rest.negated:
        return _Meant(found.end(), advice="for an argument that may be missing, write `absent or …`")
    return None if found is None else _Meant(found.end(), "any")


def _like(rest: _Rest) -> _Meant | None:
    found = rest.match(rf"(un)?(i?)like\s+({_TEXT})")
    if found is None or (found[1] and rest.negated):
        return None
    rest = attrs.evolve(rest, negated=rest.negated or bool(found[1]))
    body = found[3][1:-1]
    if "\\" in body:
        return _Meant(found.end(), advice=_escaped_like(body, negated=rest.negated, ignore_case=bool(found[2])))
    inner = body.strip("%*")
    if found[2] or not inner or re.search(r"[%*_\\?\[]", inner):
        signs = {"%": ".*", "*": ".*", "_": ".", "/": "\\/"}
        pattern = "".join(signs.get(char) or re.escape(char) for char in body)
        test = f"{'not ' if rest.negated else ''}matches /^{pattern}$/{'i' if found[2] else ''}"
        return _Meant(found.end(), advice=f"a pattern is written as a regular expression: `{test}`")
    match body[0] in "%*", body[-1] in "%*":
        case True, True:
            return rest.test(found, f"contains {quoted(inner)}")
        case True, False:
            return rest.test(found, f"ends with {quoted(inner)}")
        case False, True:
            return rest.test(found, f"starts with {quoted(inner)}")
        case _:
            return _Meant(found.end(), f"{'!=' if rest.negated else '=='} {quoted(inner)}")


def _escaped_like(body: str, *, negated: bool, ignore_case: bool) -> str:
    """What a pattern of SQL says in which a backslash takes the meaning of signs away."""
    pieces = re.findall(r"\\{1,2}[%_]|\\.|.", body)
    signs = {"%": ".*", "_": ".", "*": ".*"}
    plain = not any(piece in signs or (len(piece) > 1 and piece[-1] not in "%_") for piece in pieces)
    if plain and not ignore_case:
        return f"write `{'!=' if negated else '=='} {quoted(''.join(piece[-1] for piece in pieces))}`"
    pattern = "".join(signs.get(piece) or re.escape(piece[-1]).replace("/", "\\/") for piece in pieces)
    test = f"{'not ' if negated else ''}matches /^{pattern}$/{'i' if ignore_case else ''}"
    return f"a pattern is written as a regular expression: `{test}`"


def _sign(rest: _Rest) -> _Meant | None:
    found = rest.match(rf"(?:==|!=|<=|>=|<|>)\s*{_VALUE}") if rest.led else None
    return None if found is None else rest.test(found, found[0])


def _type(rest: _Rest) -> _Meant | None:
    found = rest.match(r"(an?\s+)?([a-z]+)\b(?!\s*[\[(<])")
    if found is None or not (rest.led or found[1]):
        return None
    type_ = type_meant(found[2])
    return None if type_ is None else rest.test(found, type_)


_TESTS: tuple[Callable[[_Rest], _Meant | None], ...] = (
    _of_a_text,
    _equal,
    _one_of,
    _order,
    _between,
    _empty,
    _there,
    _like,
    _sign,
    _type,
)


def _written(value: str) -> str:
    """A value as it is written in a predicate: a date is a text."""
    return quoted(value) if re.fullmatch(_DATE, value) else value
