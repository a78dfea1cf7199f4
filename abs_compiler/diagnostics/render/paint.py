"""Colour: style names in, escape sequences out, or nothing where colour is off."""

from __future__ import annotations

import enum


class Style(enum.Enum):
    """What a piece of a report is."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    GUTTER = "1;34"
    STRONG = "1"


class Paint:
    """Wraps texts in colour; with `color` off it gives them back as they are."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def __call__(self, style: Style, text: str) -> str:
        return f"\x1b[{style.value}m{text}\x1b[0m" if self.color and text.strip() else text
