"""Words that say the opposite of another one: `not_contains`, `never_calls`, `unordered`, `excludes`.

A typing mistake leaves a word's meaning as it is. Whoever takes `not_contains` for a slip of `contains` turns a check
into its opposite, so no suggestion may lose a negation or bring one in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NEGATIONS = frozenset(
    (
        *("not", "no", "never", "none", "non", "nor", "neither", "without", "cannot"),
        *("arent", "cant", "doesnt", "dont", "isnt", "mustnt", "shouldnt", "wont"),
    )
)
_PREFIXES = ("not", "non", "never", "no", "un", "dis", "in", "il", "im", "ir", "anti", "doesnt", "isnt", "mustnt")
_FILLERS = frozenset(("does", "do", "is", "are", "be", "been", "must", "should", "shall", "may", "can", "was", "to"))
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])|[^\W_]+")


def parts(word: str) -> list[str]:
    """The words a name is made of, in lower case: `mustNot_contain` is `must`, `not`, `contain`."""
    return [part.lower() for part in _PART.findall(word.replace("'", "").replace("’", ""))]


def changes_negation(word: str, candidate: str) -> bool:
    """Whether taking a word for a mistyped `candidate` would drop a negation or add one."""
    ours, theirs = parts(word), parts(candidate)
    if _negated(ours):
        return not _negated(theirs)
    if _negated(theirs):
        # `nver` may well be `never`; `one_of` is no slip of `none_of`
        return not any(part.startswith("n") for part in ours)
    one, other = "".join(ours), "".join(theirs)
    return any(one == prefix + other or other == prefix + one for prefix in _PREFIXES)


def without_negation(word: str) -> str | None:
    """What a negated word negates, joined with `_` (`contain` for `does_not_contain`, empty for `not`); None for a word
    that negates nothing."""
    found = parts(word)
    if not _negated(found):
        joined = "".join(found)
        prefix = next((item for item in ("not", "never") if joined.startswith(item) and joined != item), None)
        return None if prefix is None else joined.removeprefix(prefix)
    return "_".join(part for part in found if part not in _NEGATIONS and part not in _FILLERS)


def behind_prefix(word: str) -> Iterator[str]:
    """What a word may negate by its first letters: `in` for `nin`, `null` for `nonnull`, `matches` for `unmatches`."""
    joined = "".join(parts(word))
    for prefix in ("not", "never", "non", "un", "no", "n"):
        if joined.startswith(prefix):
            yield joined.removeprefix(prefix)


def names_negation(word: str) -> bool:
    """Whether one of the words that a name is made of negates."""
    return _negated(parts(word))


def _negated(found: list[str]) -> bool:
    return not _NEGATIONS.isdisjoint(found)
