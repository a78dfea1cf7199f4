"""The vocabulary of ABS: actors, actions by category, and what follows from them."""

from __future__ import annotations

ACTORS = ("user", "assistant", "tool", "system", "human", "external")

ACTIONS = {
    "communication": (
        "says",
        "asks",
        "responds",
        "informs",
        "greets",
        "clarifies",
        "confirms",
        "rejects",
        "suggests",
        "shows",
    ),
    "execution": ("calls", "submits", "retrieves", "stores", "updates"),
    "interaction": ("selects", "uploads", "downloads", "approves"),
    "delegation": ("hands_off",),
}

CATEGORY_OF = {action: category for category, actions in ACTIONS.items() for action in actions}

# Actors whose invocations are never counted as calls of the agent.
PEOPLE = ("user", "human")

# Actors whose `responds` is a result, with a payload that is compared by structure.
RESPONDERS = ("tool", "external")

# What a recorded invocation also satisfies where a step requires it.
INVOCATIONS = ("submits", "retrieves", "stores", "updates")


def is_result(actor: str, action: str | None) -> bool:
    """Whether a behavior or event is the result of a tool or an external system."""
    return action == "responds" and actor in RESPONDERS


def seen_by_tools_only(actor: str, action: str | None, category: str | None = None) -> bool:
    """Whether a recording of tool events alone would hold this behavior or event. An action outside the
    vocabulary counts as seen, and so does an answer of an unknown actor: nothing says that they are conversation."""
    known = category if action is None else CATEGORY_OF.get(action)
    if action == "responds":
        return actor in RESPONDERS or actor not in ACTORS
    return known is None or known == "execution"


def may_be_unseen(actor: str | None, action: str | None) -> bool:
    """Whether something (None: anything) may be what a recording of tool events alone does not show."""
    if action is None:
        return True
    if action == "responds":
        return actor not in RESPONDERS
    category = CATEGORY_OF.get(action)
    return category is not None and category != "execution"
