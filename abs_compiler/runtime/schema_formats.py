"""The formats of JSON Schema, asserted: the checkers of the jsonschema package and its `format` extra, made safe.

jsonschema is imported here and only when a schema names a format. A checker that stumbles over a text has not
recognised it; what none could decide in bounded time is undecided.
"""

from __future__ import annotations

import functools
import sys

from .schema_run import UndecidedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Checkers whose work grows faster than the text.
LONGEST = {"uri-template": 2_000, "regex": 1_000}
# Checkers that end in `$`, which also matches before a line break.
_LOOSE_END = frozenset(("date-time", "hostname", "time", "uri", "uri-reference"))
# Characters that IRIs have beyond those of URIs (RFC 3987, ucschar), and those that only their queries have (iprivate).
_UCSCHAR = (
    (0xA0, 0xD7FF),
    (0xF900, 0xFDCF),
    (0xFDF0, 0xFFEF),
    *((plane << 16, (plane << 16) + 0xFFFD) for plane in range(1, 14)),
    (0xE1000, 0xEFFFD),
)
_IPRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))


@functools.lru_cache(maxsize=1)
def jsonschema_package() -> Any:
    """The jsonschema package. One of its extra's modules builds thirty grammars when imported, for seconds; its two
    formats are decided here, so it is kept out."""
    absent = object()
    known = sys.modules.get("rfc3987_syntax", absent)
    if known is absent and "jsonschema" not in sys.modules:
        sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    try:
        import jsonschema
    finally:
        if known is absent and sys.modules.get("rfc3987_syntax", absent) is None:
            del sys.modules["rfc3987_syntax"]
    return jsonschema


_CLASSES = {
    "draft-04": "Draft4Validator",
    "draft-06": "Draft6Validator",
    "draft-07": "Draft7Validator",
    "2019-09": "Draft201909Validator",
    "2020-12": "Draft202012Validator",
}


@functools.lru_cache(maxsize=8)
def checkers(dialect: str) -> dict[str, Callable[[Any], object]]:
    """The formats that can be asserted in a dialect, each with its checker."""
    validator = getattr(jsonschema_package(), _CLASSES[dialect])
    found: dict[str, Callable[[Any], object]] = {
        name: function for name, (function, _) in validator.FORMAT_CHECKER.checkers.items()
    }
    found["regex"] = _is_regex
    for iri, uri in (("iri", "uri"), ("iri-reference", "uri-reference")):
        found.pop(iri, None)
        if uri in found and dialect not in ("draft-04", "draft-06"):
            found[iri] = functools.partial(_is_iri, found[uri])
    return found


def conforms(dialect: str, name: str, text: str) -> bool:
    """Whether a text has a format that is known. UndecidedError where no checker can tell in bounded time."""
    checker = checkers(dialect)[name]
    limit = LONGEST.get(name)
    if limit is not None and len(text) > limit:
        raise UndecidedError(f"a text of {len(text):,} characters is too long for the format {name}")
    if name in _LOOSE_END and text.endswith("\n"):
        return False
    try:
        return bool(checker(text))
    except RecursionError:
        raise UndecidedError(f"a text is nested too deeply for the format {name}") from None
    except Exception:
        return False


def _is_iri(is_uri: Callable[[Any], object], text: str) -> bool:
    """RFC 3987: what is a URI once its further characters are percent-encoded (which no scheme or port may hold)."""
    query = text.find("?")
    fragment = text.find("#")
    end = len(text) if fragment < 0 else fragment
    parts = []
    for place, char in enumerate(text):
        code = ord(char)
        further = code > 127 and (_in(code, _UCSCHAR) or (-1 < query < place < end and _in(code, _IPRIVATE)))
        parts.append("%41" if further else char)
    return not text.endswith("\n") and bool(is_uri("".join(parts)))


def _in(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


def _is_regex(text: str) -> bool:
    """A pattern of RE2, or one with what RE2 leaves out (look-around, back-references)."""
    import re

    from .patterns import PatternError, compile_pattern

    try:
        compile_pattern(text)
    except PatternError:
        try:
            re.compile(text)
        except Warning:  # where warnings are errors; the pattern was read
            return True
        except (re.error, OverflowError):
            return False
    return True
