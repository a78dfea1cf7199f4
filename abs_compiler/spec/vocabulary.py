"""The words of the language: actors, actions by category, versions, keys of each mapping.

Gives plain constants and the category of an action; knows nothing about trees or diagnostics.
"""

from __future__ import annotations

from abs_compiler.runtime import vocabulary as spoken

ACTORS = spoken.ACTORS
CATEGORIES = spoken.ACTIONS
ACTIONS = tuple(spoken.CATEGORY_OF)

VERSIONS = ("0.1", "0.2")
LATEST_VERSION = VERSIONS[-1]

DOCUMENT_KEYS = (
    "session",
    "description",
    "abs_version",
    "dataset",
    "fragments",
    "behaviors",
    "evaluations",
    "match",
)
# A document that only shares fragments with the other documents of its file needs nothing else.
FRAGMENT_DOCUMENT_KEYS = ("fragments", "abs_version", "description")
DATASET_KEYS = ("id", "path")
MATCH_KEYS = ("extras", "ignore", "targets", "observe", "allow_empty")
BEHAVIOR_KEYS = (
    "id",
    "actor",
    "action",
    "target",
    "content",
    "capture",
    "with",
    "with_only",
    "evaluations",
    "optional",
    "requires",
    "matches_when",
    "status",
)
GROUP_KEYS = ("unordered", "ordered", "one_of", "repeat")
REPEAT_KEYS = ("min", "max", "behaviors")
SELECTOR_KEYS = ("actor", "action", "target", "with", "with_only", "status")
STATUSES = ("ok", "error")

# Words that people bring from other formats, and what they are called here.
DOCUMENT_SYNONYMS = {
    "name": "session",
    "title": "session",
    "version": "abs_version",
    "steps": "behaviors",
    "behaviours": "behaviors",
    "evals": "evaluations",
    "checks": "evaluations",
    "assertions": "evaluations",
    "data": "dataset",
}
BEHAVIOR_SYNONYMS = {
    "role": "actor",
    "verb": "action",
    "tool": "target",
    "tool_name": "target",
    "toolName": "target",
    "args": "with",
    "arguments": "with",
    "params": "with",
    "parameters": "with",
    "input": "with",
    "text": "content",
    "message": "content",
    "result": "content",
    "output": "content",
    "captures": "capture",
    "evals": "evaluations",
    "checks": "evaluations",
    "assertions": "evaluations",
    "depends_on": "requires",
}

ACTOR_SYNONYMS = {
    "agent": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "llm": "assistant",
    "model": "assistant",
    "customer": "user",
    "client": "user",
    "function": "tool",
    "developer": "system",
}
ACTION_SYNONYMS = {
    "invokes": "calls",
    "uses": "calls",
    "tool_call": "calls",
    "function_call": "calls",
    "answers": "responds",
    "replies": "responds",
    "returns": "responds",
    "sends": "says",
    "writes": "says",
    "tells": "informs",
    "requests": "asks",
    "handoff": "hands_off",
    "transfers": "hands_off",
}


def category_of(action: str) -> str | None:
    """The category of a known action, or None."""
    return spoken.CATEGORY_OF.get(action)
