"""Small random sessions and runs for the analyses of all runs: few names, so that everything meets.

`session(draw)` gives a document as JSON text; `runs(classes)` runs over the events of a session's classes.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

ACTORS = ("user", "assistant", "tool")
ACTIONS = ("says", "asks", "calls", "submits", "responds")
TARGETS = ("A", "B")
VALUES: tuple[Any, ...] = (
    1,
    5,
    "x",
    {"$is": "integer > 3"},
    {"$is": "integer in 2..5"},
    {"$is": "absent or string"},
    {"$is": "in [1, 5]"},
    "{{p}}",
    {"$is": "== {{p}}"},
)


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    keys = draw(st.lists(st.sampled_from(("k", "l")), min_size=1, max_size=2, unique=True))
    return {draw(st.sampled_from(("with", "with", "with_only"))): {key: draw(st.sampled_from(VALUES)) for key in keys}}


@st.composite
def behaviors(draw: st.DrawFn, *, plain: bool = False) -> dict[str, Any]:
    actor = draw(st.sampled_from(ACTORS))
    action = draw(st.sampled_from(("responds",) if actor == "tool" else ACTIONS[:4]))
    found: dict[str, Any] = {"actor": actor, "action": action}
    if draw(st.booleans()) or action in ("calls", "submits"):
        found["target"] = draw(st.sampled_from(TARGETS))
    if action == "calls":
        if draw(st.booleans()):
            found.update(draw(arguments()))
        if draw(st.integers(0, 3)) == 0:
            found["evaluations"] = [{"type": "tool_call", "ordered": False}]
    if actor == "tool" and draw(st.booleans()):
        found["content"] = draw(st.sampled_from(({"a": 1}, {"a": "t"}, {"a": {"$is": "integer > 3"}}, [1], "t")))
    if not plain and draw(st.integers(0, 4)) == 0:
        found["optional"] = True
    return found


@st.composite
def selectors(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if draw(st.booleans()):
        found["actor"] = draw(st.sampled_from(ACTORS))
    if draw(st.booleans()) or not found:
        found["action"] = draw(st.sampled_from(ACTIONS))
    if draw(st.booleans()):
        found["target"] = draw(st.sampled_from(TARGETS))
    return found


def leaves() -> st.SearchStrategy[dict[str, Any]]:
    one = selectors()
    bounds = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(sorted)
    return st.one_of(
        st.builds(lambda match: {"type": "eventually", "match": match}, one),
        st.builds(lambda match: {"type": "never", "match": match}, one),
        st.builds(lambda match, pair: {"type": "count", "match": match, "min": pair[0], "max": pair[1]}, one, bounds),
        st.builds(lambda match, most: {"type": "count", "match": match, "max": most}, one, st.integers(0, 2)),
        st.builds(lambda order: {"type": "sequence", "order": order}, st.lists(one, min_size=1, max_size=3)),
        st.builds(
            lambda after, match, steps: {"type": "within", "after": after, "match": match, "max_steps": steps},
            one,
            one,
            st.integers(1, 3),
        ),
        st.builds(
            lambda target, found: {"type": "tool_call", "target": target, **found},
            st.sampled_from(TARGETS),
            arguments(),
        ),
    )


def evaluations() -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        leaves(),
        leaves(),
        st.builds(
            lambda kind, parts: {"type": kind, "evaluations": parts},
            st.sampled_from(("all_of", "any_of", "none_of")),
            st.lists(leaves(), min_size=1, max_size=2),
        ),
    )


@st.composite
def documents(draw: st.DrawFn, *, plain: bool = False) -> str:
    document: dict[str, Any] = {
        "session": "s",
        "abs_version": "0.2",
        "behaviors": draw(st.lists(behaviors(plain=plain), min_size=1, max_size=4)),
        "evaluations": draw(st.lists(evaluations(), min_size=1, max_size=3)),
    }
    match: dict[str, Any] = {}
    if draw(st.booleans()):
        match["targets"] = {"A": ["a*", "z"]}
    if draw(st.integers(0, 2)) == 0:
        match["extras"] = draw(st.integers(0, 1))
    if draw(st.integers(0, 4)) == 0:
        match["ignore"] = ["B"]
    if draw(st.integers(0, 5)) == 0:
        match["observe"] = "tools"
    if match:
        document["match"] = match
    return json.dumps(document)
