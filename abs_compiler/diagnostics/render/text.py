"""Texts that several renderers show alike."""

from __future__ import annotations

from abs_compiler.diagnostics.record import Help

_LONGEST_SHOWN_FIX = 60


def help_text(item: Help) -> str:
    """The help, with what its fix writes where that is one short replacement that the text does not show yet."""
    if item.fix is None or len(item.fix.edits) != 1:
        return item.text
    (edit,) = item.fix.edits
    written = edit.text
    short = 0 < len(written) <= _LONGEST_SHOWN_FIX and written.isprintable() and written.strip() == written
    if not short or edit.span.start == edit.span.end or written in item.text:
        return item.text
    return f"{item.text}{'' if item.text.endswith('write') else ':'} `{written}`"
