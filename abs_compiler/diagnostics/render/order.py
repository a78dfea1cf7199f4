"""What every renderer needs: one stable order, and texts that cannot disturb a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from abs_compiler.diagnostics.record import Diagnostic

# Format characters that only shape their neighbours; every other one could reorder or hide text.
_HARMLESS_FORMAT = "\u200c\u200d\xad"


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By path, offset, code and message, and where these are the same by everything that is shown."""

    def key(item: Diagnostic) -> tuple[object, ...]:
        labels = [(label.span.start, label.span.end, label.text) for label in item.labels]
        helps = [help_.text for help_ in item.helps]
        offset = labels[0][0] if labels else -1
        return (item.path, offset, item.code, item.message, labels, list(item.notes), helps)

    return sorted(diagnostics, key=key)


def visible_char(char: str) -> str:
    """The character, or one to show in its place where it would act on the terminal instead of being seen."""
    if char < " ":
        return chr(0x2400 + ord(char))
    if char.isprintable() or char in _HARMLESS_FORMAT:
        return char
    if char == "\x7f":
        return "\u2421"
    category = unicodedata.category(char)
    return " " if category == "Zs" else "\ufffd"


def one_line(text: str) -> str:
    """The text with line breaks and other control characters made visible."""
    return text if text.isprintable() else "".join(map(visible_char, text))
