"""The vocabulary of predicates, and what people write instead of it."""

from __future__ import annotations

import difflib

import attrs

from abs_compiler.repr_mixin import ReprMixin

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null", "any")
# The tests that are one word, or start with one.
TESTS = ("in", "contains", "starts", "ends", "matches", "length", "each", "some", "has", "same")
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
ORDERS = ("<=", ">=", "<", ">")
JOINS = ("and", "or", "not")
CONSTANTS = ("true", "false", "null")
TEST_HELP = "write a type such as `string`, or a test such as `> 5`"
KEYWORDS = frozenset((*TYPES, *TESTS, *JOINS, *CONSTANTS, "absent", "with", "items", "as"))

# Words for what a phrase of predicates says: the word, the phrase, and how the advice introduces it.
_TYPE_SYNONYMS = {
    "integer": ("int", "whole", "long", "int32", "int64"),
    "number": ("float", "double", "decimal", "numeric", "num"),
    "string": ("str", "text", "char", "varchar"),
    "boolean": ("bool", "flag"),
    "array": ("list", "tuple", "sequence"),
    "object": ("dict", "map", "mapping", "record", "hash", "struct"),
    "null": ("none", "nil"),
    "any": ("anything", "something", "present", "exists", "required", "defined"),
}
_TYPE_HINTS = {
    "integer": "a number without fraction is written `integer`",
    "number": "a number is written `number`",
    "string": "a text is written `string`",
    "boolean": "`true` or `false` is written `boolean`",
    "array": "a list is written `array`",
    "object": "a mapping is written `object`",
    "null": "the value null is written `null`",
    "any": "any value that is there is written `any`",
}
_PHRASES = {
    "startswith": "starts with",
    "starts_with": "starts with",
    "startsWith": "starts with",
    "beginswith": "starts with",
    "endswith": "ends with",
    "ends_with": "ends with",
    "endsWith": "ends with",
    "notin": "not in",
    "not_in": "not in",
}
_REPLACEMENTS = {
    "equals": ("==", "equality is written `==`"),
    "equal": ("==", "equality is written `==`"),
    "eq": ("==", "equality is written `==`"),
    "is": ("==", "equality is written `==`, a type is just its word"),
    "ne": ("!=", "inequality is written `!=`"),
    "neq": ("!=", "inequality is written `!=`"),
    "gt": (">", "`gt` is written `>`"),
    "gte": (">=", "`gte` is written `>=`"),
    "ge": (">=", "`ge` is written `>=`"),
    "lt": ("<", "`lt` is written `<`"),
    "lte": ("<=", "`lte` is written `<=`"),
    "le": ("<=", "`le` is written `<=`"),
    "len": ("length", "the number of characters, items or keys is written `length`"),
    "size": ("length", "the number of characters, items or keys is written `length`"),
    "count": ("length", "the number of characters, items or keys is written `length`"),
    "match": ("matches", "a pattern is tested with `matches /…/`"),
    "regex": ("matches", "a pattern is tested with `matches /…/`"),
    "regexp": ("matches", "a pattern is tested with `matches /…/`"),
    "like": ("matches", "a pattern is tested with `matches /…/`"),
    "ilike": ("matches", "a pattern is tested with `matches /…/`, without regard to case with `matches /…/i`"),
    "includes": ("contains", "a part of a text, or an item of a list, is tested with `contains`"),
    "include": ("contains", "a part of a text, or an item of a list, is tested with `contains`"),
    "oneof": ("in", "one of several values is written `in [...]`"),
    "one_of": ("in", "one of several values is written `in [...]`"),
    "anyof": ("in", "one of several values is written `in [...]`"),
    "any_of": ("in", "one of several values is written `in [...]`"),
    "noneof": ("not in", "none of several values is written `not in [...]`"),
    "none_of": ("not in", "none of several values is written `not in [...]`"),
    "all": ("each", "a test of every item is written `each`"),
    "every": ("each", "a test of every item is written `each`"),
    "missing": ("absent", "an argument that is not there is written `absent`"),
    "undefined": ("absent", "an argument that is not there is written `absent`"),
    "unset": ("absent", "an argument that is not there is written `absent`"),
}
_ADVICE_ONLY = {
    "if": "a test has no conditions; for an argument that may be missing, write `absent or …`",
    "optional": "for an argument that may be missing, write `absent or …`",
    "nullable": "for a value that may be null, write `null or …`",
    "between": "a range is written `in 1..5`, both ends included",
    "to": "a range is written with two dots: `in 1..5`",
    "empty": "for an empty text, list or mapping, write `length == 0`",
    "nonempty": "for a text, list or mapping that is not empty, write `length > 0`",
    "but": "two tests that must both hold are joined with `and`; for all values but one, write `!= …`",
    "except": "what must not hold is written with `not` before the test",
    "without": "what must not hold is written with `not` before the test",
    "excludes": "what must not hold is written with `not` before the test",
    "neither": "write each test in full, joined with `and`, for example `!= 1 and != 2`",
    "nor": "write each test in full, joined with `and`, for example `!= 1 and != 2`",
    "xor": "for exactly one of two tests, write both cases: `(… and not …) or (not … and …)`",
    "of": "for one of several values, write `in [...]`; for a test of every item, write `each`",
    "positive": "write `> 0`",
    "negative": "write `< 0`",
    "date": "there is no type for dates; test the text, for example `string matches /^\\d{4}-\\d\\d-\\d\\d$/`",
    "email": 'there is no type for addresses; test the text, for example `string contains "@"`',
    "uuid": "there is no type for UUIDs; test the text with `string matches /…/`",
}
# Words that name a kind of value or a property, where they stand alone. No predicate is that word as a text.
_TEXT_OF_FORM = "there is no type for this; test the text with `string matches /…/`"
_CASED = "there is no test of upper and lower case; test the text with `string matches /…/`"
NOTHING_YET = "write the test that is meant; `any` accepts every value that is there"
_KINDS = {
    _ADVICE_ONLY["date"]: ("datetime", "timestamp", "time", "dates", "iso8601", "isodate"),
    _TEXT_OF_FORM: (
        *("url", "uri", "phone", "guid", "ip", "ipv4", "ipv6", "hostname", "domain", "zip", "zipcode", "postcode"),
        *("currency", "regex", "pattern", "hex", "base64", "json", "ulid", "iban", "slug", "alpha", "alphanumeric"),
        *("digits", "ascii", "duration", "path", "file", "color", "colour"),
    ),
    _CASED: ("lowercase", "uppercase", "titlecase", "lower", "upper", "capitalized", "capitalised", "trimmed"),
    "no test tells even from odd numbers; list the values: `in [2, 4]`": ("even", "odd", "prime", "multiple"),
    "there is no test of the order of items, or whether they differ; `same items as [...]` names them": (
        *("unique", "sorted", "distinct", "ordered", "unordered"),
    ),
    "values are not taken for true or false; write `== true`, or which values are meant": (
        *("truthy", "falsy", "falsey"),
    ),
    "predicates know no current date or time; bind it to a reference: `>= {{today}}`": (
        *("today", "now", "tomorrow", "yesterday", "current_date", "current_time", "current_timestamp", "utcnow"),
    ),
    NOTHING_YET: ("tbd", "todo", "fixme", "tba", "xxx", "placeholder", "whatever", "wildcard"),
    "write a bound: `> 0`, `>= 0` or `!= 0`": ("nonnegative", "nonzero", "nonpositive"),
}
_KIND_OF = {name: advice for advice, names in _KINDS.items() for name in names}
NO_CURRENT_DATE = _KIND_OF["now"]
SUBJECTS = frozenset(
    ("value", "it", "this", "self", "x", "arg", "argument", "item", "v", "val", "field", "that", "which")
)
_TYPE_OF_SYNONYM = {name: word for word, names in _TYPE_SYNONYMS.items() for name in names}


@attrs.frozen(slots=False, repr=False)
class Suggestion(ReprMixin):
    """What to write instead of a word: a text to put in its place, or None where no one text fits."""

    advice: str
    replacement: str | None = None


def suggest(word: str) -> Suggestion | None:
    """What a word that is not in the vocabulary probably means; None when nothing comes near."""
    lower = word.lower()
    if lower in KEYWORDS and lower != word:
        return Suggestion(f"write `{lower}`", lower)
    if word in _PHRASES:
        return Suggestion(f"written as two words, `{_PHRASES[word]}`", _PHRASES[word])
    if lower in _TYPE_OF_SYNONYM:
        type_ = _TYPE_OF_SYNONYM[lower]
        return Suggestion(_TYPE_HINTS[type_], type_)
    if lower in _REPLACEMENTS:
        replacement, advice = _REPLACEMENTS[lower]
        return Suggestion(advice, replacement)
    if lower in _ADVICE_ONLY:
        return Suggestion(_ADVICE_ONLY[lower])
    from abs_compiler.predicate.negation import changes_negation, without_negation  # only mistyped words need it

    rest = without_negation(word)
    if rest is not None:
        return _negated(rest)
    rest = _behind_prefix(word)
    if rest is not None:
        return _negated(rest)
    close = difflib.get_close_matches(lower, (*TYPES, *TESTS, *JOINS, "absent"), 1, 0.7)
    close = [found for found in close if not changes_negation(word, found)]
    if not close:
        return None
    found = close[0]
    kind = "type" if found in TYPES else "test" if found in TESTS else "word"
    phrase = {"starts": "starts with", "ends": "ends with", "same": "same items as"}.get(found, found)
    return Suggestion(f"there is a {kind} `{phrase}`", found)


def kind_named(word: str) -> str | None:
    """What to do where a word stands alone that names a kind of value; None for other words."""
    return _KIND_OF.get(word.lower())


def _negated(rest: str) -> Suggestion | None:
    """What to write for a word that negates `rest`; never what it negates."""
    if rest in _REPLACEMENTS and _REPLACEMENTS[rest][0] == "==":
        return Suggestion("inequality is written `!=`", "!=")
    replacement = _REPLACEMENTS.get(rest, ("", ""))[0] or _PHRASES.get(rest) or _TYPE_OF_SYNONYM.get(rest)
    words = (rest, f"{rest}s", replacement)
    found = next((word for word in words if word in (*TYPES, *TESTS, "absent") or (word and " " in word)), None)
    return None if found is None else Suggestion(f"written with `not` before it, `not {found}`", f"not {found}")


def _behind_prefix(word: str) -> str | None:
    """The test or type that a word negates by its first letters. One letter may be a slip where it is before a type."""
    from abs_compiler.predicate.negation import behind_prefix

    for rest in behind_prefix(word):
        one_letter = len(rest) + 1 == len(word)
        found = _negated(rest)
        if found is not None and not (one_letter and (rest in TYPES or rest in _TYPE_OF_SYNONYM)):
            return rest
    return None


def negates(word: str) -> bool:
    """Whether a word, of predicates or not, turns something around."""
    from abs_compiler.predicate.negation import names_negation

    lower = word.lower()
    if lower in KEYWORDS:
        return lower == "not"
    known = _REPLACEMENTS.get(lower, ("", ""))[0] or _PHRASES.get(word) or ""
    if known or lower in _TYPE_OF_SYNONYM:
        return known == "!=" or known.startswith("not ")
    return names_negation(word) or _behind_prefix(word) is not None


def type_meant(word: str) -> str | None:
    """The type that a word names, in this language or in another."""
    lower = word.lower()
    return lower if lower in TYPES and lower != "any" else _TYPE_OF_SYNONYM.get(lower)


def constant_for(word: str) -> str | None:
    """The JSON constant that a word of another language means."""
    found = {"none": "null", "nil": "null", "undefined": "null"}.get(word.lower(), word.lower())
    return found if found in CONSTANTS and found != word else None
