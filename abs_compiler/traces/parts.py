"""Message content to text: a string, or a list of parts of which only some are text.

Reasoning is left out without being counted: it is understood, and nobody was told it. Whatever else is not text
(images, audio, files) is counted by its type.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .run import Run

_TEXT_TYPES = frozenset(("text", "input_text", "output_text"))
_REASONING = frozenset(("thinking", "redacted_thinking", "reasoning", "reasoning_content"))


def text_of(content: Any, run: Run) -> str:
    """The text of a message's content; what is not text is counted."""
    match content:
        case None:
            return ""
        case str():
            return content
        case dict():
            return _part(content, run) or ""
        case list():
            texts = [_part(part, run) for part in content]
            return "\n".join(text for text in texts if text)
        case _:
            run.miss("message content that is no text")
            return ""


def is_parts(content: Any) -> bool:
    """Whether a list is message parts and not a JSON value that a tool returned."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in content)
        and any(part["type"] in _TEXT_TYPES or part["type"] in part for part in content)
    )


def miss_part(kind: Any, run: Run) -> None:
    """Count a part by its type, which is the file's and may be anything."""
    run.miss(f"{kind[:40]} parts" if isinstance(kind, str) and kind.isprintable() else "parts of no known type")


def _part(part: Any, run: Run) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        run.miss("parts of no known type")
        return None
    kind = part.get("type")
    if not isinstance(kind, str):
        kind = None
    if kind in _TEXT_TYPES or (kind is None and "text" in part):
        value = part.get("text")
    elif kind == "refusal":
        value = part.get("refusal")
    elif kind in _REASONING:
        return None
    else:
        miss_part(kind, run)
        return None
    if value is None or isinstance(value, str):
        return value
    run.miss("text parts without a text")
    return None
