"""What ends a command early: one message for the user and an exit status."""

from __future__ import annotations

import os


class CommandError(Exception):
    """The command cannot go on. The message stands alone; the status is 2 unless said otherwise."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def internal_error(error: Exception) -> str:
    """The message for a mistake of the program itself; with ABSC_DEBUG set, where it happened too."""
    if os.environ.get("ABSC_DEBUG"):
        import traceback

        return "".join(traceback.format_exception(error)).rstrip()
    text = str(error).partition("\n")[0]
    return f"internal error: {type(error).__name__}: {text} (this is a bug; set ABSC_DEBUG=1 to see where)"
