"""Patterns on RE2: the only place that touches the `re2` module, which is imported when the first pattern occurs.

Takes the text of a pattern in RE2's syntax; gives a search that is linear in the text, never backtracks and never
raises on text. A text with lone surrogates is no Unicode text: a search of it is None, a test of it is false.
"""

from __future__ import annotations

from .errors import AbsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_PATTERN = 1000
# RE2's sets have no second engine to fall back on when their automaton outgrows its memory, so only small programs
# may use them.
_MAX_SET_PROGRAM = 500
_CACHE_SIZE = 512

_re2: Any = None
_cache: dict[tuple[str, bool], Pattern] = {}


class PatternError(ValueError):
    """A pattern that RE2 refuses; the text is RE2's reason."""


class PatternEngineError(AbsError):
    """The installed module `re2` is not RE2."""


class Pattern:
    """A compiled pattern."""

    __slots__ = ("_regexp", "test", "text")

    def __init__(self, text: str, regexp: Any, test: Callable[[str], bool]) -> None:
        self.text = text
        self._regexp = regexp
        self.test = test
        """Whether the pattern occurs in a text; false for a text with lone surrogates."""

    def search(self, text: str) -> bool | None:
        """Whether the pattern occurs in a text; None for a text with lone surrogates."""
        try:
            return self._regexp.search(text) is not None
        except UnicodeEncodeError:
            return None


def compile_pattern(text: str, *, ignore_case: bool = False) -> Pattern:
    """The compiled pattern; PatternError where RE2 refuses it or it is longer than 1,000 characters."""
    key = (text, ignore_case)
    pattern = _cache.get(key)
    if pattern is None:
        if len(_cache) >= _CACHE_SIZE:
            _cache.clear()
        pattern = _cache[key] = _compile(text, ignore_case)
    return pattern


def engine() -> Any:
    """The module `re2`; PatternEngineError where it is missing or another package by that name, which would
    backtrack."""
    global _re2
    if _re2 is None:
        try:
            import re2
        except ImportError:
            raise PatternEngineError("patterns need RE2: install the package google-re2") from None
        if not hasattr(getattr(re2, "Set", None), "SearchSet") or not hasattr(re2, "Options"):
            where = getattr(re2, "__file__", None)
            raise PatternEngineError(
                f"the module `re2` at {where} is not RE2 but another package of that name; "
                "uninstall it and install google-re2"
            )
        _re2 = re2
    return _re2


def _compile(text: str, ignore_case: bool) -> Pattern:
    if len(text) > MAX_PATTERN:
        raise PatternError(f"longer than {MAX_PATTERN:,} characters")
    re2 = engine()
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        regexp = re2.compile(text, options)
    except UnicodeEncodeError:
        raise PatternError("it holds half of a surrogate pair") from None
    except re2.error as error:
        detail = error.args[0] if error.args else "it cannot be read"
        reason = detail.decode("utf-8", "replace") if isinstance(detail, bytes) else str(detail)
        raise PatternError(reason) from None
    if 0 <= regexp.programsize <= _MAX_SET_PROGRAM:
        one = re2.Set.SearchSet(options)
        one.Add(text)
        try:
            one.Compile()
        except re2.error:
            pass  # too large for a set: the search below has more to fall back on
        else:
            return Pattern(text, regexp, _set_test(one.Match))
    return Pattern(text, regexp, _search_test(regexp.search))


def _set_test(match: Callable[[str], Any]) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        try:
            return bool(match(text))
        except UnicodeEncodeError:
            return False

    return test


def _search_test(search: Callable[[str], Any]) -> Callable[[str], bool]:
    def test(text: str) -> bool:
        try:
            return search(text) is not None
        except UnicodeEncodeError:
            return False

    return test
